// Part of QEMU's plugin interface that this plugin uses, in interface versions 1 to 6 (see "TCG
// Plugins" in QEMU's documentation). The plugin was tested with QEMU 7.2 (version 1) and QEMU 10.2
// (versions 2 to 5). QEMU resolves these functions when it loads the plugin, so the plugin does not
// need a library.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = std::uint64_t;
using qemu_plugin_meminfo_t = std::uint32_t;
struct qemu_plugin_tb;    // block that is being translated
struct qemu_plugin_insn;  // instruction of a block

// Argument of qemu_plugin_install(). QEMU's structure ends with a union for the emulation of whole
// machines. The plugin does not need the union, so it is omitted here.
struct qemu_info_t {
  // Name of the emulated processor, such as "x86_64".
  const char* target_name;
  struct {
    // Oldest and newest interface version that this QEMU supports.
    int min;
    int cur;
  } version;
  // True if QEMU emulates a whole machine instead of a single program.
  bool system_emulation;
};

// Registers that a callback needs to access.
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W = 2, QEMU_PLUGIN_MEM_RW = 3 };

using qemu_plugin_vcpu_simple_cb_t = void (*)(qemu_plugin_id_t, unsigned vcpu);
using qemu_plugin_vcpu_tb_trans_cb_t = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);
using qemu_plugin_vcpu_udata_cb_t = void (*)(unsigned vcpu, void* data);
using qemu_plugin_vcpu_mem_cb_t = void (*)(unsigned vcpu, qemu_plugin_meminfo_t,
                                           std::uint64_t address, void* data);
using qemu_plugin_vcpu_syscall_cb_t = void (*)(qemu_plugin_id_t, unsigned vcpu, std::int64_t number,
                                               std::uint64_t a1, std::uint64_t a2, std::uint64_t a3,
                                               std::uint64_t a4, std::uint64_t a5, std::uint64_t a6,
                                               std::uint64_t a7, std::uint64_t a8);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, qemu_plugin_vcpu_simple_cb_t);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t, qemu_plugin_vcpu_simple_cb_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_vcpu_tb_trans_cb_t);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, qemu_plugin_vcpu_syscall_cb_t);

std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, std::size_t);
// Copies up to `length` bytes of the instruction and returns the number of copied bytes. Before
// interface version 3, the function has only the first parameter, and returns a pointer to the
// bytes of the instruction.
std::size_t qemu_plugin_insn_data(const qemu_plugin_insn*, void* to, std::size_t length);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn*);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
// Returns the address of the instruction in this process. Newer versions of QEMU may return
// nullptr.
void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);

void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb_t,
                                            qemu_plugin_cb_flags, void* data);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_vcpu_mem_cb_t,
                                      qemu_plugin_cb_flags, qemu_plugin_mem_rw, void* data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

// Function that exists only in interface version 1. In other versions the weak symbol is null, so
// the plugin can detect version 1.
[[gnu::weak]] int qemu_plugin_n_vcpus();

}  // extern "C"

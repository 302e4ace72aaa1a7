// What QEMU offers a plugin, as far as this one uses it: versions 1 to 6 of the interface ("TCG Plugins", QEMU's
// documentation; tried with 7.2 and 10.2, which have 1 and 2 to 5). A plugin links nothing: QEMU resolves these.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = std::uint64_t;
using qemu_plugin_meminfo_t = std::uint32_t;
struct qemu_plugin_tb;    // a block that is being translated
struct qemu_plugin_insn;  // an instruction of it

// What qemu_plugin_install() is told. The union of the same place is about whole machines.
struct qemu_info_t {
  const char* target_name;  // "x86_64"
  struct {
    int min;  // the versions of the interface that this QEMU has
    int cur;
  } version;
  bool system_emulation;  // a whole machine, not a program
};

// Whether a callback may look at registers.
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
// Since version 3: copies up to `length` bytes of the instruction, and returns how many. Before: takes the instruction
// alone, and returns where its bytes are.
std::size_t qemu_plugin_insn_data(const qemu_plugin_insn*, void* to, std::size_t length);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn*);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
// Where it is in this process. Newer versions may not know, and return nullptr.
void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);

void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb_t,
                                            qemu_plugin_cb_flags, void* data);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_vcpu_mem_cb_t,
                                      qemu_plugin_cb_flags, qemu_plugin_mem_rw, void* data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

// Version 1 alone has it.
[[gnu::weak]] int qemu_plugin_n_vcpus();

}  // extern "C"

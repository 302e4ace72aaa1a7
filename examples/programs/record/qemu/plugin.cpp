// QEMU plugin that records executed instructions. It writes ChampSim records to memory that it
// shares with trace_record. qemu-x86_64, qemu-i386, qemu-aarch64 and qemu-riscv64 load the plugin.
// The plugin works only if trace_record started the emulator.
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api.hpp"
#include "executes.hpp"
#include "guest.hpp"
#include "recording.hpp"
#include "remembered.hpp"
#include "translated.hpp"

namespace record::qemu {
namespace {

recording all;
// Lane of the current thread. A thread gets a lane for its first recorded or counted instruction.
// Before that instruction and after the thread's end, the thread uses `nobodys`, which is always
// full. (QEMU's processor numbers cannot select lanes: they keep increasing while threads overlap.)
lane nobodys;
[[gnu::tls_model("initial-exec")]] thread_local lane* mine = &nobodys;

int refuse(const char* why) {
  std::fprintf(stderr, "tracecodec-qemu.so: %s\n", why);
  return -1;
}

// Address of the program's address 0 in this process; `none` if it is unknown.
constexpr std::uint64_t none = ~std::uint64_t{0};
std::uint64_t base_of_program = none;

template <class Record> Record& current(lane& l) { return *reinterpret_cast<Record*>(l.at); }
template <class Record> const translated<Record>& last(const lane& l) {
  return *static_cast<const translated<Record>*>(l.last);
}
// Returns true if the instruction has made all the memory accesses that it makes in every
// execution.
template <class Record> bool accessed(const Record& r, const facts& f) {
  return ((f.flags & reading) == 0 || r.source_memory[0] != 0) &&
         ((f.flags & writing) == 0 || r.destination_memory[0] != 0);
}

// Completes the thread's last record. `ip` is the address of the thread's next instruction. Returns
// false if the recorded instruction was not executed. Either the instruction raised a signal, or
// QEMU restarts it. For example, QEMU restarts an instruction that writes to a page of code.
template <class Record> bool settle(lane& l, std::uint64_t ip) {
  const facts& f = last<Record>(l).facts;
  Record& r = current<Record>(l);
  if ((f.flags & ends_block) == 0) return ip == f.next_ip;
  if ((f.flags & conditional) != 0)
    r.branch_taken = ip == f.target && f.target != f.next_ip ? 1 : 0;
  else if ((f.flags & flow) != 0)
    r.branch_taken = ip != f.next_ip ? 1 : 0;
  if ((f.flags & repeated) != 0) {
    const bool first = l.repeating != r.ip, whole = accessed(r, f);
    if (!whole && ip != f.next_ip) return false;
    l.repeating = ip == r.ip ? ip : 0;
    // A repeated instruction whose count is 0 is one step without accesses.
    return whole || first;
  }
  return ip == f.next_ip || ((f.flags & raising) == 0 && accessed(r, f));
}

// Lets the program outlive its recorder. Only the main thread can cancel the parent-death signal,
// so a call from another thread has no effect.
void outlive_recorder() {
  static std::atomic_flag refused;
  if (!refused.test() && ::gettid() == ::getpid() && !refused.test_and_set())
    ::prctl(PR_SET_PDEATHSIG, 0);
}
// Lets the program continue without being recorded; the remaining callbacks then have no effect.
// The function does not use qemu_plugin_uninstall(), because QEMU 7.2 may still call a removed
// callback and then crash. Code that is translated later gets no callbacks.
void leave() {
  outlive_recorder();
  static std::atomic_flag done;
  if (!done.test_and_set()) all.report_finished();
}

// Removes the record of the thread's last instruction, which was not executed.
template <class Record> void drop_last(lane& l) {
  l.at -= sizeof(Record);
  if (last<Record>(l).facts.lost != 0) l.lost -= l.records;
}
// Returns memory for the thread's next record. Call this function if the thread has no chunk or the
// chunk is full.
std::byte* next_chunk() {
  if (mine == &nobodys) {
    lane* const own = all.new_lane();
    if (own == nullptr) all.end_by_too_many_threads();
    mine = own;
  }
  std::byte* const to = all.next(*mine);
  if (all.over()) leave();
  return to;
}
template <class Record> void add(const void* data) {
  std::byte* to = mine->at + sizeof(Record);
  if (to == mine->end) [[unlikely]]
    to = next_chunk();
  std::memcpy(to, &static_cast<const translated<Record>*>(data)->record, sizeof(Record));
  mine->at = to;
  mine->last = data;
}
// Callback for executing the first instruction of a block.
template <class Record> void on_first(unsigned, void* data) {
  lane& l = *mine;
  const std::uint64_t ip = static_cast<const translated<Record>*>(data)->record.ip;
  if (l.last != nullptr && !settle<Record>(l, ip)) drop_last<Record>(l);
  add<Record>(data);
}
// Callback for each instruction of a block after the first one. QEMU calls it only if the previous
// instruction was executed.
template <class Record> void on_next(unsigned, void* data) { add<Record>(data); }

void on_lost(unsigned, void*) { mine->lost += mine->records; }
void on_several(unsigned, void*) {
  lane& l = *mine;
  l.next_read = l.next_write = 0;
  l.clipped = 0;
}

template <class Record> void on_read(unsigned, qemu_plugin_meminfo_t, std::uint64_t a, void*) {
  std::uint64_t& to = current<Record>(*mine).source_memory[0];
  if (to == 0 || a < to) to = a;
}
template <class Record> void on_write(unsigned, qemu_plugin_meminfo_t, std::uint64_t a, void*) {
  std::uint64_t& to = current<Record>(*mine).destination_memory[0];
  if (to == 0 || a < to) to = a;
}
template <class Record>
void on_both(unsigned cpu, qemu_plugin_meminfo_t info, std::uint64_t a, void* data) {
  // If an instruction reads and writes atomically (lock), QEMU reports only one access.
  on_read<Record>(cpu, info, a, data);
  if (qemu_plugin_mem_is_store(info)) on_write<Record>(cpu, info, a, data);
}
template <class Record>
void by_direction(unsigned cpu, qemu_plugin_meminfo_t info, std::uint64_t a, void* data) {
  qemu_plugin_mem_is_store(info) ? on_write<Record>(cpu, info, a, data)
                                 : on_read<Record>(cpu, info, a, data);
}
template <class Record> void on_two(unsigned, qemu_plugin_meminfo_t, std::uint64_t a, void*) {
  auto& to = current<Record>(*mine).source_memory;
  to[to[1] == 0 ? 1 : 0] = a;
}
template <class Record>
void on_any(unsigned, qemu_plugin_meminfo_t info, std::uint64_t a, void* /*data*/) {
  lane& l = *mine;
  const auto put = [&](auto& to, std::uint64_t& next) {
    const bool goes_on = a == next && next != 0;
    next = a + (std::uint64_t{1} << qemu_plugin_mem_size_shift(info));
    if (goes_on) return;
    for (std::uint64_t& slot : to)
      if (slot == 0) {
        slot = a;
        return;
      }
    if (std::exchange(l.clipped, std::uint8_t{1}) == 0) l.lost += l.records;
  };
  if (qemu_plugin_mem_is_store(info))
    put(current<Record>(l).destination_memory, l.next_write);
  else
    put(current<Record>(l).source_memory, l.next_read);
}
// Callback for a memory access of a repeated instruction. In newer versions of QEMU, one execution
// may contain several repetitions. When an operand is accessed again, the next step begins.
template <class Record, bool TwoReads>
void on_repeated(unsigned, qemu_plugin_meminfo_t info, std::uint64_t a, void* /*data*/) {
  lane& l = *mine;
  const bool written = qemu_plugin_mem_is_store(info);
  const Record& step = current<Record>(l);
  if ((written ? step.destination_memory[0] : step.source_memory[0]) != 0) {
    l.repeating = step.ip;
    add<Record>(l.last);
    if (last<Record>(l).facts.lost != 0) l.lost += l.records;
  }
  Record& r = current<Record>(l);
  if (written)
    r.destination_memory[0] = a;
  else
    r.source_memory[TwoReads && r.source_memory[1] == 0 ? 1 : 0] = a;
}
template <class Record> qemu_plugin_vcpu_mem_cb_t callback_for(const facts& f) {
  if ((f.flags & repeated) != 0 && f.accesses != accesses::none)
    return f.accesses == accesses::two_reads ? on_repeated<Record, true>
                                             : on_repeated<Record, false>;
  switch (f.accesses) {
    case accesses::one_read:
      return on_read<Record>;
    case accesses::one_written:
      return on_write<Record>;
    case accesses::one_both:
      return on_both<Record>;
    case accesses::by_direction:
      return by_direction<Record>;
    case accesses::two_reads:
      return on_two<Record>;
    case accesses::several:
      return on_any<Record>;
    case accesses::none:
      break;
  }
  return nullptr;
}

// Place at which the recording begins or ends. It takes effect at execution number `what.count`, or
// at each execution if `each_time` is set.
struct place {
  trigger what = {};
  bool each_time = false;  // true for a marker
  std::atomic<std::uint64_t> passed = 0;
};
// Hands over the thread's chunk. The thread's next instruction then begins a new chunk.
void cut() {
  if (mine == &nobodys) return;
  all.close(*mine);
  mine->last = nullptr;
}
// Hands over the thread's chunk before the instruction at `ip`. `First` is true if that instruction
// is the first of a block. If so, first checks whether the previous instruction was executed.
template <class Record, bool First> void cut_before(std::uint64_t ip) {
  if (First && mine->last != nullptr && !settle<Record>(*mine, ip)) drop_last<Record>(*mine);
  cut();
}
// Callback for executing an instruction at which the recording begins.
void on_begin(unsigned, void* data) {
  auto& p = *static_cast<place*>(data);
  if ((!p.each_time && ++p.passed != p.what.count) || !all.waiting()) return;
  cut();
  all.begin_now();
}
template <class Record, bool First> void on_end(unsigned, void* data) {
  auto& p = *static_cast<place*>(data);
  if (!p.each_time && ++p.passed != p.what.count) return;
  cut_before<Record, First>(p.what.address);
  p.each_time ? all.wait_again() : all.stop();
}

// Places in the translated code at which the recording begins or ends. They come from the recorder.
class places {
 public:
  // Requests the places near `ip` from the recorder, unless they are already known.
  void request(std::uint64_t ip) {
    // If the base is unknown, it may become known when other code is translated.
    if (base_of_program == none) return;
    const std::lock_guard lock(mutex_);
    const auto next = seen_.upper_bound(ip);
    if (next != seen_.begin() && ip < std::prev(next)->second) return;
    all.find_triggers(ip, base_of_program, [&](const trigger_range& a) {
      if (a.from <= ip && ip < a.to) seen_[a.from] = a.to;
      for (std::size_t i = 0; i < a.count && i < a.triggers.size(); ++i) {
        const trigger& t = a.triggers[i];
        auto& kept = (t.begins ? begins_ : ends_)[t.address];
        if (kept == nullptr) kept = std::make_unique<place>();
        kept->what = t;
      }
    });
  }
  place* begin_at(std::uint64_t ip) { return find(begins_, ip); }
  place* end_at(std::uint64_t ip) { return find(ends_, ip); }
  place* marker_at(std::uint64_t ip) {
    const std::lock_guard lock(mutex_);
    auto& kept = markers_[ip];
    if (kept == nullptr) {
      kept = std::make_unique<place>();
      kept->what.address = ip;
      kept->each_time = true;
    }
    return kept.get();
  }
  // Resets the counters in a forked child, because each process counts separately. Replaces the
  // mutex, because another thread may have locked it during the fork.
  void forked() {
    new (&mutex_) std::mutex;
    for (table* const t : {&begins_, &ends_})
      for (auto& [address, p] : *t) p->passed = 0;
  }
  // Discards the known ranges of code. Other code may now be mapped at their addresses.
  void forget() {
    const std::lock_guard lock(mutex_);
    seen_.clear();
  }

 private:
  using table = std::unordered_map<std::uint64_t, std::unique_ptr<place>>;
  place* find(const table& in, std::uint64_t ip) {
    const std::lock_guard lock(mutex_);
    const auto at = in.find(ip);
    return at == in.end() ? nullptr : at->second.get();
  }
  std::mutex mutex_ = {};
  // Ranges of code whose places are known. The key is the start of a range, and the value is its
  // end.
  std::map<std::uint64_t, std::uint64_t> seen_ = {};
  table begins_ = {}, ends_ = {}, markers_ = {};
} known_places;

// Returns the stored copy of `t`, or adds a copy. If no memory is left, returns nullptr and ends
// the recording.
template <class Record> const translated<Record>* remember(const translated<Record>& t,
                                                           const std::optional<kept_code>& code) {
  static remembered<Record> known;
  if (const auto* const kept = known.find_or_add(t, code, all)) return kept;
  static std::atomic_flag done;
  if (!done.test_and_set()) refuse("no memory for more code: the recording ends");
  all.stop();
  return nullptr;
}

template <class Record> void instrument(qemu_plugin_insn* instruction, bool first, bool last) {
  const code_of read(instruction);
  const std::span<const std::byte> code = read.bytes();
  const std::uint64_t ip = qemu_plugin_insn_vaddr(instruction);
  const x86::instruction decoded = here->decode(code);
  translated<Record> now = translate<Record>(decoded, code, ip, here->is_x86);
  if (last) now.facts.flags |= ends_block;
  std::optional<kept_code> its_code;
  if (all.order().keeps_code != 0)
    its_code = {now.record.source_registers, property_of(decoded, code)};
  const translated<Record>* const kept = remember(now, its_code);
  if (kept == nullptr) return;
  void* const data = const_cast<translated<Record>*>(kept);
  const auto when_executed = [&](qemu_plugin_vcpu_udata_cb_t f, void* with) {
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, f, QEMU_PLUGIN_CB_NO_REGS, with);
  };
  if (place* const p = known_places.begin_at(ip); p != nullptr) when_executed(on_begin, p);
  if (place* const p = known_places.end_at(ip); p != nullptr)
    when_executed(first ? on_end<Record, true> : on_end<Record, false>, p);
  const unsigned marker = all.order().markers != 0 ? marker_in(code) : 0;
  if (marker == 2)
    when_executed(first ? on_end<Record, true> : on_end<Record, false>, known_places.marker_at(ip));
  when_executed(first ? on_first<Record> : on_next<Record>, data);
  if (marker == 1) when_executed(on_begin, known_places.marker_at(ip));
  if (now.facts.lost != 0) when_executed(on_lost, nullptr);
  if (now.facts.accesses == accesses::several) when_executed(on_several, nullptr);
  if (const auto f = callback_for<Record>(now.facts); f != nullptr)
    qemu_plugin_register_vcpu_mem_cb(instruction, f, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     nullptr);
}
// Uses the first translated instruction to determine where the program's memory begins in this
// process.
void find_base(qemu_plugin_insn* first) {
  if (base_of_program != none) return;
  if (const void* const at = qemu_plugin_insn_haddr(first); at != nullptr)
    base_of_program = reinterpret_cast<std::uintptr_t>(at) - qemu_plugin_insn_vaddr(first);
}
template <class Record> void on_translated(qemu_plugin_id_t, qemu_plugin_tb* block) {
  // Do not add callbacks after the recording. Without callbacks, the code runs at QEMU's full
  // speed.
  if (all.over()) return outlive_recorder();
  const std::size_t n = qemu_plugin_tb_n_insns(block);
  qemu_plugin_insn* const first = qemu_plugin_tb_get_insn(block, 0);
  find_base(first);
  known_places.request(qemu_plugin_insn_vaddr(first));
  // An x86 instruction that extends into the next page begins a block of its own. However, QEMU
  // detects the page boundary only after it has read the first bytes of the instruction. QEMU then
  // lists these bytes as the last instruction of the current block.
  const bool cut_off =
      n > 1 && here->is_x86 &&
      !here->decode(code_of(qemu_plugin_tb_get_insn(block, n - 1)).bytes()).valid();
  for (std::size_t i = 0; i != n; ++i)
    instrument<Record>(qemu_plugin_tb_get_insn(block, i), i == 0,
                       i + 1 == n || (cut_off && i + 2 == n));
}
// Callback for translated code in a process that is not recorded.
void on_first_code(qemu_plugin_id_t, qemu_plugin_tb* block) {
  find_base(qemu_plugin_tb_get_insn(block, 0));
}

void on_system_call(qemu_plugin_id_t, unsigned, std::int64_t number, std::uint64_t a1,
                    std::uint64_t a2, std::uint64_t a3, std::uint64_t a4, std::uint64_t,
                    std::uint64_t, std::uint64_t, std::uint64_t) {
  const processor& calls = *here;
  if (all.has_begun() && all.over()) outlive_recorder();
  // The system call may sleep. Hand over the thread's records now, so that they precede the records
  // of other threads that run in the meantime. One of these threads may be created by this call.
  if (all.has_threads() || (number == calls.clone && !all.over())) cut();
  constexpr std::uint64_t executable = 4;  // PROT_EXEC
  if (number == calls.munmap ||
      ((number == calls.mmap || number == calls.mprotect) && (a3 & executable) != 0))
    known_places.forget();
  if ((number != calls.execve && number != calls.execveat) || base_of_program == none) return;
  const guest_memory memory(base_of_program, calls.narrow);
  if (number == calls.execve) return execute(memory, all, a1, a2, a3);
  // If the path of execveat() is relative to a file descriptor, the kernel handles the call.
  const auto path = memory.text(a2);
  if (path && (static_cast<int>(a1) == AT_FDCWD || path->starts_with('/')))
    execute(memory, all, a2, a3, a4);
}

void on_thread_end(qemu_plugin_id_t, unsigned) {
  cut();
  if (mine != &nobodys) all.free_lane(*std::exchange(mine, &nobodys));
}

pid_t before_fork = 0;
// Callback in the parent process after fork(), even if fork() failed. errno was 0 before the fork,
// so EAGAIN or ENOMEM means that fork() failed.
void on_forked() {
  if (errno != EAGAIN && errno != ENOMEM) all.has_child();
}

int install(qemu_plugin_id_t id, const qemu_info_t& info, std::optional<std::string_view> socket) {
  if (info.system_emulation) return refuse("it records programs, not whole machines");
  interface_version = info.version.cur;
  if (interface_version > newest_interface)
    return refuse("this QEMU's plugin interface is newer than the supported versions, 1 to 6");
  for (const processor& p : processors)
    if (p.name == info.target_name) here = &p;
  if (here == nullptr)
    return refuse("it does not support this processor, or was compiled without its disassembler");
  if (!socket) return refuse("only trace_record can start it");
  qemu_plugin_register_vcpu_syscall_cb(id, on_system_call);
  if (socket->empty()) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_first_code);
    return 0;
  }
  if (!all.begin(*socket, named(here->name))) return refuse("only trace_record can start it");
  all.fill_chunk(nobodys);
  pthread_atfork(
      [] {
        before_fork = getpid();
        errno = 0;
      },
      on_forked,
      [] {
        known_places.forked();
        all.forked(static_cast<std::uint64_t>(before_fork), mine == &nobodys ? nullptr : mine);
      });
  qemu_plugin_register_vcpu_tb_trans_cb(id, all.order().record_size == sizeof(champsim::instruction)
                                                ? on_translated<champsim::instruction>
                                                : on_translated<champsim::cloudsuite_instruction>);
  qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
  return 0;
}

}  // namespace
}  // namespace record::qemu

extern "C" {
// Interface version of this plugin. QEMU checks it when it loads the plugin. A QEMU that supports
// version 1 supports no other version. Newer versions of QEMU support all versions except version
// 1.
[[gnu::visibility("default")]] extern int qemu_plugin_version;
int qemu_plugin_version = qemu_plugin_n_vcpus != nullptr ? 1 : 2;

// Entry point of the plugin. Its argument is socket=NAME, where NAME is the socket on which
// trace_record listens. If NAME is empty, nothing is recorded. However, programs that this program
// executes still run under QEMU.
[[gnu::visibility("default")]] int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info,
                                                       int argc, char** argv);
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  constexpr std::string_view key = "socket=";
  std::optional<std::string_view> socket;
  for (int i = 0; i < argc; ++i)
    if (const std::string_view a = argv[i]; a.starts_with(key)) socket = a.substr(key.size());
  return record::qemu::install(id, *info, socket);
}
}

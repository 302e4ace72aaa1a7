// from_x86/writer.hpp and its parts, on hand-made instructions: slots, values and flags.
#include "tracecodec/umtracer/from_x86/writer.hpp"

#include "umtracer/from_x64dbg.hpp"

using namespace test;
namespace flags = umtracer::exec_flags;
using umtracer::slot_none;

namespace {

namespace gpr {
constexpr std::size_t rax = 0, rcx = 1, rbx = 3, rsp = 4, rsi = 6, rdi = 7;
}

// Program converted to a UMTracer trace. The first record is the thread's begin.
class made {
 public:
  template <target T> explicit made(program<T>& p) {
    x64dbg::reader<T> from(io::open_input(dir_.file("p", p.trace())));
    convert_x64dbg(from, dir_ / "t");
    trace_.emplace(dir_ / "t");
  }
  [[nodiscard]] const umtracer::reader& trace() const { return *trace_; }
  // Returns the record of instruction `n` in a program with one thread.
  [[nodiscard]] umtracer::record_view record(std::size_t n) const { return trace()[n + 1]; }
  [[nodiscard]] int flags_of(std::size_t n) const { return record(n).flags(); }
  [[nodiscard]] umtracer::instruction_record row(std::size_t n) const {
    return trace().instructions()[trace().row_of(record(n))];
  }
  [[nodiscard]] umtracer::decoded_instruction decoded(std::size_t n) const {
    return trace().instructions().decoded(trace().row_of(record(n)));
  }
  [[nodiscard]] std::string_view name(std::uint16_t id) const {
    return id == umtracer::name_mem0   ? "MEM0"
           : id == umtracer::name_mem1 ? "MEM1"
                                       : trace().registers().name(id);
  }
  // Lists the names in the three groups of slots: "RSI MEM0 | RAX | RAX".
  [[nodiscard]] std::string slots(std::size_t n) const {
    const auto d = decoded(n);
    std::string s;
    for (std::size_t k = 0; k <= d.slot_count; ++k) {
      if (k == d.first_out_slot) s += "| ";
      if (k == d.first_after_slot) s += "| ";
      if (k < d.slot_count) s += std::string(name(d.slots[k].name)) + ' ';
    }
    return s;
  }
  [[nodiscard]] std::uint64_t value(std::size_t n, std::size_t slot) const {
    const auto bytes = umtracer::value_of(decoded(n).slots[slot], record(n).values()).bytes;
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 8; ++i)
      v |= std::to_integer<std::uint64_t>(bytes[i]) << 8 * i;
    return v;
  }
  [[nodiscard]] std::uint64_t address(std::size_t n, std::size_t slot) const {
    return umtracer::value_of(decoded(n).slots[slot], record(n).values()).address;
  }

 private:
  folder dir_;
  std::optional<umtracer::reader> trace_ = {};
};

}  // namespace

TEST_CASE("writes the instruction of figure 3") {
  program<target::x86> p;  // add word ptr [esi+8], ax
  p.set(gpr::rsi, 0x2000).set(gpr::rax, 0x11110003);
  p.step(1, 0x1000, "66014608", {{0x2008, 0xaabb0004, 0xaabb0007}});
  p.set(program<target::x86>::flags_word, 0x202).step(1, 0x1004, "90");
  const made t(p);
  const auto d = t.decoded(0);
  CHECK(t.slots(0) == "ESI EAX MEM0 | EFLAGS | EFLAGS MEM0 ");
  CHECK(t.value(0, 0) == 0x2000);
  CHECK(t.value(0, 1) == 0x11110003);
  CHECK(t.value(0, 2) == 4);
  CHECK(t.value(0, 3) == 0);
  CHECK(t.value(0, 4) == 0x202);
  CHECK(t.value(0, 5) == 7);
  for (const std::size_t k : {2U, 5U}) {
    CHECK(t.address(0, k) == 0x2008);
    CHECK(d.slots[k].value_size == 2);
    CHECK(d.slots[k].address_width == 4);
  }
  CHECK(d.constants[0] == 8);
  CHECK(d.mem0_base_slot == 0);
  CHECK(d.mem0_index_slot == slot_none);
  CHECK(d.mem0_segment_slot == slot_none);
  CHECK(d.mem0_scale == 0);
  CHECK(d.operand_size == 2);
  CHECK(d.address_size == 4);
  CHECK(d.flags ==
        (umtracer::decoded_flags::reads_memory | umtracer::decoded_flags::writes_memory));
  CHECK(t.flags_of(0) == 0);
  CHECK(t.trace().instructions().text(0) == "add [esi+0x08], ax");
}

TEST_CASE("sets the flags of instructions that were not executed") {
  constexpr std::size_t f = program<target::x64>::flags_word;
  constexpr std::uint64_t zero = program<target::x64>::zero_flag;
  program<target::x64> p;
  p.step(1, 0x1000, "7405");               // je 0x1007, not taken
  p.step(1, 0x1002, "7503");               // jne 0x1007, taken
  p.set(f, zero).step(1, 0x1007, "7500");  // jne to the fall-through address: the flags decide
  p.step(1, 0x1009, "480f44c3");           // cmove rax, rbx
  p.step(1, 0x100d, "480f45c3");           // cmovne
  p.step(1, 0x1011, "dbc8");               // fcmovne
  p.set(gpr::rcx, 2).step(1, 0x1013, "f3ac", {{}});  // rep lodsb: three iterations
  p.set(gpr::rcx, 1).step(1, 0x1013, "f3ac", {{}});
  p.set(gpr::rcx, 0).step(1, 0x1013, "f3ac", {{}});  // not one more iteration
  p.step(1, 0x1015, "f3ac", {{}});                   // another rep lodsb, with count 0
  p.step(1, 0x1017, "7405");                         // je, the last instruction
  const made t(p);
  constexpr int on = flags::code64, no = flags::not_executed, first = flags::first_repetition;
  CHECK(t.flags_of(0) == (on | no));
  CHECK(t.flags_of(1) == on);
  CHECK(t.flags_of(2) == (on | no));
  CHECK(t.flags_of(3) == on);
  CHECK(t.flags_of(4) == (on | no));
  CHECK(t.flags_of(5) == (on | no));
  CHECK(t.flags_of(6) == (on | first));
  CHECK(t.flags_of(7) == on);
  CHECK(t.flags_of(8) == (on | no));
  CHECK(t.flags_of(9) == (on | no | first));
  CHECK(t.flags_of(10) == (on | flags::unreliable_outputs));
  CHECK(t.decoded(6).flags ==
        (umtracer::decoded_flags::rep | umtracer::decoded_flags::reads_memory));
  // The targets of branches are their first operands.
  const auto d = t.decoded(0);
  REQUIRE(d.operand_count == 1);
  CHECK(d.operands[0] == umtracer::explicit_operand{0, 8, 1, 0xFD, slot_none, 0, 0});
  CHECK(d.constants[0] == 0x1007);
}

TEST_CASE("writes memory operands of stack instructions") {
  program<target::x64> p;
  p.set(gpr::rsp, 0x3000).set(gpr::rax, 77);
  p.step(1, 0x1000, "50", {{0x2ff8, 0xbad, 77}});  // push rax; the old value of x64dbg is wrong
  p.set(gpr::rsp, 0x2ff8).step(1, 0x1001, "e8fb0f0000", {{0x2ff0, 0xbad, 0x1006}});  // call 0x2001
  p.set(gpr::rsp, 0x2ff0).step(1, 0x2001, "c3", {{0x2ff0, 0x1006, {}}});
  p.set(gpr::rsp, 0x2ff8).set(gpr::rbx, 0x5000);
  p.step(1, 0x1006, "ff33", {{0x5000, 9, {}}, {0x2ff0, 0xbad, 9}});           // push [rbx]
  p.set(gpr::rsp, 0x2ff0).step(1, 0x1008, "c8100000", {{0x2fe8, 0xbad, 0}});  // enter 16, 0
  p.set(gpr::rsp, 0x2fd8).step(1, 0x100c, "90");
  const made t(p);
  CHECK(t.slots(0) == "RAX RSP | | RSP STACKPUSH ");
  CHECK(t.address(0, 3) == 0x2ff8);
  CHECK(t.value(0, 3) == 77);
  CHECK(t.value(0, 1) == 0x3000);
  CHECK(t.value(0, 2) == 0x2ff8);
  CHECK(t.decoded(1).constants[0] == 0x2001);
  const auto pushed = t.decoded(1).slots[t.decoded(1).slot_count - 1U];
  CHECK(t.name(pushed.name) == "STACKPUSH");
  CHECK(t.slots(2).find("STACKPOP | ") != std::string::npos);
  CHECK(t.slots(3) == "RBX RSP MEM0 | | RSP STACKPUSH ");
  CHECK(t.decoded(3).mem0_base_slot == 0);
  CHECK(t.slots(4).ends_with("STACKPUSH "));
  CHECK(t.address(4, t.decoded(4).slot_count - 1U) == 0x2fe8);
  for (std::size_t n = 0; n < 5; ++n) CHECK(t.flags_of(n) == flags::code64);
}

TEST_CASE("marks memory that the source did not record as unreliable") {
  program<target::x64> p;
  p.set(gpr::rbx, 0x2000);
  p.step(1, 0x1000, "488b03");                     // mov rax, [rbx]
  p.step(1, 0x1003, "488903");                     // mov [rbx], rax
  p.step(1, 0x1006, "0f1003", {{0x2000, 1, {}}});  // movups xmm0, [rbx]: only half of it recorded
  p.step(1, 0x1009, "0f1003", {{0x2000, 1, {}}, {0x2008, 2, {}}});
  p.step(1, 0x100c, "c4e269900c03");  // vpgatherdd xmm0, [rbx+xmm0], xmm2
  p.step(1, 0x1012, "0f1803");        // prefetchnta [rbx]
  p.step(1, 0x1015, "488d03");        // lea rax, [rbx]
  p.step(1, 0x1018, "06");            // not an instruction in 64-bit code
  p.step(1, 0x1019, "90");
  const made t(p);
  constexpr int on = flags::code64, in = flags::unreliable_inputs, out = flags::unreliable_outputs;
  CHECK(t.flags_of(0) == (on | in));
  CHECK(t.flags_of(1) == (on | in | out));
  CHECK(t.flags_of(2) == (on | in));
  CHECK(t.flags_of(3) == on);
  CHECK(t.flags_of(4) == (on | in));
  for (std::size_t n = 5; n < 9; ++n) CHECK(t.flags_of(n) == on);
  CHECK(t.address(0, 1) == 0x2000);
  CHECK(t.slots(5) == "RBX | | ");
  CHECK(t.slots(6) == "RBX | RAX | RAX ");
  CHECK(t.slots(7) == "| | ");
  CHECK(t.trace().instructions().text(7) == "(bad)");
  CHECK(t.row(5).type == umtracer::instruction_type::prefetch);
  CHECK(t.row(8).type == umtracer::instruction_type::nop);
  // Half of a value is still stored.
  CHECK(t.value(2, 1) == 1);
}

TEST_CASE("writes segments, and addresses without a base register") {
  program<target::x64> p;
  p.step(1, 0x1000, "65488b042530000000", {{0x7ffd0030, 0x7ffd0000, {}}});  // mov rax, gs:[0x30]
  p.set(gpr::rax, 0x7ffd0000)
      .step(1, 0x1009, "488b0510000000", {{0x1020, 5, {}}});  // mov rax, [rip+16]
  p.set(gpr::rbx, 0x4000)
      .set(gpr::rax, 0xff03)
      .step(1, 0x1010, "d7", {{0x4003, 0x42, {}}});  // xlat
  p.set(gpr::rsi, 0x100).set(gpr::rdi, 0x200);
  p.step(1, 0x1011, "a4", {{0x100, 1, {}}, {0x200, 2, 1}});  // movsb
  p.step(1, 0x1012, "ff648308", {{0x43c14, 0x1016, {}}});    // jmp [rbx+rax*4+8]
  p.step(1, 0x1016, "f04883034090", {});
  const made t(p);
  CHECK(t.slots(0) == "GSBASE MEM0 | RAX | RAX ");
  CHECK(t.value(0, 0) == 0x7ffd0000);
  CHECK(t.decoded(0).mem0_segment_slot == 0);
  CHECK(t.decoded(0).mem0_base_slot == slot_none);
  CHECK(t.decoded(0).constants[0] == 0x30);
  CHECK(t.slots(1) == "RIP MEM0 | RAX | RAX ");
  CHECK(t.decoded(1).mem0_base_slot == slot_none);
  CHECK(t.decoded(1).constants[0] == 0x1020);
  CHECK(t.address(1, 1) == 0x1020);
  CHECK(t.name(t.decoded(2).slots[t.decoded(2).mem0_index_slot].name) == "AL");
  CHECK(t.value(2, t.decoded(2).mem0_index_slot) == 3);
  CHECK(t.decoded(2).mem0_scale == 1);
  CHECK(t.slots(3) == "RDI RSI RFLAGS MEM0 | MEM1 | RDI RSI MEM1 ");
  const auto d = t.decoded(4);
  CHECK(d.mem0_scale == 4);
  CHECK(d.constants[0] == 8);
  REQUIRE(d.operand_count == 1);
  CHECK(t.name(d.operands[0].name) == "MEM0");
  CHECK(d.operands[0].before_offset == 8);
  CHECK(t.value(4, d.operands[0].before_slot) == 0x1016);
  CHECK((t.decoded(5).flags & umtracer::decoded_flags::lock) != 0);
}

TEST_CASE("classifies system calls") {
  program<target::x64> p;
  p.step(1, 0x1000, "0f05").step(1, 0x1002, "cd2e").step(1, 0x1004, "cc").step(1, 0x1005, "f390");
  p.step(1, 0x1007, "0f1f00");
  const made t(p);
  using type = umtracer::instruction_type;
  CHECK(t.row(0).type == type::fast_syscall64);
  CHECK(t.row(1).type == type::alternate_syscall);
  CHECK(t.row(2).type == type::software_interrupt);
  CHECK(t.row(3).type == type::normal);
  CHECK(t.row(4).type == type::nop);
  program<target::x86> q;
  q.step(1, 0x1000, "0f34");
  CHECK(made(q).row(0).type == type::fast_syscall32);
}

TEST_CASE("equal instructions of all threads share rows and decoded forms") {
  program<target::x64> p;
  p.step({}, 0x1000, "4801d8").step(8, 0x1000, "4801d8").step(9, 0x2000, "4801d8");
  p.step(8, 0x1000, "4829c8").step(9, 0x2003, "eb00").step(9, 0x2005, "eb00").step(8, 0x1003, "90");
  const made t(p);
  const umtracer::reader& r = t.trace();
  REQUIRE(r.threads().size() == 3);
  CHECK(r.threads()[0].win_tid == 0);
  CHECK(r.threads()[1].win_tid == 8);
  CHECK(r.threads()[2].win_tid == 9);
  REQUIRE(r.size() == 10);
  // The records are in trace order, and each thread's begin precedes its first instruction.
  const std::uint32_t threads[]{0, 0, 1, 1, 2, 2, 1, 2, 2, 1};
  const std::uint64_t ips[]{0, 0x1000, 0, 0x1000, 0, 0x2000, 0x1000, 0x2003, 0x2005, 0x1003};
  for (std::uint64_t i = 0; i < r.size(); ++i) {
    CHECK(r[i].thread() == threads[i]);
    CHECK((r[i].type() == umtracer::exec_type::thread_begin) == (ips[i] == 0));
    if (ips[i] != 0) CHECK(r.instructions()[r.row_of(r[i])].address == ips[i]);
  }
  REQUIRE(r.instructions().size() == 6);
  CHECK(r.row_of(r[1]) == r.row_of(r[3]));
  const auto form = [&](std::uint64_t i) {
    return r.instructions()[r.row_of(r[i])].decoded.offset;
  };
  CHECK(form(1) == form(5));
  CHECK(form(1) != form(6));
  CHECK(form(7) != form(8));
  CHECK(r.neighbours_of(3).next == 6);
  CHECK(r.neighbours_of(5).next == 7);
}

#include "target_registers.hpp"

#include <tracecodec/arm/registers.hpp>
#include <tracecodec/feed/operand_list.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/query/data_flow.hpp>
#include <tracecodec/riscv/registers.hpp>
#include <tracecodec/x86/registers.hpp>

#include <array>
#include <cstddef>

namespace debug {

namespace feed = tracecodec::feed;
namespace x86 = tracecodec::x86;
using x86::reg;

instruction_set instruction_set_of(feed::column_source& trace) {
  if (trace.has_own_registers()) {
    const auto is = [&](std::uint8_t number, std::string_view name) {
      return trace.register_name(number) == name;
    };
    if (is(tracecodec::arm::number_of(0), "x0")) return instruction_set::aarch64;
    if (is(tracecodec::riscv::number_of_general(1), "ra")) return instruction_set::riscv64;
    if (is(x86::number(reg::rax), "eax")) return instruction_set::x86;
    if (!is(x86::number(reg::rax), "rax"))
      throw tracecodec::trace_error(
          tracecodec::trace_errc::refused, {.file = std::string(trace.name())},
          "the instruction set of the trace is neither x86, AArch64 nor RISC-V");
    return instruction_set::x64;
  }
  return tracecodec::query::register_names(trace).code_mode() == tracecodec::wire::target::x86
             ? instruction_set::x86
             : instruction_set::x64;
}

namespace {

class builder {
 public:
  explicit builder(std::string_view architecture) {
    made_.xml =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
        "<architecture>";
    made_.xml += architecture;
    // GDB then takes the list of modules, and does not look for a dynamic linker in memory.
    made_.xml += "</architecture>\n<osabi>none</osabi>\n";
  }

  void begin(std::string_view feature, std::string_view types = {}) {
    made_.xml += "<feature name=\"org.gnu.gdb." + std::string(feature) + "\">\n";
    made_.xml += types;
  }
  void end() { made_.xml += "</feature>\n"; }
  void add(target_register r) {
    if (r.most == 0) r.most = r.size;
    made_.xml += "<reg name=\"" + r.name + "\" bitsize=\"" + std::to_string(r.size * 8) + '"';
    if (!r.type.empty()) made_.xml += " type=\"" + std::string(r.type) + '"';
    made_.xml += "/>\n";
    made_.registers.push_back(std::move(r));
  }
  target_description finish() {
    made_.xml += "</target>\n";
    return std::move(made_);
  }

 private:
  target_description made_ = {};
};

// Types of vector registers with `bytes` bytes, as the type called `name`.
std::string vector_types(std::string_view name) {
  std::string s;
  const auto vector = [&](std::string_view id, std::string_view of, int count) {
    s += "<vector id=\"" + std::string(id) + "\" type=\"" + std::string(of) + "\" count=\"" +
         std::to_string(count) + "\"/>\n";
  };
  vector("v4f", "ieee_single", 4);
  vector("v2d", "ieee_double", 2);
  vector("v16i8", "int8", 16);
  vector("v8i16", "int16", 8);
  vector("v4i32", "int32", 4);
  vector("v2i64", "int64", 2);
  s += "<union id=\"" + std::string(name) +
       "\"><field name=\"v4_float\" type=\"v4f\"/><field name=\"v2_double\" type=\"v2d\"/>"
       "<field name=\"v16_int8\" type=\"v16i8\"/><field name=\"v8_int16\" type=\"v8i16\"/>"
       "<field name=\"v4_int32\" type=\"v4i32\"/><field name=\"v2_int64\" type=\"v2i64\"/>"
       "<field name=\"uint128\" type=\"uint128\"/></union>\n";
  return s;
}

using role = target_register::role;

target_description describe_x86(bool is_64, bool has_ymm) {
  const std::uint32_t word = is_64 ? 8 : 4;
  builder to(is_64 ? "i386:x86-64" : "i386");
  to.begin("i386.core");
  constexpr std::array order_64{reg::rax, reg::rbx, reg::rcx, reg::rdx, reg::rsi, reg::rdi,
                                reg::rbp, reg::rsp, reg::r8,  reg::r9,  reg::r10, reg::r11,
                                reg::r12, reg::r13, reg::r14, reg::r15};
  constexpr std::array order_32{reg::rax, reg::rcx, reg::rdx, reg::rbx,
                                reg::rsp, reg::rbp, reg::rsi, reg::rdi};
  const auto add_general = [&](reg r) {
    std::string name(x86::name(r).view());
    if (!is_64) name[0] = 'e';
    const bool is_pointer = r == reg::rsp || r == reg::rbp;
    to.add({.name = name,
            .size = word,
            .number = x86::number(r),
            .type = is_pointer ? "data_ptr" : ""});
  };
  if (is_64)
    for (const reg r : order_64) add_general(r);
  else
    for (const reg r : order_32) add_general(r);
  to.add({.name = is_64 ? "rip" : "eip",
          .size = word,
          .is = role::program_counter,
          .type = "code_ptr"});
  to.add({.name = "eflags", .size = 4, .number = x86::number(reg::flags)});
  for (const reg r : {reg::cs, reg::ss, reg::ds, reg::es, reg::fs, reg::gs})
    to.add(
        {.name = std::string(x86::name(r).view()), .size = 4, .number = x86::number(r), .most = 2});
  for (std::size_t n = 0; n != 8; ++n)
    to.add({.name = "st" + std::to_string(n),
            .size = 10,
            .number = x86::number(x86::row(reg::x87_0, n)),
            .type = "i387_ext"});
  to.add({.name = "fctrl", .size = 4, .number = x86::number(reg::x87_control), .most = 2});
  to.add({.name = "fstat", .size = 4, .number = x86::number(reg::x87_status), .most = 2});
  to.add({.name = "ftag", .size = 4, .number = x86::number(reg::x87_tag), .most = 2});
  for (const char* name : {"fiseg", "fioff", "foseg", "fooff", "fop"})
    to.add({.name = name, .size = 4});
  to.end();
  const std::size_t vectors = is_64 ? 16 : 8;
  to.begin("i386.sse", vector_types("vec128"));
  for (std::size_t n = 0; n != vectors; ++n)
    to.add({.name = "xmm" + std::to_string(n),
            .size = 16,
            .number = x86::number(x86::row(reg::vector0, n)),
            .type = "vec128"});
  to.add({.name = "mxcsr", .size = 4, .number = x86::number(reg::mxcsr)});
  to.end();
  if (has_ymm) {
    to.begin("i386.avx");
    for (std::size_t n = 0; n != vectors; ++n)
      to.add({.name = "ymm" + std::to_string(n) + 'h',
              .size = 16,
              .number = x86::number(x86::row(reg::vector0, n)),
              .offset = 16,
              .type = "uint128"});
    to.end();
  }
  return to.finish();
}

target_description describe_aarch64(bool has_vectors) {
  using tracecodec::arm::number_of;
  builder to("aarch64");
  to.begin("aarch64.core");
  for (std::uint8_t n = 0; n != tracecodec::arm::stack_register; ++n)
    to.add({.name = 'x' + std::to_string(n), .size = 8, .number = number_of(n)});
  to.add({.name = "sp",
          .size = 8,
          .number = number_of(tracecodec::arm::stack_register),
          .type = "data_ptr"});
  to.add({.name = "pc", .size = 8, .is = role::program_counter, .type = "code_ptr"});
  to.add({.name = "cpsr", .size = 4, .number = feed::flags});
  to.end();
  if (has_vectors) {
    to.begin("aarch64.fpu", vector_types("aarch64v"));
    for (std::uint8_t n = 0; n != 32; ++n)
      to.add({.name = 'v' + std::to_string(n),
              .size = 16,
              .number = number_of(static_cast<std::uint8_t>(tracecodec::arm::first_vector + n)),
              .type = "aarch64v"});
    to.add({.name = "fpsr", .size = 4});
    to.add({.name = "fpcr", .size = 4});
    to.end();
  }
  return to.finish();
}

target_description describe_riscv(bool has_vectors) {
  using namespace tracecodec::riscv;
  builder to("riscv:rv64");
  to.begin("riscv.cpu");
  for (unsigned n = 0; n != general_names.size(); ++n)
    to.add({.name = std::string(general_names[n] == "s0" ? "fp" : general_names[n]),
            .size = 8,
            .number = number_of_general(n),
            .is = n == 0 ? role::zero : role::usual});
  to.add({.name = "pc", .size = 8, .is = role::program_counter, .type = "code_ptr"});
  to.end();
  if (has_vectors) {
    to.begin("riscv.fpu");
    for (unsigned n = 0; n != 32; ++n)
      to.add({.name = 'f' + std::to_string(n),
              .size = 8,
              .number = number_of_other(n),
              .type = "ieee_double"});
    for (const char* name : {"fflags", "frm", "fcsr"}) to.add({.name = name, .size = 4});
    to.end();
  }
  return to.finish();
}

}  // namespace

target_description describe(instruction_set set, const register_groups& groups) {
  switch (set) {
    case instruction_set::x86:
    case instruction_set::x64:
      return describe_x86(set == instruction_set::x64, groups.wide_vectors);
    case instruction_set::aarch64:
      return describe_aarch64(groups.vectors);
    case instruction_set::riscv64:
      break;
  }
  return describe_riscv(groups.vectors);
}

}  // namespace debug

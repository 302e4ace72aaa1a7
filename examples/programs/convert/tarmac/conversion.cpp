// Converts Tarmac text to text rows and to the other style, and any trace with code or values to Tarmac
// text.
#include "conversion.hpp"

#include <tracecodec/arm/registers.hpp>
#include <tracecodec/tarmac/descriptor.hpp>
#include <tracecodec/tarmac/rows.hpp>
#include <tracecodec/tarmac/writer.hpp>
#include <tracecodec/x86/registers.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../listed/from_columns.hpp"
#include "../recorded/from_columns.hpp"
#include "../selected.hpp"
#include "../write_rows.hpp"

namespace convert {

namespace {

namespace tarmac = tracecodec::tarmac;
namespace x86 = tracecodec::x86;
using tracecodec::tracepack::processor;

void tarmac_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  tarmac::trace_reader from(std::move(in.input()));
  with_rows<tarmac::row>(o, compression, [&](auto& out) {
    return for_each_selected(from, o, [&](std::uint64_t index, const tarmac::instruction& i) {
      tarmac::for_each_row(index, i, [&out](const tarmac::row& r) { out.write(r); });
    });
  });
}

processor tarmac_processor(tracecodec::trace::source& in) {
  switch (tarmac::first_state(in.input())) {
    case tarmac::state::a64:
      return processor::aarch64;
    case tarmac::state::x64:
      return processor::x86_64;
    case tarmac::state::x86:
      return processor::x86_32;
    default:
      return processor::unknown;
  }
}

// Lines of an instruction that come from the columns of any trace.
class made_lines {
 public:
  explicit made_lines(tarmac::state state) : state_(state) {}

  [[nodiscard]] std::span<const tarmac::line> lines() const { return all_.lines; }
  [[nodiscard]] std::string_view text(const io::kept_piece& p) const { return all_.text.text(p); }
  [[nodiscard]] std::span<const std::byte> bytes(const tarmac::line& l) const {
    return l.known ? all_.text.bytes(l.bytes) : std::span<const std::byte>();
  }

  // Makes lines with the known registers before `i`.
  void make_state(const tarmac::instruction& i) {
    const auto& set = i.set();
    const tarmac::line& own = i.own();
    time_ = own.time;
    unit_ = own.unit;
    source_ = own.source;
    has_source_ = own.has_source;
    for (std::size_t n = 0; n != set.words.size(); ++n)
      if (const auto value = i.before(n))
        add_register({set.words[n].number, set.words[n].offset, *value},
                     set.name(set.words[n].number));
  }
  // Makes the lines of `step`. The registers that the previous instruction changed come first.
  void make(const recorded_step& step, std::string_view assembly, bool has_threads,
            const tracecodec::feed::column_source& from) {
    all_.lines.clear();
    all_.text.drop(all_.text.end());
    source_ = step.thread;
    has_source_ = has_threads;
    for (const recorded_register& r : step.registers)
      add_register(r, from.has_own_registers()
                          ? from.register_name(r.number)
                          : std::string(x86::name(static_cast<x86::reg>(r.number)).view()));
    tarmac::line& own = add(tarmac::line_kind::instruction, step.code);
    own.address = step.ip;
    own.executed = !step.not_taken;
    own.text = all_.text.add(assembly);
    time_ = own.time = step.index;
    own.number = step.index + 1;
    for (const recorded_operand& m : step.operands) {
      if (m.size == 0 || m.size > 256) continue;
      tarmac::line& l = add(m.write ? tarmac::line_kind::write : tarmac::line_kind::read, m.bytes);
      l.address = m.address;
      l.known = !m.bytes.empty();
      l.bytes.size = static_cast<std::uint32_t>(m.size);
    }
  }

 private:
  tarmac::line& add(tarmac::line_kind kind, std::span<const std::byte> bytes) {
    tarmac::line one;
    one.kind = kind;
    one.state = state_;
    one.has_source = has_source_;
    one.source = source_;
    one.time = time_;
    one.unit = unit_;
    one.bytes = all_.text.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return all_.lines.emplace_back(one);
  }
  void add_register(const recorded_register& r, const std::string& name) {
    if (name.empty()) return;
    const bool vector = r.offset != 0 || name.front() == 'v' || name.front() == 'm';
    const bool narrow = state_ == tarmac::state::x86 && !vector;
    std::array<std::byte, 8> value;
    tracecodec::wire::u64le::store(r.value, value.data());
    tarmac::line& l =
        add(tarmac::line_kind::reg, std::span(value).first(name == "nzcv" || narrow ? 4 : 8));
    l.text = all_.text.add(name == "nzcv" ? "cpsr" : name);
    l.offset = r.offset;
    l.whole = !vector;
  }

  tarmac::content all_ = {};
  tarmac::state state_;
  std::uint64_t time_ = 0;  // of the previous instruction
  std::uint32_t source_ = 0;
  std::uint8_t unit_ = 0;
  bool has_source_ = false;
};

// Copies a trace. A part begins with the registers before it.
void copy_tarmac(tracecodec::trace::source in, const options& o, const format& /*to*/,
                 io::codec compression) {
  refuse_pack(o);
  const auto front = in.input().peek(io::input::peek_limit);
  const auto own = tarmac::style_of({reinterpret_cast<const char*>(front.data()), front.size()});
  tarmac::trace_reader from(std::move(in.input()));
  tarmac::writer out(io::open_output(o.out, compression, o.packing), o.output.value_or(own));
  const auto failure = for_each_selected(from, o, [&](std::uint64_t, const tarmac::instruction& i) {
    if (out.written() == 0 && o.part.skip != 0) {
      made_lines state(i.own().state);
      state.make_state(i);
      out.add(state);
    }
    out.write(i);
  });
  finish(out, out.written(), failure, o);
}

void any_to_tarmac(tracecodec::trace::source in, const options& o, const format& /*to*/,
                   io::codec compression) {
  using tracecodec::feed::column;
  refuse_pack(o);
  const std::string title(in.format().title);
  const bool is_known = conversion_of(in.format()).processor != nullptr;
  processor of = processor_of(in);
  const bool has_threads = !in.format().thread.empty();
  const bool has_content = in.format().has_code || in.format().has_values;
  examples::reading as = o.as;
  as.registers = true;
  tracecodec::trace::reader from(std::move(in), as);
  if (!is_known && from.columns().has_own_registers())
    of = from.columns().register_name(tracecodec::arm::number_of(1)) == "x1" ? processor::aarch64
                                                                             : processor::unknown;
  if (of == processor::riscv64 || of == processor::unknown || !has_content)
    throw usage_error(
        o.in +
        ": Tarmac text stores code of Arm or x86 processors, or values of their registers, "
        "which this " +
        title + " trace does not have");
  const tarmac::state state = of == processor::aarch64  ? tarmac::state::a64
                              : of == processor::x86_32 ? tarmac::state::x86
                                                        : tarmac::state::x64;
  tarmac::writer out(io::open_output(o.out, compression, o.packing),
                     o.output.value_or(tarmac::style::it));
  made_lines lines(state);
  left_out_values lost;
  std::string text;
  const auto failure = for_each_recorded(
      from, o, false, lost,
      [&](const recorded_step& step) {
        if (step.text.empty()) text = from.columns().assembly_of(step.code, step.ip);
        lines.make(step, step.text.empty() ? std::string_view(text) : step.text, has_threads,
                   from.columns());
        out.write(lines);
      },
      has_threads);
  if (lost.operands != 0)
    say(some(lost.operands, "memory operand") + " with unknown bytes, written as x");
  lost.say_elements();
  finish(out, out.written(), failure, o);
}

constexpr std::array<conversion_target, 1> tarmac_targets{
    {{.to = &tarmac::descriptor::facts,
      .write = copy_tarmac,
      .take_options = [](tracecodec::format::own_options& output) {
        output.reset<tarmac::style>();
      }}}};

}  // namespace

constexpr format_conversion tarmac_conversion{.format = &tarmac::descriptor::facts,
                                              .targets = tarmac_targets,
                                              .to_rows = tarmac_to_rows,
                                              .processor = tarmac_processor,
                                              .from_any = any_to_tarmac,
                                              .output = "Tarmac text"};

}  // namespace convert

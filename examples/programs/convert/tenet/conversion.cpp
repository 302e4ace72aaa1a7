// Converts Tenet's traces to text rows, and any trace to a Tenet trace.
#include "conversion.hpp"

#include <tracecodec/tenet/descriptor.hpp>
#include <tracecodec/tenet/rows.hpp>
#include <tracecodec/tenet/writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../listed/from_columns.hpp"
#include "../recorded/from_columns.hpp"
#include "../selected.hpp"
#include "../write_rows.hpp"

namespace convert {

namespace {

namespace tenet = tracecodec::tenet;
using tracecodec::tracepack::processor;

void tenet_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  tenet::reader from(std::move(in.input()));
  with_rows<tenet::row>(o, compression, [&](auto& out) {
    bool first = true;
    return for_each_selected(from, o, [&](std::uint64_t index, const tenet::instruction& i) {
      out.write(tenet::row_of(index, i, std::exchange(first, false)));
    });
  });
}

processor tenet_processor(tracecodec::trace::source& in) {
  const auto front = in.input().peek(io::input::peek_limit);
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  const auto* const d = tenet::dialect_of(text.substr(0, text.find('\n')));
  if (d == &tenet::aarch64) return processor::aarch64;
  return d == &tenet::x86_32 ? processor::x86_32 : processor::x86_64;
}

// Writer of the memory that an instruction accesses. The lines show it after the next instruction's
// registers, so that it is kept until then.
class operand_items {
 public:
  void keep(std::span<const recorded_operand> all) {
    kept_.clear();
    bytes_.clear();
    for (const recorded_operand& o : all) {
      if (o.bytes.empty()) continue;
      kept_.push_back({o.address, o.bytes.size(), !o.write, o.write});
      bytes_.insert(bytes_.end(), o.bytes.begin(), o.bytes.end());
    }
  }
  void write(tenet::writer& to) {
    join();
    std::span<const std::byte> rest = bytes_;
    for (const item& i : kept_) {
      if (i.read || i.write) to.add(i.read, i.write, i.address, rest.first(i.size));
      rest = rest.subspan(i.size);
    }
    kept_.clear();
  }

 private:
  struct item {
    std::uint64_t address;
    std::size_t size;
    bool read, write;
  };
  // Makes a read and a later write of the same bytes one item.
  void join() {
    order_.resize(kept_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto place = [this](std::size_t n) { return std::pair(kept_[n].address, kept_[n].size); };
    std::sort(order_.begin(), order_.end(), [&place](std::size_t a, std::size_t b) {
      return std::pair(place(a), a) < std::pair(place(b), b);
    });
    // Reads of the same bytes that were not joined yet are at `first` and after it.
    for (std::size_t first = 0, n = 0; n != order_.size(); ++n) {
      if (place(order_[first]) != place(order_[n])) first = n;
      item& one = kept_[order_[n]];
      if (!one.write) continue;
      while (first != n && (!kept_[order_[first]].read || kept_[order_[first]].write)) ++first;
      if (first == n) continue;
      one.read = true;
      kept_[order_[first]].read = false;
    }
  }

  std::vector<item> kept_ = {};
  std::vector<std::size_t> order_ = {};
  std::vector<std::byte> bytes_ = {};
};

// Returns the dialect whose registers have the names of the trace's registers, or null.
const tenet::dialect* dialect_with_registers_of(const tracecodec::feed::column_source& from,
                                                processor of) {
  namespace x86 = tracecodec::x86;
  for (const tenet::dialect* const d : tenet::dialects) {
    const std::uint8_t first = d->registers.words.front().number;
    // The names of x86 registers are the same in 32-bit and 64-bit traces.
    const std::string name = of == processor::x86_32    ? x86::name_of_32(first)
                             : from.has_own_registers() ? from.register_name(first)
                                                        : x86::name_of(first);
    if (name == d->registers.name(first)) return d;
  }
  return nullptr;
}

void any_to_tenet(tracecodec::trace::source in, const options& o, const format& /*to*/,
                  io::codec compression) {
  refuse_pack(o);
  const processor of = processor_of(in);
  examples::reading as = o.as;
  as.registers = true;
  tracecodec::trace::reader from(std::move(in), as);
  using tracecodec::feed::column;
  const tenet::dialect* found =
      from.has(column::register_values) ? dialect_with_registers_of(from.columns(), of) : nullptr;
  const bool has_names = found != nullptr;
  if (!has_names) {
    say("the trace stores no values of registers that Tenet knows: lines list addresses" +
        std::string(from.has(column::memory_values) ? " and memory" : ""));
    found = of == processor::aarch64  ? &tenet::aarch64
            : of == processor::x86_32 ? &tenet::x86_32
                                      : &tenet::amd64;
  }
  const tenet::dialect& dialect = *found;
  tenet::writer out(io::open_output(o.out, compression, o.packing), dialect);
  operand_items operands;
  left_out_values lost;
  const auto words = dialect.registers.words.first(dialect.registers.words.size() - 1);
  const auto failure = for_each_recorded(from, o, true, lost, [&](const recorded_step& step) {
    for (const recorded_register& r : step.registers)
      for (std::size_t n = 0; has_names && n != words.size(); ++n)
        if (words[n].number == r.number && r.offset == 0)
          out.add(n, dialect.fits(r.value) ? r.value : r.value & 0xFFFFFFFFU);
    operands.write(out);
    out.end_line(step.ip);
    operands.keep(step.operands);
  });
  if (lost.switches != 0)
    say(some(lost.switches, "instruction") +
        " that follow one of another thread: a Tenet trace has one thread, which --thread selects");
  if (lost.operands != 0)
    say(some(lost.operands, "memory operand") + " with unknown bytes left out");
  lost.say_elements();
  finish(out, out.written(), failure, o);
}

constexpr std::array<conversion_target, 1> tenet_targets{
    {{.to = &tenet::descriptor::facts, .write = any_to_tenet}}};

}  // namespace

constexpr format_conversion tenet_conversion{.format = &tenet::descriptor::facts,
                                             .targets = tenet_targets,
                                             .to_rows = tenet_to_rows,
                                             .processor = tenet_processor,
                                             .from_any = any_to_tenet,
                                             .output = "lines of Tenet's traces"};

}  // namespace convert

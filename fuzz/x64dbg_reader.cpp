// Tests the reader of x64dbg traces, with register states, seeking, writers, memory queries and the
// check. In the first byte, bit 0 selects a mapped input, bit 1 repair, and bit 2 reading without a
// snapshot. The remaining bits select the writer's mode, seeking or memory queries, and an
// instruction.
#include "input.hpp"
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/memory.hpp"
#include "tracecodec/x64dbg/reader.hpp"
#include "tracecodec/x64dbg/writer.hpp"
#include "x64dbg/memory_model.hpp"

namespace fuzz::x64dbg_reader {
namespace {
namespace x64dbg = tracecodec::x64dbg;
using x64dbg::target;

// Content of an instruction, without its position in the trace.
template <target T> struct step {
  std::optional<std::uint32_t> thread;
  std::uint64_t registers;  // hash of the known registers
  std::size_t opcode_size;
  bytes data;  // bytes of the opcode and the memory accesses
  friend bool operator==(const step&, const step&) = default;
};

template <target T> step<T> step_of(const x64dbg::instruction<T>& i) {
  step<T> s{i.thread, 0, i.block.opcode_size, {}};
  for (std::size_t w = 0; w < x64dbg::register_words<T>; ++w)
    s.registers = s.registers * 31 + (i.before->known(w) ? (*i.before)[w] + w + 1 : 0);
  for (const view part :
       {i.block.opcode.bytes(), i.block.access_flags.bytes(), i.block.addresses.bytes(),
        i.block.old_values.bytes(), i.block.new_values.bytes()})
    s.data.insert(s.data.end(), part.begin(), part.end());
  return s;
}

template <target T> struct trace {
  std::vector<step<T>> steps = {};
  std::optional<trace_error> error = {};
  memory_model<T> memory = {};
};
constexpr std::size_t most = 400;  // maximum number of steps that are compared

template <target T> trace<T> read(x64dbg::reader<T>& r) {
  trace<T> all;
  all.error = error_of([&] {
    for (const auto& i : r)
      if (all.steps.size() < most) {
        all.steps.push_back(step_of(i));
        all.memory.add(i);
      }
  });
  return all;
}

// Compares headers, including their text if the writer keeps it unchanged.
bool same_header(const x64dbg::trace_header& a, const x64dbg::trace_header& b,
                 x64dbg::writer_mode mode) {
  return a.arch == b.arch && a.hash_algorithm == b.hash_algorithm && a.hash == b.hash &&
         a.path == b.path && a.unknown == b.unknown &&
         (mode != x64dbg::writer_mode::raw || a.text == b.text);
}

// Writes the instructions that were read, and reads them again.
template <target T> void rewrite(view in, const x64dbg::trace_header& header, const trace<T>& all,
                                 x64dbg::reader_options options, bool mapped,
                                 x64dbg::writer_mode mode) {
  bytes out;
  const auto refused = error_of([&] {
    x64dbg::reader<T> from(input_of(in, mapped), options);
    x64dbg::writer<T> to(sink_to(out), "out", header, {.mode = mode});
    x64dbg::instruction<T> i;
    for (std::size_t n = 0; n < all.steps.size() && from.next(i); ++n) to.write(i);
    to.finish();
  });
  if (refused) {
    require(refused->code() == trace_errc::refused, "what was read is written or refused");
    return;
  }
  x64dbg::reader<T> again(stream_of(out), {.without_snapshot = options.without_snapshot});
  require(same_header(again.header(), header, mode), "decode(encode(x)) == x: the header");
  const auto back = read(again);
  require(!back.error, "what was written can be read");
  require(back.steps == all.steps, "decode(encode(x)) == x");
}

template <target T> void seek(view in, const trace<T>& all, x64dbg::reader_options options,
                              bool mapped, std::uint64_t n) {
  if (all.error || all.steps.empty() || all.steps.size() == most) return;
  x64dbg::block_reader<T> blocks(input_of(in, mapped), {.repair = options.repair});
  const auto index = x64dbg::index_of(blocks, 64);
  require(index.instructions() == all.steps.size(), "the index counts every instruction");
  n %= all.steps.size();
  x64dbg::reader<T> r(mapped ? in_memory(in) : file_of(in), options);
  x64dbg::instruction<T> i;
  for (const std::uint64_t to : {n, n / 2, std::uint64_t{0}, all.steps.size() - 1, n}) {
    require(r.seek(to, &index) && r.next(i), "an instruction that exists is reached");
    require(i.index == to && step_of(i) == all.steps[static_cast<std::size_t>(to)],
            "seeking leads to the same instruction");
  }
  require(!r.seek(all.steps.size(), &index), "nothing is behind the last");
}

// Queries memory contents, the last write and the next access from the file. Compares the
// results with the model's if the trace was read in full.
template <target T>
void ask(view in, const trace<T>& all, x64dbg::reader_options options, std::uint64_t n) {
  using word = tracecodec::wire::word_t<T>;
  constexpr std::size_t size = 12;
  const auto address = static_cast<word>(all.memory.address(n) - n / 2 % 4);
  n = n * 13 % (all.steps.size() + 1);  // any instruction, or the end
  const bool whole = !all.error && all.steps.size() != most;
  const auto error = error_of([&] {
    x64dbg::reader<T> r(in_memory(in), options);
    const auto index = x64dbg::index_of(r, 64);
    x64dbg::memory_queries<T> queries(r, index);
    const auto held = queries.at(n, address, size);
    const auto written = queries.last_write(n, address, size),
               used = queries.next_access(n, address, size);
    if (!whole) return;
    for (std::size_t k = 0; k < size; ++k)
      require(held[k] == all.memory.at(n, static_cast<word>(address + k)),
              "what memory held is what its accesses say");
    const auto same_hit = [](const auto& a, const auto& b) {
      return a.has_value() == b.has_value() &&
             (!a || (a->instruction == b->first && a->access == b->second));
    };
    require(same_hit(written, all.memory.last_write(n, address, size)), "the last write is found");
    require(same_hit(used, all.memory.next_access(n, address, size)), "the next access is found");
  });
  require(!error || !whole, "a trace that is read in full can be asked");
}

// Tests that the check reports an error if and only if the trace cannot be read in full. The check
// repairs, so it may recognise a block with the thread-id defect that a strict reader reads
// unchanged.
template <target T> void check(view in, const trace<T>& all, bool mapped, bool repair) {
  std::uint64_t reports = 0;
  const auto found = x64dbg::check(input_of(in, mapped), [&reports](const auto&) { ++reports; });
  require(reports <= 6 * x64dbg::check_rules.size(), "reports are bounded");
  const auto errors = found.count(tracecodec::severity::error),
             mended = found.count(x64dbg::rule::thread_bit);
  require(!all.error || errors != 0, "what is not read in full is an error");
  if (!all.error && (repair || mended == 0))
    require(errors == mended, "what is read in full is no error");
}

template <target T> void try_all(view in, x64dbg::reader<T>& r, x64dbg::reader_options options,
                                 bool mapped, std::uint64_t n) {
  const auto all = read(r);
  if (!options.without_snapshot) check(in, all, mapped, options.repair);
  using x64dbg::writer_mode;
  constexpr std::array<writer_mode, 3> modes{writer_mode::minimal, writer_mode::exact_union,
                                             writer_mode::raw};
  rewrite(in, r.header(), all, options, mapped, modes[n % 3]);
  if (n % 2 == 0)
    seek(in, all, options, mapped, n);
  else
    ask(in, all, options, n);
}

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const x64dbg::reader_options options{.repair = (how & 2U) != 0,
                                       .without_snapshot = (how & 4U) != 0};
  const auto error = error_of([&] {
    x64dbg::with_reader(stream_of(in), options,
                        [&](auto& r) { try_all(in, r, options, mapped, how >> 3U); });
  });
  if (error) {
    const auto found = x64dbg::check(input_of(in, mapped), [](const auto&) {});
    require(found.count(tracecodec::severity::error) != 0, "what is not read is an error");
  }
}
const fuzz::target registered("x64dbg_reader", run);
}  // namespace
}  // namespace fuzz::x64dbg_reader

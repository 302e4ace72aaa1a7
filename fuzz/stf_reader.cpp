// Tests the reader, the feed, the writer, the check and the recognition of STF traces. In the first
// byte, bit 0 selects a mapped input, and the remaining bits are the number of instructions to skip.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "input.hpp"
#include "operands.hpp"
#include "tracecodec/stf.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracecodec/io/compression/zstf.hpp"
#endif

namespace fuzz::stf_reader {
namespace {
namespace file = tracecodec::file;
namespace stf = tracecodec::stf;

struct trace {
  std::vector<bytes> instructions = {};
  std::vector<std::uint64_t> pcs = {};
  std::size_t header = 0;
  std::optional<trace_error> error = {};
};
trace read(io::input in, std::uint64_t skip = 0) {
  trace all;
  all.error = error_of([&] {
    file::reader<stf::trace_file> r(std::move(in));
    all.header = static_cast<std::size_t>(r.offset());
    require(r.skip(skip) <= skip, "no more are skipped than asked for");
    for (auto b = r.next(); b.size() != 0; b = r.next())
      for (const stf::instruction& i : b) {
        bytes out(static_cast<std::size_t>(stf::instruction_codec::extent(i)));
        require(bool(stf::instruction_codec::encode(i, out)), "what was decoded can be encoded");
        all.instructions.push_back(std::move(out));
        all.pcs.push_back(i.pc);
      }
  });
  return all;
}

void feed(view in, bool mapped, const trace& all) {
  std::size_t n = 0;
  const auto error = error_of([&] {
    for (const auto& i : stf::trace_feed(input_of(in, mapped))) {
      std::uint64_t operands = sum_of_operands(i);
      for_each_register_value(
          i, [&](std::uint8_t r, std::size_t, std::uint64_t value, std::size_t, bool) {
            require(r != 0, "a value belongs to a register");
            operands += value;
          });
      for_each_memory_value(i, [&](std::uint64_t, view value, bool) {
        require(value.size() <= 8, "a value has up to 8 bytes");
        operands += value.size();
      });
      require(i.code().size() == 2 || i.code().size() == 4, "an opcode has 2 or 4 bytes");
      require(i.ip() == all.pcs[n], "the feed has the addresses of the reader");
      static_cast<void>(operands + i.target());
      ++n;
    }
  });
  require(n == all.instructions.size(), "the feed has every instruction");
  require(error.has_value() == all.error.has_value(), "the feed ends as the reader");
}

#if defined(TRACECODEC_WITH_ZSTD)
// Writes the instructions as a ZSTF file with chunks of three instructions, and reads this file.
void try_chunks(view in, std::uint64_t skip, const trace& all) {
  bytes written;
  const auto error = error_of([&] {
    file::reader<stf::trace_file> r(in_memory(in), {.lenient = true});
    file::writer<stf::trace_file> out(std::make_unique<io::zstf_sink>(sink_to(written), 3), "out",
                                      r.header());
    for (auto b = r.next(); b.size() != 0; b = r.next()) out.write(b.records);
    out.finish();
  });
  require(!error, "the instructions can be written");
  const trace back = read(io::open_bytes(written, "fuzz"));
  require(!back.error && back.instructions == all.instructions && back.pcs == all.pcs,
          "the chunks have the same instructions");
  const trace rest = read(io::open_bytes(written, "fuzz"), skip);
  const auto skipped = std::min<std::uint64_t>(skip, all.pcs.size());
  require(std::equal(all.pcs.begin() + static_cast<std::ptrdiff_t>(skipped), all.pcs.end(),
                     rest.pcs.begin(), rest.pcs.end()),
          "the index leads to the same addresses");
}
#endif

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const std::uint64_t skip = how >> 1U;
  const trace all = read(input_of(in, mapped));
  const trace rest = read(input_of(in, mapped), skip);
  bytes joined;
  for (const bytes& one : all.instructions) joined.insert(joined.end(), one.begin(), one.end());
  const auto from = all.instructions.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(
                                                   skip, all.instructions.size()));
  require(
      std::equal(from, all.instructions.end(), rest.instructions.begin(), rest.instructions.end()),
      "skipping leads to the same instructions");
  require(same(joined, in.subspan(all.header, joined.size())),
          "the instructions are the bytes of the input");
  using checker = stf::checker<void (*)(const tracecodec::diagnostic&)>;
  const auto found = checker([](const tracecodec::diagnostic&) {}).run(input_of(in, mapped));
  require(found.records == all.instructions.size(), "the check sees every instruction");
  require(!all.error || found.count(tracecodec::severity::error) != 0,
          "the check finds what the reader refuses");
  feed(in, mapped, all);
  const auto match = stf::trace_file::probe(in, in.size());
  require(match != file::match::none || all.instructions.empty(), "a trace is recognised");
#if defined(TRACECODEC_WITH_ZSTD)
  if (!all.instructions.empty()) try_chunks(in, skip, all);
#endif
}
const target registered("stf_reader", run);
}  // namespace
}  // namespace fuzz::stf_reader

// Tests the reader, the feed and the check of BT9 traces. In the first byte, bit 0 selects a mapped
// input, and the remaining bits are the number of instructions to skip.
#include <algorithm>
#include <optional>
#include <vector>

#include "input.hpp"
#include "tracecodec/bt9.hpp"

namespace fuzz::bt9_reader {
namespace {
namespace bt9 = tracecodec::bt9;

// A small input can contain very many instructions.
constexpr std::size_t most = 20000;

struct trace {
  std::vector<std::uint64_t> values = {};  // those of each instruction, as one number
  std::optional<trace_error> error = {};
};
trace read(io::input in, std::uint64_t skip) {
  trace all;
  all.error = error_of([&] {
    bt9::trace_feed from(std::move(in));
    require(from.skip(skip) <= skip, "no more are skipped than asked for");
    for (const auto& i : from) {
      all.values.push_back(i.ip() ^ i.target() << 8 ^ static_cast<unsigned>(i.branch()));
      if (all.values.size() == most) break;
    }
  });
  return all;
}

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const std::uint64_t skip = how >> 1U;
  const trace all = read(input_of(in, mapped), 0), rest = read(input_of(in, mapped), skip);
  const auto from = all.values.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skip, all.values.size()));
  const auto same = std::min<std::ptrdiff_t>(all.values.end() - from,
                                             static_cast<std::ptrdiff_t>(rest.values.size()));
  require(std::equal(from, from + same, rest.values.begin()), "skipping leads to the same ones");
  std::size_t steps = 0;
  const auto error = error_of([&] {
    bt9::trace_reader r(input_of(in, mapped));
    for (auto b = r.next(); b.size() != 0; b = r.next()) steps += b.size();
  });
  const auto report = [](const tracecodec::diagnostic&) {};
  const auto sum = bt9::checker<decltype(report)>(report).run(input_of(in, mapped));
  require(sum.records == steps, "the check sees every step");
  require(!error || sum.count(tracecodec::severity::error) != 0, "the check reports the error");
  if (all.values.size() != most)
    require(all.error.has_value() == error.has_value(), "the feed ends as the reader");
}
const target registered("bt9_reader", run);
}  // namespace
}  // namespace fuzz::bt9_reader

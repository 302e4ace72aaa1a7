// Tests the reader, the feed, the check and the writer of Tenet's traces. In the first byte, bit 0
// selects a mapped input, and the remaining bits are the number of instructions to skip.
#include <algorithm>
#include <optional>
#include <vector>

#include "input.hpp"
#include "tracecodec/feed/column_source.hpp"
#include "tracecodec/tenet.hpp"

namespace fuzz::tenet_reader {
namespace {
namespace feed = tracecodec::feed;
namespace tenet = tracecodec::tenet;

struct trace {
  std::vector<std::uint64_t> values = {};  // those of each instruction, as one number
  std::optional<trace_error> error = {};
};
trace read(io::input in, std::uint64_t skip) {
  trace all;
  all.error = error_of([&] {
    tenet::trace_feed from(std::move(in));
    require(from.skip(skip) <= skip, "no more are skipped than asked for");
    for (const auto& i : from) {
      std::uint64_t v = i.ip() ^ i.target() << 8 ^ static_cast<unsigned>(i.branch());
      for (const auto& a : i.accesses()) v = 31 * v + a.address + a.size + a.write;
      for_each_register_value(i, [&v](auto r, auto, std::uint64_t value, auto, bool after) {
        v = 31 * v + value + 2 * r + after;
      });
      for_each_memory_value(i, [&](std::uint64_t at, std::span<const std::byte> bytes, bool) {
        for (const std::byte b : bytes) v = 31 * v + std::to_integer<unsigned>(b);
        v += trusts_before(i, at);
      });
      all.values.push_back(v);
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
  require(std::equal(from, all.values.end(), rest.values.begin(), rest.values.end()),
          "skipping leads to the same ones");
  const auto report = [](const tracecodec::diagnostic&) {};
  const auto sum = tenet::checker<decltype(report)>(report).run(input_of(in, mapped));
  require(sum.records == all.values.size(), "the check sees every instruction");
  require(all.error.has_value() == (sum.count(tracecodec::severity::error) != 0),
          "the check reports the error");
  const auto error = error_of([&] {
    auto columns = feed::make_column_source(tenet::trace_feed(input_of(in, mapped)));
    columns->want(columns->has());
    columns->select_register("rsp");
    std::size_t rows = 0;
    for (feed::columns b; columns->next(b);) rows += b.size();
    require(all.error || rows == all.values.size(), "columns have every instruction");
  });
  require(error.has_value() == all.error.has_value(), "columns end as the feed");
}
const target registered("tenet_reader", run);
}  // namespace
}  // namespace fuzz::tenet_reader

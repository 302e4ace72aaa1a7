// Tests the reader, the feed, the check and the writer of Tarmac text. In the first byte, bit 0 selects a
// mapped input, bit 1 the style of the copy, and the remaining bits are the number of instructions to
// skip.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "input.hpp"
#include "tracecodec/tarmac.hpp"

namespace fuzz::tarmac_reader {
namespace {
namespace tarmac = tracecodec::tarmac;

struct trace {
  std::vector<std::uint64_t> values = {};  // those of each instruction, as one number
  std::optional<trace_error> error = {};
};
trace read(io::input in, std::uint64_t skip) {
  trace all;
  all.error = error_of([&] {
    tarmac::trace_feed from(std::move(in));
    require(from.skip(skip) <= skip, "no more are skipped than asked for");
    const auto x1 = register_named(from, "x1");
    for (const auto& i : from) {
      std::uint64_t sum =
          i.ip() ^ i.target() << 8 ^ static_cast<unsigned>(i.branch()) ^ assembly(i).size();
      for (const std::uint8_t r : i.source_registers()) sum += r;
      for (const std::uint8_t r : i.destination_registers()) sum += r;
      for_each_register_value(
          i, [&sum](std::uint8_t r, std::size_t at, std::uint64_t v, std::size_t n, bool after) {
            require(n == 8 && at % 8 == 0, "words are whole");
            sum += v * (r + at) + (after ? 1 : 0);
          });
      for_each_memory_value(i, [&sum](std::uint64_t at, view bytes, bool written) {
        for (const std::byte b : bytes) sum = sum * 31 + std::to_integer<unsigned>(b);
        sum += at + (written ? 1 : 0);
      });
      if (x1) for_each_value_of(i, *x1, [&sum](std::uint64_t v, bool) { sum ^= v; });
      all.values.push_back(sum);
    }
  });
  return all;
}
class memory_sink final : public io::sink {
 public:
  explicit memory_sink(std::vector<std::byte>& to) : to_(to) {}
  void write(view bytes) override { to_.insert(to_.end(), bytes.begin(), bytes.end()); }
  void finish() override {}

 private:
  std::vector<std::byte>& to_;
};
// Returns the instructions of the input as Tarmac text.
std::vector<std::byte> copy(io::input in, tarmac::style how) {
  std::vector<std::byte> text;
  tarmac::writer out(std::make_unique<memory_sink>(text), how);
  static_cast<void>(error_of([&] {
    tarmac::trace_reader from(std::move(in));
    for (auto b = from.next(); b.size() != 0; b = from.next())
      for (const tarmac::instruction& i : b.records) out.write(i);
  }));
  out.finish();
  return text;
}

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const std::uint64_t skip = how >> 2U;
  const trace all = read(input_of(in, mapped), 0), rest = read(input_of(in, mapped), skip);
  const auto from = all.values.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skip, all.values.size()));
  require(std::equal(from, all.values.end(), rest.values.begin(), rest.values.end()),
          "skipping leads to the same ones");
  const auto report = [](const tracecodec::diagnostic&) {};
  const auto sum = tarmac::checker<decltype(report)>(report).run(input_of(in, mapped));
  require(sum.records == all.values.size(), "the check sees every instruction");
  require(!all.error || sum.count(tracecodec::severity::error) != 0, "the check reports the error");
  const auto style = (how & 2U) != 0 ? tarmac::style::es : tarmac::style::it;
  const std::vector<std::byte> copied = copy(input_of(in, mapped), style);
  const trace again = read(input_of(copied, false), 0);
  require(!again.error, "the copy is well-formed");
  require(again.values.size() == all.values.size(), "the copy has the same instructions");
}
const target registered("tarmac_reader", run);
}  // namespace
}  // namespace fuzz::tarmac_reader

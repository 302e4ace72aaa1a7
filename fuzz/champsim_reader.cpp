// Tests the reader, the feed, the writer and the check of ChampSim traces. In the first byte, bit 0
// selects CloudSuite, and bit 1 a mapped input. The remaining bits are the number of records to
// skip.
#include <algorithm>
#include <optional>

#include "input.hpp"
#include "tracecodec/champsim/check.hpp"
#include "tracecodec/champsim/feed.hpp"
#include "tracecodec/champsim/reader.hpp"
#include "tracecodec/champsim/writer.hpp"

namespace fuzz::champsim_reader {
namespace {
namespace champsim = tracecodec::champsim;

template <class Codec> struct trace {
  std::vector<typename Codec::value_type> records = {};
  std::optional<trace_error> error = {};
};

template <class Codec> trace<Codec> read(io::input in, std::uint64_t skip = 0) {
  trace<Codec> all;
  all.error = error_of([&] {
    champsim::reader<Codec> r(std::move(in), {.trust = true});
    require(r.skip(skip) <= skip, "no more are skipped than asked for");
    for (auto b = r.next(); !b.records.empty(); b = r.next())
      all.records.insert(all.records.end(), b.records.begin(), b.records.end());
  });
  return all;
}

template <class Codec> void try_all(view in, bool mapped, std::uint64_t skip) {
  using record = typename Codec::value_type;
  const auto all = read<Codec>(input_of(in, mapped));
  require(all.records.size() == in.size() / Codec::size, "every whole record");
  require(all.error.has_value() == (in.empty() || in.size() % Codec::size != 0), "sound or cut");
  const auto rest = read<Codec>(input_of(in, mapped), skip);
  const auto from = all.records.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skip, all.records.size()));
  require(std::equal(from, all.records.end(), rest.records.begin(), rest.records.end()),
          "skipping leads to the same records");

  bytes out;
  champsim::writer<Codec> writer(sink_to(out), "out");
  writer.write(all.records);
  writer.finish();
  require(read<Codec>(stream_of(out)).records == all.records, "decode(encode(x)) == x");

  const auto found =
      champsim::check<record>(input_of(in, mapped), [](const auto&) {}, {}, {.trust = true});
  require(found.records == all.records.size(), "the check sees every record");
  // The reader accepts any values of flags. Only the check reports invalid values.
  const auto broken =
      found.count(champsim::rule::damaged) + found.count(champsim::rule::trailing_bytes);
  require((broken != 0) == all.error.has_value(), "reader and check agree on what is broken");

  std::uint64_t fed = 0;
  const auto error = error_of([&] {
    champsim::trace_feed<record> feed(input_of(in, mapped), {.trust = true});
    for (const auto& i : feed) {
      require(fed < all.records.size(), "the feed has no more than the records");
      fed += i.ip() == all.records[static_cast<std::size_t>(fed)].ip ? 1U : 0U;
      static_cast<void>(i.target());
    }
  });
  require(fed == all.records.size(), "the feed has every record");
  require(error.has_value() == all.error.has_value(), "the feed ends as the reader");

  // An untrusted trace is either refused when it is opened, or read unchanged.
  std::optional<champsim::reader<Codec>> untrusted;
  const auto refused = error_of([&] { untrusted.emplace(input_of(in, mapped)); });
  if (refused) return;
  std::size_t n = 0;
  static_cast<void>(error_of([&] {
    for (auto b = untrusted->next(); !b.records.empty(); b = untrusted->next())
      n += b.records.size();
  }));
  require(n == all.records.size(), "what is not refused is all delivered");
}

void run(view in) {
  const unsigned how = take_byte(in);
  if ((how & 1U) != 0)
    try_all<champsim::cloudsuite_codec>(in, (how & 2U) != 0, how >> 2U);
  else
    try_all<champsim::instruction_codec>(in, (how & 2U) != 0, how >> 2U);
}
const target registered("champsim_reader", run);
}  // namespace
}  // namespace fuzz::champsim_reader

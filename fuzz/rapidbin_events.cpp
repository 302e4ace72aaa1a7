// Tests RapidBin events: the codec, bulk columns, the reader, the writer and the check. In the
// first byte, bit 0 selects a mapped input. The remaining bits are the number of the event to seek
// to.
#include "input.hpp"
#include "tracecodec/rapidbin/bulk.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/reader.hpp"
#include "tracecodec/rapidbin/writer.hpp"

namespace fuzz::rapidbin_events {
namespace {
namespace rapidbin = tracecodec::rapidbin;
using rapidbin::event;

struct trace {
  std::optional<rapidbin::header> header = {};
  std::vector<event> events = {};
  std::optional<trace_error> error = {};
};

trace read(io::input in, bool lenient) {
  trace all;
  all.error = error_of([&] {
    rapidbin::reader r(std::move(in), {.lenient = lenient});
    all.header = r.declared();
    for (auto b = r.next(); b.size() != 0; b = r.next()) {
      require(b.first == all.events.size(), "batches follow each other");
      for (const event e : b.events) all.events.push_back(e);
    }
  });
  return all;
}

void columns(view in, const std::vector<event>& events) {
  const std::size_t n = events.size();
  std::vector<std::uint16_t> threads(n), locations(n);
  std::vector<std::uint8_t> operations(n), signs(n);
  std::vector<std::uint64_t> decors(n);
  const rapidbin::event_array array(in);
  const auto got = rapidbin::decode(array, {threads, operations, decors, locations, signs});
  require(got.events == n, "columns of all events");
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    const event e{signs[i] != 0, locations[i], decors[i],
                  static_cast<rapidbin::operation>(operations[i]), threads[i]};
    require(e == events[i], "columns and codec agree");
    any |= e.sign;
  }
  require(got.signs == any, "sign bits are told");
  bytes out(8 * n);
  const auto put = rapidbin::encode({threads, operations, decors, locations, signs}, out);
  require(bool(put) && put.events == n && same(out, in.first(8 * n)), "columns give the bytes");
}

void write(const std::vector<event>& events) {
  bytes out;
  const auto refused = error_of([&] {
    rapidbin::writer w(sink_to(out), "out");
    for (const event& e : events) w.write(e);
    w.finish();
  });
  if (refused) {
    require(refused->field() == "decor", "only a thread above 1,023 that is forked is refused");
    return;
  }
  const trace again = read(stream_of(out), false);
  require(!again.error && again.events == events, "decode(encode(x)) == x");
}

void check(view in, bool mapped, const trace& strict) {
  using rapidbin::rule;
  const auto found = rapidbin::check(input_of(in, mapped), [](const auto&) {});
  // Only the check examines the events of locks and threads, and the other counts.
  const auto broken = found.count(rule::damaged) + found.count(rule::header) +
                      found.count(rule::unfinished) + found.count(rule::event_count) +
                      found.count(rule::trailing_bytes);
  require((broken != 0) == strict.error.has_value(), "reader and check agree on what is broken");
}

void seek(view in, bool mapped, const trace& all, std::uint64_t n) {
  static_cast<void>(error_of([&] {
    rapidbin::reader r(input_of(in, mapped), {.lenient = true});
    require(r.seek(n) == (n < all.events.size()), "an event that exists is reached");
    if (n < all.events.size()) {
      const auto b = r.next();
      require(b.first == n && b.events[0] == all.events[static_cast<std::size_t>(n)],
              "seeking leads to the same event");
    }
  }));
}

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const trace strict = read(input_of(in, mapped), false),
              lenient = read(input_of(in, mapped), true);
  check(in, mapped, strict);
  if (!lenient.header) return;
  require(!lenient.error, "a lenient reader takes any events");
  require(lenient.events.size() == (in.size() - 18) / 8, "every whole event");
  require(!strict.header || strict.events == lenient.events, "strict or not, the same events");
  columns(in.subspan(18), lenient.events);
  write(lenient.events);
  seek(in, mapped, lenient, how >> 1U);
}
const target registered("rapidbin_events", run);
}  // namespace
}  // namespace fuzz::rapidbin_events

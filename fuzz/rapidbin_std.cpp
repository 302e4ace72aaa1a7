// Tests STD text in both dialects. In the first byte, bit 0 renumbers, bit 1 writes RAPID's
// dialect, bit 2 selects a mapped input, bit 3 refuses events that do not fit a RapidBin file, bit
// 4 refuses lines that are otherwise skipped.
#include "input.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/reader/std_reader.hpp"
#include "tracecodec/rapidbin/std_writer.hpp"

namespace fuzz::rapidbin_std {
namespace {
namespace rapidbin = tracecodec::rapidbin;
using rapidbin::event;

struct trace {
  std::vector<event> events = {};
  std::size_t errors = 0;
  bytes named = {};  // the events as text with names
};

// Limits the number of invalid lines that are read, because they take most of the time.
constexpr std::size_t most_errors = 12;

// Reads all events, and continues after each invalid line.
trace read(io::input in, rapidbin::std_options options) {
  trace all;
  rapidbin::std_reader r(std::move(in), options);
  for (bool more = true; more && all.errors < most_errors;) {
    const auto error = error_of([&] {
      const auto b = r.next();
      for (const event e : b.events) all.events.push_back(e);
      more = b.size() != 0;
    });
    all.errors += error ? 1U : 0U;
    require(
        !error || error->code() == trace_errc::bad_value || error->code() == trace_errc::refused,
        "a line is no event, or does not fit");
  }
  rapidbin::std_writer w(sink_to(all.named), "out");
  w.set_names([&r](rapidbin::id_kind kind, std::uint64_t id) {
    const std::string* const name = r.name_of(kind, id);
    require(name == nullptr || r.id_of(kind, *name) == id, "a name is that of its id");
    return name;
  });
  for (const event& e : all.events) w.write(e);
  w.finish();
  return all;
}

void run(view in) {
  const unsigned how = take_byte(in);
  const auto d = (how & 2U) != 0 ? rapidbin::dialect::rapid : rapidbin::dialect::wasmgrind;
  const bool renumber = (how & 1U) != 0, mapped = (how & 4U) != 0;
  const bool fitting = (how & 8U) != 0, strict = (how & 16U) != 0;
  const trace all =
      read(input_of(in, mapped), {.renumber = renumber, .fitting = fitting, .strict = strict});
  std::vector<event> kept;
  for (const event& e : all.events) {
    require(rapidbin::not_in_std(e).empty(), "what was read has a place in the text");
    if (rapidbin::has(d, e.operation)) kept.push_back(e);
  }
  bytes out;
  rapidbin::std_writer w(sink_to(out), "out", d);
  for (const event& e : all.events) w.write(e);
  w.finish();
  require(w.written() == kept.size() && w.left_out() == all.events.size() - kept.size(),
          "the dialect's events are written");
  const trace again = read(stream_of(out), {});
  require(again.errors == 0 && again.events == kept, "decode(encode(x)) == x");

  if (fitting && !renumber)
    for (const event& e : all.events) require(fits_word(e), "what was read fits a RapidBin file");
  if (renumber || fitting || strict || all.errors == most_errors) return;
  require(read(stream_of(all.named), {}).events == all.events, "names come back as the same ids");
  using rapidbin::rule;
  const auto found = rapidbin::check_std(input_of(in, mapped), [](const auto&) {});
  require(found.events == all.events.size(), "the check sees every event");
  require(found.count(rule::bad_line) + found.count(rule::damaged) == all.errors,
          "reader and check agree on what is broken");
}
const target registered("rapidbin_std", run);
}  // namespace
}  // namespace fuzz::rapidbin_std

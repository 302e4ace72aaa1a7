// Conversion of a RapidBin trace or STD text to text rows.
#include <tracecodec/rapidbin/reader/metadata_match.hpp>
#include <tracecodec/rapidbin/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../write_rows.hpp"
#include "conversion.hpp"
#include "events.hpp"

namespace convert {

namespace {
// Returns true if any name occurs before the end of the selected part. Afterwards, `text` is at its
// first event again.
bool has_names(rapidbin::event_source& text, const options& o) {
  try {
    std::uint64_t left = o.part.limit.value_or(all_events);
    left += std::min(o.part.skip, all_events - left);
    while (left != 0 && text.named() == 0) {
      const std::size_t n = text.next().size();
      if (n == 0) break;
      stop_if_interrupted();
      left -= std::min<std::uint64_t>(left, n);
    }
  } catch (const tracecodec::trace_error&) {
    // The error occurs again when the rows are written and is reported at that point.
  }
  const bool named = text.named() != 0;
  text.rewind();
  return named;
}
}  // namespace

void rapidbin_to_rows(tracecodec::trace::source source, const options& o, io::codec compression) {
  const format& from = source.format();
  io::input in = std::move(source.input());
  auto names = rapidbin::metadata_of(in, is_text(from), o.as);
  rapidbin::open_options how = how_to_open(o, from);
  how.names = names ? &*names : nullptr;
  // The columns must be fixed before the first row is written.
  bool named = how.text && rapidbin::has_names(in.peek(io::input::peek_limit));
  const bool looks_for_names = how.text && !named && in.rewindable();
  const auto events = rapidbin::open_events(std::move(in), std::move(how));
  // The metadata have no names for the ids after renumbering.
  if (renumbers(o)) names.reset();
  if (names && !names->names.empty()) named = true;
  if (looks_for_names) named = has_names(*events, o);
  events->skip(o.part.skip);
  const auto write_all = [&](auto& out, const auto&... known) {
    return for_each_events(*events, o.part.limit.value_or(all_events),
                           [&](const rapidbin::event_batch& b) {
                             for (std::size_t i = 0; i < b.size(); ++i) {
                               const rapidbin::event e = b.events[i];
                               out.write(rapidbin::row_of(b.index(i), e, known...));
                             }
                           });
  };
  const auto called = names_of(*events, names ? &names->names : nullptr);
  const bool records = names && names->has_records();
  if (records && named)
    with_rows<rapidbin::called_named_row>(
        o, compression, [&](auto& out) { return write_all(out, called, *names); });
  else if (records)
    with_rows<rapidbin::named_row>(o, compression,
                                   [&](auto& out) { return write_all(out, *names); });
  else if (named)
    with_rows<rapidbin::called_row>(o, compression,
                                    [&](auto& out) { return write_all(out, called); });
  else
    with_rows<rapidbin::row>(o, compression, [&](auto& out) { return write_all(out); });
  if (!named && events->named() != 0)
    say("no column of names: the first name comes after 64 KiB, and the input can be read only "
        "once");
  say_mended(*events, o);
}

}  // namespace convert

// Converts a RapidBin trace or STD text to text rows.
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
// Reads `text` up to the end of the selected part, then rewinds it to the first event. Returns true
// if any name occurs in the events that were read.
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
    // Ignore the error here, because it occurs again and is reported when the rows are written.
  }
  const bool named = text.named() != 0;
  text.rewind();
  return named;
}
}  // namespace

void rapidbin_to_rows(tracecodec::trace::source source, const options& o, io::codec compression) {
  const format& from = source.format();
  io::input in = std::move(source.input());
  auto metadata = rapidbin::metadata_of(in, is_text(from), o.as);
  rapidbin::open_options how = how_to_open(o, from);
  how.names = metadata ? &*metadata : nullptr;
  // The columns depend on whether the text has names, and must be fixed before the first row is
  // written.
  bool named = how.text && rapidbin::has_names(in.peek(io::input::peek_limit));
  const bool looks_for_names = how.text && !named && in.rewindable();
  const auto events = rapidbin::open_events(std::move(in), std::move(how));
  // The metadata contain the ids before renumbering, so they do not apply to the new ids.
  if (renumbers(o)) metadata.reset();
  if (metadata && !metadata->names.empty()) named = true;
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
  const auto names = names_of(*events, metadata ? &metadata->names : nullptr);
  const bool records = metadata && metadata->has_records();
  if (records && named)
    with_rows<rapidbin::row_with_all_names>(
        o, compression, [&](auto& out) { return write_all(out, names, *metadata); });
  else if (records)
    with_rows<rapidbin::row_with_metadata_names>(
        o, compression, [&](auto& out) { return write_all(out, *metadata); });
  else if (named)
    with_rows<rapidbin::row_with_text_names>(o, compression,
                                             [&](auto& out) { return write_all(out, names); });
  else
    with_rows<rapidbin::row>(o, compression, [&](auto& out) { return write_all(out); });
  if (!named && events->named() != 0)
    say("no column of names: the first name comes after 64 KiB, and the input can be read only "
        "once");
  say_mended(*events, o);
}

}  // namespace convert

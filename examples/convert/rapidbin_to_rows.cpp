// A RapidBin trace, or its text, as rows of text.
#include <tracecodec/rapidbin/reader/metadata_match.hpp>
#include <tracecodec/rapidbin/rows.hpp>

#include <cstddef>

#include "events.hpp"
#include "write_rows.hpp"

namespace convert {

void rapidbin_to_rows(io::input in, const options& o, format from, io::codec compression) {
  // Numbers that are given anew are not those of the metadata.
  const auto names =
      o.renumber ? std::nullopt : tracecodec::trace::metadata_of(in, from == format::std, o.as);
  rapidbin::open_options how = how_to_open(o, from);
  how.names = names ? &*names : nullptr;
  // Columns are chosen before the first row is written.
  const bool named = (names && !names->names.empty()) ||
                     (how.text && rapidbin::has_names(in.peek(io::input::peek_limit)));
  const auto events = rapidbin::open_events(std::move(in), std::move(how));
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
    say("there is no column of names: the first one comes after the first 64 KiB");
  say_mended(*events, o);
}

}  // namespace convert

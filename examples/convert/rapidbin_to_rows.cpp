// A RapidBin trace, or its text, as rows of text.
#include <tracecodec/rapidbin/rows.hpp>

#include <cstddef>

#include "events.hpp"
#include "write_rows.hpp"

namespace convert {

void rapidbin_to_rows(io::input in, const options& o, format from, io::codec compression) {
  // Numbers that are given anew are not those of the metadata.
  const auto names =
      o.renumber ? std::nullopt : tracecodec::trace::metadata_of(in, from == format::std, o.as);
  const auto events = rapidbin::open_events(std::move(in), how_to_open(o, from));
  events->skip(o.part.skip);
  const auto write_all = [&](auto& out, const auto&... metadata) {
    return for_each_events(*events, o.part.limit, [&](const rapidbin::event_batch& b) {
      for (std::size_t i = 0; i < b.size(); ++i) {
        const rapidbin::event e = b.events[i];
        out.write(rapidbin::row_of(b.index(i), e, metadata...));
      }
    });
  };
  if (names)
    with_rows<rapidbin::named_row>(o, compression,
                                   [&](auto& out) { return write_all(out, *names); });
  else
    with_rows<rapidbin::row>(o, compression, [&](auto& out) { return write_all(out); });
  say_mended(*events, o);
}

}  // namespace convert

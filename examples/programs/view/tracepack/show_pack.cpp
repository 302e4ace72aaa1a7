#if defined(TRACECODEC_WITH_ZSTD)
#include "show_pack.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/trace/about.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "../statement_rows.hpp"

namespace view {

namespace trace = tracecodec::trace;

void show_pack(tracecodec::tracepack::reader from, const options& o) {
  namespace tracepack = tracecodec::tracepack;
  const tracepack::about& about = from.about();
  constexpr std::array<const char*, 4> kinds{"champsim", "cloudsuite", "described", "bytes"};
  constexpr std::array<const char*, 5> processors{"", "x86_64", "x86_32", "aarch64", "riscv64"};
  const auto at = [](const auto& names, auto value) {
    return std::string(names[std::min(static_cast<std::size_t>(value), names.size() - 1)]);
  };
  statement_rows rows(from.name(), o.as_json);
  rows.text("kind", at(kinds, about.kind));
  rows.number("record_size", about.shape.size);
  if (from.from().rewindable()) {
    rows.number("records", from.content_size() / about.shape.size);
    rows.number("frames", from.frame_count());
  }
  std::string known;
  for (const auto& [bit, name] :
       {std::pair{tracepack::has_classes, "classes"}, std::pair{tracepack::has_lengths, "lengths"},
        std::pair{tracepack::has_code, "code"}})
    if ((about.properties & bit) != 0) known += (known.empty() ? "" : ", ") + std::string(name);
  rows.text("properties", known);
  rows.text("processor", at(processors, about.processor));
  for (const tracecodec::format::statement& s : trace::about(about))
    rows.text(s.name.c_str(), s.value);
  rows.finish();
  if (from.from().compression() == tracecodec::io::codec::none && from.has_index() == false)
    throw tracecodec::trace_error(
        tracecodec::trace_errc::truncated, {.file = from.name()},
        std::string(
            "the index is missing or damaged: only the frames before the damage are counted") +
            (from.frame_count() != 0 ? "; trace_convert --repair writes a new file" : ""));
}

}  // namespace view
#endif

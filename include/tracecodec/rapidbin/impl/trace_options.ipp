// Implementation of rapidbin/trace_options.hpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../../format/file_beside.hpp"
#include "../reader/metadata_match.hpp"
#include "../reader/std_text.hpp"
#include "../trace_options.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "../read_metadata.hpp"
#endif

namespace tracecodec::rapidbin {

TRACECODEC_FUNC std::optional<metadata> metadata_of(const std::string& name,
                                                    const format::open_options& o) {
  const auto* const given = o.own.get<metadata_file>();
  if (given != nullptr ? given->path.empty() : name == "<stdin>") return std::nullopt;
  const std::string path = given != nullptr ? given->path : metadata_path(name);
  if (given == nullptr && path == name) return std::nullopt;
  if (path != "-" && !format::is_file_beside(path, "the metadata of a RapidBin trace") &&
      given == nullptr)
    return std::nullopt;
#if defined(TRACECODEC_WITH_SIMDJSON)
  io::open_options how = o.input;
  how.compression.reset();  // this option applies only to the trace
  return read_metadata(io::open_input(path, how), {.memory = o.memory});
#else
  if (given == nullptr) return std::nullopt;
  throw trace_error(
      trace_errc::unsupported, {.file = path},
      "this build cannot read metadata: it lacks simdjson (TRACECODEC_WITH_SIMDJSON)");
#endif
}

TRACECODEC_FUNC std::optional<metadata> metadata_of(io::input& in, bool text,
                                                    const format::open_options& o) {
  auto names = metadata_of(in.name(), o);
  if (names && text) {
    if (!names->has_records()) return std::nullopt;
    names->names = {};
  }
  if (!names || !o.warn) return names;
  const auto front = in.peek(io::input::peek_limit);
  const std::string why = mismatch(*names, front, front.size() < io::input::peek_limit, text);
  const auto* const given = o.own.get<metadata_file>();
  if (!why.empty())
    o.warn((given != nullptr ? given->path : metadata_path(in.name())) +
           ": probably the metadata of another trace: " + why);
  return names;
}

TRACECODEC_FUNC std::optional<std::uint64_t> plain_id(id_kind kind, const std::string& text) {
  const bool digit = !text.empty() && text[0] >= '0' && text[0] <= '9';
  return digit && kind != id_kind::location ? std_number(kind, text) : std::nullopt;
}

TRACECODEC_FUNC selection wanted_events(const format::open_options& o) {
  selection wanted = o.own.value_or(selection());
  if (o.thread && !o.thread_name.empty())
    wanted.names.threads.push_back(o.thread_name);
  else if (o.thread)
    wanted.threads.insert(*o.thread);
  return wanted;
}

}  // namespace tracecodec::rapidbin

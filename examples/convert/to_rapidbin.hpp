// A RapidBin trace, or its text, as the other or again: a part of it, renumbered, or mended.
#pragma once
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/std_writer.hpp>
#include <tracecodec/rapidbin/writer.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

namespace rapidbin = tracecodec::rapidbin;

// Copies at most `limit` events. Returns what ended the trace early.
template <class Writer> std::exception_ptr copy(rapidbin::event_source& from, Writer& to,
                                                std::optional<std::uint64_t> limit) {
  examples::progress_line progress(from.name());
  std::uint64_t left = limit.value_or(static_cast<std::uint64_t>(-1));
  while (left != 0) {
    rapidbin::event_batch b;
    try {
      b = from.next();
    } catch (...) {
      return std::current_exception();
    }
    if (b.size() == 0) return nullptr;
    stop_if_interrupted();
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, b.size()));
    to.write(b.part(0, n).events);
    left -= n;
    progress.at(from.progress());
  }
  return nullptr;
}

// Where OUT's metadata goes; empty if it has none: IN has none, or OUT is no file, or a compressed
// form of IN beside the same metadata.
inline std::string metadata_output(const options& o, const std::string& in) {
  if (o.out == "-") return {};
  const std::string to = rapidbin::metadata_path(o.out);
  const bool same = io::same_file(o.as.metadata.value_or(rapidbin::metadata_path(in)), to);
  if (same && o.renumber)
    throw usage_error("OUT's metadata would take the place of IN's, " + to +
                      ": name OUT otherwise");
  return same ? std::string() : to;
}

inline void write_text(const std::string& path, const std::string& text) {
  io::atomic_file file(path);
  file.write(std::as_bytes(std::span(text)));
  file.finish();
}

inline void to_events(io::input in, const options& o, format from, format to,
                      io::codec compression) {
  const std::string name = in.name();
  rapidbin::open_options how{.text = from == format::std,
                             .lenient = o.as.repair,
                             .renumber = o.renumber,
                             .wanted = o.as.wanted};
  if (o.as.thread) how.wanted.threads.insert(*o.as.thread);
  // Renumbered text has other numbers than its metadata from the start.
  const bool named = to == format::rapidbin && !(how.text && o.renumber);
  auto names = named ? tracecodec::feed::metadata_of(name, o.as) : std::nullopt;
  const std::string names_to = names ? metadata_output(o, name) : std::string();
  const auto events = rapidbin::open_events(std::move(in), std::move(how));
  events->skip(o.part.skip);
  auto out = io::open_output(o.out, compression);
  if (to == format::std) {
    const auto d = o.dialect == "rapid" ? rapidbin::dialect::rapid : rapidbin::dialect::wasmgrind;
    rapidbin::std_writer text(std::move(out), output_name(o), d);
    const auto failure = copy(*events, text, o.part.limit);
    if (text.left_out() != 0)
      say(std::to_string(text.left_out()) +
          " requests and branches left out: RAPID's dialect has none");
    finish(text, text.written(), failure, o);
  } else {
    rapidbin::writer trace(std::move(out), output_name(o));
    const auto failure = copy(*events, trace, o.part.limit);
    finish(trace, trace.written(), failure, o);
    if (const auto* r = dynamic_cast<const rapidbin::renumbered_events*>(events.get()); r && names)
      names = r->numbers()(*names);
    if (!names_to.empty()) write_text(names_to, rapidbin::metadata_text(*names));
  }
  if (o.part.limit) return;
  if (const auto mended = events->complaint(); mended && o.as.repair)
    say("mended: " + mended->message());
}

}  // namespace convert

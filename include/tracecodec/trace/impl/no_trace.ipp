// The functions of trace/no_trace.hpp.
#pragma once
#include <algorithm>
#include <cctype>

#include "../../io/byte_order_mark.hpp"
#include "../../io/path.hpp"
#include "../../tracepack/recognise.hpp"
#include "../../umtracer/files.hpp"
#include "../../umtracer/layout/names.hpp"
#include "../no_trace.hpp"

namespace tracecodec::trace {

namespace detail {
// The first word of an XML text that is an element's: "CPU" of "<?xml ...?>\n<CPU>".
TRACECODEC_FUNC std::string_view first_element(std::string_view xml) {
  for (std::size_t at = xml.find('<'); at != xml.npos; at = xml.find('<', at + 1)) {
    const std::string_view name = xml.substr(at + 1);
    if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0)
      return name.substr(0, name.find_first_of(" \t\r\n/>"));
  }
  return {};
}
// Whether at most two of its bytes differ.
TRACECODEC_FUNC bool resembles(std::string_view text, std::string_view magic) {
  std::size_t same = 0;
  for (std::size_t i = 0; i != std::min(text.size(), magic.size()); ++i)
    same += text[i] == magic[i];
  return same + 2 >= magic.size();
}
}  // namespace detail

TRACECODEC_FUNC std::string_view named_by_content(std::span<const std::byte> front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  if (text.starts_with("TCXI"))
    return "an index of an x64dbg trace: open the trace, whose name has no .idx";
  if (text.starts_with("\x89TPACK\n") || text.starts_with("\x89TPACK\r\r"))
    return "tracepack that was transferred as text, which has changed its line ends: transfer it "
           "as it is";
  if (text.size() >= 4 && tracepack::magic.starts_with(text))
    return "tracepack that ends in its first bytes";
  if (detail::resembles(text, tracepack::magic)) return "tracepack whose first bytes are damaged";
  // What follows is text. Records have zeros, and the first byte of an address may be any: 1 of 128 traces begins with
  // a bracket.
  if (text.find('\0') != text.npos) return {};
  text = io::without_byte_order_mark(text);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const auto has = [text](std::string_view what) { return text.find(what) != text.npos; };
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  constexpr std::string_view rows =
      "rows of text made of a trace, which cannot be read back: open the trace itself";
  if (text.starts_with('{') || text.starts_with('[')) {
    for (const std::string_view key :
         {"\"thread_records\"", "\"memory_records\"", "\"lock_records\"", "\"location_records\""})
      if (has(key))
        return "the metadata of a RapidBin trace: open the trace (x.data of x.json), and name its "
               "metadata (option metadata) if they are called otherwise";
    if (has("\"modules\"") && has("\"base\""))
      return "the map of a program, which trace_record writes beside a trace: open the trace, and "
             "name its map (option maps) if it is called otherwise";
    if (line.starts_with("{\"index\":") || line.starts_with("{\"id\":") ||
        line.starts_with("{\"ID\":"))
      return rows;
    return "JSON, expected a trace";
  }
  if (line.starts_with("index,") || line.starts_with("id,")) return rows;
  if (text.starts_with("<!DOCTYPE html") || text.starts_with("<!doctype html"))
    return has("<title>Trace report: ")
               ? "a report made of a trace: open the trace itself; a browser shows the report"
               : "an HTML page, expected a trace";
  if (text.starts_with("<?xml") || text.starts_with("<CPU") || text.starts_with("<App")) {
    const std::string_view first = detail::first_element(text);
    return first == "CPU" || first == "Xed" || first == "App"
               ? "the metadata of an UMTracer trace (trace.xml): open its folder"
               : "XML, expected a trace";
  }
  if (has("enum") && (has("XED_") || has(umtracer::syscall_prefix)))
    return "an enumeration in C, which names the numbers of an UMTracer trace: open the trace's "
           "folder, and name this (option names)";
  return {};
}

TRACECODEC_FUNC std::string_view named_by_name(std::string_view path) {
  const std::string_view name = path.substr(io::file_name_at(path));
  for (const std::string_view file : umtracer::file_names)
    if (name == file && file != umtracer::name(umtracer::file::xml))
      return "a file of an UMTracer trace: the trace is the folder that has all of them";
  return {};
}

}  // namespace tracecodec::trace

// Creates the text of trace.xml (UMTracer specification, 13).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../io/error.hpp"

namespace tracecodec::umtracer {

// Description of the traced program. Strings are UTF-8, and empty strings are omitted.
struct trace_description {
  std::string_view os_name = {};
  std::string_view xed_version = {};  // such as "20150121"
  std::string_view command_line = {};
  std::optional<unsigned> bitness = {};  // 32 or 64
  std::optional<std::uint64_t> process_id = {};
};

// Escapes `text` as the content of an XML element, including white space. Throws
// trace_error(refused), with `field`, for control characters, which XML 1.0 cannot represent.
std::string escape_xml(std::string_view text, const char* field);

// Returns the text of a trace.xml in the form that tracers of 2015 write. The text has an element
// for each member of `d` that is set.
std::string make_trace_xml(const trace_description& d);

inline std::string escape_xml(std::string_view text, const char* field) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')
      out += "&#" + std::to_string(code) + ';';
    else if (code < 0x20)
      throw trace_error(trace_errc::refused, {"trace.xml", {}, {}, field},
                        "character " + std::to_string(code) + " cannot be in XML");
    else
      out += c;
  }
  return out;
}

inline std::string make_trace_xml(const trace_description& d) {
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<TraceMetaData>\n";
  const auto element = [](const char* name, const std::string& text) {
    return text.empty() ? "" : '<' + std::string(name) + '>' + text + "</" + name + '>';
  };
  const auto group = [&](const char* name, const std::string& inside) {
    if (!inside.empty()) out += "  " + element(name, inside) + '\n';
  };
  group("OS", element("Name", escape_xml(d.os_name, "OS/Name")));
  group("Xed", element("Version", escape_xml(d.xed_version, "Xed/Version")));
  group("App", element("CommandLine", escape_xml(d.command_line, "App/CommandLine")) +
                   element("Bitness", d.bitness ? std::to_string(*d.bitness) : "") +
                   element("ProcessID", d.process_id ? std::to_string(*d.process_id) : ""));
  return out + "</TraceMetaData>\n";
}

}  // namespace tracecodec::umtracer

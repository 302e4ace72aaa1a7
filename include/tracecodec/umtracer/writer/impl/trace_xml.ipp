// The functions of umtracer/writer/trace_xml.hpp.
#pragma once
#include "../trace_xml.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::string escape_xml(std::string_view text, const char* field) {
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

TRACECODEC_FUNC std::string make_trace_xml(const trace_description& d) {
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

// Tests UMTracer's trace.xml.
#include "target.hpp"
#include "tracecodec/umtracer/read_metadata.hpp"
#include "tracecodec/umtracer/writer/trace_xml.hpp"

namespace fuzz::umtracer_xml {
namespace {
namespace umtracer = tracecodec::umtracer;

void run(view in) {
  umtracer::metadata m;
  if (error_of([&] { m = umtracer::parse_metadata(in, "fuzz"); })) return;
  for (std::size_t i = 0; i < m.elements.size(); ++i) {
    const std::size_t parent = m.elements[i].parent;
    require(parent == umtracer::xml_element::no_parent || parent < i, "parents come first");
  }
  if (!m.elements.empty()) static_cast<void>(m.path(m.elements.size() - 1));
  // A new description of the same program must be read back unchanged.
  const auto bitness = umtracer::number_in(m.app_bitness);
  const std::string os = m.os_name.value_or(""), xed = m.xed_version.value_or(""),
                    command = m.app_command_line.value_or("");
  const umtracer::trace_description d{
      os, xed, command, bitness ? std::optional(static_cast<unsigned>(*bitness)) : std::nullopt,
      umtracer::number_in(m.app_process_id)};
  std::string text;
  if (error_of([&] { text = umtracer::make_trace_xml(d); })) return;
  const umtracer::metadata again = umtracer::parse_metadata(text, "again");
  require(again.os_name.value_or("") == os, "decode(encode(x)) == x: OS/Name");
  require(again.xed_version.value_or("") == xed, "decode(encode(x)) == x: Xed/Version");
  require(again.app_command_line.value_or("") == command, "decode(encode(x)) == x: command line");
  require(umtracer::number_in(again.app_bitness) == d.bitness, "decode(encode(x)) == x: bitness");
  require(umtracer::number_in(again.app_process_id) == d.process_id,
          "decode(encode(x)) == x: the process");
}
const target registered("umtracer_xml", run);
}  // namespace
}  // namespace fuzz::umtracer_xml

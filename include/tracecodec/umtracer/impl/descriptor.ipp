// Implementation of umtracer/descriptor.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../check.hpp"
#include "../descriptor.hpp"
#include "../layout.hpp"
#include "../layout/enumeration.hpp"
#include "../program_modules.hpp"
#include "../reader.hpp"
#if defined(TRACECODEC_WITH_PUGIXML)
#include "../read_metadata.hpp"
#endif

namespace tracecodec::umtracer {

namespace detail {

TRACECODEC_FUNC bool add_names(format::own_options& to, const std::string& value) {
  const auto* const before = to.get<shared_names>();
  names all = before != nullptr ? **before : names();
  read_names(value, all);
  to.set<shared_names>(std::make_shared<const names>(std::move(all)));
  return true;
}
TRACECODEC_FUNC bool set_table(format::own_options& to, const std::string& value) {
  const bool known = std::any_of(table_names.begin(), table_names.end(),
                                 [&value](const auto& one) { return one.name == value; });
  if (known) to.set(table_name{value});
  return known;
}
TRACECODEC_FUNC std::vector<std::string> files_of_names(const format::own_options& in) {
  const auto* const all = in.get<shared_names>();
  return all != nullptr ? (*all)->files : std::vector<std::string>();
}

}  // namespace detail

TRACECODEC_FUNC std::span<const format::layout> descriptor::layouts(bool) {
  using format::layout_of;
  static const std::array all{
      layout_of<exec_header_codec>("exec.vtable begins", "exec_header"),
      layout_of<exec_record_codec>("execRec, before its data", "exec_record"),
      layout_of<context_record_codec>("rmContext, before its memory references", "context_record"),
      layout_of<context_memory_codec>("contextMem", "context_memory"),
      layout_of<neighbours_codec>("exec.prev_next.column", "neighbours"),
      layout_of<table_header_codec>("Tables of rows of one size begin", "table_header"),
      layout_of<extra_header_codec>("ins.itable and module.itable go on", "extra_header"),
      layout_of<instruction_codec>("insRec", "instruction_record"),
      layout_of<decoded_codec>("decodedIns", "decoded_instruction"),
      layout_of<slot_codec>("lcSlot", "slot"),
      layout_of<syscall_header_codec>("syscall.vtable begins", "syscall_header"),
      layout_of<syscall_place_codec>("syscall.offsets", "syscall_place"),
      layout_of<syscall_codec>("syscallRec", "syscall_record"),
      layout_of<module_codec>("moduleRec", "module_record"),
      layout_of<module_version_codec>("moduleRec of 64 bytes goes on", "module_version"),
      layout_of<thread_codec>("threadRec", "thread_record"),
      layout_of<address_range_codec>("addressRange", "address_range"),
      layout_of<context_header_codec>("context_map.itable begins", "context_header"),
      layout_of<register_info_codec>("regInfo", "register_info")};
  return all;
}

TRACECODEC_FUNC void descriptor::about([[maybe_unused]] format::opened from,
                                       [[maybe_unused]] format::statements& to) {
#if defined(TRACECODEC_WITH_PUGIXML)
  const auto read = [&from]() -> std::optional<metadata> {
    try {
      return read_metadata(trace_files(from.name));
    } catch (const trace_error& e) {
      if (e.code() == trace_errc::not_a_trace) return std::nullopt;  // trace.xml is missing
      throw;
    }
  };
  const auto found = read();
  if (!found) return;
  const metadata& m = *found;
  to.add("command_line", m.app_command_line);
  to.add("bitness", m.app_bitness);
  to.add("process_id", m.app_process_id);
  to.add("system", m.os_name);
  if (m.pin_version) to.add("recorder", "Pin " + *m.pin_version);
  to.add("recorder_command_line", m.pin_command_line);
  to.add("recorder_folder", m.pin_working_directory);
  if (m.xed_version) to.add("xed", std::string(xed_date(*m.xed_version)));
#endif
}

TRACECODEC_FUNC std::vector<program_module> descriptor::modules(format::opened from,
                                                                const format::open_options& o) {
  return modules_of(reader(from.name, {.lenient = o.repair}));
}

TRACECODEC_FUNC format::check_summary descriptor::check(format::opened from,
                                                        const format::on_finding& report,
                                                        const check_options& how,
                                                        const format::open_options&) {
  read_xml xml;
#if defined(TRACECODEC_WITH_PUGIXML)
  xml = read_metadata;
#endif
  const check_summary sum = umtracer::check(from.name, report, how, std::move(xml));
  return format::summary_of(sum.records, sum);
}

}  // namespace tracecodec::umtracer

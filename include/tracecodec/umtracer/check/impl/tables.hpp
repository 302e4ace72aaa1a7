// Checks the rules of the small tables: context map, modules and address ranges.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../../io/os/path.hpp"
#include "../../reader/context_map.hpp"
#include "../../reader/tables.hpp"
#include "../rules.hpp"

namespace tracecodec::umtracer::detail {

// Collector of findings. Each message begins with the name of the file.
class file_findings : public findings<check_rules, rule, check_summary, on_finding> {
 public:
  using findings::findings;

  // Adds a finding. `record` is the id of an execution record, or the number of a row in `f`.
  void add(rule r, file f, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    findings::add(r, offset, record, std::string(name(f)) + ": " + message);
  }
  void add(rule r, const trace_error& e) {
    findings::add(r, e.offset(), e.record(),
                  e.file().substr(io::file_name_at(e.file())) + ": " + with_field(e));
  }
  // Returns the result of f(). If f() throws trace_error, adds a finding of rule
  // `r` and returns nullopt.
  template <class F> auto attempt(rule r, F&& f) -> std::optional<decltype(f())> {
    return attempt([r](const trace_error&) { return r; }, std::forward<F>(f));
  }
  // Returns the result of f(). If f() throws trace_error, adds a finding of
  // rule_of(error) and returns nullopt.
  template <class RuleOf, class F> auto attempt(RuleOf rule_of, F&& f)
      -> std::optional<decltype(f())>
  requires std::invocable<RuleOf, const trace_error&> {
    try {
      return f();
    } catch (const trace_error& e) {
      add(rule_of(e), e);
      return std::nullopt;
    }
  }
};

// Checks the properties that all tables have in common: the version and the row count. If
// `has_extra` is false, also checks that no bytes follow the last row.
inline void check_rows(file_findings& found, const trace_files& files, file f,
                       const table_place& rows, std::uint32_t newest, bool has_extra) {
  const table_header& h = rows.header();
  if (h.record_version > newest)
    found.add(rule::version, f, table_header_codec::offset_of<&table_header::record_version>, {},
              "record_version " + std::to_string(h.record_version));
  if (static_cast<std::uint64_t>(h.row_count) != rows.size())
    found.add(
        rule::row_count, f, table_header_codec::offset_of<&table_header::row_count>, {},
        std::to_string(h.row_count) + " rows, but the file holds " + std::to_string(rows.size()));
  const std::uint64_t size = files[f].size(), end = rows.offset(rows.size());
  if (!has_extra && end < size && rows.size() == static_cast<std::uint64_t>(h.row_count))
    found.add(rule::trailing_bytes, f, end, {}, std::to_string(size - end) + " bytes");
}

// Checks that the extra area declared by the header of ins.itable or module.itable is inside the
// file.
inline void check_extra(file_findings& found, const trace_files& files, file f) {
  found.attempt(rule::extra_area, [&] { return extra_area_of(files, f, false); });
}

class table_checker {
 public:
  table_checker(file_findings& found, const trace_files& files) : found_(found), files_(files) {}

  void run(const context_map& map) {
    for (std::uint16_t id = 0; id < map.size(); ++id) check_register(map, id);
    const std::uint64_t size = files_[file::context_map].size();
    if (size > context_map_size)
      found_.add(rule::trailing_bytes, file::context_map, context_map_size, {},
                 std::to_string(size - context_map_size) + " bytes");
  }

  // Checks the module table. `records` is the number of execution records, if known.
  void run(const module_table& modules, std::optional<std::uint64_t> records) {
    check_rows(found_, files_, file::modules, modules.rows(), 1, true);
    check_extra(found_, files_, file::modules);
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const module_record m = modules[i];
      const auto bad = [&](rule r, std::size_t at, const std::string& message) {
        found_.add(r, file::modules, modules.rows().offset(i) + at, i, message);
      };
      if (m.start_address > m.end_address)
        bad(rule::module_span, module_codec::offset_of<&module_record::end_address>,
            hex(m.start_address) + " to " + hex(m.end_address));
      if (m.unload_eid != no_eid && m.unload_eid < m.load_eid)
        bad(rule::module_span, module_codec::offset_of<&module_record::unload_eid>,
            "loaded at record " + std::to_string(m.load_eid) + ", unloaded at " +
                std::to_string(m.unload_eid));
      // load_eid and unload_eid identify the record that followed the event, so they may be one
      // past the last record.
      const auto outside = [&](std::int64_t eid) {
        return eid < 0 || (records && static_cast<std::uint64_t>(eid) > *records);
      };
      if (outside(m.load_eid))
        bad(rule::module_time, module_codec::offset_of<&module_record::load_eid>,
            "loaded at record " + std::to_string(m.load_eid));
      if (m.unload_eid != no_eid && m.unload_eid >= m.load_eid && outside(m.unload_eid))
        bad(rule::module_time, module_codec::offset_of<&module_record::unload_eid>,
            "unloaded at record " + std::to_string(m.unload_eid));
      if (const auto n = found_.attempt(rule::module_name, [&] { return modules.win_name(i); }))
        check_name(*n, module_codec::offset_of<&module_record::win_name>, bad);
      if (const auto n = found_.attempt(rule::module_name, [&] { return modules.device_name(i); }))
        check_name(*n, module_codec::offset_of<&module_record::device_name>, bad);
    }
    check_overlaps(modules);
  }

  void run(const row_table<address_range_codec>& ranges) {
    check_rows(found_, files_, file::address_ranges, ranges, 0, false);
    std::optional<std::uint64_t> last;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const address_range a = ranges[i];
      const std::string text = hex(a.first) + " to " + hex(a.last);
      const auto bad = [&](rule r, const std::string& message) {
        found_.add(r, file::address_ranges, ranges.offset(i), i, message);
      };
      if (a.first % page != 0 || a.last % page != page - 1 || a.last < a.first)
        bad(rule::range_bounds, text);
      if (last && a.first <= *last) bad(rule::range_order, text + ", after " + hex(*last));
      last = a.last;
    }
  }

 private:
  // Reports loaded modules that overlap. Processes loads and unloads in order, and keeps the loaded
  // modules sorted by start address.
  void check_overlaps(const module_table& modules) {
    // The elements are a record id, a flag that is true for a load, and a row number.
    using event = std::tuple<std::int64_t, bool, std::size_t>;
    std::vector<event> events;
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const module_record m = modules[i];
      if (m.start_address > m.end_address) continue;
      // If the unload does not follow the load, the module is never loaded.
      if (m.unload_eid != no_eid && m.unload_eid <= m.load_eid) continue;
      events.emplace_back(m.load_eid, true, i);
      if (m.unload_eid != no_eid) events.emplace_back(m.unload_eid, false, i);
    }
    std::sort(events.begin(), events.end());
    std::map<std::uint64_t, std::size_t> there;
    for (const auto& [eid, load, row] : events) {
      const module_record m = modules[row];
      if (!load) {
        if (const auto at = there.find(m.start_address); at != there.end() && at->second == row)
          there.erase(at);
        continue;
      }
      // The modules in `there` do not overlap, so only the last module that starts at or before
      // m.end_address can overlap `m`.
      auto other = there.upper_bound(m.end_address);
      if (other != there.begin() && modules[(--other)->second].end_address >= m.start_address)
        found_.add(
            rule::module_overlap, file::modules,
            modules.rows().offset(row) + module_codec::offset_of<&module_record::start_address>,
            row,
            hex(m.start_address) + " to " + hex(m.end_address) + ", as module " +
                std::to_string(other->second) + " at record " + std::to_string(eid));
      else
        there.emplace(m.start_address, row);
    }
  }

  void check_register(const context_map& map, std::uint16_t id) {
    const auto bad = [&](rule r, std::size_t at, const std::string& message) {
      found_.add(r, file::context_map, at, id, message);
    };
    if (map.name(id).size() == register_name_codec::size)
      bad(rule::register_name, name_offset + register_name_codec::size * id,
          "its name is unterminated");
    if (map.common_name(id) >= map.size())
      bad(rule::register_name, common_name_offset + 2U * id,
          "common name " + std::to_string(map.common_name(id)));
    for (const bool code64 : {false, true}) {
      const std::size_t at =
          (code64 ? map64_offset : map32_offset) + register_info_codec::size * id;
      const register_info r = map.info(id, code64);
      if (r.largest >= map.size())
        bad(rule::register_name, at + register_info_codec::offset_of<&register_info::largest>,
            "largest register " + std::to_string(r.largest));
      if (r.present() && std::size_t{r.offset} + r.size > map.dump_size())
        bad(rule::register_place, at,
            std::to_string(r.size) + " bytes at " + std::to_string(r.offset) + " of " +
                std::to_string(map.dump_size()));
    }
  }

  // Checks that a name is null-terminated. The reader has already checked that the 16-bit unit
  // after the name exists.
  template <class Bad>
  void check_name(const wire::array_view<wire::u16le>& units, std::size_t at, Bad& bad) {
    const auto text = units.bytes();
    if (wire::u16le::load(text.data() + text.size()) != 0)
      bad(rule::module_name, at, "is unterminated");
  }

  static constexpr std::uint64_t page = 4096;
  file_findings& found_;
  const trace_files& files_;
};

}  // namespace tracecodec::umtracer::detail

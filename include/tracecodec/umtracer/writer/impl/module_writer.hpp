// Writes module.itable.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../../io/output/atomic_folder.hpp"
#include "../../files.hpp"
#include "../rows.hpp"
#include "table_writer.hpp"

namespace tracecodec::umtracer {

// Writer of module.itable. All rows are kept in memory until finish(), because a trace has few
// modules.
class module_writer {
 public:
  // Creates the file. `row_size` is 48 or 64.
  module_writer(const io::atomic_folder& folder, std::size_t row_size)
      : out_(folder.create(std::string(name(file::modules)))), row_size_(row_size) {}

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

  // Adds a row and returns its number. Throws trace_error(refused), with row and field:
  // - if a name is too long
  // - if a row of 48 bytes cannot store the version
  // - if the module ends before it starts
  std::int32_t add(const module_info& m, std::int64_t now) {
    if (m.version != module_version{} && row_size_ == module_codec::size)
      refuse("version", "rows of 48 bytes cannot hold it");
    if (m.end_address < m.start_address) refuse("end_address", "lies before start_address");
    if (rows_.size() > 0x7FFFFFFE) refuse("id", "there are too many modules");
    std::string win, device;
    encode_string(m.win_name, site("win_name"), win);
    encode_string(m.device_name, site("device_name"), device);
    rows_.push_back({{m.load_eid.value_or(now),
                      m.unload_eid,
                      m.start_address,
                      m.end_address,
                      {names_.add(win)},
                      {names_.add(device)}},
                     m.version});
    return static_cast<std::int32_t>(rows_.size() - 1);
  }
  void load(std::int32_t id, std::int64_t eid) { row(id).load_eid = eid; }
  void unload(std::int32_t id, std::int64_t eid) { row(id).unload_eid = eid; }

  // Throws trace_error(refused) if module `id` does not exist.
  void require(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= rows_.size())
      throw trace_error(trace_errc::refused, {out_.name(), {}, {}, "id"},
                        "there is no module " + std::to_string(id));
  }

  // Writes the file. `records` is the number of records in the trace. Throws trace_error(refused)
  // if a module is unloaded before it is loaded. Also throws trace_error(refused) if a module is
  // loaded or unloaded after the end of the trace.
  void finish(std::int64_t records) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto [load, unload] = std::pair(rows_[i].record.load_eid, rows_[i].record.unload_eid);
      if (load < 0 || load > records) refuse("load_eid", load, i);
      if (unload != no_eid && (unload < load || unload > records)) refuse("unload_eid", unload, i);
    }
    out_.write(encode_header(0, rows_.size(), row_size_, names_));
    const auto extra = static_cast<std::int64_t>(long_header + rows_.size() * row_size_);
    for (auto& [module_row, version] : rows_) {
      module_row.win_name.offset += extra;
      module_row.device_name.offset += extra;
      std::byte* const to = out_.append(row_size_);
      module_codec::store(module_row, to);
      if (row_size_ > module_codec::size)
        module_version_codec::store(version, to + module_codec::size);
    }
    write_extra(out_, names_);
    out_.finish();
  }

 private:
  struct full_row {
    module_record record;  // offsets of names are relative to the extra area until finish()
    module_version version;
  };
  module_record& row(std::int32_t id) {
    require(id);
    return rows_[static_cast<std::size_t>(id)].record;
  }
  [[nodiscard]] error_site site(const char* field) const {
    return {out_.name(), {}, rows_.size(), field};
  }
  [[noreturn]] void refuse(const char* field, const char* why) const {
    throw trace_error(trace_errc::refused, site(field), why);
  }
  [[noreturn]] void refuse(const char* field, std::int64_t eid, std::size_t row) const {
    throw trace_error(trace_errc::refused, {out_.name(), {}, row, field},
                      "record " + std::to_string(eid) + " is not a possible record");
  }

  io::folder_file out_;
  std::size_t row_size_;
  std::vector<full_row> rows_ = {};
  shared_bytes names_ = {};
};

}  // namespace tracecodec::umtracer

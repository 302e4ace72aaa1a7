// Prints records that a table describes. All fields are printed, in detail or as JSON.
#pragma once
#include <tracecodec/file/record_table.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/rows/record_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fields.hpp"
#include "places.hpp"

namespace view {

class described_rows {
 public:
  // Creates rows for records that `table` describes. `table` must outlive this object.
  explicit described_rows(const tracecodec::file::record_table& table)
      : table_(&table), as_json_(table), ip_(table.find("ip")) {}

  // Returns true if the records contain an address, which can be resolved to a module and a symbol.
  [[nodiscard]] bool has_ip() const noexcept { return ip_ != nullptr; }

  // Adds record number `index`, whose bytes start at `bytes`. In the JSON form, adds a JSON object.
  // In other forms, adds one line per field. Then adds the module and the symbol at the record's
  // address.
  void add(std::string& s, form f, std::uint64_t index, const std::byte* bytes,
           const tracecodec::program_map& places) const {
    if (f == form::json)
      as_json_.add(s, tracecodec::rows::record_row{index, bytes});
    else
      add_detail(s, index, bytes);
    if (has_ip() && !places.empty()) add_place(s, f, places, index, ip_->load(bytes), 0);
  }

 private:
  void add_detail(std::string& s, std::uint64_t index, const std::byte* bytes) const {
    fields f(s, form::detail, "Record", index);
    for (const auto& c : table_->columns()) {
      std::string values;
      for (std::size_t i = 0; i < c.count; ++i) {
        if (i != 0) values += ' ';
        std::string one;
        tracecodec::rows::add_json_element(one, c, c.load(bytes, i));
        one.erase(std::remove(one.begin(), one.end(), '"'), one.end());
        values += one;
      }
      f.text(c.name, values);
    }
  }

  const tracecodec::file::record_table* table_;
  tracecodec::rows::record_json_form as_json_;
  const tracecodec::file::record_column* ip_;
};

}  // namespace view

// RapidBin events as rows of text (rows/), for JSON lines and CSV.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../rows/columns.hpp"
#include "layout.hpp"
#include "metadata.hpp"
#include "reader/std_text.hpp"

namespace tracecodec::rapidbin {

// Row with the fields of the event. The columns have the names of the fields in the layout.
struct row {
  std::uint64_t index = 0;  // index of the event in the trace
  rows::record_fields<event_codec> event = {};
};

// Row with the fields of the event, and the objects that its ids stand for according to the
// metadata. Members that the metadata lacks are nullopt.
struct named_row {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::uint32_t> function = {};  // function of the location
  std::optional<std::uint32_t> instruction = {};
  std::optional<rows::address> address = {};  // address of the variable
  std::optional<std::uint64_t> access_width = {};
  std::optional<rows::address> lock = {};  // id of the lock in the program
};

// Row with the fields of the event, and the names of its ids. The name of an id that has only a
// number is nullopt.
struct called_row {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::string_view> thread_name = {};
  std::optional<std::string_view> decor_name = {};
  std::optional<std::string_view> location_name = {};
};

// Row with the members of both named_row and called_row.
struct called_named_row {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::string_view> thread_name = {};
  std::optional<std::string_view> decor_name = {};
  std::optional<std::string_view> location_name = {};
  std::optional<std::uint32_t> function = {};
  std::optional<std::uint32_t> instruction = {};
  std::optional<rows::address> address = {};
  std::optional<std::uint64_t> access_width = {};
  std::optional<rows::address> lock = {};
};

// Returns the row of event `e`, which must outlive the row. The overloads for rvalues are deleted,
// because batches return events by value.
constexpr row row_of(std::uint64_t index, const event& e) noexcept { return {index, {&e}}; }
row row_of(std::uint64_t index, const event&& e) = delete;
named_row row_of(std::uint64_t index, const event&& e, const metadata& names) = delete;

named_row row_of(std::uint64_t index, const event& e, const metadata& names);
// Returns a row with the names of the ids. The event and the strings that names() returns must
// outlive the row.
called_row row_of(std::uint64_t index, const event& e, const std_names& names);
called_named_row row_of(std::uint64_t index, const event& e, const std_names& names,
                        const metadata& records);

inline named_row row_of(std::uint64_t index, const event& e, const metadata& names) {
  named_row r{.index = index, .event = {&e}};
  if (const code_location* l = names.locations.find(e.location)) {
    r.function = l->function;
    r.instruction = l->instruction;
  }
  switch (operand_of(e.operation)) {
    case operand::variable:
      if (const memory_location* m = names.memory.find(e.decor)) {
        r.address = {m->address};
        r.access_width = m->access_width;
      }
      break;
    case operand::lock:
      if (const std::uint64_t* l = names.locks.find(e.decor)) r.lock = {*l};
      break;
    default:
      break;
  }
  return r;
}

inline called_row row_of(std::uint64_t index, const event& e, const std_names& names) {
  const auto name = [&names](id_kind kind, std::uint64_t id) {
    const std::string* const s = names(kind, id);
    return s != nullptr ? std::optional<std::string_view>(*s) : std::nullopt;
  };
  called_row r{.index = index, .event = {&e}};
  r.thread_name = name(id_kind::thread, e.thread);
  if (const operand kind = operand_of(e.operation); kind != operand::none)
    r.decor_name = name(kind_of(kind), e.decor);
  r.location_name = name(id_kind::location, e.location);
  return r;
}

inline called_named_row row_of(std::uint64_t index, const event& e, const std_names& names,
                               const metadata& records) {
  const called_row called = row_of(index, e, names);
  const named_row r = row_of(index, e, records);
  return {index,      {&e},          called.thread_name, called.decor_name, called.location_name,
          r.function, r.instruction, r.address,          r.access_width,    r.lock};
}

}  // namespace tracecodec::rapidbin

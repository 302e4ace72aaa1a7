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

// Row with the fields of an event. The columns have the names of the fields in the layout.
struct row {
  std::uint64_t index = 0;  // index of the event in the trace
  rows::record_fields<event_codec> event = {};
};

// Row with the fields of an event, and with the metadata for the event's ids. A member is nullopt
// if the metadata lacks the id.
struct row_with_metadata_names {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::uint32_t> function = {};  // index of the function that contains the location
  std::optional<std::uint32_t> instruction = {};
  std::optional<rows::address> address = {};  // address of the variable
  std::optional<std::uint64_t> access_width = {};
  std::optional<rows::address> lock = {};  // id of the lock in the program
};

// Row with the fields of an event, and with the names of the event's ids. If an id has no name, the
// member for the name is nullopt.
struct row_with_text_names {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::string_view> thread_name = {};
  std::optional<std::string_view> decor_name = {};
  std::optional<std::string_view> location_name = {};
};

// Row with the members of both row_with_metadata_names and row_with_text_names.
struct row_with_all_names {
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

// Returns the row of the event `e`, which must outlive the row. The overloads for rvalues are
// deleted, because batches return events by value, and a temporary event would not outlive the row.
constexpr row row_of(std::uint64_t index, const event& e) noexcept { return {index, {&e}}; }
row row_of(std::uint64_t index, const event&& e) = delete;
row_with_metadata_names row_of(std::uint64_t index, const event&& e,
                               const metadata& names) = delete;

row_with_metadata_names row_of(std::uint64_t index, const event& e, const metadata& names);
// Returns a row with the names of the ids. The event and the strings that names() returns must
// outlive the row.
row_with_text_names row_of(std::uint64_t index, const event& e, const std_names& names);
row_with_all_names row_of(std::uint64_t index, const event& e, const std_names& names,
                          const metadata& records);

inline row_with_metadata_names row_of(std::uint64_t index, const event& e, const metadata& names) {
  row_with_metadata_names r{.index = index, .event = {&e}};
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

inline row_with_text_names row_of(std::uint64_t index, const event& e, const std_names& names) {
  const auto name = [&names](id_kind kind, std::uint64_t id) {
    const std::string* const s = names(kind, id);
    return s != nullptr ? std::optional<std::string_view>(*s) : std::nullopt;
  };
  row_with_text_names r{.index = index, .event = {&e}};
  r.thread_name = name(id_kind::thread, e.thread);
  if (const operand kind = operand_of(e.operation); kind != operand::none)
    r.decor_name = name(kind_of(kind), e.decor);
  r.location_name = name(id_kind::location, e.location);
  return r;
}

inline row_with_all_names row_of(std::uint64_t index, const event& e, const std_names& names,
                                 const metadata& records) {
  const row_with_text_names text_names = row_of(index, e, names);
  const row_with_metadata_names r = row_of(index, e, records);
  return {index,
          {&e},
          text_names.thread_name,
          text_names.decor_name,
          text_names.location_name,
          r.function,
          r.instruction,
          r.address,
          r.access_width,
          r.lock};
}

}  // namespace tracecodec::rapidbin

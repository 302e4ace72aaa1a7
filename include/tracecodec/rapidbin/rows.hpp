// RapidBin events as rows of text (rows/): JSON lines and CSV.
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

// The event's fields by name and as they are.
struct row {
  std::uint64_t index = 0;  // of the event in the trace
  rows::record_fields<event_codec> event = {};
};

// The same, and what the metadata says of them: nothing for what it does not have.
struct named_row {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::uint32_t> function = {};  // of the location
  std::optional<std::uint32_t> instruction = {};
  std::optional<rows::address> address = {};  // of a variable
  std::optional<std::uint64_t> access_width = {};
  std::optional<rows::address> lock = {};  // its id in the program
};

// The event's fields, and the names of its ids: nothing for an id that is a number alone.
struct called_row {
  std::uint64_t index = 0;
  rows::record_fields<event_codec> event = {};
  std::optional<std::string_view> thread_name = {};
  std::optional<std::string_view> decor_name = {};
  std::optional<std::string_view> location_name = {};
};

// Both.
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

// Valid as long as `e`, which must have a name: a batch gives its events by value.
constexpr row row_of(std::uint64_t index, const event& e) noexcept { return {index, {&e}}; }
row row_of(std::uint64_t index, const event&& e) = delete;
named_row row_of(std::uint64_t index, const event&& e, const metadata& names) = delete;

named_row row_of(std::uint64_t index, const event& e, const metadata& names);
// With the names that std_names returns, which must stay.
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

// RapidBin events as rows of text (rows/): JSON lines and CSV.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "../config.hpp"
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

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/rows.ipp"
#endif

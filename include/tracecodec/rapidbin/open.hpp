// Opens a RapidBin file or STD text as a source of events. Options select events and renumber ids.
#pragma once
#include <charconv>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../io/open.hpp"
#include "metadata.hpp"
#include "reader.hpp"
#include "reader/events.hpp"
#include "reader/renumber.hpp"
#include "reader/selection.hpp"
#include "reader/std_reader.hpp"
#include "reader/std_text.hpp"
#include "well_formed.hpp"

namespace tracecodec::rapidbin {

struct open_options {
  bool text = false;      // true if the input is STD text
  bool lenient = false;   // see reader_options::lenient
  bool renumber = false;  // true to renumber ids by first appearance, without gaps
  bool fitting = false;   // see std_options::fitting; ignored if `renumber` is set
  bool strict = false;    // see std_options::strict
  selection wanted = {};  // events to select, by their original ids
  // Metadata that maps the names in `wanted` to ids, or null if the trace has no metadata. Ignored
  // for STD text, which contains the names itself.
  const metadata* names = nullptr;
  std::function<void(std_remark, const std::string&)> remark = {};  // see std_options::remark
  // Part of the selected events to convert to a complete trace before renumbering, or nullopt to
  // return all selected events unchanged. open_events() sets well_formed_part::text.
  std::optional<well_formed_part> well_formed = {};
};

// Opens `in` as a source of events. Throws the errors of the reader's constructor. For a RapidBin
// file, also throws trace_error(refused) if a name in `wanted` is neither a number nor a name in
// the metadata. For STD text, a name that never occurs selects nothing.
inline std::unique_ptr<event_source> open_events(io::input in, open_options options = {});

// Returns the id that `name` identifies in a RapidBin file. First searches the names in the
// metadata (`known`, which may be null), and then reads `name` as a number (T2 or 2). Returns
// nullopt if `name` is neither a known name nor a number.
inline std::optional<std::uint64_t> id_of_name(id_kind kind, std::string_view name,
                                               const id_names* known) {
  if (known != nullptr)
    if (const auto id = known->of(kind).find_trace_id(std::string(name))) return id;
  const char letter = std_letter(kind);
  if (letter != 0 && (name.starts_with(letter) || name.starts_with(letter - 'A' + 'a')))
    name.remove_prefix(1);
  std::uint64_t id = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, id);
  return error == std::errc() && stop == end ? std::optional(id) : std::nullopt;
}

namespace detail {
// Replaces the names in `wanted` with ids. Throws trace_error(refused), with the file name `file`,
// if a name is unknown.
inline void find_ids(selection& wanted, const id_names* known, const std::string& file) {
  wanted.for_each_kind([&](id_kind k, id_set& ids, std::vector<std::string>& names) {
    for (const std::string& one : std::exchange(names, {})) {
      const auto id = id_of_name(k, one, known);
      if (!id)
        throw trace_error(trace_errc::refused, {.file = file},
                          "has no " + std::string(name(k)) + " named '" + one + "'");
      ids.insert(*id);
    }
  });
}
}  // namespace detail

inline std::unique_ptr<event_source> open_events(io::input in, open_options options) {
  std::unique_ptr<event_source> events;
  if (!options.text)
    detail::find_ids(options.wanted, options.names != nullptr ? &options.names->names : nullptr,
                     in.name());
  if (options.text)
    events = std::make_unique<std_reader>(
        std::move(in), std_options{.fitting = options.fitting && !options.renumber,
                                   .strict = options.strict,
                                   .remark = std::move(options.remark)});
  else
    events = std::make_unique<reader>(std::move(in), reader_options{.lenient = options.lenient});
  if (!options.wanted.everything())
    events = std::make_unique<selected_events>(std::move(events), std::move(options.wanted));
  if (options.well_formed) {
    options.well_formed->text = options.text;
    events =
        std::make_unique<well_formed_events>(std::move(events), *std::move(options.well_formed));
  }
  if (options.renumber) events = std::make_unique<renumbered_events>(std::move(events));
  return events;
}

}  // namespace tracecodec::rapidbin

// RapidBin's file and its text, STD, as formats among others (format/list.hpp).
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../format/check.hpp"
#include "../format/facts.hpp"
#include "../format/front.hpp"
#include "../format/layout.hpp"
#include "../format/open_options.hpp"
#include "../format/opened.hpp"
#include "../format/statements.hpp"
#include "feed.hpp"
#include "trace_options.hpp"

namespace tracecodec::rapidbin {

inline constexpr std::string_view family = "RapidBin";

namespace detail {

TRACECODEC_FUNC bool set_metadata(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_no_metadata(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_strict(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool choose_variable(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool choose_lock(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool choose_location(format::own_options& to, const std::string& value);
TRACECODEC_FUNC std::string_view lacking_for_metadata(const format::own_options& in);
TRACECODEC_FUNC std::string_view lacking_for_selection(const format::own_options& in);
TRACECODEC_FUNC std::vector<std::string> files_of_metadata(const format::own_options& in);

// open_options::own: metadata_file, strict_text, selection.
inline constexpr format::option metadata_option{
    .name = "metadata",
    .value = "FILE",
    .help = "The metadata of a RapidBin trace; x.json is found beside x.data",
    .expected = "a file",
    .set = set_metadata,
    .use = format::option_use::files,
    .lacking = lacking_for_metadata,
    .files = files_of_metadata};
inline constexpr format::option no_metadata_option{
    .name = "no-metadata",
    .help = "Leave the metadata of a RapidBin trace aside",
    .set = set_no_metadata,
    .use = format::option_use::files};
inline constexpr format::option strict_option{
    .name = "strict",
    .help =
        "STD text: refuse lines of wait, notify, notifyAll and dummy, and columns after the "
        "location, instead of leaving them out",
    .set = set_strict};
// An option that selects events, and may be given several times.
constexpr format::option selecting(std::string_view name, std::string_view help,
                                   bool (*set)(format::own_options&, const std::string&)) {
  return {.name = name,
          .value = "ID|NAME",
          .help = help,
          .expected = "an id or a name",
          .set = set,
          .repeats = true,
          .use = format::option_use::choice,
          .lacking = lacking_for_selection};
}
inline constexpr format::option variable_option = selecting(
    "variable",
    "Only events on this variable (RapidBin): by its name as trace_view shows it, or by its "
    "id, a number alone; may be given several times",
    choose_variable);
inline constexpr format::option lock_option = selecting(
    "lock",
    "Only events on this lock (RapidBin): by its name as trace_view shows it, or by its id, "
    "a number alone; may be given several times",
    choose_lock);
inline constexpr format::option location_option =
    selecting("location",
              "Only events at this location (RapidBin): by its name as trace_view shows it, or its "
              "number; may be given several times",
              choose_location);
inline constexpr std::array<const format::option*, 6> own_options{
    &metadata_option, &no_metadata_option, &strict_option,
    &variable_option, &lock_option,        &location_option};

TRACECODEC_FUNC std::string metadata_beside(const std::string& name);
TRACECODEC_FUNC trace_feed open_feed(io::input in, bool text, const format::open_options& o);

}  // namespace detail

struct descriptor {
  static constexpr format::facts facts{.name = "rapidbin",
                                       .title = "RapidBin",
                                       .family = family,
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .repairs = true,
                                       .has_addresses = false,
                                       .beside = detail::metadata_beside,
                                       .options = detail::own_options};

  TRACECODEC_FUNC static format::match probe(const format::front& f);
  TRACECODEC_FUNC static std::span<const format::layout> layouts(bool narrow);
  TRACECODEC_FUNC static void about(format::opened from, format::statements& to);
  TRACECODEC_FUNC static format::check_summary check(format::opened from,
                                                     const format::on_finding& report,
                                                     const check_options& how,
                                                     const format::open_options& o);
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return visitor(detail::open_feed(std::move(*from.input), false, o));
  }
};

struct std_descriptor {
  static constexpr format::facts facts{.name = "std",
                                       .title = "RapidBin as text (STD)",
                                       .family = family,
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .repairs = true,
                                       .has_addresses = false,
                                       .beside = detail::metadata_beside,
                                       .options = detail::own_options};

  TRACECODEC_FUNC static format::match probe(const format::front& f);
  // Those of the same events in a RapidBin file.
  static std::span<const format::layout> layouts(bool narrow) {
    return descriptor::layouts(narrow);
  }
  TRACECODEC_FUNC static format::check_summary check(format::opened from,
                                                     const format::on_finding& report,
                                                     const check_options& how,
                                                     const format::open_options& o);
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return visitor(detail::open_feed(std::move(*from.input), true, o));
  }
};

}  // namespace tracecodec::rapidbin

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/descriptor.ipp"
#endif

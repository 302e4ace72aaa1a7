// Format descriptors of RapidBin files and of their text form, STD (format/list.hpp).
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
#include "layout.hpp"
#include "output_options.hpp"
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
TRACECODEC_FUNC bool set_renumber(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_well_formed(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_dialect(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool names_metadata(const format::own_options& in);
TRACECODEC_FUNC bool choose_thread(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool selects_threads(const format::own_options& in);
TRACECODEC_FUNC bool selects_variables(const format::own_options& in);
TRACECODEC_FUNC bool selects_locks(const format::own_options& in);
TRACECODEC_FUNC bool selects_locations(const format::own_options& in);
TRACECODEC_FUNC std::string_view lacking_for_metadata(const format::own_options& in);
TRACECODEC_FUNC std::string_view lacking_for_selection(const format::own_options& in);
TRACECODEC_FUNC std::vector<std::string> files_of_metadata(const format::own_options& in);

inline constexpr std::string_view traces_of_events = "RapidBin traces and STD text";
// Options for reading. open_options::own stores their values as the types metadata_file,
// strict_text and selection.
inline constexpr format::option metadata_option{
    .name = "metadata",
    .value = "FILE",
    .help = "The metadata of a RapidBin trace; default x.json next to x.data",
    .traces = traces_of_events,
    .expected = "a file",
    .set = set_metadata,
    .use = format::option_use::files,
    .is_set = names_metadata,
    .reset = format::reset<metadata_file>,
    .lacking = lacking_for_metadata,
    .files = files_of_metadata};
inline constexpr format::option no_metadata_option{
    .name = "no-metadata",
    .help = "Ignore the metadata of a RapidBin trace",
    .traces = traces_of_events,
    .set = set_no_metadata,
    .use = format::option_use::files,
    .reset = format::reset<metadata_file>};
inline constexpr format::option strict_option{
    .name = "strict",
    .help =
        "STD text: refuse lines with wait, notify, notifyAll or dummy and columns after the "
        "location instead of skipping them",
    .traces = "STD text",
    .set = set_strict,
    .is_set = format::is_set<strict_text>,
    .reset = format::reset<strict_text>};
// Options for writing. format::own_options stores their values as the types as_renumbered,
// as_well_formed and dialect.
inline constexpr format::option renumber_option{
    .name = "renumber",
    .help =
        "RapidBin: renumber threads, locks, variables and locations by first appearance in the "
        "output",
    .traces = traces_of_events,
    .set = set_renumber,
    .use = format::option_use::output,
    .is_set = format::is_set<as_renumbered>,
    .reset = format::reset<as_renumbered>};
inline constexpr format::option well_formed_option{
    .name = "well-formed",
    .help =
        "RapidBin: write a part as a valid trace: acquire the locks that are held at its begin, by "
        "their threads and at their locations, and omit events that break a rule of trace_check, "
        "such as releases of free locks. --limit does not count added events",
    .traces = traces_of_events,
    .set = set_well_formed,
    .use = format::option_use::output,
    .is_set = format::is_set<as_well_formed>,
    .reset = format::reset<as_well_formed>};
inline constexpr std::array<format::option_value, 2> dialect_names{{{"wasmgrind"}, {"rapid"}}};
inline constexpr format::option dialect_option{
    .name = "dialect",
    .value = "DIALECT",
    .choices = dialect_names,
    .help =
        "How to write STD text: with requests, or for RAPID, without requests and branches "
        "(default wasmgrind)",
    .traces = "STD text",
    .expected = "wasmgrind or rapid",
    .set = set_dialect,
    .use = format::option_use::output,
    .is_set = format::is_set<dialect>,
    .reset = format::reset<dialect>};
// Returns an option that selects events by an id or a name. Users may specify the option
// repeatedly.
constexpr format::option selecting(std::string_view name, std::string_view help,
                                   bool (*set)(format::own_options&, const std::string&),
                                   bool (*is_set)(const format::own_options&)) {
  return {.name = name,
          .value = "ID|NAME",
          .help = help,
          .traces = traces_of_events,
          .expected = "an id or a name",
          .set = set,
          .repeats = true,
          .use = format::option_use::choice,
          .is_set = is_set,
          .reset = format::reset<selection>,
          .lacking = lacking_for_selection};
}
inline constexpr format::option variable_option =
    selecting("variable",
              "Only events on this variable (RapidBin): by the name that trace_view shows or by a "
              "plain numeric id; may be repeated",
              choose_variable, selects_variables);
inline constexpr format::option lock_option =
    selecting("lock",
              "Only events on this lock (RapidBin): by the name that trace_view shows or by a "
              "plain numeric id; may be repeated",
              choose_lock, selects_locks);
inline constexpr format::option location_option =
    selecting("location",
              "Only events at this location (RapidBin): by the name that trace_view shows or by "
              "its number; may be repeated",
              choose_location, selects_locations);
// Option that selects one or more threads. If only one thread is specified, its id is stored in
// open_options::thread.
inline constexpr format::option thread_option{.name = "thread",
                                              .value = "ID|NAME",
                                              .help = "Only the events of these threads (RapidBin)",
                                              .traces = "RapidBin traces",
                                              .expected = "a thread's id, 2 or T2",
                                              .set = choose_thread,
                                              .repeats = true,
                                              .use = format::option_use::threads,
                                              .is_set = selects_threads,
                                              .reset = format::reset<selection>};
inline constexpr std::array<const format::option*, 9> own_options{
    &metadata_option, &no_metadata_option, &strict_option,      &variable_option, &lock_option,
    &location_option, &renumber_option,    &well_formed_option, &thread_option};
inline constexpr std::array<const format::option*, 10> own_options_of_text{
    &metadata_option, &no_metadata_option, &strict_option,      &variable_option, &lock_option,
    &location_option, &renumber_option,    &well_formed_option, &dialect_option,  &thread_option};

inline constexpr std::array<std::string_view, 2> suffixes{".data", ".rapidbin"};
inline constexpr std::array<std::string_view, 1> text_suffixes{".std"};

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
                                       .record = "event",
                                       .suffixes = detail::suffixes,
                                       .operations = operation_names,
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
                                       .record = "event",
                                       .is_text = true,
                                       .suffixes = detail::text_suffixes,
                                       .operations = operation_names,
                                       .beside = detail::metadata_beside,
                                       .options = detail::own_options_of_text};

  TRACECODEC_FUNC static format::match probe(const format::front& f);
  // Returns the layouts of a RapidBin file. STD text has no binary layout.
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

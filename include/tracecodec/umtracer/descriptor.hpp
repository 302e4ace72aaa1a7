// Descriptor of the UMTracer format for the list of formats (format/list.hpp).
#pragma once
#include <array>
#include <memory>
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
#include "../program/map.hpp"
#include "files.hpp"
#include "layout/names.hpp"
#include "opens.hpp"
#if TRACECODEC_OPENS_UMTRACER
#include "feed.hpp"
#endif

namespace tracecodec::umtracer {

// Names for the XED numbers and the system calls in a trace. The feed uses the names to recognise
// branches. Without names, the feed decodes the instruction bytes instead. The pointer is stored in
// open_options::own.
using shared_names = std::shared_ptr<const names>;

// Name of the table that a program reads as rows, such as "exec" (see umtracer/rows/tables.hpp).
struct table_name {
  std::string text = {};
};

namespace detail {

TRACECODEC_FUNC bool add_names(format::own_options& to, const std::string& value);
TRACECODEC_FUNC std::vector<std::string> files_of_names(const format::own_options& in);

inline constexpr format::option names_option{
    .name = "names",
    .value = "HEADER",
    .help =
        "UMTracer: a header of XED or of system calls, whose enumeration names the trace's "
        "numbers; may be repeated",
    .traces = "UMTracer traces",
    .expected = "a file",
    .set = add_names,
    .repeats = true,
    .is_set = format::is_set<shared_names>,
    .reset = format::reset<shared_names>,
    .files = files_of_names};
TRACECODEC_FUNC bool set_table(format::own_options& to, const std::string& value);

inline constexpr std::array<format::option_value, 8> table_names{
    {{"exec", {"execs", "execution", "record", "records"}},
     {"ins", {"instruction", "instructions"}},
     {"syscall", {"syscalls"}},
     {"module", {"modules"}},
     {"thread", {"threads"}},
     {"context", {"contexts", "register", "registers"}},
     {"ranges", {"range"}},
     {"xml", {"trace.xml", "metadata"}}}};
inline constexpr format::option table_option{
    .name = "table",
    .value = "TABLE",
    .choices = table_names,
    .help = "The table of an UMTracer trace (default exec)",
    .traces = "UMTracer traces",
    .expected = "a table",
    .set = set_table,
    .use = format::option_use::rows,
    .is_set = format::is_set<table_name>,
    .reset = format::reset<table_name>};
inline constexpr std::array<const format::option*, 2> own_options{&names_option, &table_option};

}  // namespace detail

static_assert(file_names.back() == "trace.xml", "the one whose name others have, too");

struct descriptor {
  static constexpr format::facts facts{.name = "umtracer",
                                       .title = "UMTracer",
                                       .family = "UMTracer",
                                       .article = "an",
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .repairs = true,
                                       .has_code = true,
                                       .has_values = true,
                                       .record = "exec_record",
                                       .folder_files = file_names,
                                       .marked_files = std::span(file_names).first(file_count - 1),
                                       .options = detail::own_options};
  static constexpr std::string_view missing_library = TRACECODEC_OPENS_UMTRACER != 0 ? "" : "Zydis";

  // Returns match::none for every file, because a UMTracer trace is a folder.
  static format::match probe(const format::front&) { return format::match::none; }
  static void require_folder(const std::string& path) { require_trace_folder(path); }
  TRACECODEC_FUNC static std::span<const format::layout> layouts(bool narrow);
  TRACECODEC_FUNC static void about(format::opened from, format::statements& to);
  TRACECODEC_FUNC static std::vector<program_module> modules(format::opened from,
                                                             const format::open_options& o);
  TRACECODEC_FUNC static format::check_summary check(format::opened from,
                                                     const format::on_finding& report,
                                                     const check_options& how,
                                                     const format::open_options& o);
#if TRACECODEC_OPENS_UMTRACER
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return visitor(
        trace_feed(reader(from.name, {.lenient = o.repair}),
                   feed_options{.thread = o.thread, .names = o.own.value_or(shared_names())}));
  }
#endif
};

}  // namespace tracecodec::umtracer

template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::umtracer::shared_names> = true;
template <>
inline constexpr bool tracecodec::format::is_own_option<tracecodec::umtracer::table_name> = true;

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/descriptor.ipp"
#endif

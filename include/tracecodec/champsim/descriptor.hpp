// Descriptors of the formats with ChampSim's and CloudSuite's records (format/list.hpp).
#pragma once
#include <array>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../config.hpp"
#include "../format/check.hpp"
#include "../format/facts.hpp"
#include "../format/front.hpp"
#include "../format/layout.hpp"
#include "../format/open_options.hpp"
#include "../format/opened.hpp"
#include "branch_rules.hpp"
#include "feed.hpp"
#include "layout.hpp"
#include "table_feed.hpp"
#include "validating_feed.hpp"

namespace tracecodec::champsim {

inline constexpr std::string_view family = "ChampSim";

namespace detail {

TRACECODEC_FUNC bool set_branch_rules(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_register_numbers(format::own_options& to, const std::string& value);
TRACECODEC_FUNC std::string_view lacking_for_branch_rules(const format::own_options& in);
TRACECODEC_FUNC std::string_view lacking_for_register_numbers(const format::own_options& in);

inline constexpr std::array<format::option_value, 2> branch_rules_names{{{"2022"}, {"2023"}}};
// Options for ChampSim's records. open_options::own stores their values as the types branch_rules
// and register_numbers.
inline constexpr format::option branch_rules_option{
    .name = "branch-rules",
    .value = "RULES",
    .choices = branch_rules_names,
    .help =
        "ChampSim, CloudSuite: classify branches as ChampSim releases up to 2023-08 do, or as "
        "later ones do (default 2023)",
    .traces = "traces of ChampSim's and CloudSuite's records",
    .expected = "2022 or 2023",
    .set = set_branch_rules,
    .is_set = format::is_set<branch_rules>,
    .reset = format::reset<branch_rules>,
    .lacking = lacking_for_branch_rules};
inline constexpr format::option register_numbers_option{
    .name = "map-registers",
    .value = "ip=N,sp=N,flags=N",
    .help =
        "ChampSim, CloudSuite: the trace's numbers N of the instruction pointer, the stack pointer "
        "and the flags; they are read as ChampSim's 26, 6 and 25, whose own registers become N",
    .traces = "traces of ChampSim's and CloudSuite's records",
    .expected =
        "ip=N, sp=N, flags=N or some of them, with different numbers from 1 to 255 (default 26, 6 "
        "and 25)",
    .set = set_register_numbers,
    .use = format::option_use::content,
    .is_set = format::is_set<register_numbers>,
    .reset = format::reset<register_numbers>,
    .lacking = lacking_for_register_numbers};
inline constexpr std::array<const format::option*, 2> own_options{&branch_rules_option,
                                                                  &register_numbers_option};

inline constexpr std::array<std::string_view, 3> suffixes{".champsim", ".champsimtrace", ".trace"};
// Suffixes of CloudSuite traces. The list includes the suffixes of ChampSim traces, because
// CloudSuite traces often have these suffixes.
inline constexpr std::array<std::string_view, 4> cloudsuite_suffixes{".cloudsuite", ".champsim",
                                                                     ".champsimtrace", ".trace"};

TRACECODEC_FUNC format::match probe(const format::front& f, usual_record wanted);
// Applies the options for threads and register numbers to `from`. Throws the errors of
// keep_thread() and renumber_registers().
TRACECODEC_FUNC void select(format::opened& from, const format::open_options& o,
                            usual_record records);
TRACECODEC_FUNC format::check_summary check(format::opened from, const format::on_finding& report,
                                            const check_options& how, usual_record records);

template <class Record, branch_rules Rules, class Visitor>
decltype(auto) visit_records(io::input in, const format::open_options& o, Visitor& visitor) {
  return visitor(validating_feed<Record, Rules>(
      trace_feed<Record, Rules>(std::move(in), {.trust = true}), {.warn = o.warn, .note = o.note}));
}
// Calls `visitor` with the feed of the trace. The feed trusts the file, because either the caller
// has recognised the trace or the user has specified the kind of its records.
template <class Record, class Visitor>
decltype(auto) visit(format::opened from, const format::open_options& o, Visitor& visitor) {
  const branch_rules rules = o.own.value_or(branch_rules::current);
  if (from.record != nullptr)
    return visitor(table_feed(std::move(*from.input), std::move(from.record),
                              {.rules = rules,
                               .threads = std::same_as<Record, cloudsuite_instruction>,
                               .warn = o.warn,
                               .note = o.note,
                               .trust = true}));
  if (rules == branch_rules::of_2022)
    return visit_records<Record, branch_rules::of_2022>(std::move(*from.input), o, visitor);
  return visit_records<Record, branch_rules::current>(std::move(*from.input), o, visitor);
}

}  // namespace detail

struct descriptor {
  static constexpr format::facts facts{.name = "champsim",
                                       .title = "ChampSim",
                                       .family = family,
                                       .takes_tables = true,
                                       .record = "instruction",
                                       .suffixes = detail::suffixes,
                                       .options = detail::own_options};

  static format::match probe(const format::front& f) {
    return detail::probe(f, usual_record::standard);
  }
  TRACECODEC_FUNC static std::optional<format::mismatch> explain(const format::front& f);
  TRACECODEC_FUNC static std::span<const format::layout> layouts(bool narrow);
  static bool selects(const format::open_options& o) { return o.own.has<register_numbers>(); }
  static void select(format::opened& from, const format::open_options& o) {
    detail::select(from, o, usual_record::standard);
  }
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return detail::visit<instruction>(std::move(from), o, visitor);
  }
  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const check_options& how, const format::open_options&) {
    return detail::check(std::move(from), report, how, usual_record::standard);
  }
};

struct cloudsuite_descriptor {
  static constexpr format::facts facts{.name = "cloudsuite",
                                       .title = "CloudSuite",
                                       .family = family,
                                       .thread = "address space",
                                       .chooses_threads = true,
                                       .takes_tables = true,
                                       .has_short_option = true,
                                       .record = "cloudsuite_instruction",
                                       .suffixes = detail::cloudsuite_suffixes,
                                       .options = detail::own_options};

  static format::match probe(const format::front& f) {
    return detail::probe(f, usual_record::cloudsuite);
  }
  TRACECODEC_FUNC static std::span<const format::layout> layouts(bool narrow);
  static bool selects(const format::open_options& o) {
    return o.thread.has_value() || o.own.has<register_numbers>();
  }
  static void select(format::opened& from, const format::open_options& o) {
    detail::select(from, o, usual_record::cloudsuite);
  }
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    return detail::visit<cloudsuite_instruction>(std::move(from), o, visitor);
  }
  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const check_options& how, const format::open_options&) {
    return detail::check(std::move(from), report, how, usual_record::cloudsuite);
  }
};

}  // namespace tracecodec::champsim

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/descriptor.ipp"
#endif

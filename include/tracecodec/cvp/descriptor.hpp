// Descriptors of CVP-1 and CBP2025 (format/list.hpp), and the options of their conversion.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "../format/own_option.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::cvp {

// Improvements of the conversion to ChampSim, as "Rebasing Microarchitectural Research with Industry
// Traces" (IISWC 2023) names them.
struct improvements {
  bool mem_regs = true, base_update = true, mem_footprint = true;
  bool call_stack = true, branch_regs = true, flag_reg = true;
  // True to write the records of ChampSim's first converter. The other members are then false.
  bool as_original = false;
};
inline constexpr improvements no_improvements{false, false, false, false, false, false};

}  // namespace tracecodec::cvp

template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::cvp::improvements> =
    true;

namespace tracecodec::cvp {

namespace detail {
inline constexpr std::array<std::pair<std::string_view, bool improvements::*>, 6> named{
    {{"mem-regs", &improvements::mem_regs},
     {"base-update", &improvements::base_update},
     {"mem-footprint", &improvements::mem_footprint},
     {"call-stack", &improvements::call_stack},
     {"branch-regs", &improvements::branch_regs},
     {"flag-reg", &improvements::flag_reg}}};
inline bool set_improvements(format::own_options& to, const std::string& value) {
  improvements how = no_improvements;
  for (std::string_view rest = value;;) {
    const auto comma = rest.find(',');
    bool known = false;
    for (const auto& [name, member] : named)
      if (name == rest.substr(0, comma)) known = how.*member = true;
    if (!known) return false;
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  to.set(how);
  return true;
}
inline bool set_as_original(format::own_options& to, const std::string&) {
  improvements how = no_improvements;
  how.as_original = true;
  to.set(how);
  return true;
}

}  // namespace detail

inline constexpr std::string_view converted_traces =
    "CVP-1 and CBP2025 traces that become ChampSim's";
inline constexpr format::option improvements_option{
    .name = "improvements",
    .value = "NAME,...",
    .help =
        "CVP-1, CBP2025 to ChampSim: only these improvements: mem-regs, base-update, "
        "mem-footprint, call-stack, branch-regs, flag-reg (default all)",
    .traces = converted_traces,
    .expected =
        "names of improvements, separated by commas: mem-regs, base-update, mem-footprint, "
        "call-stack, branch-regs, flag-reg",
    .set = detail::set_improvements,
    .use = format::option_use::output,
    .is_set = format::is_set<improvements>,
    .reset = format::reset<improvements>};
inline constexpr format::option as_original_option{
    .name = "as-original",
    .help =
        "CVP-1, CBP2025 to ChampSim: the records of ChampSim's first converter, without "
        "improvements",
    .traces = converted_traces,
    .set = detail::set_as_original,
    .use = format::option_use::output,
    .is_set = format::is_set<improvements>,
    .reset = format::reset<improvements>};

namespace detail {
inline constexpr std::array<const format::option*, 2> own_options{&improvements_option,
                                                                  &as_original_option};
inline constexpr std::array<std::string_view, 2> cvp1_suffixes{".cvp", ".cvp1"};
inline constexpr std::array<std::string_view, 1> cbp2025_suffixes{".cbp2025"};

template <dialect D> struct descriptor : format::file_descriptor<trace_file<D>, trace_feed<D>> {
  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const check_options& how, const format::open_options&) {
    const auto sum = checker<D, format::on_finding>(report, how).run(std::move(*from.input));
    return format::summary_of(sum.records, sum);
  }
};
}  // namespace detail

struct cvp1_descriptor : detail::descriptor<dialect::cvp1> {
  static constexpr format::facts facts{.name = "cvp1",
                                       .title = "CVP-1",
                                       .family = "CVP",
                                       .has_values = true,
                                       .record = "instruction",
                                       .suffixes = detail::cvp1_suffixes,
                                       .options = detail::own_options};
};
struct cbp2025_descriptor : detail::descriptor<dialect::cbp2025> {
  static constexpr format::facts facts{.name = "cbp2025",
                                       .title = "CBP2025",
                                       .family = "CVP",
                                       .has_values = true,
                                       .record = "instruction",
                                       .suffixes = detail::cbp2025_suffixes,
                                       .options = detail::own_options};
};

}  // namespace tracecodec::cvp

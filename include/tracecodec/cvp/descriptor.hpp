// Descriptors of CVP-1 and CBP2025 (format/list.hpp), and the options of their conversion.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../format/facts.hpp"
#include "../format/file_descriptor.hpp"
#include "../format/own_option.hpp"
#include "check.hpp"
#include "feed.hpp"

namespace tracecodec::cvp {

// Improvements of the conversion to ChampSim, as "Rebasing Microarchitectural Research with Industry
// Traces" (IISWC 2023) names them.
enum class improvement : std::uint8_t {
  mem_regs,
  base_update,
  mem_footprint,
  call_stack,
  branch_regs,
  flag_reg
};
inline constexpr std::array<std::string_view, 6> improvement_names{
    "mem-regs", "base-update", "mem-footprint", "call-stack", "branch-regs", "flag-reg"};
struct improvements {
  std::uint8_t bits = 0x3F;  // bit n is set for the improvement with number n
  // True to write the records of ChampSim's first converter, without improvements.
  bool as_original = false;
  bool selected = false;  // true if an option selected the improvements of `bits`
  [[nodiscard]] constexpr bool has(improvement i) const noexcept {
    return !as_original && (bits >> static_cast<unsigned>(i) & 1U) != 0;
  }
};

}  // namespace tracecodec::cvp

template <> inline constexpr bool tracecodec::format::is_own_option<tracecodec::cvp::improvements> =
    true;

namespace tracecodec::cvp {

namespace detail {
inline bool set_improvements(format::own_options& to, const std::string& value) {
  std::uint8_t bits = 0;
  for (std::size_t at = 0, end = 0; end != value.npos; at = end + 1) {
    end = value.find(',', at);
    const auto found =
        std::find(improvement_names.begin(), improvement_names.end(), value.substr(at, end - at));
    if (found == improvement_names.end()) return false;
    bits |= static_cast<std::uint8_t>(1U << (found - improvement_names.begin()));
  }
  auto& how = to.edit<improvements>();
  how.bits = bits;
  how.selected = true;
  return true;
}
inline bool set_as_original(format::own_options& to, const std::string&) {
  to.edit<improvements>().as_original = true;
  return true;
}
}  // namespace detail

inline constexpr std::string_view converted_traces =
    "CVP-1 and CBP2025 traces that become ChampSim's";
inline constexpr format::option improvements_option{
    .name = "improvements",
    .value = "NAMES",
    .help =
        "CVP-1, CBP2025 to ChampSim: only these improvements, separated by commas: mem-regs, "
        "base-update, mem-footprint, call-stack, branch-regs, flag-reg (default: all)",
    .traces = converted_traces,
    .expected = "names of improvements, separated by commas",
    .set = detail::set_improvements,
    .use = format::option_use::output,
    .is_set = format::is_set<improvements>,
    .reset = format::reset<improvements>};
inline constexpr format::option as_original_option{
    .name = "as-original",
    .help = "CVP-1, CBP2025 to ChampSim: write what ChampSim's first converter writes",
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

template <dialect D> using descriptor =
    format::file_descriptor<trace_file<D>, trace_feed<D>, checker<D, format::on_finding>>;
constexpr format::facts facts_of(std::string_view name, std::string_view title,
                                 std::span<const std::string_view> suffixes) {
  return {.name = name,
          .title = title,
          .family = "CVP",
          .has_values = true,
          .record = "instruction",
          .suffixes = suffixes,
          .options = own_options};
}
}  // namespace detail

struct cvp1_descriptor : detail::descriptor<dialect::cvp1> {
  static constexpr format::facts facts = detail::facts_of("cvp1", "CVP-1", detail::cvp1_suffixes);
};
struct cbp2025_descriptor : detail::descriptor<dialect::cbp2025> {
  static constexpr format::facts facts =
      detail::facts_of("cbp2025", "CBP2025", detail::cbp2025_suffixes);
};

}  // namespace tracecodec::cvp

// Format that the library does not contain: description, mapping and descriptor.
#pragma once
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <tracecodec/feed/of.hpp>
#include <tracecodec/file.hpp>
#include <tracecodec/format/facts.hpp>
#include <tracecodec/format/file_descriptor.hpp>
#include <tracecodec/wire/rules/constant.hpp>
#include <utility>

namespace toy {

namespace feed = tracecodec::feed;
namespace file = tracecodec::file;
namespace format = tracecodec::format;
namespace map = tracecodec::feed::map;
namespace wire = tracecodec::wire;

struct header {
  std::array<char, 4> magic;
  std::uint32_t version;
  std::uint64_t steps;  // number of steps in the file
};
enum class kind : std::uint8_t { plain, load, store, jump };
struct step {
  std::uint64_t ip;
  std::uint16_t thread;
  kind what;
  std::uint64_t address;  // address of the data, or the jump's target
};
using header_codec =
    wire::record<wire::in_struct_order<header, wire::constant<&header::magic, "STEP">,
                                       wire::constant<&header::version, 1>>>;
using step_file = file::of<
    "STEP trace", file::header<header_codec>,
    file::records<wire::record<step>, file::counted_by<&header::steps>, file::each<"step">>>;
using step_feed =
    feed::of<step_file, map::ip<&step::ip>, map::asid<&step::thread>,
             map::branch<feed::branch_class::direct_jump, map::is<&step::what, kind::jump>>,
             map::target<&step::address>,
             map::source_memory<&step::address, map::is<&step::what, kind::load>>,
             map::destination_memory<&step::address, map::is<&step::what, kind::store>>>;

// Format-specific option: a check reports an error if there are more steps.
struct most_steps {
  std::uint64_t n = 0;
};
inline bool set_most_steps(format::own_options& to, const std::string& value) {
  most_steps most;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), most.n);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  to.set(most);
  return true;
}

}  // namespace toy

template <> inline constexpr bool tracecodec::format::is_own_option<toy::most_steps> = true;

namespace toy {

inline constexpr format::option most_steps_option{.name = "most-steps",
                                                  .value = "N",
                                                  .help = "STEP: more steps are an error",
                                                  .traces = "STEP traces",
                                                  .expected = "a number",
                                                  .set = set_most_steps,
                                                  .use = format::option_use::files,
                                                  .is_set = format::is_set<most_steps>,
                                                  .reset = format::reset<most_steps>};
inline constexpr std::array<const format::option*, 1> step_options{&most_steps_option};
inline constexpr std::array<std::string_view, 1> step_suffixes{".steps"};

struct step_descriptor : format::file_descriptor<step_file, step_feed> {
  static constexpr format::facts facts{.name = "step",
                                       .title = "STEP",
                                       .family = "STEP",
                                       .thread = "thread",
                                       .suffixes = step_suffixes,
                                       .options = step_options};

  static format::check_summary check(format::opened from, const format::on_finding& report,
                                     const tracecodec::check_options& how,
                                     const format::open_options& o) {
    auto sum = file_descriptor::check(std::move(from), report, how, o);
    const auto* const most = o.own.get<most_steps>();
    if (most != nullptr && sum.records > most->n) {
      ++sum.errors;
      report({tracecodec::severity::error, "many", {}, most->n, "more steps than are allowed"});
    }
    return sum;
  }
};

}  // namespace toy

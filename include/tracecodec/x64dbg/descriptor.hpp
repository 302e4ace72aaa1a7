// Descriptor of the x64dbg format for the list of formats (format/list.hpp).
#pragma once
#include <array>
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
#include "../format/statements.hpp"
#include "opens.hpp"
#include "output_options.hpp"
#include "recognise.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "feed.hpp"
#include "read_header.hpp"
#include "skipped_log.hpp"
#endif

namespace tracecodec::x64dbg {

namespace detail {

TRACECODEC_FUNC bool set_mode(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool set_snapshots(format::own_options& to, const std::string& value);
TRACECODEC_FUNC bool has_mode(const format::own_options& in);
TRACECODEC_FUNC bool has_snapshots(const format::own_options& in);

// Options for writing. output_options stores their values.
inline constexpr std::array<format::option_value, 3> mode_names{{{"minimal"}, {"union"}, {"raw"}}};
inline constexpr format::option mode_option{
    .name = "mode",
    .value = "MODE",
    .choices = mode_names,
    .help =
        "How to write an x64dbg trace: with the registers that changed, with those that x64dbg "
        "lists, or byte for byte (default for a whole trace)",
    .traces = "x64dbg traces",
    .expected = "minimal, union or raw",
    .set = set_mode,
    .use = format::option_use::output,
    .is_set = has_mode,
    .reset = format::reset<output_options>};
inline constexpr format::option snapshots_option{
    .name = "snapshots",
    .value = "N",
    .help = "In modes minimal and union: all registers every N instructions (default 512)",
    .traces = "x64dbg traces",
    .expected = "a number from 1 to 4294967295",
    .set = set_snapshots,
    .use = format::option_use::output,
    .is_set = has_snapshots,
    .reset = format::reset<output_options>};
inline constexpr std::array<const format::option*, 2> own_options{&mode_option, &snapshots_option};

inline constexpr std::array<std::string_view, 2> suffixes{".trace32", ".trace64"};

}  // namespace detail

struct descriptor {
  static constexpr format::facts facts{.name = "x64dbg",
                                       .title = "x64dbg",
                                       .family = "x64dbg",
                                       .article = "an",
                                       .thread = "thread",
                                       .chooses_threads = true,
                                       .repairs = true,
                                       .has_code = true,
                                       .has_values = true,
                                       .record = "block",
                                       .suffixes = detail::suffixes,
                                       .options = detail::own_options};
  static constexpr std::string_view missing_library =
      TRACECODEC_OPENS_X64DBG != 0 ? "" : "simdjson or Zydis";

  static format::match probe(const format::front& f) {
    return begins_like_a_trace(f.bytes) ? format::match::marked : format::match::none;
  }
  TRACECODEC_FUNC static std::span<const format::layout> layouts(bool narrow);

#if TRACECODEC_OPENS_X64DBG
  TRACECODEC_FUNC static bool is_narrow(format::opened from);
  TRACECODEC_FUNC static void about(format::opened from, format::statements& to);
  TRACECODEC_FUNC static format::check_summary check(format::opened from,
                                                     const format::on_finding& report,
                                                     const check_options& how,
                                                     const format::open_options& o);
  template <class Visitor> static decltype(auto) visit(format::opened from,
                                                       const format::open_options& o,
                                                       Visitor& visitor) {
    io::window window(std::move(*from.input));
    trace_header header = read_header(window);
    feed_options how{
        .thread = o.thread, .repair = o.repair, .registers = o.registers, .effects = o.effects};
    if (o.repair && o.warn) how.skipped = skipped_log(window.from().name(), o.warn);
    if (header.arch == target::x86)
      return visitor(trace_feed<target::x86>(std::move(window), std::move(header), how));
    return visitor(trace_feed<target::x64>(std::move(window), std::move(header), how));
  }
#endif
};

}  // namespace tracecodec::x64dbg

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/descriptor.ipp"
#endif

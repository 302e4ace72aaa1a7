// The feed of a trace of any format (source.hpp): for what is a template over feeds, as simulators are.
#pragma once
#include <string>
#include <utility>

#include "../champsim/feed.hpp"
#include "../champsim/table_feed.hpp"
#include "../champsim/watched_feed.hpp"
#include "../config.hpp"
#include "../rapidbin/feed.hpp"
#include "source.hpp"
#if defined(TRACECODEC_WITH_ZSTD)
#include "../tracepack/feed.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD) && defined(TRACECODEC_WITH_ZYDIS)
#include "../tracepack/values.hpp"
#endif
#if TRACECODEC_OPENS_UMTRACER
#include "../umtracer/feed.hpp"
#endif
#if TRACECODEC_OPENS_X64DBG
#include "../x64dbg/feed.hpp"
#include "../x64dbg/skipped_log.hpp"
#endif

namespace tracecodec::trace {

// Throws trace_error(unsupported): for builds without Zydis.
[[noreturn]] void refuse_umtracer(const std::string& name);

// Throws trace_error(unsupported): for builds without x64dbg.
[[noreturn]] void refuse_x64dbg(const io::input& in);

#if defined(TRACECODEC_WITH_ZSTD)
namespace detail {
// Whether what a packed trace knows of its instructions is more than its records tell.
TRACECODEC_FUNC bool tells_more(const source& from, const visit_options& o);
template <class Visitor>
decltype(auto) visit_packed(source& from, const visit_options& o, Visitor& visitor) {
  return visitor(tracepack::trace_feed<champsim::instruction, true>(
      std::move(*from.take_pack()), o.branch_rules.value_or(champsim::branch_rules::current)));
}
}  // namespace detail
#endif

#if TRACECODEC_OPENS_X64DBG
namespace detail {
template <class Visitor>
decltype(auto) visit_x64dbg(io::input in, const visit_options& o, Visitor&& visitor) {
  io::window window(std::move(in));
  x64dbg::trace_header header = x64dbg::read_header(window);
  x64dbg::feed_options how{
      .thread = o.thread, .repair = o.repair, .registers = o.registers, .effects = o.effects};
  if (o.repair && o.warn) how.skipped = x64dbg::skipped_log(window.from().name(), o.warn);
  if (header.arch == x64dbg::target::x86)
    return visitor(
        x64dbg::trace_feed<x64dbg::target::x86>(std::move(window), std::move(header), how));
  return visitor(
      x64dbg::trace_feed<x64dbg::target::x64>(std::move(window), std::move(header), how));
}
}  // namespace detail
#endif

namespace detail {
// The events of RapidBin's file, or of its text.
TRACECODEC_FUNC rapidbin::trace_feed open_events(io::input in, format f,
                                                 const visit_options& options);

template <class Record, champsim::branch_rules Rules, class Visitor>
decltype(auto) visit_records(io::input in, const visit_options& o, Visitor& visitor) {
  return visitor(champsim::watched_feed<Record, Rules>(
      champsim::trace_feed<Record, Rules>(std::move(in), {.trust = true}),
      {.warn = o.warn, .note = o.note}));
}
// ChampSim's and CloudSuite's. The source has recognised them, or was told what they are.
template <class Record, class Visitor>
decltype(auto) visit_champsim(io::input in, const visit_options& o, Visitor& visitor) {
  using enum champsim::branch_rules;
  if (o.branch_rules == of_2022) return visit_records<Record, of_2022>(std::move(in), o, visitor);
  return visit_records<Record, current>(std::move(in), o, visitor);
}
}  // namespace detail

// Calls visitor(feed) with the feed of `from`, whose type depends on the format: the visitor is a
// template, compiled once for each. That makes this the dearest call to compile: docs/choosing.md has
// figures, and the compiled library takes a quarter of the time. Throws trace_error: as the feed's constructor; refused: an
// option that the format does not have; unsupported: this build reads none such.
template <class Visitor>
decltype(auto) visit(source from, const visit_options& options, Visitor&& visitor) {
  require_known_options(from, options);
  const format f = from.format();
  if (f == format::umtracer) {
#if TRACECODEC_OPENS_UMTRACER
    return visitor(umtracer::trace_feed(
        umtracer::reader(from.name(), {.lenient = options.repair}),
        umtracer::feed_options{.thread = options.thread, .names = options.names}));
#else
    refuse_umtracer(from.name());
#endif
  }
#if defined(TRACECODEC_WITH_ZSTD)
  if (detail::tells_more(from, options)) return detail::visit_packed(from, options, visitor);
#endif
  io::input in = std::move(from.input());
  if (from.record() != nullptr)
    return visitor(champsim::table_feed(
        std::move(in), from.record(),
        {.rules = options.branch_rules.value_or(champsim::branch_rules::current),
         .threads = f == format::cloudsuite,
         .warn = options.warn,
         .note = options.note,
         .trust = true}));
  if (f == format::x64dbg) {
#if TRACECODEC_OPENS_X64DBG
    return detail::visit_x64dbg(std::move(in), options, visitor);
#else
    refuse_x64dbg(in);
#endif
  }
  if (has_events(f)) return visitor(detail::open_events(std::move(in), f, options));
  if (f == format::cloudsuite)
    return detail::visit_champsim<champsim::cloudsuite_instruction>(std::move(in), options,
                                                                    visitor);
  return detail::visit_champsim<champsim::instruction>(std::move(in), options, visitor);
}

// The same of an input that is open, or of a path ("-" is standard input). Throws trace_error as
// source, too.
template <class Visitor>
decltype(auto) visit(io::input in, const visit_options& options, Visitor&& visitor) {
  return visit(source(std::move(in), options), options, std::forward<Visitor>(visitor));
}
template <class Visitor>
decltype(auto) visit(const std::string& path, const visit_options& options, Visitor&& visitor) {
  return visit(source(path, options), options, std::forward<Visitor>(visitor));
}
template <class Visitor> decltype(auto) visit(const std::string& path, Visitor&& visitor) {
  static const visit_options usual;  // g++ -O3 warns of one that is destroyed here
  return visit(path, usual, std::forward<Visitor>(visitor));
}

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/open.ipp"
#endif

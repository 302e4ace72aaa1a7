#include "check_trace.hpp"

#include <tracecodec/champsim/check.hpp>
#include <tracecodec/champsim/table_check.hpp>
#include <tracecodec/file/table_check.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/rapidbin/check.hpp>
#include <tracecodec/trace/open.hpp>
#include <tracecodec/umtracer/check.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/reader.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#endif
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/check.hpp>
#endif
#if defined(TRACECODEC_WITH_PUGIXML)
#include <tracecodec/umtracer/read_metadata.hpp>
#endif

#include <filesystem>
#include <system_error>
#include <utility>

namespace check {

namespace {

template <class Sum> summary total(std::uint64_t records, const Sum& sum) {
  using tracecodec::severity;
  return {records, sum.count(severity::error), sum.count(severity::warning),
          sum.count(severity::note)};
}

}  // namespace

summary check_records(tracecodec::file::table_reader from, const report_function& report,
                      const tracecodec::check_options& how) {
  const auto sum =
      tracecodec::file::table_checker<report_function>(report, how).run(std::move(from));
  return total(sum.records, sum);
}

std::optional<summary> check_bytes([[maybe_unused]] const std::string& path,
                                   [[maybe_unused]] const trace::visit_options& as,
                                   [[maybe_unused]] const report_function& report,
                                   [[maybe_unused]] const tracecodec::check_options& how) {
#if defined(TRACECODEC_WITH_ZSTD)
  namespace tracepack = tracecodec::tracepack;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(tracecodec::io::path_of(path), ignored))
    return std::nullopt;
  tracecodec::io::input in = tracecodec::io::open_input(path, as.input);
  if (!in.rewindable() || !tracepack::begins_like_a_pack(in.peek(tracepack::magic.size())))
    return std::nullopt;
  tracepack::reader from(std::move(in), {.lost = as.lost, .threads = as.threads});
  if (from.about().kind != tracepack::record_kind::bytes) return std::nullopt;
  const std::uint32_t size = from.about().shape.size;
  using tracecodec::severity;
  report({severity::note,
          "bytes",
          {},
          {},
          "packs bytes, which are not a trace of a known format: only its own rules are checked"});
  summary sum{.records = 0, .errors = 0, .warnings = 0, .notes = 1};
  std::uint64_t bytes = 0, batches = 0;
  try {
    for (tracepack::batch b = from.next(); !b.bytes.empty(); b = from.next()) {
      bytes += b.bytes.size();
      if (how.progress && batches++ % 16 == 0) how.progress(from.progress());
    }
  } catch (const tracecodec::trace_error& e) {
    ++sum.errors;
    report({severity::error,
            e.code() == tracecodec::trace_errc::truncated && e.record() ? "cut" : "damaged",
            e.offset(), e.record(), e.message()});
  }
  if (bytes == 0 && from.position() != 0) {
    ++sum.errors;
    report({severity::error, "damaged", {}, {}, "none of its frames can be read"});
  }
  sum.records = bytes / size;
  return sum;
#else
  return std::nullopt;
#endif
}

summary check_trace(trace::source from, const trace::visit_options& as,
                    const report_function& report, const tracecodec::check_options& how) {
  namespace champsim = tracecodec::champsim;
  namespace rapidbin = tracecodec::rapidbin;
  require_known_options(from, as);
  const auto format = from.format();
  if (format == trace::format::umtracer) {
    tracecodec::umtracer::read_xml xml;
#if defined(TRACECODEC_WITH_PUGIXML)
    xml = tracecodec::umtracer::read_metadata;
#endif
    const auto sum = tracecodec::umtracer::check(from.name(), report, how, std::move(xml));
    return total(sum.records, sum);
  }
  const std::string file = from.name();
  auto in = std::move(from.input());
  if (format == trace::format::x64dbg) {
#if TRACECODEC_OPENS_X64DBG
    const auto sum = tracecodec::x64dbg::check(std::move(in), report, how);
    return total(sum.instructions, sum);
#else
    trace::refuse_x64dbg(in);
#endif
  }
  if (trace::has_events(format)) {
    const auto names = trace::metadata_of(file, as);
    const auto* known = names ? &*names : nullptr;
    const auto sum = format == trace::format::std
                         ? rapidbin::check_std(std::move(in), report, how, known)
                         : rapidbin::check(std::move(in), report, how, known);
    return total(sum.events, sum);
  }
  // `from` has recognised the records, or was told what they are.
  constexpr champsim::reader_options trusted{.trust = true};
  const auto sum =
      from.record() != nullptr ? champsim::check(std::move(in), from.record(), report, how, trusted)
      : format == trace::format::cloudsuite
          ? champsim::check<champsim::cloudsuite_instruction>(std::move(in), report, how, trusted)
          : champsim::check<champsim::instruction>(std::move(in), report, how, trusted);
  return total(sum.records, sum);
}

}  // namespace check

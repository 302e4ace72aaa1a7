#include "check_other.hpp"

#include <tracecodec/file/table_check.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/reader.hpp>
#include <tracecodec/tracepack/recognise.hpp>
#endif

#include <filesystem>
#include <system_error>
#include <utility>

namespace check {

summary check_records(tracecodec::file::table_reader from, const report_function& report,
                      const tracecodec::check_options& how) {
  const auto sum =
      tracecodec::file::table_checker<report_function>(report, how).run(std::move(from));
  return tracecodec::format::summary_of(sum.records, sum);
}

std::optional<summary> check_bytes([[maybe_unused]] const std::string& path,
                                   [[maybe_unused]] const tracecodec::format::open_options& as,
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
  tracepack::reader from(std::move(in),
                         {.lost = as.own.value_or(tracepack::on_lost()), .threads = as.threads});
  if (from.about().kind != tracepack::record_kind::bytes) return std::nullopt;
  const std::uint32_t size = from.about().shape.size;
  using tracecodec::severity;
  report({severity::note,
          "bytes",
          {},
          {},
          "the packed bytes are not a trace of a known format: only the rules of tracepack are "
          "checked"});
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

}  // namespace check

#include "conversion.hpp"

#include <tracecodec/rapidbin/trace_options.hpp>
#include <tracecodec/umtracer/descriptor.hpp>

namespace convert {

void say(const std::string& message) { examples::note("trace_convert", message); }

bool appears(std::uint64_t written, const std::exception_ptr& failure, const options& o) {
  if (!failure && written == 0)
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {o.out},
                                  "not written: no record is left of " + o.in);
  // Standard output is no file that could be taken for a whole one.
  return !failure || ((o.keep_whole || o.as.repair || o.out == "-") && written != 0);
}

void tell(std::uint64_t written, const std::exception_ptr& failure, const options& o) {
  if (!failure) return;
  if (!o.as.repair || written == 0) std::rethrow_exception(failure);
  try {
    std::rethrow_exception(failure);
  } catch (const tracecodec::trace_error& e) {
    say(std::string("cut: ") + e.what() + "; " + some(written, "record") +
        (written == 1 ? " before it is written" : " before it are written"));
  }
}

namespace {
// Whether the options name a file of metadata.
bool names_metadata(const options& o) {
  const auto* const file = o.as.own.get<tracecodec::rapidbin::metadata_file>();
  return file != nullptr && !file->path.empty();
}
}  // namespace

void require_row_options(const options& o, const format& from, bool code) {
  if (o.mode || o.snapshots != options().snapshots)
    throw usage_error("--mode and --snapshots are for x64dbg traces: OUT is none");
  if (o.dialect) throw usage_error("--dialect is for STD text: OUT is none");
  if (o.guard_formulas && o.rows != row_form::csv)
    throw usage_error("--guard-formulas is for CSV: OUT is none");
  const bool table = from.name == "umtracer";
  if (o.table && !table) throw usage_error("--table is for UMTracer traces: IN is none");
  if (o.as.own.has<tracecodec::umtracer::shared_names>() && !table)
    throw usage_error("--names is for UMTracer traces: IN is none");
  const bool events = is_of_events(from);
  if (o.renumber && !events)
    throw usage_error("--renumber is for RapidBin traces and STD text: IN is neither");
  if (o.well_formed)
    throw usage_error("--well-formed is for RapidBin traces and STD text: OUT is neither");
  if (names_metadata(o) && !events)
    throw usage_error("--metadata is for RapidBin traces and STD text: IN is neither");
  if (o.disassembly && !from.has_code && !code)
    throw usage_error(
        "--disassembly is for x64dbg and UMTracer traces, and tracepack with code: IN is none of "
        "them");
}

void require_folder_options(const options& o) {
  if (o.out == "-") throw usage_error("an UMTracer trace is a folder: name OUT");
  if (o.compression) throw usage_error("--codec is for files: an UMTracer trace is a folder");
  if (o.block_size) throw usage_error("--block-size is for files: an UMTracer trace is a folder");
  if (o.snapshots != options().snapshots)
    throw usage_error("--snapshots is for x64dbg traces: OUT is none");
  if (names_metadata(o) || o.as.own.has<tracecodec::umtracer::shared_names>())
    throw usage_error("--metadata and --names have no use here: OUT is an UMTracer trace");
}

}  // namespace convert

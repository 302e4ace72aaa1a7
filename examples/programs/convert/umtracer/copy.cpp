// Copies a UMTracer trace in the same format: the whole trace unchanged, or a part of it.
#include <tracecodec/umtracer/copy/cut.hpp>

#include <cstdint>
#include <exception>
#include <string>

#include "../../common/progress.hpp"
#include "conversion.hpp"
#include "parts.hpp"

namespace convert {

namespace umtracer = tracecodec::umtracer;

namespace {

// Returns true if error `e` means that the input is damaged. The writer also throws `refused`, but
// for records that cannot be written.
bool is_damage(const tracecodec::trace_error& e, const umtracer::reader& in) {
  return e.code() == tracecodec::trace_errc::refused ||
         e.file().starts_with(in.files().folder() + '/');
}

// Returns writer options that match the input trace, with the size limit from the command line.
umtracer::writer_options options_as(const umtracer::reader& in, const options& o) {
  umtracer::writer_options how = umtracer::options_of(in);
  how.most_bytes = o.packing.most_bytes;
  return how;
}

// Copies all tables and records unchanged. If the input is damaged and the options keep its intact
// records, returns false and writes nothing.
bool copy_whole(const umtracer::reader& in, const options& o) {
  umtracer::writer out(o.out, in.files()[umtracer::file::context_map], options_as(in, o));
  {
    examples::progress_line progress(o.in);
    try {
      umtracer::copy_trace(in, out, [&](std::uint64_t done) {
        stop_if_interrupted();
        progress.at(static_cast<double>(done) / static_cast<double>(in.size()));
      });
    } catch (const tracecodec::trace_error& e) {
      if (!is_damage(e, in) || (!o.keep_whole && !o.as.repair)) throw;
      return false;
    }
  }
  finish(out, static_cast<std::uint64_t>(out.size()), nullptr, o);
  return true;
}

// Copies the selected records up to the first damaged record.
void copy_part(const umtracer::reader& in, const options& o) {
  umtracer::writer out(o.out, in.files()[umtracer::file::context_map], options_as(in, o));
  umtracer::cut_writer part(in, out);
  const std::uint64_t most = o.part.limit.value_or(static_cast<std::uint64_t>(-1));
  // Read the skipped records only with --thread. In that case, records of other threads do not
  // count as skipped.
  std::uint64_t left_out = o.as.thread ? 0 : o.part.skip, taken = 0;
  std::exception_ptr failure;
  {
    examples::progress_line progress(o.in);
    try {
      for (std::uint64_t i = left_out; i < in.size() && taken < most; ++i) {
        if (i % 4096 == 0) {
          stop_if_interrupted();
          progress.at(static_cast<double>(i) / static_cast<double>(in.size()));
        }
        if (o.as.thread && in[i].thread() != *o.as.thread) continue;
        if (left_out < o.part.skip) {
          ++left_out;
          continue;
        }
        part.take(i);
        ++taken;
      }
    } catch (const tracecodec::trace_error& e) {
      if (!is_damage(e, in)) throw;
      failure = std::current_exception();
    }
  }
  part.finish();
  if (part.left_out() != 0)
    say(some(part.left_out(), "record") +
        " left out: the end of a system call that began before the part");
  finish(out, static_cast<std::uint64_t>(out.size()), failure, o);
}

}  // namespace

void copy_umtracer(tracecodec::trace::source source, const options& given, const format& to,
                   io::codec /*compression*/) {
  require_folder_options(given, to);
  options o = given;
  const umtracer::reader in(source.name(), {.lenient = o.as.repair});
  if (has_shard(o.part))
    cut_out_shard(
        count_rows(in.size(),
                   [&](std::uint64_t i) { return !o.as.thread || in[i].thread() == *o.as.thread; }),
        o.part);
  if (o.as.thread || o.part.skip != 0 || o.part.limit || !copy_whole(in, o)) copy_part(in, o);
}

}  // namespace convert

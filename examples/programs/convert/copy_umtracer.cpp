// An UMTracer trace as another one: as it is, or a part of it.
#include <tracecodec/umtracer/copy/cut.hpp>

#include <cstdint>
#include <exception>
#include <string>

#include "../common/progress.hpp"
#include "conversion.hpp"
#include "umtracer_parts.hpp"

namespace convert {

namespace umtracer = tracecodec::umtracer;

namespace {

// Whether an error is the fault of the trace that is read, of which the writer refuses what cannot
// be.
bool is_damage(const tracecodec::trace_error& e, const umtracer::reader& in) {
  return e.code() == tracecodec::trace_errc::refused ||
         e.file().starts_with(in.files().folder() + '/');
}

// As the trace that is read is written, and no larger than `o` says.
umtracer::writer_options options_as(const umtracer::reader& in, const options& o) {
  umtracer::writer_options how = umtracer::options_of(in);
  how.most_bytes = o.packing.most_bytes;
  return how;
}

// Every table and record as it is. Returns false if damage ended that, and nothing was written, but
// what is whole is asked for.
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

// The records that `o` asks for, those before the first that is damaged.
void copy_part(const umtracer::reader& in, const options& o) {
  umtracer::writer out(o.out, in.files()[umtracer::file::context_map], options_as(in, o));
  umtracer::cut_writer part(in, out);
  const std::uint64_t most = o.part.limit.value_or(static_cast<std::uint64_t>(-1));
  // Without --thread what is skipped need not be looked at.
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

void copy_umtracer(const std::string& folder, options o) {
  require_folder_options(o);
  const umtracer::reader in(folder, {.lenient = o.as.repair});
  if (has_shard(o.part))
    cut_out_shard(
        count_rows(in.size(),
                   [&](std::uint64_t i) { return !o.as.thread || in[i].thread() == *o.as.thread; }),
        o.part);
  if (o.as.thread || o.part.skip != 0 || o.part.limit || !copy_whole(in, o)) copy_part(in, o);
}

}  // namespace convert

#include "output.hpp"

#ifdef TRACECODEC_WITH_ZIP
#include <tracecodec/io/compression/zip_sink.hpp>
#endif
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/open.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "../../common/program.hpp"
#include "../../common/text.hpp"

namespace convert {

namespace io = tracecodec::io;
namespace drmemtrace = tracecodec::drmemtrace;
using tracecodec::tracepack::processor;

std::unique_ptr<io::sink> compress_drmemtrace(std::unique_ptr<io::sink> file,
                                              const std::string& path, io::codec compression,
                                              const io::output_options& options) {
  if (compression != io::codec::zip)
    return io::compress(compression, std::move(file), path, options);
#ifdef TRACECODEC_WITH_ZIP
  return std::make_unique<io::zip_sink>(std::move(file), options);
#else
  throw examples::usage_error(
      path + ": this build cannot write zip: it lacks libarchive (TRACECODEC_WITH_ZIP)");
#endif
}

std::unique_ptr<io::sink> open_drmemtrace(const std::string& path, io::codec compression,
                                          const io::output_options& options) {
  return compress_drmemtrace(io::open_output(path, io::codec::none, options), path, compression,
                             options);
}

namespace {
// Returns the usual compression of a trace's files in this build.
constexpr io::codec usual_compression() {
#if defined(TRACECODEC_WITH_ZIP)
  return io::codec::zip;
#elif defined(TRACECODEC_WITH_GZIP)
  return io::codec::gzip;
#else
  return io::codec::none;
#endif
}
std::string_view suffix_of(io::codec of) {
  for (const io::codec_suffix& s : io::codec_suffixes)
    if (s.kind == of) return s.text;
  return "";
}
}  // namespace

thread_files::thread_files(const std::string& folder, std::optional<io::codec> compression,
                           const io::output_options& options)
    : folder_(folder, options.most_bytes),
      compression_(compression.value_or(usual_compression())),
      options_(options) {}

std::unique_ptr<io::sink> thread_files::create(std::uint32_t thread, std::size_t open,
                                               std::string& name) {
  if (open == most_open)
    throw tracecodec::trace_error(tracecodec::trace_errc::unsupported, {folder_.name()},
                                  "more than 256 threads at the same time: choose a single file, "
                                  "or --thread");
  std::string number = std::to_string(++count_);
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
  name = "drmemtrace." + number + '.' + std::to_string(thread) + ".trace" +
         std::string(suffix_of(compression_));
  // A folder_file cannot be moved, as std::make_unique() would do.
  std::unique_ptr<io::sink> file(new io::folder_file(folder_.create(name)));
  return compress_drmemtrace(std::move(file), folder_.path(name), compression_, options_);
}

drmemtrace_output::drmemtrace_output(std::unique_ptr<io::sink> to, const std::string& name,
                                     processor whose, bool threads)
    : to_([&]() -> writers {
        using drmemtrace::file_type, drmemtrace::target;
        if (whose == processor::x86_32)
          return writers(std::in_place_index<1>, std::move(to), name,
                         drmemtrace::instruction_writer_options{file_type::x86_32, threads});
        return writers(std::in_place_index<0>, std::move(to), name,
                       drmemtrace::instruction_writer_options{
                           whose == processor::x86_64 ? file_type::x86_64 : 0, threads});
      }()) {}

void report(const drmemtrace::unknown_facts& unknown,
            const std::function<void(const std::string&)>& note) {
  const auto say = [&note](std::uint64_t n, const char* noun, const std::string& rest) {
    if (n != 0) note(examples::some(n, noun) + rest);
  };
  say(unknown.lengths, "instruction", " of unknown length, written as 1");
  say(unknown.sizes, "memory operand", " of unknown size, written as 1");
  say(unknown.targets, "indirect branch",
      " of unknown target, written as if the next instruction in memory follows");
  say(unknown.classes, "branch", " of a class that drmemtrace lacks");
  say(unknown.codes, "instruction", " without code, written without encoding");
  say(unknown.registers, "register", " that encodings cannot store");
  say(unknown.gaps, "place",
      " where an instruction does not lead to the next one: a marker "
      "window_id is there");
}

}  // namespace convert

#include "output.hpp"

#ifdef TRACECODEC_WITH_ZIP
#include <tracecodec/io/compression/zip_sink.hpp>
#endif
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/open.hpp>

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

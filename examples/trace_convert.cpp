// Writes the records of a trace again: with another compression, or a part of them. OUT appears
// only when it is whole.
#include <csignal>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/feed/open.hpp>

#include "common/pipeline.hpp"
#include "common/progress.hpp"

namespace {

using namespace examples;
namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;

struct options {
  std::string in = {}, out = {};
  reading as = {};
  std::optional<io::codec> compression = {};
  pipeline part = {};
  bool keep_whole = false;
};

// Set by the first interrupt, so that no half-written temporary file stays behind; the second ends
// the program at once.
volatile std::sig_atomic_t interrupted = 0;
void interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

io::codec compression_of(const options& o) {
  const io::codec c = o.compression  ? *o.compression
                      : o.out == "-" ? io::codec::none
                                     : io::codec_of_suffix(o.out);
  if (c == io::codec::bzip2 || c == io::codec::lz4)
    throw usage_error(std::string(io::codec_name(c)) +
                      " can be read, not written: choose .xz, .gz, .zst or --codec");
  return c;
}

// Standard streams may be redirected from and to the same file.
bool same_file(const options& o) {
  return io::same_file(o.in == "-" ? "/dev/stdin" : o.in, o.out == "-" ? "/dev/stdout" : o.out);
}

template <class Record>
void convert(champsim::trace_feed<Record> whole, const options& o, io::codec compression) {
  auto trace = piped(std::move(whole), o.part);
  champsim::writer<champsim::codec_of<Record>> out(io::open_output(o.out, compression),
                                                   o.out == "-" ? "<stdout>" : o.out);
  std::exception_ptr failure;
  {
    progress_line progress(o.in);
    failure = for_each_batch(trace, [&](const auto& batch) {
      if (interrupted != 0) throw std::runtime_error("interrupted");
      out.write(batch.records());
      progress.at(trace.progress());
    });
  }
  const bool nothing = out.written() == 0;
  if (!failure && nothing)
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {o.out},
                                  "not written: no record is left of " + o.in);
  // Standard output is no file that could be taken for a whole one.
  if (!failure || ((o.keep_whole || o.out == "-") && !nothing)) out.finish();
  if (failure) std::rethrow_exception(failure);
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Writes the records of a trace again. OUT's suffix tells its compression: .xz, .gz, .zst; "
      "anything else is uncompressed.",
      "trace_convert");
  app.add_option("IN", o.in, "The trace; - is standard input")->required()->type_name("");
  app.add_option("OUT", o.out, "The new trace; - is standard output")->required()->type_name("");
  const auto set_codec = [&o](const std::string& name) {
    o.compression = codec_named("--codec", name);
  };
  app.add_option_function<std::string>("--codec", set_codec, "Compression, whatever OUT's suffix")
      ->type_name("none|xz|gzip|zstd");
  add_slice(app, o.part);
  app.add_flag("--keep-whole", o.keep_whole,
               "Of a damaged trace write the records before the damage; the exit status is 1 all "
               "the same");
  add_format(app, o.as);
  const std::vector<std::string> line(argv, argv + argc);
  if (!parse(app, line)) return 0;
  const io::codec compression = compression_of(o);
  if (same_file(o)) throw usage_error("IN and OUT are the same file: " + o.in);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, interrupt);
  feed::visit(io::open_input(o.in, o.as.input), o.as.format,
              [&](auto trace) { convert(std::move(trace), o, compression); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_convert", [&] { return start(argc, argv); });
}

// Writes a trace again: with another compression, a part of it, as ChampSim records, in another
// mode, or mended. OUT appears only when it is whole.
#include <csignal>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/feed/open.hpp>

#include "common/pipeline.hpp"
#include "common/progress.hpp"
#include "convert/output_format.hpp"
#include "convert/to_champsim.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "convert/to_x64dbg.hpp"
#endif

namespace {

using namespace examples;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace io = tracecodec::io;

struct options {
  std::string in = {}, out = {};
  reading as = {};
  std::optional<feed::format> to = {};
  std::optional<std::string> mode = {};
  std::uint64_t snapshots = 512;
  std::optional<io::codec> compression = {};
  pipeline part = {};
  bool keep_whole = false;
};

void say(const std::string& message) { note("trace_convert", message); }

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

std::string output_name(const options& o) { return o.out == "-" ? "<stdout>" : o.out; }

// Ends an output of so many records: it appears if all went well, or if what is whole was asked for.
template <class Writer>
void finish(Writer& out, std::uint64_t written, std::exception_ptr failure, const options& o) {
  if (!failure && written == 0)
    throw tracecodec::trace_error(tracecodec::trace_errc::refused, {o.out},
                                  "not written: no record is left of " + o.in);
  // Standard output is no file that could be taken for a whole one.
  if (!failure || ((o.keep_whole || o.as.repair || o.out == "-") && written != 0)) out.finish();
  if (!failure) return;
  if (!o.as.repair || written == 0) std::rethrow_exception(failure);
  try {
    std::rethrow_exception(failure);
  } catch (const tracecodec::trace_error& e) {
    say(std::string("cut: ") + e.what() + "; " + std::to_string(written) +
        " instructions before it are written");
  }
}

void stop_if_interrupted() {
  if (interrupted != 0) throw std::runtime_error("interrupted");
}

// As records of ChampSim's kind: those of a ChampSim trace as they are.
template <class Record, class Feed>
void to_champsim(Feed whole, const options& o, io::codec compression) {
  auto trace = piped(std::move(whole), o.part);
  champsim::writer<champsim::codec_of<Record>> out(io::open_output(o.out, compression),
                                                   output_name(o));
  convert::losses lost;
  std::exception_ptr failure;
  {
    progress_line progress(o.in);
    failure = for_each_batch(trace, [&](const auto& batch) {
      stop_if_interrupted();
      if constexpr (requires { batch.records(); })
        out.write(batch.records());
      else
        convert::write<Record>(batch, out, lost);
      progress.at(trace.progress());
    });
  }
  lost.report(
      requires(Record r) { r.asid; }, say);
  finish(out, out.written(), failure, o);
}

#if TRACECODEC_OPENS_X64DBG
namespace x64dbg = tracecodec::x64dbg;

x64dbg::writer_options how_to_write(const options& o, bool whole) {
  using mode = x64dbg::writer_mode;
  const std::string& name = o.mode.value_or(whole ? "raw" : "minimal");
  const mode m = name == "raw" ? mode::raw : name == "union" ? mode::exact_union : mode::minimal;
  if (m == mode::raw && !whole)
    throw usage_error("--mode raw is for a whole trace: choose minimal or union for a part");
  return {.mode = m, .snapshot_distance = static_cast<std::uint32_t>(o.snapshots)};
}

void to_x64dbg(io::input in, const options& o, io::codec compression) {
  convert::x64dbg_part part{o.part.skip, o.part.limit, o.as.thread, {}};
  part.how = how_to_write(o, part.whole());
  x64dbg::with_reader(
      std::move(in), {.repair = o.as.repair}, [&]<x64dbg::target T>(x64dbg::reader<T>& from) {
        const int width = convert::x64dbg_width(o.out);
        if (width != 0 && (width == 32) != (T == x64dbg::target::x86))
          throw usage_error(o.out + ": the trace is of " + (width == 32 ? "64" : "32") +
                            " bits: its name ends in .trace" + (width == 32 ? "64" : "32"));
        x64dbg::writer<T> out(io::open_output(o.out, compression), output_name(o), from.header(),
                              part.how);
        progress_line progress(o.in);
        std::uint64_t mended = 0;
        const std::exception_ptr failure = convert::copy(
            from, out, part,
            [&](const x64dbg::mended_place& p) {
              ++mended;
              say("mended: offset " + std::to_string(p.offset) + ", instruction " +
                  std::to_string(p.instruction) + ": thread id " + std::to_string(p.thread) +
                  " marked");
            },
            [&](std::optional<double> done) {
              stop_if_interrupted();
              progress.at(done);
            });
        if (o.as.repair) say(std::to_string(mended) + " places mended");
        finish(out, out.written(), failure, o);
      });
}
#endif

void convert_trace(const options& o, io::codec compression) {
  auto in = io::open_input(o.in, o.as.input);
  feed::visit_options how = o.as;
  if (!how.format) how.format = feed::recognise(in);
  const bool rich = how.format == feed::format::x64dbg;
  const feed::format to =
      o.mode && !o.to ? feed::format::x64dbg : convert::output_format(*how.format, o.to, o.out);
  if (!rich && to != how.format)
    throw usage_error("a " + std::string(name(*how.format)) +
                      " trace cannot be written in another format");
  if (o.mode && to != feed::format::x64dbg)
    throw usage_error("--mode is for x64dbg traces: OUT is none");
#if TRACECODEC_OPENS_X64DBG
  if (to == feed::format::x64dbg) return to_x64dbg(std::move(in), o, compression);
#endif
  feed::visit(std::move(in), how, [&](auto trace) {
    using batch = typename decltype(trace)::batch_type;
    if constexpr (requires(batch b) { b.records()[0]; }) {
      using record = std::remove_cvref_t<decltype(std::declval<batch>().records()[0])>;
      to_champsim<record>(std::move(trace), o, compression);
    } else if (to == feed::format::cloudsuite) {
      to_champsim<champsim::cloudsuite_instruction>(std::move(trace), o, compression);
    } else {
      to_champsim<champsim::instruction>(std::move(trace), o, compression);
    }
  });
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Writes a trace again. OUT's suffix tells its compression: .xz, .gz, .zst; anything else is "
      "uncompressed. An x64dbg trace becomes ChampSim records, or, if OUT's name ends in .trace32 "
      "or .trace64 before that suffix, an x64dbg trace again.",
      "trace_convert");
  app.add_option("IN", o.in, "The trace; - is standard input")->required()->type_name("");
  app.add_option("OUT", o.out, "The new trace; - is standard output")->required()->type_name("");
  const auto set_codec = [&o](const std::string& name) {
    o.compression = codec_named("--codec", name);
  };
  app.add_option_function<std::string>("--codec", set_codec, "Compression, whatever OUT's suffix")
      ->type_name("none|xz|gzip|zstd");
  app.add_option_function<std::string>(
         "--to", [&o](const std::string& name) { o.to = feed::format_of_name(name); },
         "Format of OUT, whatever its name")
      ->check(CLI::IsMember({"champsim", "cloudsuite", "x64dbg"}))
      ->type_name("champsim|cloudsuite|x64dbg");
  app.add_option("--mode", o.mode,
                 "How an x64dbg trace is written: with the registers that changed, with those that "
                 "x64dbg lists, or byte for byte (the usual way for a whole trace)")
      ->check(CLI::IsMember({"minimal", "union", "raw"}))
      ->type_name("minimal|union|raw");
  add_count(app, "--snapshots", o.snapshots,
            "In modes minimal and union: all registers every N instructions (default 512)");
  add_slice(app, o.part);
  app.add_flag("--keep-whole", o.keep_whole,
               "Of a damaged trace write the records before the damage; the exit status is 1 all "
               "the same");
  add_format(app, o.as);
  add_x64dbg_reading(app, o.as);
  const std::vector<std::string> line(argv, argv + argc);
  if (!parse(app, line)) return 0;
  const io::codec compression = compression_of(o);
  if (o.snapshots == 0 || o.snapshots > 0xFFFFFFFF)
    throw usage_error("--snapshots is a number from 1 to 4294967295");
  if (same_file(o)) throw usage_error("IN and OUT are the same file: " + o.in);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, interrupt);
  convert_trace(o, compression);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_convert", [&] { return start(argc, argv); });
}

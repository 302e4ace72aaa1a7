// A trace of any format as records of ChampSim's kind.
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/records.hpp>
#include <tracecodec/umtracer/reader.hpp>
#include <tracecodec/x64dbg/opens.hpp>
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/reader.hpp>
#endif

#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "../common/progress.hpp"
#include "champsim_losses.hpp"
#include "column_records.hpp"
#include "conversion.hpp"
#include "record_output.hpp"

namespace convert {

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

// Writes what `trace`, a trace::cursor, has of the part that `o` asks for. next() reads a batch, false
// at the end; write(out) writes it; lost() tells what was lost.
template <class Record, class Next, class Write, class Lost>
void write_all(trace::cursor& trace, const options& o, io::codec compression,
               const tracepack::about& about, Next next, Write write, Lost lost) {
  record_output<Record> out(o, compression, about);
  std::exception_ptr failure;
  // What the output throws is no failure of the trace.
  const auto more = [&](bool first) {
    try {
      if (first) go_to(trace, o.part);
      return next();
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
      return false;
    }
  };
  {
    examples::progress_line progress(o.in);
    for (bool some = more(true); some; some = more(false)) {
      stop_if_interrupted();
      write(out);
      progress.at(trace.progress());
    }
  }
  report(
      lost(), requires(Record r) { r.asid; }, say);
  finish(out, out.written(), failure, o);
}

void write_records(trace::source in, const options& o, io::codec compression) {
  const tracepack::about about = about_packed<champsim::instruction>(in, o, 0);
  trace::records from(std::move(in), o.as);
  from.count_losses();
  std::span<const champsim::instruction> batch;
  write_all<champsim::instruction>(
      from, o, compression, about,
      [&] {
        batch = from.next();
        return !batch.empty();
      },
      [&](auto& out) { out.write(batch); }, [&] { return from.losses(); });
}

// Whose code a trace has: of 32 or 64 bits, as x64dbg's header says, and each record of UMTracer's; the first one counts.
tracepack::processor processor_of(trace::source& in) {
  if (in.format().name == "umtracer") {
    const tracecodec::umtracer::reader records(in.name(), {.lenient = true});
    if (records.size() != 0 && !records[0].code64()) return tracepack::processor::x86_32;
  }
#if TRACECODEC_OPENS_X64DBG
  if (in.format().name == "x64dbg") {
    io::window front(io::open_bytes(in.input().peek(io::input::peek_limit), in.name()));
    if (tracecodec::x64dbg::read_header(front).arch == tracecodec::x64dbg::target::x86)
      return tracepack::processor::x86_32;
  }
#endif
  return tracepack::processor::x86_64;
}

// Of columns: CloudSuite's have room for more, and a thread; packed ones keep what else is known.
template <class Record>
void write_columns(trace::source in, const options& o, io::codec compression) {
  using feed::column;
  constexpr std::uint8_t all_known =
      tracepack::has_classes | tracepack::has_lengths | tracepack::has_code;
  tracepack::about about = about_packed<Record>(in, o, all_known);
  about.processor = processor_of(in);
  trace::reader from(std::move(in), o.as);
  const bool knows = is_packed(o) && from.has().has(column::code);
  if (!knows) about.properties = 0;
  column_records<Record> records(from, knows);
  const auto write = [&](auto& out) {
    if (knows)
      out.write(records.records(), records.known());
    else
      out.write(records.records());
  };
  write_all<Record>(
      from, o, compression, about, [&] { return records.next(); }, write,
      [&] { return records.losses(); });
}

}  // namespace

void to_champsim(trace::source in, const options& o, const format& to, io::codec compression) {
  if (to.name == "cloudsuite")
    write_columns<champsim::cloudsuite_instruction>(std::move(in), o, compression);
  else if (is_packed(o) && !is_of_events(in.format()))
    write_columns<champsim::instruction>(std::move(in), o, compression);
  else
    write_records(std::move(in), o, compression);
}

}  // namespace convert

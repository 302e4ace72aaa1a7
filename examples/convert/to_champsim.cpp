// A trace of any format as records of ChampSim's kind.
#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/records.hpp>
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/reader.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "../common/progress.hpp"
#include "champsim_losses.hpp"
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
  const tracepack::about about = about_packed<champsim::instruction>(in, 0);
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

// What is known of instruction `row`; longer code than a pack has room for is none of a processor's.
tracepack::property property_of(const feed::columns& batch, const feed::row_columns& rows,
                                std::size_t row) {
  const auto code = batch.code();
  const std::size_t n = code.count(row);
  tracepack::property p{.branch = static_cast<std::uint8_t>(rows.branch[row])};
  if (n > tracepack::longest_code) return p;
  p.length = static_cast<std::uint8_t>(n);
  std::copy_n(code.values.data() + code.begin(row), n, p.code.begin());
  return p;
}

// Whose code a trace has: x64dbg's are of 32 or 64 bits, which the header says.
tracepack::processor processor_of([[maybe_unused]] trace::source& in) {
#if TRACECODEC_OPENS_X64DBG
  if (in.format() == trace::format::x64dbg) {
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
  tracepack::about about = about_packed<Record>(in, all_known);
  about.processor = processor_of(in);
  trace::reader from(std::move(in), o.as);
  const bool knows = is_packed(o) && from.has().has(column::code);
  if (!knows) about.properties = 0;
  from.want(feed::operand_columns |
            feed::column_set{column::ip, column::is_branch, column::taken, column::thread,
                             column::lost_operands} |
            (knows ? feed::column_set{column::branch, column::code} : feed::column_set{}) |
            (from.has() & feed::column_set{column::doubts}));
  feed::columns batch;
  trace::record_losses lost;
  constexpr std::size_t few = 1024;  // so that they are still in the cache when they are written
  std::vector<Record> records;
  std::vector<tracepack::property> known;
  const auto write = [&](auto& out) {
    const feed::row_columns rows(batch);
    records.clear();
    known.clear();
    for (std::size_t row = 0; row != batch.size(); ++row) {
      const auto r = champsim::record_of<Record>(feed::column_row(rows, row));
      records.push_back(r.record);
      if (knows) known.push_back(property_of(batch, rows, row));
      lost.clipped += r.lost_operands != 0;
    }
    if (knows)
      out.write(records, known);
    else
      out.write(records);
    const auto is = [](std::uint8_t all, feed::doubt d) {
      return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
    };
    for (const std::uint8_t doubts : batch.doubts()) {
      lost.incomplete += is(doubts, feed::doubt::address);
      lost.undecoded += is(doubts, feed::doubt::code);
      lost.estimated += is(doubts, feed::doubt::outcome);
    }
  };
  write_all<Record>(
      from, o, compression, about, [&] { return from.next(batch, few); }, write,
      [&] { return lost; });
}

}  // namespace

void to_champsim(trace::source in, const options& o, format to, io::codec compression) {
  if (to == format::cloudsuite)
    write_columns<champsim::cloudsuite_instruction>(std::move(in), o, compression);
  else if (is_packed(o) && !tracecodec::trace::has_events(in.format()))
    write_columns<champsim::instruction>(std::move(in), o, compression);
  else
    write_records(std::move(in), o, compression);
}

}  // namespace convert

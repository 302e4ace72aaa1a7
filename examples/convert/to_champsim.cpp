// A trace of any format as records of ChampSim's kind.
#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/records.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>

#include "../common/progress.hpp"
#include "champsim_losses.hpp"
#include "conversion.hpp"

namespace convert {

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

// Writes what `trace`, a trace::cursor, has of the part that `o` asks for. next() reads a batch, false
// at the end; write(out) writes it; lost() tells what was lost.
template <class Record, class Next, class Write, class Lost>
void write_all(trace::cursor& trace, const options& o, io::codec compression, Next next,
               Write write, Lost lost) {
  champsim::writer<champsim::codec_of<Record>> out(io::open_output(o.out, compression, o.packing),
                                                   output_name(o));
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
  trace::records from(std::move(in), o.as);
  from.count_losses();
  std::span<const champsim::instruction> batch;
  write_all<champsim::instruction>(
      from, o, compression,
      [&] {
        batch = from.next();
        return !batch.empty();
      },
      [&](auto& out) { out.write(batch); }, [&] { return from.losses(); });
}

// CloudSuite's have room for more, and a thread: they are made of columns.
void write_cloudsuite(trace::source in, const options& o, io::codec compression) {
  using record = champsim::cloudsuite_instruction;
  using feed::column;
  trace::reader from(std::move(in), o.as);
  from.want(feed::operand_columns |
            feed::column_set{column::ip, column::is_branch, column::taken, column::thread,
                             column::lost_operands} |
            (from.has() & feed::column_set{column::doubts}));
  feed::columns batch;
  trace::record_losses lost;
  constexpr std::size_t few = 1024;  // so that they are still in the cache when they are written
  const auto write = [&](auto& out) {
    const feed::row_columns rows(batch);
    for (std::size_t row = 0; row != batch.size(); ++row) {
      const auto r = champsim::record_of<record>(feed::column_row(rows, row));
      out.write(r.record);
      lost.clipped += r.lost_operands != 0;
    }
    const auto is = [](std::uint8_t all, feed::doubt d) {
      return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
    };
    for (const std::uint8_t doubts : batch.doubts()) {
      lost.incomplete += is(doubts, feed::doubt::address);
      lost.undecoded += is(doubts, feed::doubt::code);
      lost.estimated += is(doubts, feed::doubt::outcome);
    }
  };
  write_all<record>(
      from, o, compression, [&] { return from.next(batch, few); }, write, [&] { return lost; });
}

}  // namespace

void to_champsim(trace::source in, const options& o, format to, io::codec compression) {
  if (to == format::cloudsuite)
    write_cloudsuite(std::move(in), o, compression);
  else
    write_records(std::move(in), o, compression);
}

}  // namespace convert

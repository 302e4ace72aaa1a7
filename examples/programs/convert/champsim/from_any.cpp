// Converts a trace of any format to ChampSim or CloudSuite records.
#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/records.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../format_conversion.hpp"
#include "../selected.hpp"
#include "column_records.hpp"
#include "conversion.hpp"
#include "losses.hpp"
#include "record_output.hpp"

namespace convert {

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

// Writes the part of `trace` that the options select. next() reads a batch and returns false at the
// end of the trace. write(out) writes that batch. lost() returns the losses so far.
template <class Record, class Next, class Write, class Lost>
void write_batches(trace::cursor& trace, const options& o, io::codec compression,
                   const tracepack::about& about, Next next, Write write, Lost lost) {
  record_output<Record> out(o, compression, about);
  const auto failure = for_each_read(trace, o, next, [&] { write(out); });
  report(
      lost(), requires(Record r) { r.asid; }, say);
  finish(out, out.written(), failure, o);
}

void write_records(trace::source in, const options& o, io::codec compression) {
  const tracepack::about about = about_packed<champsim::instruction>(in, o, 0);
  trace::records from(std::move(in), o.as);
  from.count_losses();
  std::span<const champsim::instruction> batch;
  write_batches<champsim::instruction>(
      from, o, compression, about,
      [&] {
        batch = from.next();
        return !batch.empty();
      },
      [&](auto& out) { out.write(batch); }, [&] { return from.losses(); });
}

// Writes records that are made from columns. Unlike records, columns provide the thread and all
// operands for CloudSuite records, and the instruction properties for tracepacks.
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
  write_batches<Record>(
      from, o, compression, about, [&] { return records.next(); }, write,
      [&] { return records.losses(); });
}

}  // namespace

void records_from_any(trace::source in, const options& o, const format& to, io::codec compression) {
  if (&to == &champsim::cloudsuite_descriptor::facts)
    write_columns<champsim::cloudsuite_instruction>(std::move(in), o, compression);
  else if (is_packed(o) && in.format().operations.empty())
    write_columns<champsim::instruction>(std::move(in), o, compression);
  else
    write_records(std::move(in), o, compression);
}

}  // namespace convert

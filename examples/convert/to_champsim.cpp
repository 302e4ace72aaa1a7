// A trace of any format as records of ChampSim's kind.
#include <tracecodec/trace/reader.hpp>

#include <exception>
#include <utility>

#include "../common/progress.hpp"
#include "champsim_losses.hpp"
#include "conversion.hpp"

namespace convert {

namespace {

template <class Record>
void write_all(tracecodec::trace::reader& trace, const options& o, io::codec compression) {
  champsim::writer<champsim::codec_of<Record>> out(io::open_output(o.out, compression, o.packing),
                                                   output_name(o));
  losses lost;
  std::exception_ptr failure;
  feed::columns batch;
  // What the output throws is no failure of the trace.
  const auto next = [&](bool first) {
    try {
      if (first) go_to(trace, o.part);
      constexpr std::size_t few =
          1024;  // so that they are still in the cache when they are written
      return trace.next(batch, few);
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
      return false;
    }
  };
  {
    examples::progress_line progress(o.in);
    for (bool more = next(true); more; more = next(false)) {
      stop_if_interrupted();
      write<Record>(batch, out, lost);
      progress.at(trace.progress());
    }
  }
  lost.report(
      requires(Record r) { r.asid; }, say);
  finish(out, out.written(), failure, o);
}

}  // namespace

void to_champsim(tracecodec::trace::source in, const options& o, format to, io::codec compression) {
  tracecodec::trace::reader trace(std::move(in), o.as);
  trace.want(champsim_columns(trace.has()));
  if (to == format::cloudsuite)
    write_all<champsim::cloudsuite_instruction>(trace, o, compression);
  else
    write_all<champsim::instruction>(trace, o, compression);
}

}  // namespace convert

// Any trace as rows of text: JSON lines or CSV.
#pragma once
#include <tracecodec/champsim/rows.hpp>
#include <tracecodec/rapidbin/rows.hpp>
#include <tracecodec/rows.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../common/any_feed.hpp"
#include "events.hpp"
#include "umtracer_rows.hpp"
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/rows.hpp>

#include "to_x64dbg.hpp"
#endif

namespace trace = tracecodec::trace;

namespace convert {

// Throws usage_error for options that rows have no use for.
inline void require_row_options(const options& o, format from) {
  if (o.mode || o.snapshots != options().snapshots)
    throw usage_error("--mode and --snapshots are for x64dbg traces: OUT is none");
  if (o.dialect) throw usage_error("--dialect is for STD text: OUT is none");
  const bool table = from == format::umtracer;
  if (o.table && !table) throw usage_error("--table is for UMTracer traces: IN is none");
  if (o.as.names && !table) throw usage_error("--names is for UMTracer traces: IN is none");
  const bool events = trace::has_events(from);
  if (o.renumber && !events)
    throw usage_error("--renumber is for RapidBin traces and STD text: IN is neither");
  if (o.as.metadata && !o.as.metadata->empty() && !events)
    throw usage_error("--metadata is for RapidBin traces and STD text: IN is neither");
  if (o.disassembly && from != format::x64dbg && !table)
    throw usage_error("--disassembly is for x64dbg and UMTracer traces: IN is neither");
}

// ChampSim's records, by their feed, with the classes that it derives.
template <class Feed> void records_to_rows(Feed whole, const options& o, io::codec compression) {
  using batch = typename Feed::batch_type;
  using record = std::remove_cvref_t<decltype(std::declval<batch>().records()[0])>;
  with_rows<champsim::row<record>>(o, compression, [&](auto& out) {
    auto trace = examples::piped(std::move(whole), o.part);
    std::uint64_t index = o.part.skip;
    examples::progress_line progress(o.in);
    return examples::for_each_batch(trace, [&](const batch& b) {
      stop_if_interrupted();
      for (std::size_t n = 0; n < b.size(); ++n) out.write(champsim::row_of(index++, b[n]));
      progress.at(trace.progress());
    });
  });
}

inline void events_to_rows(io::input in, const options& o, format from, io::codec compression) {
  // Numbers that are given anew are not those of the metadata.
  const auto names =
      o.renumber ? std::nullopt : tracecodec::trace::metadata_of(in, from == format::std, o.as);
  const auto events = rapidbin::open_events(std::move(in), how_to_open(o, from));
  events->skip(o.part.skip);
  const auto write_all = [&](auto& out, const auto&... metadata) {
    return for_each_events(*events, o.part.limit, [&](const rapidbin::event_batch& b) {
      for (std::size_t i = 0; i < b.size(); ++i) {
        const rapidbin::event e = b.events[i];
        out.write(rapidbin::row_of(b.index(i), e, metadata...));
      }
    });
  };
  if (names)
    with_rows<rapidbin::named_row>(o, compression,
                                   [&](auto& out) { return write_all(out, *names); });
  else
    with_rows<rapidbin::row>(o, compression, [&](auto& out) { return write_all(out); });
  say_mended(*events, o);
}

#if TRACECODEC_OPENS_X64DBG
template <x64dbg::target T>
void instructions_to_rows(x64dbg::reader<T>& from, const options& o, io::codec compression) {
  mended_blocks mended(o);
  const auto write_all = [&](auto& out, auto text_of) {
    examples::progress_line progress(o.in);
    const std::exception_ptr failure = for_each_wanted(
        from, {o.part.skip, o.part.limit, o.as.thread, {}},
        [&](const x64dbg::instruction<T>& i) { out.write(x64dbg::row_of<T>(i, text_of(i))); },
        [&](const x64dbg::mended_place& p) { mended.add(p); },
        [&](std::optional<double> done) {
          stop_if_interrupted();
          progress.at(done);
        });
    mended.finish(failure != nullptr);
    return failure;
  };
  if (o.disassembly) {
    const tracecodec::x86::zydis_disassembler disassembler(T);
    const auto text_of = [&, text = std::string()](const x64dbg::instruction<T>& i) mutable {
      return std::string_view(text = disassembler.text(i.opcode(), i.ip()));
    };
    with_rows<x64dbg::row<T, std::string_view>>(o, compression,
                                                [&](auto& out) { return write_all(out, text_of); });
  } else {
    with_rows<x64dbg::row<T>>(o, compression, [&](auto& out) {
      return write_all(out, [](const auto&) { return tracecodec::rows::absent(); });
    });
  }
}
#endif

inline void to_rows(trace::source in, const options& o, io::codec compression) {
  const format from = in.format();
  require_row_options(o, from);
  if (from == format::umtracer) return tables_to_rows(in.name(), o, compression);
  if (trace::has_events(from)) return events_to_rows(std::move(in.input()), o, from, compression);
#if TRACECODEC_OPENS_X64DBG
  if (from == format::x64dbg)
    return x64dbg::with_reader(std::move(in.input()), {.repair = o.as.repair},
                               [&]<x64dbg::target T>(x64dbg::reader<T>& trace) {
                                 instructions_to_rows(trace, o, compression);
                               });
#endif
  trace::visit(std::move(in), o.as, [&](auto trace) {
    using batch = typename decltype(trace)::batch_type;
    if constexpr (requires(batch b) { b.records()[0]; })
      records_to_rows(std::move(trace), o, compression);
  });
}

}  // namespace convert

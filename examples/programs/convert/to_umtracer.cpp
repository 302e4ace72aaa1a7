// An x64dbg trace as an UMTracer one: a folder.
#include <tracecodec/trace/source.hpp>
#include <tracecodec/x64dbg/opens.hpp>

#if TRACECODEC_OPENS_X64DBG
#include <exception>
#include <optional>
#include <utility>

#include "x64dbg_blocks.hpp"
#include "x64dbg_steps.hpp"

namespace convert {

void to_umtracer(io::input in, const options& o) {
  require_folder_options(o);
  x64dbg::with_reader(
      std::move(in), {.repair = o.as.repair}, [&]<x64dbg::target T>(x64dbg::reader<T>& from) {
        examples::progress_line progress(o.in);
        // Half of the work is reading, the other half bringing records in order.
        const auto at = [&](std::optional<double> done, double half) {
          stop_if_interrupted();
          progress.at(done ? std::optional(half + *done / 2) : std::nullopt);
        };
        umtracer_trace<T> out(
            o.out, from.header(), [&](double done) { at(done, 0.5); }, o.packing.most_bytes);
        mended_blocks mended(o);
        from.on_skipped([&mended](const x64dbg::skipped_bytes& s) { mended.add(s); });
        const std::exception_ptr failure = for_each_wanted(
            from, {o.part.skip, o.part.limit, o.as.thread},
            [&](const x64dbg::instruction<T>& i) { out.add(i); },
            [&](const x64dbg::mended_place& p) { mended.add(p); },
            [&](std::optional<double> done) { at(done, 0); });
        mended.finish(failure != nullptr);
        stop_if_interrupted();
        finish(out, out.written(), failure, o);
      });
}

}  // namespace convert
#endif

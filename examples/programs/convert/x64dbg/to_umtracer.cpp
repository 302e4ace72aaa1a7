// Converts an x64dbg trace to a UMTracer trace, which is a folder.
#include "conversion.hpp"

#if TRACECODEC_OPENS_X64DBG
#include <exception>
#include <optional>
#include <utility>

#include "blocks.hpp"
#include "steps.hpp"

namespace convert {

void x64dbg_to_umtracer(tracecodec::trace::source source, const options& o, const format& to,
                        io::codec /*compression*/) {
  require_folder_options(o, to);
  x64dbg::with_reader(
      std::move(source.input()), {.repair = o.as.repair},
      [&]<x64dbg::target T>(x64dbg::reader<T>& from) {
        examples::progress_line progress(o.in);
        // Reading takes the progress from 0 to 1/2, and sorting the records takes it from 1/2 to 1.
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

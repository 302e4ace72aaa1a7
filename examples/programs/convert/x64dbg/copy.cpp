// Copies an x64dbg trace in the same format, to change its mode, to extract a part, or to repair
// it.
#include "conversion.hpp"

#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/output_options.hpp>
#include <tracecodec/x64dbg/repair.hpp>
#include <tracecodec/x64dbg/writer.hpp>

#include <utility>
#include <vector>

#include "../../common/x64dbg/width.hpp"
#include "blocks.hpp"

namespace convert {

namespace {

// Copies the user blocks directly after the selected part. Ignores errors of the trace, because
// they are outside the selected part.
template <x64dbg::target T> void copy_next_user_blocks(x64dbg::reader<T>& from) {
  try {
    x64dbg::block<T> b;
    from.peek(b);
  } catch (const tracecodec::trace_error& e) {
    if (e.file() != from.name()) throw;  // error of the output
  }
}

// Copies instructions, and the user blocks between and directly after them. User blocks before the
// first instruction are copied only if nothing is skipped. Therefore, if a trace is split, each
// user block is in exactly one part. For the callbacks and the result, see for_each_wanted().
template <x64dbg::target T, class Mended, class Passed>
std::exception_ptr copy(x64dbg::reader<T>& from, x64dbg::writer<T>& to, const x64dbg_part& part,
                        Mended mended, Passed passed) {
  from.on_user_block([&, spare = std::vector<std::byte>()](x64dbg::user_block_data<T>& u) mutable {
    if (part.skip == 0 || to.written() != 0) x64dbg::copy_user_block(u, to, spare);
  });
  const auto failure = for_each_wanted(
      from, part, [&](const x64dbg::instruction<T>& i) { to.write(i); }, mended, passed);
  if (!failure && to.written() != 0 && to.written() == part.limit) copy_next_user_blocks(from);
  return failure;
}

x64dbg::writer_options how_to_write(const options& o, bool whole) {
  using mode = x64dbg::writer_mode;
  const auto requested = o.output.value_or(x64dbg::output_options());
  x64dbg::writer_options how{.mode = requested.mode.value_or(whole ? mode::raw : mode::minimal)};
  if (how.mode == mode::raw && !whole)
    throw usage_error("--mode raw is for a whole trace: choose minimal or union for a part");
  if (requested.snapshot_distance) how.snapshot_distance = *requested.snapshot_distance;
  return how;
}

}  // namespace

void copy_x64dbg(tracecodec::trace::source source, const options& o, const format& /*to*/,
                 io::codec compression) {
  const x64dbg_part part{o.part.skip, o.part.limit, o.as.thread};
  const x64dbg::writer_options how = how_to_write(o, part.whole());
  x64dbg::with_reader(
      std::move(source.input()), {.repair = o.as.repair},
      [&]<x64dbg::target T>(x64dbg::reader<T>& from) {
        const int width = examples::x64dbg::width_of_name(o.out);
        if (width != 0 && (width == 32) != (T == x64dbg::target::x86))
          throw usage_error(o.out + ": the trace has " + (width == 32 ? "64" : "32") +
                            " bits: choose a name that ends in .trace" +
                            (width == 32 ? "64" : "32"));
        x64dbg::writer<T> out(io::open_output(o.out, compression, o.packing), output_name(o),
                              from.header(), how);
        examples::progress_line progress(o.in);
        mended_blocks mended(o);
        from.on_skipped([&mended](const x64dbg::skipped_bytes& s) { mended.add(s); });
        const std::exception_ptr failure = copy(
            from, out, part, [&](const x64dbg::mended_place& p) { mended.add(p); },
            [&](std::optional<double> done) {
              stop_if_interrupted();
              progress.at(done);
            });
        mended.finish(failure != nullptr);
        finish(out, out.written(), failure, o);
      });
}

}  // namespace convert
#endif

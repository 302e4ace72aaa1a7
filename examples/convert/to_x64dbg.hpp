// An x64dbg trace as another one: in another mode, a part of it, or mended.
#pragma once
#include <tracecodec/x64dbg/reader.hpp>
#include <tracecodec/x64dbg/repair.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

namespace x64dbg = tracecodec::x64dbg;

// Which instructions, and how they are written.
struct x64dbg_part {
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
  std::optional<std::uint32_t> thread = {};
  x64dbg::writer_options how = {};
  [[nodiscard]] bool whole() const { return skip == 0 && !limit && !thread; }
};

// Lets the reader come across the user blocks that directly follow. What is wrong with the trace
// behind them is no matter of a part that ends here.
template <x64dbg::target T> void copy_user_blocks_behind(x64dbg::reader<T>& from) {
  try {
    x64dbg::block<T> b;
    from.peek(b);
  } catch (const tracecodec::trace_error& e) {
    if (e.file() != from.name()) throw;  // of the output
  }
}

// Calls take(instruction) for those that are wanted, mended(place) for each block that was mended
// and passed(progress) now and then. Returns what ended the trace early.
template <x64dbg::target T, class Take, class Mended, class Passed>
std::exception_ptr for_each_wanted(x64dbg::reader<T>& from, const x64dbg_part& part, Take take,
                                   Mended mended, Passed passed) {
  std::uint64_t left_out = 0, done = 0;
  const std::uint64_t wanted = part.limit.value_or(static_cast<std::uint64_t>(-1));
  x64dbg::instruction<T> i;
  while (done != wanted) {
    try {
      if (!from.next(i)) break;
    } catch (const tracecodec::trace_error& e) {
      // A user block that cannot be written, or copied.
      if (e.file() != from.name() || e.code() == tracecodec::trace_errc::refused) throw;
      return std::current_exception();
    }
    if ((part.thread && i.thread != part.thread) || left_out++ < part.skip) continue;
    take(i);
    if (from.was_mended()) mended(x64dbg::mended_place{i.offset, i.index, i.block.thread});
    if (++done % 65536 == 0) passed(from.window().progress());
  }
  return nullptr;
}

// Copies instructions and the user blocks between and behind them; those before the first one only
// if nothing is skipped. So each is in one part of a trace that is cut into parts. The rest is as
// for_each_wanted().
template <x64dbg::target T, class Mended, class Passed>
std::exception_ptr copy(x64dbg::reader<T>& from, x64dbg::writer<T>& to, const x64dbg_part& part,
                        Mended mended, Passed passed) {
  from.on_user_block([&, spare = std::vector<std::byte>()](x64dbg::user_block_data<T>& u) mutable {
    if (part.skip == 0 || to.written() != 0) x64dbg::copy_user_block(u, to, spare);
  });
  const auto failure = for_each_wanted(
      from, part, [&](const x64dbg::instruction<T>& i) { to.write(i); }, mended, passed);
  if (!failure && to.written() != 0 && to.written() == part.limit) copy_user_blocks_behind(from);
  return failure;
}

// Tells of the blocks that were mended: of the first ones, or with --verbose of each, and in the end
// how many they were.
class mended_blocks {
 public:
  explicit mended_blocks(const options& o) : repair_(o.as.repair), all_(o.verbose) {}

  void add(const x64dbg::mended_place& p) {
    if (++count_ > most && !all_) return;
    say("mended: offset " + std::to_string(p.offset) + ", instruction " +
        std::to_string(p.instruction) + ": thread id " + std::to_string(p.thread) + " marked");
  }
  // `failed`: an error follows, before which it is of no use that nothing was mended.
  void finish(bool failed) const {
    if (!repair_ || (failed && count_ == 0)) return;
    say(some(count_, "place") + " mended" +
        (count_ > most && !all_ ? "; --verbose tells of each" : ""));
  }

 private:
  static constexpr std::uint64_t most = 5;
  std::uint64_t count_ = 0;
  bool repair_, all_;
};

inline x64dbg::writer_options how_to_write(const options& o, bool whole) {
  using mode = x64dbg::writer_mode;
  const std::string& name = o.mode.value_or(whole ? "raw" : "minimal");
  const mode m = name == "raw" ? mode::raw : name == "union" ? mode::exact_union : mode::minimal;
  if (m == mode::raw && !whole)
    throw usage_error("--mode raw is for a whole trace: choose minimal or union for a part");
  return {.mode = m, .snapshot_distance = static_cast<std::uint32_t>(o.snapshots)};
}

inline void to_x64dbg(io::input in, const options& o, io::codec compression) {
  x64dbg_part part{o.part.skip, o.part.limit, o.as.thread, {}};
  part.how = how_to_write(o, part.whole());
  x64dbg::with_reader(
      std::move(in), {.repair = o.as.repair}, [&]<x64dbg::target T>(x64dbg::reader<T>& from) {
        const int width = x64dbg_width(o.out);
        if (width != 0 && (width == 32) != (T == x64dbg::target::x86))
          throw usage_error(o.out + ": the trace is of " + (width == 32 ? "64" : "32") +
                            " bits: its name ends in .trace" + (width == 32 ? "64" : "32"));
        x64dbg::writer<T> out(io::open_output(o.out, compression, o.packing), output_name(o),
                              from.header(), part.how);
        examples::progress_line progress(o.in);
        mended_blocks mended(o);
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

// Converts an x64dbg trace to text rows.
#include "conversion.hpp"

#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/effect_rows.hpp>
#include <tracecodec/x64dbg/feed.hpp>
#include <tracecodec/x86/zydis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../write_rows.hpp"
#include "blocks.hpp"

namespace convert {

namespace {

// Adaptor that reads batches from a feed. It stores the error that ended the feed early.
template <x64dbg::target T> class pulled {
 public:
  explicit pulled(x64dbg::trace_feed<T>& from) : from_(&from) {}
  // Calls f(), which reads from the feed, and stores any trace_error that f() throws. Returns false
  // after an error.
  template <class F> bool read(F f) {
    try {
      f();
    } catch (const tracecodec::trace_error&) {
      failure_ = std::current_exception();
    }
    return failure_ == nullptr;
  }
  x64dbg::instruction_batch<T> next() {
    x64dbg::instruction_batch<T> batch;
    read([&] { batch = from_->next(); });
    return batch;
  }
  [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }

 private:
  x64dbg::trace_feed<T>* from_;
  std::exception_ptr failure_ = {};
};

template <x64dbg::target T, class Out, class TextOf>
std::exception_ptr write_instructions(x64dbg::trace_feed<T>& from, Out& out, mended_blocks& mended,
                                      const options& o, TextOf text_of) {
  examples::progress_line progress(o.in);
  pulled<T> all(from);
  std::uint64_t left = o.part.limit.value_or(static_cast<std::uint64_t>(-1));
  if (all.read([&] { from.skip(o.part.skip); })) {
    for (auto batch = all.next(); left != 0 && batch.size() != 0; batch = all.next()) {
      batch = batch.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, batch.size())));
      for (std::size_t k = 0; k != batch.size(); ++k) {
        const auto i = batch[k];
        x64dbg::with_effect_row<T>(i, text_of(i), [&out](const auto& row) { out.write(row); });
        if (i.mended()) mended.add(x64dbg::mended_place{i.offset(), i.index(), i.asid()});
      }
      left -= batch.size();
      stop_if_interrupted();
      progress.at(from.progress());
      if (left == 0) return nullptr;
    }
  }
  return all.failure();
}

template <x64dbg::target T> void write_trace(io::window after_header, x64dbg::trace_header header,
                                             const options& o, io::codec compression) {
  mended_blocks mended(o);
  x64dbg::trace_feed<T> from(
      std::move(after_header), std::move(header),
      {.thread = o.as.thread,
       .repair = o.as.repair,
       .effects = true,
       .skipped = [&mended](const x64dbg::skipped_bytes& s) { mended.add(s); }});
  const auto write = [&](auto& out, auto text_of) {
    const std::exception_ptr failure = write_instructions<T>(from, out, mended, o, text_of);
    mended.finish(failure != nullptr);
    return failure;
  };
  if (o.disassembly) {
    const tracecodec::x86::zydis_disassembler disassembler(T);
    const auto text_of = [&, text = std::string()](const x64dbg::instruction_view<T>& i) mutable {
      return std::string_view(text = disassembler.text(i.code(), i.ip()));
    };
    with_rows<x64dbg::effect_row<T, std::string_view>>(
        o, compression, [&](auto& out) { return write(out, text_of); });
  } else {
    with_rows<x64dbg::effect_row<T>>(o, compression, [&](auto& out) {
      return write(out, [](const auto&) { return tracecodec::rows::absent(); });
    });
  }
}

}  // namespace

void x64dbg_to_rows(tracecodec::trace::source source, const options& o, io::codec compression) {
  io::window window(std::move(source.input()));
  x64dbg::trace_header header = x64dbg::read_header(window);
  if (header.arch == x64dbg::target::x86)
    write_trace<x64dbg::target::x86>(std::move(window), std::move(header), o, compression);
  else
    write_trace<x64dbg::target::x64>(std::move(window), std::move(header), o, compression);
}

}  // namespace convert
#endif

// An x64dbg trace as rows of text.
#include <tracecodec/trace/source.hpp>

#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/rows.hpp>
#include <tracecodec/x86/zydis.hpp>

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "write_rows.hpp"
#include "x64dbg_blocks.hpp"

namespace convert {

namespace {

template <x64dbg::target T>
void instructions_to_rows(x64dbg::reader<T>& from, const options& o, io::codec compression) {
  mended_blocks mended(o);
  const auto write_all = [&](auto& out, auto text_of) {
    examples::progress_line progress(o.in);
    const std::exception_ptr failure = for_each_wanted(
        from, {o.part.skip, o.part.limit, o.as.thread},
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

}  // namespace

void x64dbg_to_rows(io::input in, const options& o, io::codec compression) {
  x64dbg::with_reader(std::move(in), {.repair = o.as.repair},
                      [&]<x64dbg::target T>(x64dbg::reader<T>& trace) {
                        instructions_to_rows(trace, o, compression);
                      });
}

}  // namespace convert
#endif

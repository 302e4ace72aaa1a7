// Tests x64dbg blocks of both architectures: the codecs, the strict parse, register states, and the
// repair of a defective block.
#include <memory>

#include "target.hpp"
#include "tracecodec/x64dbg/reader/defect.hpp"
#include "tracecodec/x64dbg/reader/state.hpp"

namespace fuzz::x64dbg_blocks {
namespace {
namespace x64dbg = tracecodec::x64dbg;
using x64dbg::target;

template <target T> void try_block(view in) {
  using codec = x64dbg::block_codec<T>;
  x64dbg::block<T> b{};
  const auto r = codec::decode(in, b);
  const std::size_t strict = x64dbg::strict_size<T>(in);
  require(strict == 0 || strict == r.used, "the strict parse takes the same bytes");
  if (!r) return;
  require(r.used <= in.size() && codec::extent(b) == r.used, "the extent is what was used");
  bytes out(r.used);
  const auto w = codec::encode(b, out);
  require(bool(w) && w.used == r.used && same(out, in.first(r.used)), "encode gives the bytes");
  require(b.changed() == b.new_values.size(), "a new value for each change");
  x64dbg::register_state<T> state;
  const bool inside = state.apply(b);
  require(strict == 0 || inside, "strict blocks have positions in REGDUMP");
  require(!inside || !b.snapshot() || state.complete(), "a snapshot is complete");
}

template <target T> void try_mending(view in, bool ended) {
  static const auto mended = std::make_unique<x64dbg::mended_block<T>>();
  if (!mended->find(in, ended, 4)) return;
  const std::size_t n = x64dbg::strict_size<T>(mended->bytes());
  require(n == mended->bytes().size(), "a mended block is strict");
  require(n <= in.size(), "and no longer than the input");
}

template <target T> void try_any_block(view in) {
  using codec = x64dbg::any_block_codec<T>;
  x64dbg::block<T> b{};
  const auto r = codec::decode(in, b);
  if (!r) return;
  bytes out(r.used);
  require(bool(codec::encode(b, out)) && same(out, in.first(r.used)), "encode gives the bytes");
}

void run(view in) {
  const unsigned how = take_byte(in);
  if ((how & 1U) != 0) {
    try_any_block<target::x86>(in);
    try_block<target::x86>(in);
    try_mending<target::x86>(in, (how & 2U) != 0);
  } else {
    try_any_block<target::x64>(in);
    try_block<target::x64>(in);
    try_mending<target::x64>(in, (how & 2U) != 0);
  }
}
const fuzz::target registered("x64dbg_blocks", run);
}  // namespace
}  // namespace fuzz::x64dbg_blocks

// Tests a saved index of an x64dbg trace. In the first byte, bit 0 sets the prefix to match the
// trace, bit 1 sets the correct checksum, bit 2 requires an index made with repair, and bit 3 loads
// the index for a growing trace.
#include "input.hpp"
#include "tracecodec/x64dbg/reader/index_file.hpp"

namespace fuzz::x64dbg_index {
namespace {
namespace x64dbg = tracecodec::x64dbg;
using codec = x64dbg::index_prefix_codec;

const std::string& trace() {
  static const std::string path = [] {
    std::string p = scratch() / "trace";
    write_file(p, bytes(1000, std::byte{7}));
    return p;
  }();
  return path;
}

// Returns the prefix of a saved index of the trace.
const x64dbg::index_prefix& right_prefix() {
  static const x64dbg::index_prefix prefix = [] {
    const std::string path = scratch() / "saved";
    x64dbg::save_index(x64dbg::snapshot_index({}, {1000, 100}), trace(), path);
    const io::input in = io::open_input(path, {.compression = io::codec::none});
    x64dbg::index_prefix p{};
    codec::decode(in.bytes(), p);
    return p;
  }();
  return prefix;
}

void run(view in) {
  const unsigned how = take_byte(in);
  bytes index(in.begin(), in.end());
  if (x64dbg::index_prefix p{}; codec::decode(index, p)) {
    const auto& right = right_prefix();
    if ((how & 1U) != 0) {
      p.magic = right.magic;
      p.version = right.version;
      p.trace_size = right.trace_size;
      p.modified = right.modified;
      p.fingerprint = right.fingerprint;
      p.end = right.end;
    }
    codec::encode(p, index);
    p.checksum = x64dbg::detail::checksum(index);
    if ((how & 2U) != 0) codec::encode(p, index);
  }
  static const std::string path = scratch() / "index";
  write_file(path, index);
  const auto loaded =
      x64dbg::load_index(trace(), path, {.repair = (how & 4U) != 0, .growing = (how & 8U) != 0});
  require(loaded.index.has_value() == loaded.note.empty(), "an index, or why there is none");
  if (!loaded.index) return;
  const auto& all = loaded.index->snapshots();
  for (std::size_t i = 0; i < all.size(); ++i) {
    require(all[i].offset < loaded.index->end().offset, "offsets inside the trace");
    require(all[i].instruction < loaded.index->instructions(), "instructions of the trace");
    require(i == 0 || all[i - 1].instruction < all[i].instruction, "snapshots in order");
    require(loaded.index->before(all[i].instruction) == &all[i], "each one is found");
  }
  if ((how & 8U) != 0) return;
  x64dbg::save_index(*loaded.index, trace(), path);
  const auto again = x64dbg::load_index(trace(), path, {.repair = (how & 4U) != 0});
  require(again.index && again.index->snapshots() == all &&
              again.index->end().offset == loaded.index->end().offset &&
              again.index->instructions() == loaded.index->instructions() &&
              again.index->repaired() == loaded.index->repaired(),
          "decode(encode(x)) == x");
}
const target registered("x64dbg_index", run);
}  // namespace
}  // namespace fuzz::x64dbg_index

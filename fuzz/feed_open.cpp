// Tests recognition of a trace by its content, and its feed. In the first byte, bit 0 selects a
// mapped input, bit 1 repair, and bit 2 x64dbg's registers. If bit 3 is set, the remaining bits
// select a format, and recognition is skipped. The feed's instructions are written as records and
// fed again.
#include "as_records.hpp"
#include "tracecodec/trace/open.hpp"

namespace fuzz::feed_open {
namespace {
namespace format = tracecodec::format;
namespace trace = tracecodec::trace;

// Compressed inputs are accepted, too, within these limits of memory.
io::open_options small(bool map) {
  return {.map = map,
          .xz = {.threads = 1, .memory = std::uint64_t{16} << 20},
          .zstd = {.memory = std::uint64_t{1} << 20}};
}
io::input open(view in, bool mapped) { return io::open_bytes(in, "fuzz", small(mapped)); }

// Returns the recognised format, or null if the input is refused.
const format::facts* recognise(view in, bool mapped) {
  const format::facts* f = nullptr;
  static_cast<void>(error_of([&] {
    io::input opened = open(in, mapped);
    f = &trace::recognise(opened);
    require(&trace::recognise(opened) == f, "nothing is consumed");
  }));
  return f;
}

// Summary of a feed: the number of instructions, and a sum that depends on their order.
struct fed {
  std::uint64_t instructions = 0, sum = 0;
  template <class I> void add(const I& i) {
    ++instructions;
    mix(i.ip());
    mix(i.target());
    mix(static_cast<std::uint64_t>(i.branch()));
    mix(i.asid());
    for (const std::uint64_t address : i.source_memory()) mix(address);
    for (const std::uint64_t address : i.destination_memory()) mix(address);
  }
  void mix(std::uint64_t value) { sum = (sum ^ value) * 0x9E3779B97F4A7C15U + (sum >> 29U); }
  friend bool operator==(const fed&, const fed&) = default;
};

void run(view in) {
  const unsigned how = take_byte(in);
  const bool mapped = (how & 1U) != 0;
  const auto f = recognise(in, mapped);
  require(f == recognise(in, !mapped), "mapped or not, the same format");
  format::open_options options{.repair = (how & 2U) != 0,
                               .registers = (how & 4U) != 0,
                               .own = {tracecodec::rapidbin::metadata_file{}}};
  if ((how & 8U) != 0) {
    const auto* const format = trace::all_formats()[(how >> 4U) % 5];
    if (!format->is_folder()) options.format = format;
  }
  fed seen, again;
  as_records records;
  const auto pass = [&](fed& all, bool map) {
    return error_of([&] {
      trace::visit(open(in, map), options, [&](auto trace) {
        for (const auto& i : trace) {
          all.add(i);
          if (map) records.add(i);
        }
      });
    });
  };
  const auto first = pass(seen, mapped), second = pass(again, !mapped);
  require(seen == again && first.has_value() == second.has_value(), "mapped or not, the same feed");
  records.require_the_same_again();
}
const target registered("feed_open", run);
}  // namespace
}  // namespace fuzz::feed_open

// Tests the readers, the feeds, the writers and the recognition of Lackey, Dinero and ML-DPC traces. The
// first byte modulo 3 selects the format, and bit 7 a mapped input. Its other bits are the number of
// instructions to skip.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "input.hpp"
#include "tracecodec/dinero.hpp"
#include "tracecodec/lackey.hpp"
#include "tracecodec/mldpc.hpp"

namespace fuzz::listed_reader {
namespace {
namespace feed = tracecodec::feed;
namespace file = tracecodec::file;

struct trace {
  std::vector<std::uint64_t> values = {};
  std::optional<trace_error> error = {};
};
template <class Feed> trace instructions(io::input in, std::uint64_t skip) {
  trace all;
  all.error = error_of([&] {
    Feed from(std::move(in));
    require(from.skip(skip) <= skip, "no more are skipped than asked for");
    for (const auto& i : from) {
      std::uint64_t v = i.ip();
      feed::for_each_access(i, [&v](std::uint64_t address, std::uint64_t size, bool write) {
        v = v * 31 + (address ^ size << 1 ^ std::uint64_t{write});
      });
      all.values.push_back(v);
    }
  });
  return all;
}

// Returns the lines of a trace as the writer stores them.
template <class File> std::pair<bytes, bool> rewritten(view in, bool mapped) {
  bytes out;
  const auto error = error_of([&] {
    file::reader<File> from(input_of(in, mapped));
    for (auto b = from.next(); b.size() != 0; b = from.next())
      for (const auto& r : b) {
        bytes one(static_cast<std::size_t>(File::codec::extent(r)));
        require(bool(File::codec::encode(r, one)), "what was decoded can be encoded");
        out.insert(out.end(), one.begin(), one.end());
      }
  });
  return {out, error.has_value()};
}

template <class File, class Feed> void try_all(view in, bool mapped, std::uint64_t skip) {
  const trace all = instructions<Feed>(input_of(in, mapped), 0),
              rest = instructions<Feed>(input_of(in, mapped), skip);
  const auto from = all.values.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skip, all.values.size()));
  require(std::equal(from, all.values.end(), rest.values.begin(), rest.values.end()),
          "skipping leads to the same instructions");
  const auto [lines, damaged] = rewritten<File>(in, mapped);
  require(all.error.has_value() == damaged, "the feed ends as the reader");
  if (!lines.empty()) {
    const trace again = instructions<Feed>(in_memory(lines), 0);
    require(!again.error && again.values == all.values, "written lines have the same meaning");
    require(rewritten<File>(lines, mapped).first == lines, "written lines are written unchanged");
  }
  if (File::probe(in, in.size()) == file::match::certain)
    require(!lines.empty(), "what is recognised has lines");
}

void run(view in) {
  namespace dinero = tracecodec::dinero;
  namespace lackey = tracecodec::lackey;
  namespace mldpc = tracecodec::mldpc;
  const unsigned how = take_byte(in);
  const bool mapped = (how & 0x80U) != 0;
  const std::uint64_t skip = (how & 0x7fU) / 3;
  if (how % 3 == 0) try_all<lackey::trace_file, lackey::trace_feed>(in, mapped, skip);
  if (how % 3 == 1) try_all<dinero::trace_file, dinero::trace_feed>(in, mapped, skip);
  if (how % 3 == 2) try_all<mldpc::trace_file, mldpc::trace_feed>(in, mapped, skip);
}
const target registered("listed_reader", run);
}  // namespace
}  // namespace fuzz::listed_reader

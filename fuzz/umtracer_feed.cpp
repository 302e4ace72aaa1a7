// Tests the feed of UMTracer traces. The input is a container of the eleven files. In the
// container's choice, bit 0 selects the lenient reader, bits 8 to 15 a thread, and bits 16 to 23
// the number of instructions to skip. The feed's instructions are written as records and fed again.
#include <algorithm>

#include "as_records.hpp"
#include "tracecodec/umtracer/feed.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_feed {
namespace {

struct fed {
  std::uint64_t record, ip, target;
  std::uint32_t thread;
  tracecodec::feed::branch_class branch;
  bool taken;
  friend bool operator==(const fed&, const fed&) = default;
};

// Instructions that a feed delivers until its end or an error.
struct delivered {
  std::vector<fed> all = {};
  bool failed = false;
  friend bool operator==(const delivered&, const delivered&) = default;
};
template <class Feed> delivered all_of(Feed& feed, as_records* records = nullptr) {
  delivered d;
  const auto error = error_of([&] {
    for (const auto& i : feed) {
      d.all.push_back({i.index(), i.ip(), i.target(), i.asid(), i.branch(), i.taken()});
      if (records != nullptr) records->add(i);
    }
  });
  d.failed = error.has_value();
  return d;
}

void run(view in) {
  const container all = unpack(in);
  const auto open = [&] {
    return umtracer::reader(files_of(all), {.lenient = (all.choice & 1U) != 0});
  };
  std::optional<umtracer::trace_feed> feed;
  if (error_of([&] { feed.emplace(open()); })) return;
  as_records records;
  const delivered first = all_of(*feed, &records);
  const std::vector<fed>& whole = first.all;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    require(i == 0 || whole[i - 1].record < whole[i].record, "in the order of the records");
    require(whole[i].taken || whole[i].target == 0, "only what is taken has a target");
  }
  records.require_the_same_again();
  feed->rewind();
  require(all_of(*feed) == first, "the same once more");
  feed->rewind();
  if (!first.failed) require(feed->count() == whole.size(), "as many as are counted");

  const std::uint64_t n = std::min<std::uint64_t>(all.choice >> 16U & 0xFFU, whole.size());
  require(feed->skip(n) == n, "what exists is skipped");
  const auto rest = all_of(*feed).all;
  require(std::equal(rest.begin(), rest.end(), whole.begin() + static_cast<std::ptrdiff_t>(n),
                     whole.end()),
          "skipping leads to the same instructions");

  const std::uint32_t thread = all.choice >> 8U & 0xFFU;
  umtracer::trace_feed one(open(), {.thread = thread});
  const auto own = all_of(one).all;
  std::vector<fed> expected = whole;
  std::erase_if(expected, [&](const fed& f) { return f.thread != thread; });
  require(first.failed || own == expected,
          "a thread's instructions are those of all that are its own");
}
const target registered("umtracer_feed", run);
}  // namespace
}  // namespace fuzz::umtracer_feed

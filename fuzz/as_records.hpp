// Writes a feed's first instructions as CloudSuite records, because these have an asid, and feeds
// the records again.
#pragma once
#include <vector>

#include "input.hpp"
#include "tracecodec/champsim/feed.hpp"
#include "tracecodec/champsim/record_of.hpp"
#include "tracecodec/champsim/writer.hpp"

namespace fuzz {

class as_records {
 public:
  template <class I> void add(const I& i) {
    if (records_.size() < most) records_.push_back(of(i));
  }
  void require_the_same_again() const {
    if (records_.empty()) return;  // a trace without records is not valid
    bytes out;
    tracecodec::champsim::writer<tracecodec::champsim::cloudsuite_codec> writer(sink_to(out),
                                                                                "out");
    writer.write(records_);
    writer.finish();
    std::vector<record> again;
    for (const auto& i : tracecodec::champsim::trace_feed<record>(in_memory(out), {.trust = true}))
      again.push_back(of(i));
    require(again == records_, "decode(encode(x)) == x, as records");
  }

 private:
  using record = tracecodec::champsim::cloudsuite_instruction;
  static constexpr std::size_t most = 64;

  template <class I> static record of(const I& i) {
    return tracecodec::champsim::record_of<record>(i).record;
  }

  std::vector<record> records_ = {};
};

}  // namespace fuzz

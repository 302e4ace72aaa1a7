// Converts any feed into a source of columns and ChampSim records. The source has the same type for
// all formats.
#pragma once
#include <cstddef>
#include <memory>
#include <utility>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "record_source.hpp"
#include "source.hpp"

namespace tracecodec::trace {

// Source of columns and records. Columns and records may be read alternately: each batch begins
// where the previous batch ended.
class instruction_source : public feed::column_source {
 public:
  // Returns the next records like record_source::next().
  virtual record_batch next_records(std::size_t most) = 0;

 protected:
  using column_source::column_source;
};

// instruction_source that reads a feed.
template <feed::stream Feed> class feed_instructions final
    : public detail::makes_records<feed::feed_columns<Feed, instruction_source>> {
  using base = detail::makes_records<feed::feed_columns<Feed, instruction_source>>;

 public:
  explicit feed_instructions(Feed feed) : base(std::move(feed)) {}
  record_batch next_records(std::size_t most) override {
    this->drop_last_batch();
    return base::template next_records<false>(most, nullptr);
  }
};

// Opens the instructions of a trace. Throws like trace::source and trace::visit.
TRACECODEC_FUNC std::unique_ptr<instruction_source> open_instructions(
    source from, const format::open_options& how = {});

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/instruction_source.ipp"
#endif

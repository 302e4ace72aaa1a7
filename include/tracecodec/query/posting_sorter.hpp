// Sorts postings by granule, in bounded memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "../config.hpp"
#include "posting_set.hpp"
#include "postings.hpp"

namespace tracecodec::query {

// Receiver of sorted postings.
class posting_receiver {
 public:
  posting_receiver() = default;
  posting_receiver(const posting_receiver&) = delete;
  posting_receiver& operator=(const posting_receiver&) = delete;
  virtual ~posting_receiver() = default;
  // Receives some of the postings of a granule. Calls come in ascending order of granules, and
  // calls for the same granule in the order of the trace.
  virtual void add(std::uint64_t granule, std::span<const posting> postings) = 0;
};

// Sorter of the postings of a section. It keeps about a million postings in memory. If there are
// more, it writes sorted runs to a temporary file. The runs follow each other in time, so the
// postings of a granule are those of the first run, then those of the second run, and so on.
class posting_sorter {
 public:
  // Maximum number of postings of a run.
  static constexpr std::size_t usual_run = std::size_t{1} << 20;

  explicit posting_sorter(posting_form form, std::size_t run = usual_run);
  posting_sorter(posting_sorter&&) noexcept;
  posting_sorter& operator=(posting_sorter&&) noexcept;
  ~posting_sorter();

  // Adds a posting. `p.at` must not be below that of the posting before. Postings of the same
  // instruction and granule become one if both or none of them changes the value. Throws trace_error(system) if the temporary file cannot be
  // written.
  void add(std::uint64_t granule, const posting& p);
  // Passes the postings of `earlier` before instruction `end` on before those that were added, whose
  // instructions must be later. `earlier` must have the same form, and outlive the sorter.
  void continue_from(const posting_set& earlier, std::uint64_t end) noexcept;
  // Passes all postings to `to`. Call this function once, after the last add(). Throws
  // trace_error(system) if the temporary file cannot be read, trace_error(corrupt) if the earlier
  // postings are damaged, and the exceptions of `to`.
  void finish(posting_receiver& to);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/posting_sorter.ipp"
#endif

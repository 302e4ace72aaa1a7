// Reads the records of a trace that the options select.
#pragma once
#include <tracecodec/io/error.hpp>
#include <tracecodec/trace/cursor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "../common/pipeline.hpp"
#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

// Returns the number after the last record that the options select.
inline std::uint64_t end_of(const options& o) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  return o.part.limit && *o.part.limit < all - o.part.skip ? o.part.skip + *o.part.limit : all;
}

// Reads the records from number `first` up to `end`. Calls take(batch, n) for each batch, of which the
// first n records belong to this part. Returns the error that ended the trace early, or null.
template <class Reader, class Take>
std::exception_ptr for_each_batch(Reader& from, const options& o, std::uint64_t first,
                                  std::uint64_t end, Take take) {
  examples::progress_line progress(o.in);
  for (bool begun = false; first != end;) {
    typename Reader::batch_type b;
    try {
      if (!std::exchange(begun, true)) from.skip(first);
      b = from.next();
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    if (b.size() == 0) return nullptr;
    stop_if_interrupted();
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(end - first, b.size()));
    take(b, n);
    first += n;
    progress.at(from.progress());
  }
  return nullptr;
}

// Reads the part of `trace` that the options select: next() reads a batch and returns false at the
// end, and write() writes that batch. Returns the error that ended the trace early, or null. Errors
// that write() throws propagate.
template <class Next, class Write>
std::exception_ptr for_each_read(tracecodec::trace::cursor& trace, const options& o, Next next,
                                 Write write) {
  examples::progress_line progress(o.in);
  for (bool begun = false;;) {
    try {
      if (!std::exchange(begun, true)) examples::go_to(trace, o.part);
      if (!next()) return nullptr;
    } catch (const io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    stop_if_interrupted();
    write();
    progress.at(trace.progress());
  }
}

// Calls each(index, record) for the records from number `first` up to `end`. Returns the error that
// ended the trace early, or null.
template <class Reader, class Each> std::exception_ptr for_each_in(Reader& from, const options& o,
                                                                   std::uint64_t first,
                                                                   std::uint64_t end, Each each) {
  return for_each_batch(from, o, first, end, [&](const auto& b, std::size_t n) {
    for (std::size_t i = 0; i != n; ++i) each(first++, b[i]);
  });
}

// Calls each(index, record) for the records that the options select. Returns the error that ended the
// trace early, or null.
template <class Reader, class Each>
std::exception_ptr for_each_selected(Reader& from, const options& o, Each each) {
  return for_each_in(from, o, o.part.skip, end_of(o), std::move(each));
}

}  // namespace convert

// Reads the records of a trace that the options select.
#pragma once
#include <tracecodec/io/error.hpp>

#include <cstdint>
#include <exception>

#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

// Calls each(index, record) for the records of the reader `from` that --skip and --limit select.
// Returns the error that ended the trace early, or null.
template <class Reader, class Each>
std::exception_ptr for_each_selected(Reader& from, const options& o, Each each) {
  examples::progress_line progress(o.in);
  std::uint64_t left = o.part.limit.value_or(~std::uint64_t{0});
  try {
    from.skip(o.part.skip);
    while (left != 0) {
      const auto b = from.next();
      if (b.size() == 0) break;
      stop_if_interrupted();
      for (std::uint64_t index = b.first; const auto& r : b.records)
        if (left != 0) {
          each(index++, r);
          --left;
        }
      progress.at(from.progress());
    }
  } catch (const io::interruption&) {
    throw;
  } catch (const tracecodec::trace_error&) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace convert

// Reads the instructions of a described file in their stored form.
#pragma once
#include <cstdint>
#include <exception>
#include <utility>

#include "../common/progress.hpp"
#include "conversion.hpp"

namespace convert {

// Calls each(index, instruction) for the instructions from number `first` up to `end`. Returns the
// error that ended the trace early, or null.
template <class Reader, class Each>
std::exception_ptr for_each_instruction(Reader& from, const options& o, std::uint64_t first,
                                        std::uint64_t end, Each each) {
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
    for (const auto& i : b)
      if (first != end) each(first++, i);
    progress.at(from.progress());
  }
  return nullptr;
}

// Returns the number after the last instruction that the options select.
inline std::uint64_t end_of(const options& o) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  return o.part.limit && *o.part.limit < all - o.part.skip ? o.part.skip + *o.part.limit : all;
}

}  // namespace convert

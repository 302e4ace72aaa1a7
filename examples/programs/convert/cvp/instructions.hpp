// Reads the instructions of a CVP-1 or CBP2025 trace in their stored form.
#pragma once
#include <tracecodec/cvp/descriptor.hpp>
#include <tracecodec/file/reader.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "../../common/progress.hpp"
#include "../conversion.hpp"

namespace convert {

namespace cvp = tracecodec::cvp;

// Calls body(reader, dialect), where `dialect` is a std::integral_constant.
template <class Body> void with_instructions(tracecodec::trace::source in, Body body) {
  const auto with = [&]<cvp::dialect D>() {
    tracecodec::file::reader<cvp::trace_file<D>> from(std::move(in.input()));
    body(from, std::integral_constant<cvp::dialect, D>());
  };
  if (&in.format() == &cvp::cvp1_descriptor::facts)
    with.template operator()<cvp::dialect::cvp1>();
  else
    with.template operator()<cvp::dialect::cbp2025>();
}

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

// Throws usage_error if the options select improvements, which only ChampSim's records have.
inline void refuse_improvements(const options& o) {
  if (o.output.has<cvp::improvements>())
    throw usage_error("--improvements and --as-original are for " +
                      std::string(cvp::improvements_option.traces));
}

// Returns the number after the last instruction that the options select.
inline std::uint64_t end_of(const options& o) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  return o.part.limit && *o.part.limit < all - o.part.skip ? o.part.skip + *o.part.limit : all;
}

}  // namespace convert

// Structure of drmemtrace files: records of one size. The first record has the type header.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "../file/any_reader.hpp"
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::drmemtrace {

template <target T> using trace_file =
    file::of<"drmemtrace trace", file::records<codec<T>, file::each<"record">>>;

// Returns the processor's word size of a trace that begins with `front`, or nullopt if `front` is not
// the beginning of a trace: a header with a version, then the same version again or a thread.
constexpr std::optional<target> target_of(std::span<const std::byte> front) noexcept {
  const auto begins = [front]<target T>(std::integral_constant<target, T>) {
    constexpr std::uint64_t largest_version = 99;
    entry<T> first{}, second{};
    if (!codec<T>::decode(front, first) || !first.is(record_type::header) || first.size != 0 ||
        first.value == 0 || first.value > largest_version)
      return false;
    const auto r = codec<T>::decode(front.subspan(codec<T>::size), second);
    return (second.is(marker::version) && second.value == first.value) ||
           second.is(record_type::thread) || (!r && front.size() == codec<T>::size);
  };
  if (begins(std::integral_constant<target, target::x64>())) return target::x64;
  if (begins(std::integral_constant<target, target::x86>())) return target::x86;
  return std::nullopt;
}

// Reader of records of either size.
using any_reader = file::any_reader<trace_file<target::x64>, trace_file<target::x86>>;

// Opens a trace. Throws trace_error(not_a_trace) if `in` does not begin as a trace.
inline any_reader open_reader(io::input in) {
  const auto width = target_of(in.peek(2 * codec<target::x64>::size));
  if (width) return any_reader(std::move(in), width == target::x64 ? 0 : 1);
  in.check_ahead();
  throw trace_error(trace_errc::not_a_trace, {in.name(), 0},
                    "the first record is not the header of a drmemtrace trace");
}

}  // namespace tracecodec::drmemtrace

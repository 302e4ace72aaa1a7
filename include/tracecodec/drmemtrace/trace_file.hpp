// Structure of drmemtrace files: records of one size. The first record has the type header.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "../file/reader.hpp"
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
class any_reader {
 public:
  // Throws trace_error(not_a_trace) if `in` does not begin as a trace.
  explicit any_reader(io::input in) : reader_(open(std::move(in))) {}

  // Calls f(reader), where `reader` is a file::reader<trace_file<T>>.
  template <class F> decltype(auto) with(F&& f) { return std::visit(f, reader_); }
  [[nodiscard]] io::input again() const {
    return std::visit([](const auto& r) { return r.again(); }, reader_);
  }
  [[nodiscard]] std::optional<double> progress() const {
    return std::visit([](const auto& r) { return r.progress(); }, reader_);
  }
  [[nodiscard]] const std::string& name() const {
    return std::visit([](const auto& r) -> const std::string& { return r.name(); }, reader_);
  }

 private:
  template <target T> using reader_of = file::reader<trace_file<T>>;
  using either = std::variant<reader_of<target::x64>, reader_of<target::x86>>;
  static either open(io::input in) {
    const auto width = target_of(in.peek(2 * codec<target::x64>::size));
    if (width == target::x64) return either(std::in_place_index<0>, std::move(in));
    if (width == target::x86) return either(std::in_place_index<1>, std::move(in));
    in.check_ahead();
    throw trace_error(trace_errc::not_a_trace, {in.name(), 0},
                      "the first record is not the header of a drmemtrace trace");
  }

  either reader_;
};

}  // namespace tracecodec::drmemtrace

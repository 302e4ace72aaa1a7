// Records that contain records of their own kind, such as the boxes of MP4, the items of CBOR and the
// directories of a tree.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "engine/scan.hpp"

namespace tracecodec::wire {

namespace detail {
// Counts the inner records `S` that are being read, one inside another. It counts nothing in
// constant expressions, whose depth the compiler limits.
template <class S> class inner_record_is_read {
 public:
  constexpr inner_record_is_read() noexcept {
    if (!std::is_constant_evaluated()) ++depth;
  }
  constexpr ~inner_record_is_read() {
    if (!std::is_constant_evaluated()) --depth;
  }
  inner_record_is_read(const inner_record_is_read&) = delete;
  inner_record_is_read& operator=(const inner_record_is_read&) = delete;

  static constexpr bool is_deeper_than(std::size_t most) noexcept {
    return !std::is_constant_evaluated() && depth > most;
  }

 private:
  static inline thread_local std::size_t depth = 0;
};
}  // namespace detail

// Wire type of the records `S` in a list of a record `S`. `Codec` is their codec: a struct that is
// declared before `S`, and later derives from the record:
//
//   struct box_codec;
//   struct box {
//     std::uint32_t size;
//     wire::list_view<wire::inner<box, box_codec>> boxes;
//   };
//   struct box_codec
//       : wire::record<wire::fields<
//             wire::sized<wire::prefix<&box::size>, wire::list<&box::boxes>>>> {};
//
// decode reads all inner records. It returns malformed if more than `Depth` records `S` are inside
// one another, so that no input can exhaust the stack. Inner records of other structs do not count.
template <class S, class Codec, std::size_t Depth = 32> struct inner {
  using value_type = S;
  static constexpr bool variable_length = true;
  static constexpr bool is_inner = true;
  static constexpr text type_name() noexcept { return std::string_view("record"); }
  static constexpr text sizes() noexcept { return std::string_view("its own size"); }

  [[gnu::noinline]] static constexpr std::size_t read(S& s, std::span<const byte> in) noexcept {
    // (The codec is complete only in the bodies of functions.)
    static_assert(std::is_same_v<typename Codec::value_type, S>,
                  "inner<S, codec> needs the codec of S");
    static_assert(!detail::is_greedy<Codec>,
                  "a record inside a record must have its own end: put an item that extends to the "
                  "end (rest<>, skip_rest, if_left<>, list<> with to_end) into a sized<> part");
    static_assert(Codec::parameters == 0, "a record inside a record has no parameters");
    const detail::inner_record_is_read<S> reading;
    if (reading.is_deeper_than(Depth)) return detail::not_read;
    detail::no_notes none{};
    return detail::read_value<Codec>(s, in, none);
  }
  // Returns the place of the failure of read(), and the reason.
  static constexpr detail::scan_failure explain(const S& s, std::span<const byte> in) noexcept {
    const detail::inner_record_is_read<S> reading;
    if (reading.is_deeper_than(Depth)) return {0, errc::malformed, nullptr};
    return Codec::explain(s, in);
  }
  // Extends `path` to the field at which read() fails in `in`.
  static constexpr void extend_path(std::span<const byte> in, detail::failure_path& path) noexcept {
    const detail::inner_record_is_read<S> reading;
    if (!reading.is_deeper_than(Depth)) Codec::extend_path(in, path);
  }
  static constexpr scan_result scan(S& s, std::span<const byte> in) noexcept {
    const std::size_t n = read(s, in);
    if (n != detail::not_read) return {n};
    const detail::scan_failure why = explain(s, in);
    return {why.at, why.why, why.field};
  }
  // Returns ok if the value can be written.
  static constexpr errc check(const S& s) noexcept {
    typename Codec::evaluated a{};
    return Codec::prepare(s, a);
  }
  static constexpr std::uint64_t written(const S& s) noexcept { return Codec::extent(s); }
  static constexpr byte* store(const S& s, byte* p) noexcept {
    typename Codec::evaluated a{};
    static_cast<void>(Codec::prepare(s, a));
    return Codec::store(s, p, a);
  }
};

}  // namespace tracecodec::wire

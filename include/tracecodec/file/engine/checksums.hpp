// Checksums of all records, as stored in a header or a trailer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

#include "../../wire/types/engine/sum_value.hpp"
#include "../clauses.hpp"

namespace tracecodec::file::detail {

// Checksums for the checksum<> clauses `C` of a header or a trailer described by `Codec`. `C` may
// be empty.
template <class Codec, class... C> class running_sums {
 public:
  // Adds the bytes of the next records.
  void update(std::span<const std::byte> bytes) {
    std::apply([bytes](auto&... sum) { (sum.update(bytes), ...); }, sums_);
  }
  // Sets each checksum member. Calls refuse(field) for a member that cannot hold its checksum.
  template <class S, class F> void set(S& s, F&& refuse) const {
    for_each([&]<class One>(std::type_identity<One>, const auto& sum) {
      if (!wire::detail::set_to_sum(s.*One::member, sum)) refuse(wire::name_of<One::member>);
    });
  }
  // Calls f(field, offset, there, sum) for each member whose stored value `there` differs from the
  // computed checksum `sum`.
  template <class S, class F> void compare(const S& s, F&& f) const {
    for_each([&]<class One>(std::type_identity<One>, const auto& sum) {
      if (!wire::detail::equals_sum(s.*One::member, sum))
        f(wire::name_of<One::member>, offset<One, Codec>(), s.*One::member, sum);
    });
  }

 private:
  // Returns the member's offset. (A template over `In`, because a codec without checksums may have
  // no offsets.)
  template <class One, class In> static constexpr std::size_t offset() {
    return In::template offset_of<One::member>;
  }
  template <class F> void for_each(F f) const {
    std::apply(
        [&f](const auto&... sum) {
          (f(std::type_identity<C>{},
             static_cast<wire::detail::sum_value<typename C::sum>>(sum.value())),
           ...);
        },
        sums_);
  }

  std::tuple<typename C::sum...> sums_ = {};
};

// Type running_sums for the checksum<> clauses among `Says`.
template <class Sums, class... Says> struct sums_said : std::type_identity<Sums> {};
template <class Codec, class... C, class First, class... Rest>
struct sums_said<running_sums<Codec, C...>, First, Rest...>
    : sums_said<running_sums<Codec, C...>, Rest...> {};
template <class Codec, class... C, auto M, class Sum, class... Rest>
struct sums_said<running_sums<Codec, C...>, checksum<M, Sum>, Rest...>
    : sums_said<running_sums<Codec, C..., checksum<M, Sum>>, Rest...> {};

}  // namespace tracecodec::file::detail

// Clauses that describe a file: its header, records and trailer, and their properties.
// (describe.hpp combines them. The codecs restrict the values of members: wire::constant.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "../io/error.hpp"
#include "../wire/text.hpp"

namespace tracecodec::file {

// Parts of a file, in file order.
enum class part : std::uint8_t { header, records, trailer };
// Kinds of clauses that describe a part.
enum class word : std::uint8_t { counts, checksum, counted_by, each, longest, given };

// Clause for members of a header or a trailer that are counts. A count is never negative.
template <auto... M> struct counts {
  static constexpr word says = word::counts;
  // Calls f(field, offset, number) for each negative member, in the order of `M`.
  template <class Codec, class S, class F> static void for_each_negative(const S& s, F&& f) {
    [[maybe_unused]] const auto one = [&]<auto Member>() {
      if constexpr (std::is_signed_v<wire::member_t<Member>>)
        if (s.*Member < 0)
          f(wire::name_of<Member>, Codec::template offset_of<Member>, std::int64_t{s.*Member});
    };
    (one.template operator()<M>(), ...);
  }
};

// Clause for a checksum: member `M` of a header or a trailer holds the checksum `Sum` of the bytes
// of all records, in order. io/checksum.hpp defines some checksums and their interface. The writer
// sets the member. A reader compares the member if it has read all records.
template <auto M, class Sum> struct checksum {
  static constexpr word says = word::checksum;
  static constexpr auto member = M;
  using sum = Sum;
};

// Header or trailer that `Codec` describes. `Says` are counts<> and checksum<>. If a constant
// (wire::constant) at the beginning of a file has another value, the error is not_a_trace. In any
// other position, the error is bad_value.
template <class Codec, class... Says> struct header {
  using codec = Codec;
  static constexpr part is = part::header;
};
template <class Codec, class... Says> struct trailer {
  using codec = Codec;
  static constexpr part is = part::trailer;
};

// Records that `Codec` describes. Each record begins where the previous one ends, whether records
// have a fixed or a varying size. `Says` are counted_by<>, each<>, longest<> and given<>.
template <class Codec, class... Says> struct records {
  using codec = Codec;
  static constexpr part is = part::records;
};
// Clause for the member of the header or the trailer that holds the number of records. The writer
// sets the member. Without each<>, messages about the count use the name of the member, such as
// `steps`.
template <auto M> struct counted_by {
  static constexpr word says = word::counted_by;
  static constexpr auto member = M;
  static constexpr bool there = true;
  using owner = wire::owner_t<M>;
  static constexpr std::string_view name = wire::name_of<M>;
};
struct uncounted {
  static constexpr bool there = false;
};
// Clause for the name of a record in messages. The default is "record".
template <wire::fixed_string Name> struct each {
  static constexpr word says = word::each;
  static constexpr std::string_view name = Name.view();
};
// Clause for the largest size in bytes of a record of varying size. The default is 1 MiB. A larger
// record causes the error bad_value, so that no file can make a reader allocate arbitrary amounts
// of memory.
template <std::size_t Bytes> struct longest {
  static constexpr word says = word::longest;
  static constexpr std::size_t bytes = Bytes;
};
// Clause for a parameter of each record: member `M`, which has no bytes (wire::given<>), is set to
// member `From` of the header. Counts and conditions may depend on `M`. A description may have
// several such clauses.
template <auto M, auto From> struct given {
  static constexpr word says = word::given;
  static constexpr auto member = M;
  static constexpr auto from = From;
};

}  // namespace tracecodec::file

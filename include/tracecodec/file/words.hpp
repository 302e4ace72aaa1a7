// The words a description of a file is made of: header, records, trailer, and what is said of them.
// (describe.hpp makes a file of them. What a member must hold, its codec says: wire::constant.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "../io/error.hpp"
#include "../wire/text.hpp"

namespace tracecodec::file {

// The parts of a file, in its order.
enum class part : std::uint8_t { header, records, trailer };
// What a word of a description says; of records each once.
enum class word : std::uint8_t { counts, checksum, counted_by, each, longest, given };

// Members of a header or a trailer that count something, and are never negative.
template <auto... M> struct counts {
  static constexpr word says = word::counts;
  // Calls f(field, offset, number) for each that is negative, in the order given.
  template <class Codec, class S, class F> static void for_each_negative(const S& s, F&& f) {
    [[maybe_unused]] const auto one = [&]<auto Member>() {
      if constexpr (std::is_signed_v<wire::member_t<Member>>)
        if (s.*Member < 0)
          f(wire::name_of<Member>, Codec::template offset_of<Member>, std::int64_t{s.*Member});
    };
    (one.template operator()<M>(), ...);
  }
};

// Member `M` of a header or a trailer is the checksum `Sum` of the bytes of all records, in their
// order; io/checksum.hpp has some, and what one is. The writer sets it. A reader compares it if it has read
// all of them.
template <auto M, class Sum> struct checksum {
  static constexpr word says = word::checksum;
  static constexpr auto member = M;
  using sum = Sum;
};

// A header or a trailer, as `Codec` describes it; `Says` are counts<> and checksum<>. A constant of
// the codec (wire::constant) that another value stands for makes it no trace at the front of a file
// (not_a_trace), anywhere else it is a bad_value.
template <class Codec, class... Says> struct header {
  using codec = Codec;
  static constexpr part is = part::header;
};
template <class Codec, class... Says> struct trailer {
  using codec = Codec;
  static constexpr part is = part::trailer;
};

// Records, as `Codec` describes them: of fixed size, or of varying size, each decoded where the one
// before ends. `Says` are counted_by<>, each<>, longest<> and given<>.
template <class Codec, class... Says> struct records {
  using codec = Codec;
  static constexpr part is = part::records;
};
// How many records there are, a member of the header or the trailer. The writer sets it. Messages call
// the records by its name if each<> does not: `steps` counts steps.
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
// What a message calls one of them; "record" if it is not said.
template <wire::fixed_string Name> struct each {
  static constexpr word says = word::each;
  static constexpr std::string_view name = Name.view();
};
// Bytes of the longest record of varying size, so that no file can demand any amount of memory: a
// longer one is a bad_value. 1 MiB if it is not said.
template <std::size_t Bytes> struct longest {
  static constexpr word says = word::longest;
  static constexpr std::size_t bytes = Bytes;
};
// Member `M` of each record, which is no byte of it (wire::given<>), is what member `From` of the
// header says; counts and conditions may ask it. Several may be given.
template <auto M, auto From> struct given {
  static constexpr word says = word::given;
  static constexpr auto member = M;
  static constexpr auto from = From;
};

}  // namespace tracecodec::file

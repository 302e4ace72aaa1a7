// Clauses that describe the header, the records and the trailer of a file, and the properties of
// these parts. describe.hpp combines the clauses. Codecs, not clauses, specify which values members
// may have (wire::constant).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "../io/error.hpp"
#include "../wire/items/engine/dependencies.hpp"
#include "../wire/text.hpp"

namespace tracecodec::file {

// Parts of a file, in file order.
enum class part : std::uint8_t { header, records, trailer };
// Kinds of clauses that describe a part.
enum class word : std::uint8_t {
  counts,
  checksum,
  counted_by,
  each,
  longest,
  args,
  until,
  leads_to,
  lines,
  indexed
};

namespace detail {
// Returns the offset of member `M` in the bytes of the header or trailer `s`.
template <class Codec, auto M, class S> std::size_t offset_in(const S& s) {
  if constexpr (Codec::front_size != 0 && Codec::front::template has<M>)
    return Codec::template offset_of<M>;
  else
    return Codec::offset_in(s, wire::name_of<M>);
}
}  // namespace detail

// Clause that declares members of a header or a trailer as counts, which must not be negative.
template <auto... M> struct counts {
  static constexpr word says = word::counts;
  // Calls f(field, offset, number) for each negative member, in the order of `M`.
  template <class Codec, class S, class F> static void for_each_negative(const S& s, F&& f) {
    [[maybe_unused]] const auto one = [&]<auto Member>() {
      if constexpr (std::is_signed_v<wire::member_t<Member>>)
        if (s.*Member < 0)
          f(wire::name_of<Member>, detail::offset_in<Codec, Member>(s), std::int64_t{s.*Member});
    };
    (one.template operator()<M>(), ...);
  }
};

// Clause for a checksum: member `M` of a header or a trailer contains the checksum `Sum` of the
// bytes of all records, in order. io/checksum.hpp defines some checksums and their interface. A
// member of bytes, such as std::array<std::uint8_t, 20>, contains a digest. The writer sets the
// member. A reader checks the member after it has read all records.
template <auto M, class Sum> struct checksum {
  static constexpr word says = word::checksum;
  static constexpr auto member = M;
  using sum = Sum;
};

// Header or trailer that `Codec` describes. `Says` are counts<> and checksum<> clauses. A wrong
// constant (wire::constant) at the beginning of the file causes the error not_a_trace. A wrong
// constant in any other position causes the error bad_value.
template <class Codec, class... Says> struct header {
  using codec = Codec;
  static constexpr part is = part::header;
};
template <class Codec, class... Says> struct trailer {
  using codec = Codec;
  static constexpr part is = part::trailer;
};

// Records that `Codec` describes. Each record begins where the previous one ends, whether records
// have a fixed or a varying size. `Says` are counted_by<>, each<>, longest<>, until<> and args<>
// clauses.
template <class Codec, class... Says> struct records {
  using codec = Codec;
  static constexpr part is = part::records;
};
// Clause for the member of the header or the trailer that contains the number of records. The
// writer sets the member. Without each<>, messages about the count use the name of the member, such
// as `steps`.
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
// Clause for the maximum size in bytes of a record of varying size. The default is 1 MiB. A larger
// record causes the error bad_value, so that no file can make a reader allocate arbitrary amounts
// of memory.
template <std::size_t Bytes> struct longest {
  static constexpr word says = word::longest;
  static constexpr std::size_t bytes = Bytes;
};
// Clause for an end mark: the first record for which `Pred` is true is the last record of the file.
// `Pred` is a callable that takes a record, a member or a member function of it. The reader returns
// the mark like any other record. The writer does not write a mark by itself: finish() throws
// trace_error(refused) if the last record is not a mark.
template <auto Pred> struct until {
  static constexpr word says = word::until;
  static constexpr bool there = true;
  template <class R>
  requires std::is_invocable_v<decltype(Pred), const R&>
  static constexpr bool ends(const R& r) {
    return static_cast<bool>(wire::detail::evaluate<Pred>(r));
  }
};
struct endless {
  static constexpr bool there = false;
  template <class R> static constexpr bool ends(const R&) { return false; }
};
// Clause for files without a signature, whose records the recogniser compares with each other.
// `Next` of a record is usually equal to `Here` of the next record, such as the address of the next
// instruction. `Plausible` is true for every record. Each of them is a member or a member function
// of the record, or a callable that takes a record.
template <auto Next, auto Here, auto Plausible> struct leads_to {
  static constexpr word says = word::leads_to;
  static constexpr bool there = true;
  template <class R> static constexpr auto next(const R& r) {
    return wire::detail::evaluate<Next>(r);
  }
  template <class R> static constexpr auto here(const R& r) {
    return wire::detail::evaluate<Here>(r);
  }
  template <class R> static constexpr bool is_plausible(const R& r) {
    return static_cast<bool>(wire::detail::evaluate<Plausible>(r));
  }
};
struct leads_nowhere {
  static constexpr bool there = false;
};
// Clause for records that are lines of text without a signature. A file is recognised by at least `N`
// lines for which `Counted` is true, if they are at least half of its first lines, and all of these
// match the description. `Counted` is a member or a member function of the record. If the last line of
// a file has no line feed, a reader reads it as if it had one.
template <std::size_t N, auto Counted> struct lines {
  static constexpr word says = word::lines;
  static constexpr bool there = true;
  static constexpr std::size_t least = N;
  template <class R> static constexpr bool counts(const R& r) {
    return static_cast<bool>(wire::detail::evaluate<Counted>(r));
  }
};
struct no_lines {
  static constexpr bool there = false;
};
// Clause for a parameter of each record. Member `M`, which has no bytes (wire::parameter), is set
// to the value of `From`, a member or a member function of the header, or a callable that takes the
// header. Counts and conditions may depend on `M`. A description may have several such clauses.
template <auto M, auto From> struct args {
  static constexpr word says = word::args;
  static constexpr auto member = M;
  static constexpr auto from = From;
};
// Clause for files with an index of records (io::record_entry), such as the chunks of a ZSTF file.
// skip() then jumps to the last entry at or before a record, and sets member `M`, which records carry
// from the previous one (wire::previous), to the state that the index stores for the record. The
// other carried members keep the values that they had before the jump. A check compares the index
// with the records.
template <auto M> struct indexed {
  static constexpr word says = word::indexed;
  static constexpr auto member = M;
  static constexpr bool there = true;
};
struct without_index {
  static constexpr bool there = false;
};

}  // namespace tracecodec::file

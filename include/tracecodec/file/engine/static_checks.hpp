// Compile-time checks of a file's description. For each mistake, a compiler prints the name of a
// struct and a message.
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>

#include "../../wire/items/items.hpp"
#include "../../wire/types/engine/sum_value.hpp"
#include "../clauses.hpp"

namespace tracecodec::file::detail {

using wire::detail::never;

template <class T> struct this_is_not_a_part_of_a_file {
  static_assert(never<T>, "a file is made of file::header, file::records and file::trailer alone");
};
template <class... Parts> struct this_file_has_no_records {
  static_assert(never<Parts...>, "a file needs records: file::records<codec>");
};
template <class... Parts> struct this_file_has_a_part_twice {
  static_assert(never<Parts...>,
                "a file has one header, one trailer and one kind of records: of several kinds "
                "wire::choice makes one");
};
template <class... Parts> struct the_parts_of_this_file_have_another_order {
  static_assert(never<Parts...>,
                "list the parts of a file in their order: header, records, trailer");
};
template <class T> struct this_part_has_no_codec {
  static_assert(never<T>, "describe a part of a file by a codec: wire::record<type>");
};
template <class Word> struct this_clause_is_not_for_records {
  static_assert(never<Word>,
                "records take counted_by, each, longest, until, leads_to, lines, indexed and args; "
                "counts and checksum belong to a header or trailer");
};
template <class Word> struct this_clause_is_not_for_a_header_or_a_trailer {
  static_assert(never<Word>,
                "a header or trailer takes counts and checksum; the others belong to the records");
};
template <class... Says> struct these_records_have_a_clause_twice {
  static_assert(
      never<Says...>,
      "records take counted_by, each, longest, until, leads_to, lines and indexed at most "
      "once");
};
template <class Member, class Owner> struct this_member_belongs_to_another_part {
  static_assert(never<Member, Owner>,
                "a count or checksum must be a member of the header's or trailer's struct");
};
template <class Codec> struct this_record_needs_an_end {
  static_assert(
      never<Codec>,
      "a record of a file must have its own end: put an item that extends to the end (rest<>, "
      "skip_rest, if_left<>, list<> with to_end) into a sized<> part");
};
template <class Codec> struct this_record_does_not_receive_its_parameters {
  static_assert(never<Codec>,
                "a record with parameters needs one args<&record::parameter, &header::member> for "
                "each of them in file::records<>");
};
template <class Codec> struct this_trailer_needs_a_fixed_size {
  static_assert(never<Codec>, "a trailer needs a fixed size, or its beginning is unknown");
};
template <class Member, class Owner> struct this_member_is_not_an_argument {
  static_assert(
      never<Member, Owner>,
      "args sets its first argument, a member of the record, from its second, one of the header");
};
template <class Member> struct this_member_is_not_an_integer {
  static_assert(never<Member>,
                "a count or checksum must be an integer, or for a digest a "
                "std::array<std::uint8_t, n> of as many bytes");
};
template <class Record> struct this_record_is_not_accepted_by_its_end_mark {
  static_assert(never<Record>,
                "until<> needs a member of the record, a const member function or a callable that "
                "accepts a record, and that is true for the last record");
};
struct no_mistake {};
template <bool Good, class Mistake> using unless = std::conditional_t<Good, no_mistake, Mistake>;
// Instantiates all `Mistakes` and returns true. A mistake that applies to the description causes a
// compile error.
template <class... Mistakes> consteval bool none() { return ((sizeof(Mistakes) != 0) && ...); }

// Name of a member in a message.
template <auto M> using name_in_message =
    wire::detail::quoted_t<wire::detail::label_of<wire::detail::pointed<M>>>;

template <class T>
concept is_codec = requires {
  typename T::value_type;
  T::fixed;
};
template <class T> consteval bool is_any_part() {
  return requires { static_cast<part>(T::is); };
}
template <class T, part Kind> inline constexpr bool is_part = [] {
  if constexpr (is_any_part<T>())
    return T::is == Kind;
  else
    return false;
}();
template <class T, word What> inline constexpr bool is_word = [] {
  if constexpr (requires { static_cast<word>(T::says); })
    return T::says == What;
  else
    return false;
}();

// True if `Part` is a header or a trailer with the value type `Owner`.
template <class Owner, class Part> inline constexpr bool owns = [] {
  if constexpr (is_part<Part, part::records>)
    return false;
  else
    return std::is_same_v<Owner, typename Part::codec::value_type>;
}();
// Returns true if the member `M` belongs to one of `Parts` and can contain a value of type `Value`.
template <auto M, class Value, class... Parts> consteval bool good_counter() {
  using owner = wire::owner_t<M>;
  if constexpr (!(owns<owner, Parts> || ...))
    return none<this_member_belongs_to_another_part<name_in_message<M>, owner>>();
  else
    return none<unless<wire::detail::can_hold_sum<wire::member_t<M>, Value>,
                       this_member_is_not_an_integer<name_in_message<M>>>>();
}

template <auto M, bool Good> using args_mistake =
    unless<Good, this_member_is_not_an_argument<name_in_message<M>, wire::owner_t<M>>>;
template <auto M, class Part> inline constexpr bool in_header =
    is_part<Part, part::header>&& owns<wire::owner_t<M>, Part>;

// Checks for mistakes in the clauses of one part.
template <class Part> struct mistakes_of;
template <class Part, class Word> struct mistakes_of_word {
  static consteval bool good() {
    return none<this_clause_is_not_for_a_header_or_a_trailer<Word>>();
  }
};
template <class Part, auto... M> struct mistakes_of_word<Part, counts<M...>> {
  static consteval bool good() { return (good_counter<M, std::uint64_t, Part>() && ...); }
};
template <class Part, auto M, class Sum> struct mistakes_of_word<Part, checksum<M, Sum>> {
  static consteval bool good() { return good_counter<M, wire::detail::sum_value<Sum>, Part>(); }
};
template <class Codec, class... Says> struct mistakes_of<header<Codec, Says...>> {
  template <class...> static consteval bool good() {
    return (mistakes_of_word<header<Codec>, Says>::good() && ...);
  }
};
template <class Codec, class... Says> struct mistakes_of<trailer<Codec, Says...>> {
  template <class...> static consteval bool good() {
    return none<unless<Codec::fixed, this_trailer_needs_a_fixed_size<Codec>>>() &&
           (mistakes_of_word<trailer<Codec>, Says>::good() && ...);
  }
};
template <class Codec, class... Says> struct mistakes_of<records<Codec, Says...>> {
  template <word What>
  static constexpr std::size_t times = (std::size_t{is_word<Says, What>} + ... + 0);
  // Number of args<> for parameters that records do not carry from one to the next.
  static constexpr std::size_t parameters_set = [] {
    std::size_t n = 0;
    [[maybe_unused]] const auto one = [&n]<class Word>(std::type_identity<Word>) {
      if constexpr (is_word<Word, word::args>)
        n += wire::detail::parameters_set<Codec, Word::member>;
    };
    (one(std::type_identity<Says>{}), ...);
    return n;
  }();
  template <class Word, class... Parts> static consteval bool good_word() {
    if constexpr (is_word<Word, word::counted_by>)
      return good_counter<Word::member, std::uint64_t, Parts...>();
    else if constexpr (is_word<Word, word::args>)
      return none<args_mistake<Word::member, std::is_same_v<wire::owner_t<Word::member>,
                                                            typename Codec::value_type>>,
                  args_mistake<Word::from, (in_header<Word::from, Parts> || ...)>>();
    else if constexpr (is_word<Word, word::until>)
      return none < unless < requires(const typename Codec::value_type& r) { Word::ends(r); }
    , this_record_is_not_accepted_by_its_end_mark < typename Codec::value_type >>> ();
    else return none<unless<is_word<Word, word::each> || is_word<Word, word::longest> ||
                                is_word<Word, word::leads_to> || is_word<Word, word::lines> ||
                                is_word<Word, word::indexed>,
                            this_clause_is_not_for_records<Word>>>();
  }
  template <class... Parts> static consteval bool good() {
    if constexpr (times < word::counted_by >> 1 || times < word::each >> 1 ||
                  times < word::longest >> 1 || times < word::until >> 1 ||
                  times < word::leads_to >> 1 || times < word::lines >> 1 ||
                  times < word::indexed >> 1)
      return none<these_records_have_a_clause_twice<Says...>>();
    else
      return none<unless<!wire::detail::is_greedy<Codec>, this_record_needs_an_end<Codec>>,
                  unless<wire::detail::parameters_to_set<Codec> <= parameters_set,
                         this_record_does_not_receive_its_parameters<Codec>>>() &&
             (good_word<Says, Parts...>() && ...);
  }
};

template <part Kind, class... Parts>
inline constexpr std::size_t parts_of = (std::size_t{is_part<Parts, Kind>} + ... + 0);
template <class... Parts> consteval bool in_order() {
  part last = part::header;
  return ((Parts::is >= last && (last = Parts::is, true)) && ...);
}

// Returns true if the description has no mistake. A mistake causes a compile error.
template <class... Parts> consteval bool good_description() {
  if constexpr (!(is_any_part<Parts>() && ...))
    return none<unless<is_any_part<Parts>(), this_is_not_a_part_of_a_file<Parts>>...>();
  else if constexpr (!(is_codec<typename Parts::codec> && ...))
    return none<unless<is_codec<typename Parts::codec>, this_part_has_no_codec<Parts>>...>();
  else if constexpr (parts_of<part::records, Parts...> == 0)
    return none<this_file_has_no_records<Parts...>>();
  else if constexpr (parts_of<part::header, Parts...> > 1 ||
                     parts_of<part::records, Parts...> > 1 || parts_of<part::trailer, Parts...> > 1)
    return none<this_file_has_a_part_twice<Parts...>>();
  else if constexpr (!in_order<Parts...>())
    return none<the_parts_of_this_file_have_another_order<Parts...>>();
  else
    return (mistakes_of<Parts>::template good<Parts...>() && ...);
}
}  // namespace tracecodec::file::detail

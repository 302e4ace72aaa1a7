// Compile errors about the description of a file. g++ prints the names of these structs first,
// clang prints the messages first.
#pragma once
#include <array>
#include <cstddef>
#include <type_traits>

#include "../../wire/items/items.hpp"
#include "../clauses.hpp"

namespace tracecodec::file::detail {

using wire::detail::never;

template <class T> struct this_is_no_part_of_a_file {
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
template <class Word> struct this_says_nothing_of_records {
  static_assert(never<Word>,
                "records take counted_by, each, longest and given; counts and checksum belong to a "
                "header or trailer");
};
template <class Word> struct this_says_nothing_of_a_header_or_a_trailer {
  static_assert(never<Word>,
                "a header or trailer takes counts and checksum; the others belong to the records");
};
template <class... Says> struct this_is_said_twice_of_records {
  static_assert(never<Says...>, "records take counted_by, each and longest at most once");
};
template <class Member, class Owner> struct this_member_is_not_of_this_part {
  static_assert(never<Member, Owner>,
                "a count or checksum must be a member of the header's or trailer's struct");
};
template <class Codec> struct this_record_ends_nobody_knows_where {
  static_assert(never<Codec>,
                "a record of a file must have its own end: put what extends to the end (rest<>, "
                "skip_rest, if_left<>, list<> with to_end) into a limited<> part");
};
template <class Codec> struct this_trailer_begins_nobody_knows_where {
  static_assert(never<Codec>, "a trailer needs a fixed size, or its beginning is unknown");
};
template <class Member, class Owner> struct this_member_is_not_given_so {
  static_assert(
      never<Member, Owner>,
      "given sets its first argument, a member of the record, from its second, one of the header");
};
template <class Member> struct this_member_is_no_integer {
  static_assert(never<Member>, "a count or checksum must be an integer");
};
struct no_mistake {};
template <bool Good, class Mistake> using unless = std::conditional_t<Good, no_mistake, Mistake>;
// Returns true. Instantiates each of `Mistakes`, so that each mistake fails to compile with its
// message.
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

// True if `Part` is a header or a trailer that holds the struct `Owner`.
template <class Owner, class Part> inline constexpr bool owns = [] {
  if constexpr (is_part<Part, part::records>)
    return false;
  else
    return std::is_same_v<Owner, typename Part::codec::value_type>;
}();
template <auto M, class... Parts> consteval bool good_counter() {
  using owner = wire::owner_t<M>;
  if constexpr (!(owns<owner, Parts> || ...))
    return none<this_member_is_not_of_this_part<name_in_message<M>, owner>>();
  else
    return none<unless<std::is_integral_v<wire::integer_t<wire::member_t<M>>>,
                       this_member_is_no_integer<name_in_message<M>>>>();
}

template <auto M, bool Good> using given_mistake =
    unless<Good, this_member_is_not_given_so<name_in_message<M>, wire::owner_t<M>>>;
template <auto M, class Part> inline constexpr bool in_header =
    is_part<Part, part::header>&& owns<wire::owner_t<M>, Part>;

// Checks for mistakes in the clauses of one part.
template <class Part> struct mistakes_of;
template <class Part, class Word> struct mistakes_of_word {
  static consteval bool good() { return none<this_says_nothing_of_a_header_or_a_trailer<Word>>(); }
};
template <class Part, auto... M> struct mistakes_of_word<Part, counts<M...>> {
  static consteval bool good() { return (good_counter<M, Part>() && ...); }
};
template <class Part, auto M, class Sum> struct mistakes_of_word<Part, checksum<M, Sum>> {
  static consteval bool good() { return good_counter<M, Part>(); }
};
template <class Codec, class... Says> struct mistakes_of<header<Codec, Says...>> {
  template <class...> static consteval bool good() {
    return (mistakes_of_word<header<Codec>, Says>::good() && ...);
  }
};
template <class Codec, class... Says> struct mistakes_of<trailer<Codec, Says...>> {
  template <class...> static consteval bool good() {
    return none<unless<Codec::fixed, this_trailer_begins_nobody_knows_where<Codec>>>() &&
           (mistakes_of_word<trailer<Codec>, Says>::good() && ...);
  }
};
template <class Codec, class... Says> struct mistakes_of<records<Codec, Says...>> {
  template <word What>
  static constexpr std::size_t times = (std::size_t{is_word<Says, What>} + ... + 0);
  template <class Word, class... Parts> static consteval bool good_word() {
    if constexpr (is_word<Word, word::counted_by>)
      return good_counter<Word::member, Parts...>();
    else if constexpr (is_word<Word, word::given>)
      return none<given_mistake<Word::member, std::is_same_v<wire::owner_t<Word::member>,
                                                             typename Codec::value_type>>,
                  given_mistake<Word::from, (in_header<Word::from, Parts> || ...)>>();
    else
      return none<unless<is_word<Word, word::each> || is_word<Word, word::longest>,
                         this_says_nothing_of_records<Word>>>();
  }
  template <class... Parts> static consteval bool good() {
    if constexpr (times < word::counted_by >> 1 || times < word::each >> 1 ||
                  times < word::longest >> 1)
      return none<this_is_said_twice_of_records<Says...>>();
    else
      return none<unless<!wire::detail::is_greedy<Codec>,
                         this_record_ends_nobody_knows_where<Codec>>>() &&
             (good_word<Says, Parts...>() && ...);
  }
};

template <part Kind, class... Parts>
inline constexpr std::size_t parts_of = (std::size_t{is_part<Parts, Kind>} + ... + 0);
template <class... Parts> consteval bool in_order() {
  part last = part::header;
  return ((Parts::is >= last && (last = Parts::is, true)) && ...);
}

// Returns true if the description has no mistake. Otherwise compilation fails.
template <class... Parts> consteval bool good_description() {
  if constexpr (!(is_any_part<Parts>() && ...))
    return none<unless<is_any_part<Parts>(), this_is_no_part_of_a_file<Parts>>...>();
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

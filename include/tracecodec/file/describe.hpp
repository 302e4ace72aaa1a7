// Description of a whole file: a name, and the header, records and trailer, each with a codec.
//
//   using step_file = file::of<"STEP trace", file::header<header_codec>,
//                              file::records<step_codec, file::counted_by<&header::steps>>>;
//
//   step_file::reader in("four.steps");        // reader.hpp
//   step_file::writer out("five.steps.xz");    // writer.hpp
//   step_file::check(io::open_input("four.steps"), [](const diagnostic& d) { ... });    // check.hpp
//   step_file::probe(bytes, size)              // recognise.hpp
//
// file.hpp includes all four headers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../wire/items/items.hpp"
#include "clauses.hpp"
#include "engine/checksums.hpp"
#include "engine/static_checks.hpp"

namespace tracecodec::file {

template <class D> class reader;
template <class D> class writer;
template <class D, class Report> class checker;
template <class D> struct recogniser;

namespace detail {
// Placeholders for a header or a trailer that a file does not have.
struct nothing {};
struct no_codec {
  using value_type = nothing;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = 0;
};
struct no_part {
  using codec = no_codec;
};

// Part of kind `Kind` among `Parts`, or no_part if there is none.
template <part Kind, class... Parts> struct find { using type = no_part; };
template <part Kind, class First, class... Rest> struct find<Kind, First, Rest...>
    : std::conditional_t<is_part<First, Kind>, std::type_identity<First>, find<Kind, Rest...>> {};

// Clause of kind `What` among `Says`, or `Default` if there is none.
template <word What, class Default, class... Says> struct said { using type = Default; };
template <word What, class Default, class First, class... Rest>
struct said<What, Default, First, Rest...>
    : std::conditional_t<is_word<First, What>, std::type_identity<First>,
                         said<What, Default, Rest...>> {};
template <class Part> struct said_of_records {
  template <word, class Default> using said = Default;
  static constexpr bool takes_args = false;
};
template <class Codec, class... Says> struct said_of_records<records<Codec, Says...>> {
  template <word What, class Default> using said =
      typename detail::said<What, Default, Says...>::type;
  static constexpr bool takes_args = (is_word<Says, word::args> || ...);
  template <class R, class H> TRACECODEC_INLINE static constexpr void set_args(R& r, const H& h) {
    const auto one = [&]<class Word>(std::type_identity<Word>) {
      if constexpr (is_word<Word, word::args>)
        r.*Word::member =
            static_cast<wire::member_t<Word::member>>(wire::detail::evaluate<Word::from>(h));
    };
    (one(std::type_identity<Says>{}), ...);
  }
  template <class R> TRACECODEC_INLINE static constexpr void copy_args(R& to, const R& from) {
    const auto one = [&]<class Word>(std::type_identity<Word>) {
      if constexpr (is_word<Word, word::args>) to.*Word::member = from.*Word::member;
    };
    (one(std::type_identity<Says>{}), ...);
  }
};

// Properties of a header or a trailer that follow from its clauses.
template <class Part> struct said_of;
template <> struct said_of<no_part> {
  static constexpr bool counts = false, sums = false;
  using running_sums = detail::running_sums<no_codec>;
  template <class S, class F> static void for_each_negative(const S&, F&&) {}
};
template <template <class, class...> class Kind, class Codec, class... Says>
struct said_of<Kind<Codec, Says...>> {
  static constexpr bool counts = sizeof...(Says) != 0;
  static constexpr bool sums = (is_word<Says, word::checksum> || ...);
  using running_sums = typename sums_said<detail::running_sums<Codec>, Says...>::type;
  template <class S, class F> static void for_each_negative(const S& s, F&& f) {
    [[maybe_unused]] const auto one = [&]<class Word>(std::type_identity<Word>) {
      if constexpr (is_word<Word, word::counts>) Word::template for_each_negative<Codec>(s, f);
    };
    (one(std::type_identity<Says>{}), ...);
  }
};

}  // namespace detail

// Description of a file. `Name` is the kind of file in messages, such as "STEP trace". `Parts` are
// an optional header<>, records<> and an optional trailer<>, in this order.
template <wire::fixed_string Name, class... Parts> struct of {
 private:
  static_assert(detail::good_description<Parts...>());
  using header_part = typename detail::find<part::header, Parts...>::type;
  using records_part = typename detail::find<part::records, Parts...>::type;
  using trailer_part = typename detail::find<part::trailer, Parts...>::type;
  template <word What, class Default> using said =
      typename detail::said_of_records<records_part>::template said<What, Default>;

 public:
  static constexpr std::string_view name = Name.view();

  using header_codec = typename header_part::codec;
  using codec = typename records_part::codec;
  using trailer_codec = typename trailer_part::codec;
  using header_type = typename header_codec::value_type;
  using record = typename codec::value_type;
  using trailer_type = typename trailer_codec::value_type;
  static constexpr bool has_header = !std::is_same_v<header_codec, detail::no_codec>;
  static constexpr bool has_trailer = !std::is_same_v<trailer_codec, detail::no_codec>;

  // counted_by<> clause. If `counter::there` is true, `counter::member` is the member of the header
  // or the trailer that contains the number of records.
  using counter = said<word::counted_by, uncounted>;
  static constexpr bool counted_in_header = [] {
    if constexpr (counter::there)
      return std::is_same_v<typename counter::owner, header_type>;
    else
      return false;
  }();
  static constexpr bool counted_in_trailer = counter::there && !counted_in_header;
  // Name of a record in messages. `named` is true if the description contains each<>. `longest` is
  // the maximum size in bytes of a record of varying size.
  static constexpr std::string_view each = said<word::each, file::each<"record">>::name;
  static constexpr bool named = !std::is_void_v<said<word::each, void>>;
  static constexpr std::size_t longest = said<word::longest, file::longest<(1U << 20)>>::bytes;

  using in_header = detail::said_of<header_part>;
  using in_trailer = detail::said_of<trailer_part>;
  // until<> clause. If `mark::there` is true, mark::ends(record) is true for the last record.
  using mark = said<word::until, endless>;
  // leads_to<> clause. If `path::there` is true, it relates each record to the next one.
  using path = said<word::leads_to, leads_nowhere>;
  // lines<> clause. If `lines::there` is true, records are lines of text.
  using lines = said<word::lines, no_lines>;
  // indexed<> clause. If `index::there` is true, `index::member` has the state of an entry.
  using index = said<word::indexed, without_index>;
  // True if records are read in place, because they have a fixed size and no record ends the file.
  static constexpr bool in_place = codec::fixed && !mark::there;

  // True if the header contains values that are known only after all records are written. If the
  // header's size depends on these values, as with digits_until<>, the writer needs them first.
  static constexpr bool patched = counted_in_header || in_header::counts;

  // True if the header or the trailer contains a checksum of all records.
  static constexpr bool sums = in_header::sums || in_trailer::sums;
  // True if records have parameters. set_args() sets the parameters to values of the header.
  static constexpr bool takes_args = detail::said_of_records<records_part>::takes_args;
  TRACECODEC_INLINE static constexpr void set_args([[maybe_unused]] record& r,
                                                   [[maybe_unused]] const header_type& h) {
    if constexpr (takes_args) detail::said_of_records<records_part>::set_args(r, h);
  }
  // Sets the parameters of `to` to those of `from`. Cheaper than set_args() if the header's values
  // are results of functions.
  TRACECODEC_INLINE static constexpr void copy_args([[maybe_unused]] record& to,
                                                    [[maybe_unused]] const record& from) {
    if constexpr (takes_args) detail::said_of_records<records_part>::copy_args(to, from);
  }

  // True if records carry values to the next record (wire::previous).
  static constexpr bool carries = wire::detail::carries<codec>;
  static_assert(
      !index::there || (carries && !in_place),
      "file::indexed<&S::m> needs a member that records carry: wire::previous<&S::m, ...>");
  // Return a new record in which only the parameters are set: the first record of a file, or the
  // record after `last`. `first` is the result of first_record().
  static record first_record(const header_type& h) {
    record r{};
    set_args(r, h);
    return r;
  }
  static record record_after(const record& last, const record& first) {
    record r = first;
    if constexpr (carries) codec::carry(r, last);
    return r;
  }

  // Calls f(field, offset, number) for each negative count in the header.
  template <class F> static void for_each_negative(const header_type& h, F&& f) {
    in_header::for_each_negative(h, f);
    if constexpr (counted_in_header)
      counts<counter::member>::template for_each_negative<header_codec>(h, f);
  }

  using reader = file::reader<of>;
  using writer = file::writer<of>;
  // Writes a whole file: a header with the values of `first`, then `records`, which can be anything
  // that writer::write() accepts. Throws the same errors as the writer. If an error occurs, no new
  // file appears at `path`, and a previous file at `path` remains unchanged.
  template <class Records> static void write(const std::string& path, const Records& records,
                                             const header_type& first = {}) {
    header_type header = first;
    // The number of records may determine the size of the header.
    if constexpr (counted_in_header && !header_codec::fixed && requires { records.size(); })
      header.*counter::member = static_cast<wire::member_t<counter::member>>(records.size());
    writer out(path, header);
    out.write(records);
    out.finish();
  }
  // Calls report(const diagnostic&) for each problem of a file, in file order. The optional
  // argument `options` is a check_options object.
  template <class Input, class Report, class... Options>
  static auto check(Input in, Report report, Options... options) {
    return checker<of, Report>(std::move(report), std::move(options)...).run(std::move(in));
  }
  // Returns how well the beginning of a file's content matches this description. `size` is the size
  // of the content in bytes, if known.
  static auto probe(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
    return recogniser<of>::probe(front, size);
  }
};

}  // namespace tracecodec::file

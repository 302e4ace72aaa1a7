// A description of a whole file: a name, and a header, records and a trailer, each with its codec.
//
//   using step_file = file::of<"STEP trace", file::header<header_codec>,
//                              file::records<step_codec, file::counted_by<&header::steps>>>;
//
//   step_file::reader in("four.steps");        // reader.hpp
//   step_file::writer out("five.steps.xz");    // writer.hpp
//   step_file::check(io::open_input("four.steps"), [](const diagnostic& d) { ... });    // check.hpp
//   step_file::judge(bytes, size)              // recognise.hpp
//
// file.hpp has all four.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "words.hpp"

namespace tracecodec::file {

template <class D> class reader;
template <class D> class writer;
template <class D, class Report> class checker;
template <class D> struct recogniser;

namespace detail {
// What stands for a header or a trailer that a file has not got.
struct nothing {};
struct no_codec {
  using value_type = nothing;
  static constexpr bool fixed = true;
  static constexpr std::size_t size = 0;
};
template <template <class, class...> class Kind> struct no_part { using codec = no_codec; };

// The part of one kind among `Parts`.
template <template <class, class...> class Kind, class... Parts> struct find {
  using type = no_part<Kind>;
};
template <template <class, class...> class Kind, class Part, class... Rest>
struct find<Kind, Part, Rest...> : find<Kind, Rest...> {};
template <template <class, class...> class Kind, class Codec, class... Says, class... Rest>
struct find<Kind, Kind<Codec, Says...>, Rest...> {
  using type = Kind<Codec, Says...>;
};

// What one word of a description answers, and a default where no word answers it.
template <class Word> inline constexpr bool is_count = requires { Word::member; };
template <class Word> inline constexpr bool is_name = requires { Word::name; };
template <class Word> inline constexpr bool is_length = requires { Word::bytes; };
struct uncounted {
  static constexpr bool there = false;
};
template <auto M> struct counting_member {
  static constexpr bool there = true;
  static constexpr auto member = M;
  using owner = wire::owner_t<M>;
  static constexpr std::string_view name = wire::name_of<M>;
};
template <class... Says> struct said_of_records {
  static consteval auto counter() {
    if constexpr ((is_count<Says> || ...))
      return first_count<Says...>();
    else
      return uncounted{};
  }
  static consteval std::string_view each() {
    std::string_view name = "record";
    [[maybe_unused]] const auto one = [&name]<class Word>(std::type_identity<Word>) {
      if constexpr (is_name<Word>) name = Word::name;
    };
    (one(std::type_identity<Says>{}), ...);
    return name;
  }
  static consteval std::size_t longest() {
    std::size_t bytes = std::size_t{1} << 20;
    [[maybe_unused]] const auto one = [&bytes]<class Word>(std::type_identity<Word>) {
      if constexpr (is_length<Word>) bytes = Word::bytes;
    };
    (one(std::type_identity<Says>{}), ...);
    return bytes;
  }

 private:
  template <class Word, class... Rest> static consteval auto first_count() {
    if constexpr (is_count<Word>)
      return counting_member<Word::member>{};
    else
      return first_count<Rest...>();
  }
};

// What the words say of a header or a trailer.
template <class Part> struct said_of;
template <template <class, class...> class Kind> struct said_of<no_part<Kind>> {
  static constexpr bool counts = false;
  template <class S, class F> static void for_each_negative(const S&, F&&) {}
};
template <template <class, class...> class Kind, class Codec, class... Says>
struct said_of<Kind<Codec, Says...>> {
  static constexpr bool counts = sizeof...(Says) != 0;
  template <class S, class F> static void for_each_negative(const S& s, F&& f) {
    (Says::template for_each_negative<Codec>(s, f), ...);
  }
};

template <class Codec> struct records_of;
template <class Codec, class... Says> struct records_of<records<Codec, Says...>> {
  using said = said_of_records<Says...>;
};
}  // namespace detail

// `Name` is what messages expect: "STEP trace". `Parts` are a header<> or none, records<>, and a
// trailer<> or none, in this order.
template <literal Name, class... Parts> struct of {
 private:
  using header_part = typename detail::find<file::header, Parts...>::type;
  using records_part = typename detail::find<file::records, Parts...>::type;
  using trailer_part = typename detail::find<file::trailer, Parts...>::type;
  using said = typename detail::records_of<records_part>::said;

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

  // What counts the records: `counter::there`, and then `counter::member`.
  using counter = decltype(said::counter());
  static constexpr bool counted_in_header = [] {
    if constexpr (counter::there)
      return std::is_same_v<typename counter::owner, header_type>;
    else
      return false;
  }();
  static constexpr bool counted_in_trailer = counter::there && !counted_in_header;
  // What messages call one record, and the longest one of varying size in bytes.
  static constexpr std::string_view each = said::each();
  static constexpr std::size_t longest = said::longest();

  using in_header = detail::said_of<header_part>;
  using in_trailer = detail::said_of<trailer_part>;
  // Whether the header says what is known when all records are written.
  static constexpr bool patched = counted_in_header || in_header::counts;
  static_assert(!patched || header_codec::fixed,
                "a header that counts is written last, in a place of fixed size");

  // Calls f(field, offset, number) for each member of the header that counts and is negative.
  template <class F> static void for_each_negative(const header_type& h, F&& f) {
    in_header::for_each_negative(h, f);
    if constexpr (counted_in_header)
      counts<counter::member>::template for_each_negative<header_codec>(h, f);
  }

  using reader = file::reader<of>;
  using writer = file::writer<of>;
  // A whole file of `records`, which is all that writer::write() takes, behind a header of `first`.
  // Throws as the writer: then there is no file of that name, or what was there before.
  template <class Records>
  static void write(const std::string& path, const Records& records, const header_type& first = {}) {
    writer out(path, first);
    out.write(records);
    out.finish();
  }
  // Calls report(const diagnostic&) for all that is wrong with a file, in file order. `Options` is
  // check_options, which may be left out.
  template <class Input, class Report, class... Options>
  static auto check(Input in, Report report, Options... options) {
    return checker<of, Report>(std::move(report), std::move(options)...).run(std::move(in));
  }
  // How much the front of a content of `size` bytes, if that is known, looks like such a file.
  static auto judge(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
    return recogniser<of>::judge(front, size);
  }
};

}  // namespace tracecodec::file

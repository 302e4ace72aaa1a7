// The words a description of a file is made of: header, records, trailer, what counts what, and what a
// member must hold. (describe.hpp makes a file of them.)
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "../io/error.hpp"
#include "../wire/text.hpp"

namespace tracecodec::file {

// A number, or a text, as a template argument.
template <class T> struct literal {
  T value;
  constexpr literal(T v) noexcept : value(v) {}
};
template <std::size_t N> struct literal<char[N]> {
  std::array<char, N> value{};
  constexpr literal(const char (&s)[N]) noexcept { std::copy_n(s, N, value.begin()); }
  // Without the zero behind it.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {value.data(), N - 1}; }
};
template <class T> literal(T) -> literal<T>;
template <std::size_t N> literal(const char (&)[N]) -> literal<char[N]>;

// What a header or a trailer says that it must not say.
struct refusal {
  trace_errc code;
  std::size_t offset;  // in it
  std::string_view field;
  std::string why;
};

// The member `M` of a header or a trailer always is `Value`: a number, or a text of as many characters
// as the member has bytes. The writer sets it. At the front of a file another value makes it no trace
// (not_a_trace), anywhere else it is a bad_value.
template <auto M, literal Value> struct constant {
  using member = wire::member_t<M>;
  static constexpr std::size_t size = sizeof(member);
  static constexpr bool is_text = requires { Value.view(); };

  static constexpr member expected() noexcept {
    if constexpr (is_text) {
      static_assert(Value.view().size() == sizeof(member), "the text has another length");
      member m{};
      for (std::size_t i = 0; i < sizeof(member); ++i)
        m[i] = static_cast<typename member::value_type>(Value.view()[i]);
      return m;
    } else {
      return static_cast<member>(Value.value);
    }
  }
  template <class S> static constexpr void set(S& s) noexcept { s.*M = expected(); }
  // Calls f(refusal) if it is another value.
  template <class Codec, class F> static void check(const wire::owner_t<M>& s, F&& f) {
    if (s.*M == expected()) return;
    constexpr std::size_t at = Codec::template offset_of<M>;
    f(refusal{at == 0 ? trace_errc::not_a_trace : trace_errc::bad_value, at, wire::name_of<M>,
              "is not " + text()});
  }

 private:
  static std::string text() {
    if constexpr (is_text)
      return std::string(Value.view());
    else
      return std::to_string(Value.value);
  }
};

// Members of a header or a trailer that count something, and are never negative.
template <auto... M> struct counts {
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

// A header or a trailer, as `Codec` describes it; `Says` are constant<> and counts<>.
template <class Codec, class... Says> struct header { using codec = Codec; };
template <class Codec, class... Says> struct trailer {
  using codec = Codec;
  static_assert(Codec::fixed, "where a trailer of varying size begins, nobody knows");
};

// Records, as `Codec` describes them: of fixed size, or of varying size, each decoded where the one
// before ends. `Says` are counted_by<>, each<> and longest<>.
template <class Codec, class... Says> struct records { using codec = Codec; };
// How many records there are, a member of the header or the trailer. The writer sets it. Messages call
// the records by its name: `steps` counts steps.
template <auto M> struct counted_by { static constexpr auto member = M; };
// What a message calls one of them; "record" if it is not said.
template <literal Name> struct each { static constexpr std::string_view name = Name.view(); };
// Bytes of the longest record of varying size, so that no file can demand any amount of memory: a
// longer one is a bad_value. 1 MiB if it is not said.
template <std::size_t Bytes> struct longest { static constexpr std::size_t bytes = Bytes; };

}  // namespace tracecodec::file

// Records with all words of the layout language, for tests/tools/layout_words_test.py:
//   layout_words FORM             prints their layouts
//   layout_words decode NAME HEX  prints the record decoded from bytes, as JSON
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracecodec/emit/c_struct.hpp"
#include "tracecodec/emit/imhex.hpp"
#include "tracecodec/emit/json.hpp"
#include "tracecodec/emit/kaitai.hpp"
#include "tracecodec/emit/numpy.hpp"
#include "tracecodec/io/checksum.hpp"
#include "tracecodec/wire.hpp"

namespace words {

namespace emit = tracecodec::emit;
namespace wire = tracecodec::wire;
using wire::array_view;
using wire::u8;
using u16 = wire::u16le;

struct varints {
  std::uint32_t a;
  std::int32_t b, c;
  std::uint32_t d;
  array_view<u8> as_many;
  std::uint16_t end;
};
using varints_codec = wire::record<
    wire::fields<wire::leb128<&varints::a>, wire::sleb128<&varints::b>, wire::zigzag<&varints::c>,
                 wire::vlq<&varints::d>, wire::counted<&varints::as_many, &varints::a>,
                 wire::field<&varints::end>>>;

struct texts {
  array_view<u8> name;
  array_view<u16> wide;
  array_view<u8> data;
  array_view<u16> units;
  array_view<u8> padded;
  array_view<u8> line;
  std::uint8_t end;
};
using texts_codec =
    wire::record<wire::fields<wire::terminated<&texts::name>, wire::terminated<&texts::wide>,
                              wire::prefixed<&texts::data, std::uint16_t>,
                              wire::prefixed<&texts::units, wire::uleb128_of<std::uint32_t>>,
                              wire::padded<&texts::padded, 6>, wire::terminated<&texts::line, 10>,
                              wire::field<&texts::end>>>;

struct option {
  std::uint8_t kind;
  array_view<u8> value;
};
using option_codec = wire::record<wire::fields<wire::one_of<&option::kind, 1, 2, 7>,
                                               wire::prefixed<&option::value, std::uint8_t>>>;
struct point {
  std::uint16_t x, y;
};
using point_codec = wire::record<point, wire::order::big>;
struct lists {
  std::uint8_t n;
  wire::list_view<option_codec> options;
  array_view<point_codec> points;
  wire::list_view<wire::uleb128_of<std::uint32_t>> numbers;
};
using lists_codec = wire::record<
    wire::fields<wire::field<&lists::n>, wire::list<&lists::options, wire::times<&lists::n>>,
                 wire::counted<&lists::points, &lists::n>, wire::list<&lists::numbers>>>;

struct link {
  std::uint8_t value, last;
};
using link_codec = wire::record<link>;
struct chain {
  wire::list_view<link_codec> links;
  std::uint8_t end;
};
using chain_codec = wire::record<
    wire::fields<wire::list<&chain::links, wire::until<wire::at_least<&link::last, 1>>>,
                 wire::field<&chain::end>>>;

struct chosen {
  std::uint8_t tag;
  std::uint16_t a;
  std::uint32_t b;
  std::uint8_t c;
  array_view<u8> d;
  std::uint8_t end;
};
using chosen_codec = wire::record<wire::fields<
    wire::field<&chosen::tag>,
    wire::choice<&chosen::tag, wire::on<1, wire::field<&chosen::a>>,
                 wire::on<2, wire::leb128<&chosen::b>, wire::terminated<&chosen::d>>,
                 wire::on_any<wire::values<3, 7>>, wire::otherwise<wire::field<&chosen::c>>>,
    wire::field<&chosen::end>>>;

struct chunk {
  std::array<char, 4> type;
  std::uint32_t width;
  std::uint16_t delay;
};
using chunk_codec = wire::record<
    wire::fields<
        wire::field<&chunk::type>,
        wire::choice<&chunk::type,
                     wire::on_any<wire::values<"IHDR", "JHDR">, wire::field<&chunk::width>>,
                     wire::otherwise<wire::field<&chunk::delay>>>>,
    wire::order::big>;

struct boxed {
  std::uint8_t size;
  std::uint16_t x;
  bool more;
  std::uint32_t y;
  std::uint8_t z;
  array_view<u16> data;
  array_view<u8> after;
};
using boxed_codec = wire::record<
    wire::fields<wire::field<&boxed::size>,
                 wire::sized<&boxed::size, wire::field<&boxed::x>, wire::align<4, wire::from_part>,
                             wire::if_left<&boxed::more, wire::field<&boxed::y>,
                                           wire::field<&boxed::z>, wire::skip_rest>>,
                 wire::counted<&boxed::after, &boxed::x>, wire::rest<&boxed::data>>>;

struct versions {
  std::uint8_t version;
  bool has_id;
  std::uint8_t size;
  std::uint16_t id;
  std::uint8_t level;
  array_view<u8> tail;
  std::uint32_t end;
};
using versions_codec = wire::record<wire::fields<
    wire::field<&versions::version>,
    wire::bit_slices<std::uint8_t, wire::bits<&versions::has_id, 1>, wire::constant_bits<3, 5>,
                     wire::bits<&versions::size, 4>>,
    wire::when<&versions::has_id, wire::field<&versions::id>>,
    wire::when<wire::at_least<&versions::version, 2>, wire::field<&versions::level>>,
    wire::counted<&versions::tail, &versions::size>, wire::align<4>, wire::field<&versions::end>>>;

struct rows {
  std::uint8_t n, stride;
  wire::strided_view<point_codec> points;
};
using rows_codec =
    wire::record<wire::fields<wire::field<&rows::n>, wire::field<&rows::stride>,
                              wire::strided<&rows::points, &rows::n, &rows::stride>>>;

struct tagged {
  std::uint32_t number;
  std::uint8_t kind;
  std::uint8_t size;
  wire::list_view<option_codec> options;
  std::uint32_t index;
  std::int32_t addend;
  std::uint8_t end;
};
using uleb = wire::uleb128_of<std::uint32_t>;
using tagged_codec = wire::record<wire::fields<
    wire::reserved<2>,
    wire::bit_slices<uleb, wire::bits<&tagged::number, 29>, wire::bits<&tagged::kind, 3>>,
    wire::sized<wire::prefix<&tagged::size>, wire::prefixed<&tagged::options, uleb>>,
    wire::leb128<&tagged::index, 5>, wire::sleb128<&tagged::addend, 3>,
    wire::when<&tagged::kind, wire::field<&tagged::end>>>>;

struct checked {
  std::uint8_t size;
  array_view<u8> data;
  std::uint32_t sum;
};
using checked_codec = wire::record<
    wire::fields<wire::computed<&checked::size, wire::size_of<&checked::data>>,
                 wire::counted<&checked::data, &checked::size>,
                 wire::computed<&checked::sum, wire::over<tracecodec::io::crc32, wire::record_start,
                                                          wire::here>>>>;

// Record with a length that a function computes. Layout forms cannot describe this length, and stop
// there.
struct coded {
  std::uint8_t n;
  array_view<u8> twice;
  std::uint8_t end;
  [[nodiscard]] constexpr unsigned both() const noexcept { return 2U * n; }
};
using coded_codec =
    wire::record<wire::fields<wire::section<wire::field<&coded::n>>,
                              wire::section<wire::counted<&coded::twice, &coded::both>>,
                              wire::section<wire::field<&coded::end>>>>;

struct numeral {
  std::uint32_t mode;
  std::uint8_t end;
};
using numeral_codec = wire::record<
    wire::fields<wire::digits_until<&numeral::mode, 8, ' '>, wire::field<&numeral::end>>>;

struct relative {
  std::uint16_t last, pc, target, n;
  array_view<u8> data;
};
using relative_codec = wire::record<wire::fields<
    wire::previous<&relative::last, &relative::pc>, wire::delta<&relative::pc, &relative::last>,
    wire::delta<&relative::target, &relative::pc, std::int16_t>, wire::field<&relative::n>,
    wire::counted<&relative::data, &relative::n>>>;

enum class color : std::uint8_t { red = 1, green = 4 };
struct values {
  std::array<char, 4> magic;
  std::uint16_t version;
  color kind;
  std::int8_t level;
  std::uint8_t even;
  bool flag;
  std::uint8_t low;
  float half, brain;
  std::uint32_t three;
  wire::uint128 wide;
  std::uint32_t both;
  std::uint64_t octal;
  std::array<point, 2> points;
  std::array<char, 2> mode;
};
inline constexpr auto is_even = [](std::uint8_t v) { return v % 2 == 0; };
using values_codec = wire::record<
    wire::fields<wire::constant<&values::magic, "GIF8">, wire::literal<"*/\n">,
                 wire::constant<&values::version, 3>,
                 wire::one_of<&values::kind, color::red, color::green>,
                 wire::in_range<&values::level, -2, 9>, wire::valid<&values::even, is_even>,
                 wire::bit_slices<std::uint8_t, wire::constant_bits<3, 5>,
                                  wire::bits<&values::flag, 1>, wire::bits<&values::low, 4>>,
                 wire::padding<2>, wire::float16<&values::half>, wire::bfloat16<&values::brain>,
                 wire::integer<&values::three, 24>, wire::field<&values::wide>,
                 wire::both_orders<&values::both>, wire::digits<&values::octal, 8, 8>,
                 wire::field<&values::points>, wire::one_of<&values::mode, "P5", "P6">>,
    wire::order::big>;

// Calls f(std::type_identity<codec>, name) for each record.
template <class F> void each(F&& f) {
  f(std::type_identity<varints_codec>{}, "varints");
  f(std::type_identity<texts_codec>{}, "texts");
  f(std::type_identity<lists_codec>{}, "lists");
  f(std::type_identity<chain_codec>{}, "chain");
  f(std::type_identity<chosen_codec>{}, "chosen");
  f(std::type_identity<chunk_codec>{}, "chunk");
  f(std::type_identity<boxed_codec>{}, "boxed");
  f(std::type_identity<versions_codec>{}, "versions");
  f(std::type_identity<rows_codec>{}, "rows");
  f(std::type_identity<tagged_codec>{}, "tagged");
  f(std::type_identity<checked_codec>{}, "checked");
  f(std::type_identity<coded_codec>{}, "coded");
  f(std::type_identity<numeral_codec>{}, "numeral");
  f(std::type_identity<relative_codec>{}, "relative");
  f(std::type_identity<values_codec>{}, "values");
}

inline std::string json;
inline void out(std::string_view s) { json += s; }

template <class Codec> void show_record(const typename Codec::value_type& v);
template <class V> void show(const V& v) {
  if constexpr (requires {
                  typename V::codec;
                  typename V::codec::value_type;
                }) {
    const char* before = "[";
    for (const auto& one : v) {
      json += before;
      before = ", ";
      if constexpr (requires { V::codec::fixed; })
        show_record<typename V::codec>(one);
      else
        show(one);
    }
    json += *before == '[' ? "[]" : "]";
  } else if constexpr (std::is_same_v<V, wire::uint128>) {
    json += "[" + std::to_string(v.high) + ", " + std::to_string(v.low) + "]";
  } else if constexpr (requires { v.size(); }) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      json += i == 0 ? "[" : ", ";
      show(v[i]);
    }
    json += "]";
  } else if constexpr (std::is_same_v<V, point>) {
    json += "{\"x\": " + std::to_string(v.x) + ", \"y\": " + std::to_string(v.y) + "}";
  } else if constexpr (std::is_enum_v<V>) {
    json += std::to_string(static_cast<int>(v));
  } else {
    json += std::to_string(v);
  }
}
template <class Codec> void show_record(const typename Codec::value_type& v) {
  const char* before = "{";
  Codec::walk(v, [&](std::string_view name, const auto& member) {
    json += before;
    before = ", ";
    json += "\"" + std::string(name) + "\": ";
    show(member);
  });
  json += "}";
}

template <class Codec> int decoded(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  typename Codec::value_type v{};
  const wire::result r = Codec::decode(bytes, v);
  if (!r) return 1;
  show_record<Codec>(v);
  return r.used == bytes.size() ? 0 : 1;
}

template <class Codec> bool print(std::string_view form, const char* name) {
  const std::span<const wire::layout_node> nodes = wire::layout_nodes<Codec>;
  if (form == "text")
    json += name, json += "\n", wire::print_table(wire::layout_table<Codec>, out);
  else if (form == "markdown")
    wire::print_markdown(wire::layout_table<Codec>, out);
  else if (form == "json")
    json += json.empty() ? "[" : ",\n", emit::print_json(name, nodes, out);
  else if (form == "c")
    emit::print_c_struct(name, nodes, out);
  else if (form == "imhex")
    emit::print_imhex(name, nodes, out);
  else if (form == "kaitai")
    emit::print_kaitai(name, nodes, out);
  else if (form == "numpy")
    emit::print_numpy_dtype(name, nodes, out);
  else
    return false;
  return true;
}

// Forms can also be made at compile time.
constexpr std::size_t length_of_json = [] {
  std::size_t n = 0;
  emit::print_json("checked", wire::layout_nodes<checked_codec>,
                   [&](std::string_view s) { n += s.size(); });
  return n;
}();
static_assert(length_of_json > 200);
static_assert(emit::is_whole_in_kaitai(wire::layout_nodes<boxed_codec>));
static_assert(!emit::is_whole_in_kaitai(wire::layout_nodes<coded_codec>));

}  // namespace words

int main(int argc, char** argv) {
  using words::each, words::json;
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  int failed = 1;
  if (args.size() == 3) {
    each([&]<class Codec>(std::type_identity<Codec>, const char* name) {
      if (name == args[1]) failed = words::decoded<Codec>(args[2]);
    });
  } else if (args.size() == 1) {
    failed = 0;
    each([&]<class Codec>(std::type_identity<Codec>, const char* name) {
      if (!words::print<Codec>(args[0], name)) failed = 1;
    });
    if (args[0] == "json") json += "]\n";
  }
  std::cout << json;
  return failed;
}

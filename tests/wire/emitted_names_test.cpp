// Tests that the fields of an exported description have different names, even if the names of members
// look like names that the exporters make.
#include <doctest/doctest.h>
#include <tracecodec/emit/c_struct.hpp>
#include <tracecodec/emit/imhex.hpp>
#include <tracecodec/emit/kaitai.hpp>
#include <tracecodec/wire.hpp>

#include <string>

namespace emit = tracecodec::emit;
namespace wire = tracecodec::wire;

namespace {

struct counter {
  std::uint8_t count;
};
struct block {
  counter data;             // its field is "data.count"
  std::uint8_t data_count;  // the same with _
  std::uint8_t bits_0;      // as a word of bit slices is called
  std::uint8_t low, high;
  wire::array_view<wire::character> text;
  std::uint8_t text_length;  // as the length of the text is called
  std::uint8_t Low;          // the same in lower case
};
using block_codec = wire::record<wire::fields<
    wire::field<&block::data>, wire::field<&block::data_count>, wire::field<&block::bits_0>,
    wire::bit_slices<std::uint8_t, wire::bits<&block::high, 4>, wire::bits<&block::low, 4>>,
    wire::prefixed<&block::text, std::uint8_t>, wire::field<&block::text_length>,
    wire::field<&block::Low>>>;

std::string kaitai() {
  std::string s;
  emit::print_kaitai("block", wire::layout_nodes<block_codec>,
                     [&](std::string_view more) { s += more; });
  return s;
}
std::size_t times(const std::string& all, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = all.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("Kaitai: a member keeps its name, and other fields get another") {
  const std::string s = kaitai();
  for (const char* id : {"data_count", "data_count_", "bits_0", "bits_0_", "text", "text_length",
                         "text_length_", "low_"}) {
    CAPTURE(id);
    CHECK(times(s, "- id: " + std::string(id) + "\n") == 1);
  }
  CHECK(times(s, "size: text_length_\n") == 1);
  CHECK(times(s, "(bits_0_ >> 0)") == 1);
}

TEST_CASE("C and ImHex: the fields have different names") {
  std::string c, imhex;
  emit::print_c_struct("block", wire::layout_nodes<block_codec>,
                       [&](std::string_view more) { c += more; });
  CHECK(times(c, " data_count;") == 1);
  CHECK(times(c, " data_count_;") == 1);
  CHECK(times(c, " bits_0;") == 1);
  CHECK(times(c, " bits_0_;") == 1);
  emit::print_imhex("block", wire::layout_nodes<block_codec>,
                    [&](std::string_view more) { imhex += more; });
  CHECK(times(imhex, " data_count;") == 1);
  CHECK(times(imhex, " data_count_;") == 1);
  CHECK(times(imhex, "text[text_length_]") == 1);
}

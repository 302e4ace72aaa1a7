// Tests the search for a part at the end of a file, with a ZIP archive that Python's zipfile made.
#include "tracecodec/file/from_back.hpp"

#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/wire/rules/constant.hpp"
#include "tracecodec/wire/types/view.hpp"

using namespace test;

namespace {
// End of the central directory (APPNOTE.TXT, 4.3.16).
struct directory_end {
  std::uint32_t magic;
  std::uint16_t disk, directory_disk, entries_here, entries;
  std::uint32_t size, offset;
  std::uint16_t comment_length;
  wire::array_view<wire::character> comment;
};
using directory_end_codec = wire::record<wire::fields<
    wire::constant<&directory_end::magic, 0x06054b50>, wire::field<&directory_end::disk>,
    wire::field<&directory_end::directory_disk>, wire::field<&directory_end::entries_here>,
    wire::field<&directory_end::entries>, wire::field<&directory_end::size>,
    wire::field<&directory_end::offset>, wire::field<&directory_end::comment_length>,
    wire::counted<&directory_end::comment, &directory_end::comment_length>>>;
constexpr std::size_t longest = 22 + 0xffff;

const bytes zip_archive = from_hex(
    "504b03041400000000000000212886a610360500000005000000010000006168"
    "656c6c6f504b0304140000000000000021280000000000000000000000000100"
    "000062504b010214031400000000000000212886a61036050000000500000001"
    "000000000000000000000080010000000061504b010214031400000000000000"
    "2128000000000000000000000000010000000000000000000000800124000000"
    "62504b050600000000020002005e00000043000000090074776f2066696c6573");
}  // namespace

TEST_CASE("the end of a ZIP archive's directory is found before its comment") {
  const auto end = file::find_from_back<directory_end_codec>(zip_archive, longest);
  REQUIRE(end);
  CHECK(end.offset == 161);
  CHECK(end.value.entries == 2);
  CHECK(end.value.offset == 67);
  CHECK(wire::as_text(end.value.comment) == "two files");
}

TEST_CASE("a signature inside the comment is not the end, unless it fits") {
  // The comment holds the signature of another end, whose comment would end elsewhere.
  bytes other = zip_archive;
  const bytes signature = from_hex("504b0506");
  std::copy(signature.begin(), signature.end(), other.end() - 9);
  const auto end = file::find_from_back<directory_end_codec>(other, longest);
  REQUIRE(end);
  CHECK(end.offset == 161);
}

TEST_CASE("bytes without the part, or with bytes after it, have no part at their end") {
  CHECK(!file::find_from_back<directory_end_codec>({}, longest));
  CHECK(!file::find_from_back<directory_end_codec>(
      std::span(zip_archive).first(zip_archive.size() - 1), longest));
  CHECK(!file::find_from_back<directory_end_codec>(zip_archive + bytes(1), longest));
  CHECK(!file::find_from_back<directory_end_codec>(zip_archive, 30));
}

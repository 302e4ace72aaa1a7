// Tests codec.hpp: names, suffixes, and recognition by content. Addresses must not be mistaken
// for magic numbers.
#include "tracecodec/io/compression/codec.hpp"

#include <doctest/doctest.h>

#include "goldens.hpp"
#include "support.hpp"

using namespace tracecodec::io;
using namespace tracecodec::io::test;

TEST_CASE("codec names and suffixes") {
  CHECK(codec_name(codec::zstd) == "zstd");
  CHECK(codec_of_name("xz") == codec::xz);
  CHECK(codec_of_name("none") == codec::none);
  CHECK_FALSE(codec_of_name("rar").has_value());
  CHECK(codec_of_suffix("a.champsim.xz") == codec::xz);
  CHECK(codec_of_suffix("a.gz") == codec::gzip);
  CHECK(codec_of_suffix("a.bz2") == codec::bzip2);
  CHECK(codec_of_suffix("a.zst") == codec::zstd);
  CHECK(codec_of_suffix("a.lz4") == codec::lz4);
  CHECK(codec_of_suffix("a.sz") == codec::snappy);
  CHECK(codec_of_suffix("a.Zip") == codec::zip);
  CHECK(codec_of_suffix("a.trace") == codec::none);
  CHECK(codec_of_suffix("") == codec::none);
  // Synonyms and any case are recognised, but similar suffixes are not.
  CHECK(codec_of_suffix("a.champsim.XZ") == codec::xz);
  CHECK(codec_of_suffix("a.gzip") == codec::gzip);
  CHECK(codec_of_suffix("a.Gz") == codec::gzip);
  CHECK(codec_of_suffix("a.zstd") == codec::zstd);
  CHECK(codec_of_suffix("a.ZST") == codec::zstd);
  CHECK(codec_of_suffix("a.BZ2") == codec::bzip2);
  for (const char* other : {"a.tgz", "a.7z", "a.lzma", "axz", "xz", "a.xz.old", "a.\x1Az"})
    CHECK(codec_of_suffix(other) == codec::none);
}

TEST_CASE("recognises every golden by its content") {
  for (const golden& g : goldens()) {
    CAPTURE(g.command);
    CHECK(recognise(from_hex(g.hex)) == g.kind);
  }
}

TEST_CASE("recognises empty compressed files") {
  // Made by `xz </dev/null` and so on.
  CHECK(recognise(from_hex("fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a")) ==
        codec::xz);
  CHECK(recognise(from_hex("1f8b080000000000000303000000000000000000")) == codec::gzip);
  CHECK(recognise(from_hex("425a683917724538509000000000")) == codec::bzip2);
  CHECK(recognise(from_hex("28b52ffd240001000099e9d851")) == codec::zstd);
  CHECK(recognise(from_hex("04224d186440a700000000055dcc02")) == codec::lz4);
  CHECK(recognise(from_hex("ff060000734e61507059")) == codec::snappy);
}

TEST_CASE("does not recognise a file by a magic number alone") {
  const char* const others[] = {
      "",
      "00",
      "fd377a585a",                          // xz, truncated
      "04224d1800000000",                    // the address 0x184d2204
      "04224d18ff7f0000",                    // FLG with version 11
      "04224d1842400000",                    // reserved bit of FLG
      "04224d1840300000",                    // block size code 3
      "04224d1840c00000",                    // reserved bit of BD
      "04224d1840410000",                    // reserved low bits of BD
      "04224d1840",                          // truncated before BD
      "1f8b000000000000",                    // the address 0x8b1f
      "1f8b400000000000",                    // the address 0x408b1f
      "1f8b087fff7f0000",                    // method 8, but reserved flags
      "1f8b08",                              // truncated
      "425a683031415926535900",              // level 0
      "425a6839314159265358",                // wrong block magic
      "425a6839",                            // truncated
      "28b52ffd08000000",                    // reserved bit
      "28b52ffd",                            // truncated
      "502a4d18ffffffff28b52ffd00",          // skippable frame longer than the file
      "502a4d1800000000",                    // the address 0x184d2a50
      "502a4d18ff7f0000",                    // the address 0x7fff184d2a50
      "502a4d1801000000ff0000000000000000",  // skippable frame, then something else
      "ff060000734e61505059",                // wrong identifier of Snappy
      "ff060000734e615070",                  // truncated
      "504b0304140000000000",                // zip, truncated
      "504b030400000000000000000000000000000000000000000000010000000061",   // version 0.0
      "504b0304ff7f00000000000000000000000000000000000000000100000000061",  // an address
      "504b030414000010000000000000000000000000000000000000010000000061",   // reserved flag
      "504b030414000000000000000000000000000000000000000000000000000061",   // no name
      "504b0506000000000000000000000000000000000000",                       // zip without members
      "02214c18",  // lz4's legacy format is not a frame
  };
  for (const char* hex : others) {
    CAPTURE(hex);
    CHECK(recognise(from_hex(hex)) == codec::none);
  }
}

TEST_CASE("recognises zip archives") {
  for (const std::string_view hex :
       {containers::zip_two, containers::zip_zip64, containers::zip_descriptors,
        containers::zip_stored, containers::zip_several, containers::zip_encrypted})
    CHECK(recognise(from_hex(hex)) == codec::zip);
  CHECK(recognise(from_hex(containers::zip_none)) == codec::none);
}

TEST_CASE("recognises a file after several skippable frames") {
  const bytes skip = from_hex("532a4d1804000000aabbccdd");
  CHECK(recognise(skip + skip + from_hex("28b52ffd2400")) == codec::zstd);
  CHECK(recognise(skip + skip + from_hex("04224d186440a7")) == codec::lz4);
  CHECK(recognise(skip + skip) == codec::none);
}

// Tests the writer of a description: bytes written by hand, counts that are known last, names
// that appear last.
#include <doctest/doctest.h>

#include <filesystem>
#include <memory>

#include "file/support.hpp"

using namespace test;
namespace fs = std::filesystem;

namespace {
struct narrow {
  std::uint32_t number;
};
using narrow_codec = wire::record<wire::fields<wire::field<&narrow::number, std::uint8_t>>>;
struct few {
  std::uint8_t n;
};
using few_file = file::of<"few", file::header<wire::record<few>>,
                          file::records<narrow_codec, file::counted_by<&few::n>>>;
}  // namespace

TEST_CASE("the writer sets constants and counts, and keeps the other values") {
  bytes got;
  {
    step_file::writer out(std::make_unique<vector_sink>(got), "memory");
    out.write(steps(2));
    out.write(steps(3)[2]);
    CHECK(out.written() == 3);
    CHECK(got.empty());  // a sink that cannot be patched receives its data at the end
    out.finish();
  }
  CHECK(got == front_bytes(3) + bytes_of(steps(3)));
  bytes tailed;
  tailed_file::writer out(std::make_unique<vector_sink>(tailed), "memory");
  out.trailer().sum = 42;
  out.finish();
  CHECK(tailed == front_bytes(0) + back_bytes());
  bytes summed;
  summed_file::writer sum(std::make_unique<vector_sink>(summed), "memory");
  sum.write(steps(3));
  sum.finish();
  CHECK(summed == bytes_of(steps(3)) + from_hex("03"));
}

TEST_CASE("rewrites a file byte for byte, compressed according to its suffix") {
  const folder dir;
  const bytes raw = front_bytes(20'000) + bytes_of(steps(20'000));
  for (const auto& [name, there] : {std::pair("t", true), std::pair("t.xz", with_xz),
                                    std::pair("t.gz", with_gzip), std::pair("t.zst", with_zstd)}) {
    if (!there) continue;
    step_file::reader in(stream_of(raw));
    step_file::writer out(dir / name);
    for (auto b = in.next(); b.size() != 0; b = in.next()) out.write(b.records);
    out.finish();
    CHECK(content(dir / name) == raw);
    CHECK((fs::file_size(dir / name) == raw.size()) == (name == std::string("t")));
  }
}

TEST_CASE("a file appears when it is complete, and not at all if the writer is abandoned") {
  const folder dir;
  {
    step_file::writer out(dir / "t");
    out.write(steps(30'000));
    CHECK_FALSE(fs::exists(dir / "t"));
  }
  CHECK(fs::is_empty(dir / ""));
  line_file::writer lines(dir / "t");
  lines.finish();
  CHECK(content(dir / "t") == front_bytes(0));
}

TEST_CASE("writes a complete file in one call, or none") {
  const folder dir;
  step_file::write(dir / "t", steps(5));
  CHECK(content(dir / "t") == front_bytes(5) + bytes_of(steps(5)));
  step_file::write(dir / "none", std::vector<step>());
  CHECK(content(dir / "none") == front_bytes(0));
  const auto error = error_of([&] {
    few_file::write(dir / "f", std::vector<few_file::record>{{7}, {256}});
  });
  REQUIRE(error);
  CHECK(error->record() == 1);
  CHECK_FALSE(fs::exists(dir / "f"));
  const auto large =
      error_of([&] { few_file::write(dir / "l", std::vector<few_file::record>(256)); });
  REQUIRE(large);
  CHECK(large->field() == "n");
  CHECK_FALSE(fs::exists(dir / "l"));
}

TEST_CASE("refuses a value that does not fit, with its place") {
  const folder dir;
  few_file::writer out(dir / "t");
  for (unsigned i = 0; i < 255; ++i) out.write({i});
  auto error = error_of([&] { out.write({256}); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::refused);
  CHECK(error->file() == dir / "t");
  CHECK(error->record() == 255);
  CHECK(error->offset() == 256);
  CHECK(error->field() == "number");
  out.write({0});
  error = error_of([&] { out.finish(); });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::refused);
  CHECK(error->field() == "n");
  CHECK(error->message() == "256 exceeds what the header can store");
  CHECK_FALSE(fs::exists(dir / "t"));
  line_file::writer lines(dir / "l");
  error = error_of([&] { lines.write(line{3, {}, 0}); });
  REQUIRE(error);
  CHECK(error->field() == "text");
  CHECK(error->offset() == 16);
}

TEST_CASE("writes a header without counts first, and does not patch it") {
  using only_version =
      wire::record<wire::fields<wire::field<&front::magic>, wire::constant<&front::version, 2>,
                                wire::field<&front::steps>>>;
  using open_ended = file::of<"open", file::header<only_version>, file::records<step_codec>>;
  bytes got;
  open_ended::writer out(std::make_unique<vector_sink>(got), "memory", front{{'a'}, 0, 7});
  out.write(steps(6000));
  CHECK_FALSE(got.empty());
  out.finish();
  CHECK(got == from_hex("61000000 0200 0700000000000000") + bytes_of(steps(6000)));
  open_ended::reader in(mapped(got));
  CHECK(all_of(in) == steps(6000));
}

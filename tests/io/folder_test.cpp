// Tests atomic_folder.hpp and folder_file.hpp: folders that appear once they are complete, and
// patching of their files.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "bytes.hpp"
#include "tracecodec/io/output/atomic_folder.hpp"

using namespace ::test;
namespace fs = std::filesystem;

TEST_CASE("patches flushed bytes, buffered bytes, and both together") {
  const folder dir;
  bytes expected;
  io::atomic_folder out(dir / "t");
  {
    io::folder_file file = out.create("f", 16);  // a window of 16 bytes
    const auto put = [&](std::size_t n, int value) {
      const bytes all(n, std::byte(value));
      file.write(all);
      expected += all;
    };
    const auto patch = [&](std::size_t at, std::size_t n, int value) {
      const bytes all(n, std::byte(value));
      file.patch(at, all);
      std::copy(all.begin(), all.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(10, 1);
    patch(3, 4, 2);  // not flushed yet
    put(10, 3);      // flushes the first ten bytes
    patch(0, 2, 4);  // flushed bytes
    patch(8, 6, 5);  // both flushed and buffered bytes
    put(40, 6);      // bypasses the window
    patch(15, 45, 7);
    std::byte* const more = file.append(20);  // larger than the window
    for (int i = 0; i < 20; ++i) more[i] = std::byte(i);
    for (int i = 0; i < 20; ++i) expected.push_back(std::byte(i));
    patch(61, 19, 8);
    patch(80, 0, 0);
    CHECK(file.size() == 80);
    file.finish();
  }
  CHECK_FALSE(fs::exists(dir / "t"));
  CHECK(content(out.temporary_path("f")) == expected);
  out.finish();
  CHECK(content(dir / "t/f") == expected);
}

TEST_CASE("an abandoned folder leaves nothing, whatever it contains") {
  const folder dir;
  {
    const io::atomic_folder out(dir / "t");
    io::folder_file file = out.create("f");
    file.write(bytes(100'000));
    out.create("g").finish();
    fs::create_directories(out.temporary_path("a/b"));
    CHECK_FALSE(fs::is_empty(dir / ""));
  }
  CHECK(fs::is_empty(dir / ""));
}

TEST_CASE("a replaced empty folder keeps its permissions") {
  const folder dir;
  fs::create_directory(dir / "t");
  fs::permissions(dir / "t", fs::perms(0750));
  const fs::perms before = fs::status(dir / "t").permissions();
  io::atomic_folder out(dir / "t");
  out.create("f").finish();
  out.remove("f");
  out.create("g").finish();
  out.finish();
  CHECK(fs::status(dir / "t").permissions() == before);
  CHECK_FALSE(fs::exists(dir / "t/f"));
  CHECK(fs::exists(dir / "t/g"));
}

TEST_CASE("errors name a file by its final path") {
  const folder dir;
  const io::atomic_folder out(dir / "t");
  io::folder_file file = out.create("f");
  const auto again = error_of([&] { static_cast<void>(out.create("f")); });
  REQUIRE(again);
  CHECK(again->code() == trace_errc::system);
  CHECK(again->file() == dir / "t/f");
  // Simulate a full disk.
  io::folder_file full(io::os::open("/dev/full", O_WRONLY), "full", 16);
  full.write(bytes(16));
  for (int i = 0; i < 2; ++i) {
    const auto error = error_of([&] { full.flush(); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::system);
    CHECK(error->file() == "full");
  }
}

TEST_CASE("refuses a folder without a name") {
  for (const char* path : {"", "/"}) {
    const auto error = error_of([&] { io::atomic_folder out{std::string(path)}; });
    REQUIRE(error);
    CHECK(error->file() == path);
  }
}

TEST_CASE("limits the total bytes of a folder's files") {
  const folder dir;
  for (const std::uint64_t most : {std::uint64_t{100}, std::uint64_t{99}}) {
    io::atomic_folder out(dir / "t", most);
    const auto write = [&] {
      io::folder_file first = out.create("f", 16), second = out.create("g", 16);
      first.write(bytes(60));
      second.write(bytes(10));
      second.write(bytes(30));
      first.patch(0, bytes(5));  // a patch does not count as growth
      first.finish();
      second.finish();
    };
    const auto e = error_of(write);
    CHECK(e.has_value() == (most == 99));
    if (!e) continue;
    CHECK(e->code() == trace_errc::refused);
    CHECK(e->message() == "would exceed its limit of 99 bytes");
  }
}

// Tests zip_sink.hpp: archives that Python's zipfile and zip_source read, reproducible output,
// failures of the sink below.
#ifdef TRACECODEC_WITH_ZIP
#include "tracecodec/io/compression/zip_sink.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "support.hpp"
#include "tracecodec/io/compression/zip.hpp"
#include "tracecodec/io/output/atomic_file.hpp"

using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

bytes part(const bytes& all, std::size_t from, std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(to)};
}

// Writes `data` in chunks of `size` bytes.
void write_chunks(std::unique_ptr<sink> out, const bytes& data, std::size_t size,
                  const output_options& o = {}) {
  zip_sink to(std::move(out), o);
  for (std::size_t at = 0; at < data.size(); at += size) {
    if (at != 0) to.start_chunk();
    to.write(part(data, at, std::min(data.size(), at + size)));
  }
  to.finish();
}

bytes zip_of(const bytes& data, std::size_t size, const output_options& o = {}) {
  bytes out;
  write_chunks(std::make_unique<vector_sink>(out), data, size, o);
  return out;
}

drained from_zip(const bytes& file) {
  zip_source from(std::make_unique<memory_source>(file), "file");
  return drain(from);
}

// Sink that throws once it has received `most` bytes.
class full_sink final : public sink {
 public:
  explicit full_sink(std::size_t most) : left_(most) {}
  void write(std::span<const std::byte> in) override {
    if (in.size() > left_) throw trace_error(trace_errc::system, {.file = "disk"}, "full");
    left_ -= in.size();
  }
  void finish() override {}

 private:
  std::size_t left_;
};

#ifndef _WIN32
// Returns what the Python program `code` prints about the file `path`.
std::string python(const std::string& code, const std::string& path) {
  const std::string command = "python3 -c '" + code + "' '" + path + "'";
  std::FILE* const from = popen(command.c_str(), "r");
  REQUIRE(from != nullptr);
  std::string text;
  for (int c = std::fgetc(from); c != EOF; c = std::fgetc(from)) text += static_cast<char>(c);
  CHECK(pclose(from) == 0);
  return text;
}
#endif

}  // namespace

TEST_CASE("zip: writes chunks that are read as one stream") {
  const bytes data = sample(3'000'000);
  for (const int level : {0, 1, 6, 9}) {
    const bytes file = zip_of(data, 700'000, {.level = level});
    CAPTURE(level);
    const drained result = from_zip(file);
    CHECK_FALSE(result.error.has_value());
    CHECK(result.data == data);
    memory_source from(file);
    const auto members = zip_members(from, "file");
    REQUIRE(members.size() == 5);
    CHECK(members[4].name == "chunk.0004");
    CHECK(members[4].size == 200'000);
    if (level != 0) CHECK(file.size() < data.size() / 2);
    zip_source pipe(std::make_unique<test_source>(file, 1000), "file");
    CHECK(drain(pipe).data == data);
  }
}

TEST_CASE("zip: equal input produces equal output in any time zone") {
  const bytes data = lines(1, 100);
  const bytes file = zip_of(data, 100);
#ifndef _WIN32
  for (const char* zone : {"UTC+12", "UTC-12"}) {
    setenv("TZ", zone, 1);
    CHECK(zip_of(data, 100) == file);
  }
  unsetenv("TZ");
#endif
  CHECK(zip_of(data, 100) == file);
}

TEST_CASE("zip: Python reads the archives") {
#ifndef _WIN32
  if (std::system("python3 -c 'import zipfile' 2>/dev/null") != 0) {
    MESSAGE("skipped: no python3");
    return;
  }
  const temp_folder dir;
  const std::string path = dir.path("t.zip");
  {
    zip_sink to(std::make_unique<atomic_file>(path));
    to.start_member("7");
    to.write(lines(1, 50));
    to.start_member("empty");
    to.start_chunk();
    to.write(lines(51, 60));
    to.write(lines(61, 100));
    CHECK_FALSE(std::filesystem::exists(path));
    to.finish();
  }
  const std::string code =
      "import sys, zipfile\n"
      "z = zipfile.ZipFile(sys.argv[1])\n"
      "print(z.testzip())\n"
      "for i in z.infolist(): print(i.filename, i.file_size, i.compress_type, i.date_time)\n"
      "print(z.read(\"7\").count(b\"\\n\"), z.read(\"chunk.0000\")[:6])\n";
  CHECK(python(code, path) ==
        "None\n7 141 8 (1980, 1, 1, 0, 0, 0)\nempty 0 8 (1980, 1, 1, 0, 0, 0)\n"
        "chunk.0000 151 8 (1980, 1, 1, 0, 0, 0)\n50 b'51\\n52\\n'\n");
#endif
}

TEST_CASE("zip: an output that is not finished does not exist") {
  const temp_folder dir;
  const std::string path = dir.path("t.zip");
  {
    zip_sink to(std::make_unique<atomic_file>(path));
    to.write(sample(1'000'000));
  }
  CHECK(dir.count() == 0);
  bytes file;
  bool finished = false;
  {
    zip_sink to(std::make_unique<vector_sink>(file, &finished));
    to.write(lines(1, 100));
  }
  CHECK_FALSE(finished);
  CHECK(file.empty());
}

TEST_CASE("zip: refused calls, and errors of the sink below") {
  bytes file;
  CHECK(code_of([&] { zip_sink(std::make_unique<vector_sink>(file), {.level = 10}); }) ==
        trace_errc::refused);
  zip_sink to(std::make_unique<vector_sink>(file));
  CHECK(code_of([&] { to.start_member(""); }) == trace_errc::refused);
  to.write(lines(1, 100));
  to.finish();
  CHECK(code_of([&] { to.write(lines(1, 2)); }) == trace_errc::refused);
  CHECK(code_of([&] { to.start_chunk(); }) == trace_errc::refused);
  CHECK(code_of([&] { to.finish(); }) == trace_errc::refused);
  zip_sink none(std::make_unique<vector_sink>(file));
  CHECK(code_of([&] { none.finish(); }) == trace_errc::refused);

  const bytes data = sample(500'000);
  const std::size_t size = zip_of(data, 100'000).size();
  for (std::size_t most = 0; most < size; most += 5003) {
    CAPTURE(most);
    CHECK(error_of([&] { write_chunks(std::make_unique<full_sink>(most), data, 100'000); }) ==
          "disk: full");
  }
}
#endif

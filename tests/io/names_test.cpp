// Tests file names that are not ASCII, and separators: UTF-8 names of the library match the
// names in the system, also on Windows.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support.hpp"
#include "tracecodec/io/open.hpp"
#include "tracecodec/io/os/path.hpp"
#include "tracecodec/io/output/atomic_folder.hpp"
#include "tracecodec/rapidbin/metadata.hpp"
#include "tracecodec/umtracer/files.hpp"

namespace fs = std::filesystem;
using namespace tracecodec;
using namespace tracecodec::io;
using namespace tracecodec::io::test;

namespace {

const std::string umlaut = "\xC3\xA4";          // a with diaeresis
const std::string beyond = "\xF0\x9D\x84\x9E";  // U+1D11E: a surrogate pair in UTF-16

// Returns the system's path for a UTF-8 name, without using the library.
fs::path truly(const std::string& utf8) { return {std::u8string(utf8.begin(), utf8.end())}; }

void write_whole(const std::string& path, const bytes& data) {
  atomic_file to(path);
  to.write(data);
  to.finish();
}

}  // namespace

TEST_CASE("reads and writes a file in a folder if both names are not ASCII") {
  const temp_folder folder;
  for (const std::string& name : {umlaut, beyond}) {
    CAPTURE(name);
    const std::string in = folder.path() + '/' + name, path = in + "/" + name + ".trace";
    fs::create_directory(truly(in));
    for (const std::size_t size : {std::size_t{10}, std::size_t{3000}}) {  // new, then replaced
      write_whole(path, sample(size));
      CHECK(fs::file_size(truly(path)) == size);
      CHECK(fs::directory_iterator(truly(in))->path() == truly(path));
      CHECK(std::distance(fs::directory_iterator(truly(in)), {}) == 1);
      for (const bool map : {false, true}) {
        input opened = open_input(path, {.map = map});
        CHECK(opened.mapped() == map);
        CHECK(drain(opened).data == sample(size));
      }
    }
    CHECK(same_file(path, path));
    CHECK(error_of([&] { open_input(in); }) == in + ": is a directory, expected a file");
    CHECK(error_of([&] { open_input(path + "x"); }) == path + "x: No such file or directory");
  }
}

TEST_CASE("writes a folder with a name that is not ASCII") {
  const temp_folder folder;
  const std::string path = folder.path() + '/' + umlaut;
  for (const bool there : {false, true}) {
    if (there) fs::create_directory(truly(path));
    atomic_folder out(path + std::string(path_separators));
    folder_file file = out.create(umlaut);
    file.write(sample(100));
    file.finish();
    out.create("gone").finish();
    out.remove("gone");
    out.finish();
    CHECK(fs::file_size(truly(path + "/" + umlaut)) == 100);
    CHECK(std::distance(fs::directory_iterator(truly(path)), {}) == 1);
    CHECK(folder.count() == 1);
    fs::remove_all(truly(path));
  }
}

TEST_CASE("opens a trace folder with a name that is not ASCII") {
  const temp_folder folder;
  const std::string path = folder.path() + '/' + umlaut;
  fs::create_directory(truly(path));
  CHECK_THROWS_AS(umtracer::require_trace_folder(path), trace_error);
  write_whole(path + "/exec.vtable", sample(100));
  CHECK_NOTHROW(umtracer::require_trace_folder(path));
  CHECK(umtracer::is_part_of_trace(path + "/exec.vtable"));
  CHECK(umtracer::trace_files(path)[umtracer::file::exec_records].size() == 100);
}

#ifdef _WIN32
TEST_CASE("refuses a name that is not UTF-8") {
  CHECK(code_of([] { open_input("\xE4"); }) == trace_errc::system);
}

TEST_CASE("reports errors of Windows with the right code") {
  const temp_folder folder;
  const std::string longest = folder.path(std::string(300, 'x'));
  CHECK(code_of([&] { write_whole(longest, sample(10)); }) == trace_errc::system);
  // If the rename fails, an empty folder with the target's name remains.
  fs::create_directory(truly(folder.path("empty")));
  CHECK(code_of([&] { os::rename(folder.path("none"), folder.path("empty"), "f"); }) ==
        trace_errc::system);
  CHECK(fs::is_directory(truly(folder.path("empty"))));
}
#endif

TEST_CASE("finds where a file's name begins") {
  CHECK(file_name_at("") == 0);
  CHECK(file_name_at("a.b") == 0);
  CHECK(file_name_at("/a") == 1);
  CHECK(file_name_at("x/y/a") == 4);
  CHECK(file_name_at("x/") == 2);
  CHECK(ends_with_separator("x/"));
  CHECK_FALSE(ends_with_separator(""));
  CHECK_FALSE(ends_with_separator("x/y"));
  CHECK(rapidbin::metadata_path("x.y/a") == "x.y/a.json");
#ifdef _WIN32
  CHECK(file_name_at("x\\y/z\\a") == 6);
  CHECK(file_name_at("x\\y/a") == 4);
  CHECK(ends_with_separator("x\\"));
  CHECK(rapidbin::metadata_path("x.y\\a") == "x.y\\a.json");
  CHECK(rapidbin::metadata_path("x.y\\a.data") == "x.y\\a.json");
#else
  CHECK(file_name_at("x\\a") == 0);
  CHECK_FALSE(ends_with_separator("x\\"));
  CHECK(rapidbin::metadata_path("x.y\\a") == "x.json");
#endif
}

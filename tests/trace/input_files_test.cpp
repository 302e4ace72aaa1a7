// Tests input_files.hpp: input files that an output would overwrite, including files that do not
// exist yet.
#include "tracecodec/trace/input_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>

#include "champsim/support.hpp"
#include "tracecodec/rapidbin/trace_options.hpp"
#include "tracecodec/umtracer/descriptor.hpp"
#include "tracecodec/umtracer/layout/enumeration.hpp"

namespace rapidbin = tracecodec::rapidbin;
namespace trace = tracecodec::trace;
namespace umtracer = tracecodec::umtracer;
namespace fs = std::filesystem;
using trace::input_files;
using relation = trace::overwritten_file::relation;

namespace {
// Returns the name of the file that `out` would overwrite, or "" if there is none.
std::string found(const input_files& in, const std::string& out, relation how = relation::same) {
  const auto f = in.overwritten_by(out);
  if (!f) return "";
  CHECK(f->how == how);
  return f->name;
}
std::span<const std::byte> text(std::string_view s) { return std::as_bytes(std::span(s)); }
}  // namespace

TEST_CASE("recognises the trace's own file under any name") {
  const test::folder dir;
  const std::string trace = dir.file("t", text("1")), other = dir.file("u", text("1"));
  fs::create_hard_link(trace, dir / "hard");
  const input_files in(trace, {});
  CHECK(in.trace() == trace);
  for (const std::string& same : {trace, dir / "hard", dir / "./t"})
    CHECK(found(in, same) == trace);
  for (const std::string& more : {other, dir / "new", dir / "no/such/t", std::string("-")})
    CHECK(found(in, more).empty());
  CHECK(found(in, dir / "", relation::around) == trace);
  // A missing file cannot be overwritten.
  CHECK(found(input_files(dir / "missing", {}), dir / "missing").empty());
}

TEST_CASE("the metadata of event traces are input files") {
  const test::folder dir;
  const std::string trace = dir.file("t.data", text("1")), names = dir.file("t.json", text("{}")),
                    given = dir.file("m.json", text("{}"));
  for (const char* format : {"rapidbin", "std"}) {
    const auto* const f = trace::find_format(format);
    REQUIRE(f != nullptr);
    CHECK(found(input_files(trace, {}, f), names) == names);
    CHECK(found(input_files(trace, {.own = {rapidbin::metadata_file{}}}, f), names) == names);
    CHECK(found(input_files(trace, {.own = {rapidbin::metadata_file{given}}}, f), names) == names);
  }
  CHECK(found(input_files(trace, {.own = {rapidbin::metadata_file{given}}}), given) == given);
  CHECK(found(input_files(trace, {}), names).empty());
  CHECK(found(input_files(trace, {}, trace::find_format("champsim")), names).empty());
}

TEST_CASE("all files of a trace folder are input files") {
  const test::folder dir;
  fs::create_directories(dir / "um/deep");
  // A folder is protected even before it is known which files of it are the trace.
  CHECK(found(input_files(dir / "um", {}), dir / "um/new", relation::inside) == dir / "um");
  const std::string records = dir.file("um/exec.vtable", text("1"));
  const input_files in(dir / "um", {});
  CHECK(found(in, records) == records);
  for (const char* name : {"um/new", "um/trace.xml", "um/deep/new", "um/no/such/new", "um/deep"})
    CHECK(found(in, dir / name, relation::inside) == dir / "um");
#ifndef _WIN32
  fs::create_directories(dir / "um/c:/deep");
  for (const char* name : {"um/c:/new", "um/c:/deep/new", "um/d:/new"})
    CHECK(found(in, dir / name, relation::inside) == dir / "um");
#endif
  CHECK(found(in, dir / "um") == dir / "um");
  CHECK(found(in, dir / "", relation::around) == dir / "um");
  for (const char* name : {"umx", "um2/new", "exec.vtable"}) CHECK(found(in, dir / name).empty());
}

TEST_CASE("headers with names are input files") {
  const test::folder dir;
  const std::string header = dir.file("h", text("enum { XED_CATEGORY_AVX = 1 };"));
  auto names = std::make_shared<umtracer::names>();
  umtracer::read_names(header, *names);
  CHECK(names->files == std::vector<std::string>{header});
  CHECK(found(input_files(dir / "t", {.own = {umtracer::shared_names(names)}}), header) == header);
}

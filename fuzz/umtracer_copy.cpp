// An UMTracer trace that is read in full, written anew and read again. The input is a container of
// the eleven files; bit 0 of its choice: the copy is copied once more, else it is checked.
#include "input.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/copy.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_copy {
namespace {

// False if it cannot be read, or holds what the writer refuses.
bool copy(const umtracer::reader& from, const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return !error_of([&] {
    umtracer::writer to(folder, from.files()[umtracer::file::context_map],
                        umtracer::options_of(from));
    umtracer::copy_trace(from, to);
    to.finish();
  });
}

std::uint64_t errors(const umtracer::trace_files& files) {
  const auto found = umtracer::check(files, [](const tracecodec::diagnostic&) {});
  return found.count(tracecodec::severity::error);
}

void compare(const umtracer::reader& a, const umtracer::reader& b) {
  require(a.size() == b.size(), "as many records");
  for (std::uint64_t i = 0; i < a.size(); ++i) {
    const umtracer::record_view x = a[i], y = b[i];
    require(x.thread() == y.thread() && x.type() == y.type() && x.flags() == y.flags(),
            "decode(encode(x)) == x: records");
    if (x.type() != umtracer::exec_type::instruction) continue;
    require(x.instruction_id() == y.instruction_id(), "decode(encode(x)) == x: instructions");
    require(same(x.values().first(y.values().size()), y.values()),
            "decode(encode(x)) == x: values");
  }
  require(a.instructions().size() == b.instructions().size(), "as many instructions");
  require(a.modules().size() == b.modules().size(), "as many modules");
  require(a.syscalls().size() == b.syscalls().size(), "as many system calls");
  require(a.threads().size() == b.threads().size(), "as many threads");
}

void run(view in) {
  const container all = unpack(in);
  std::optional<umtracer::reader> from;
  if (error_of([&] { from.emplace(files_of(all)); })) return;
  static const std::string first = scratch() / "first", second = scratch() / "second";
  if (!copy(*from, first)) return;
  const umtracer::reader once(first);
  compare(*from, once);
  if ((all.choice & 1U) == 0) {
    require(errors(once.files()) == 0 || errors(files_of(all)) != 0,
            "a copy of a sound trace is sound");
    return;
  }
  require(copy(once, second), "what was written can be written again");
  const umtracer::reader twice(second);
  for (std::size_t i = 0; i < umtracer::file_count; ++i) {
    const auto f = static_cast<umtracer::file>(i);
    require(same(once.files()[f], twice.files()[f]), "decode(encode(x)) == x: a copy of a copy");
  }
}
const target registered("umtracer_copy", run);
}  // namespace
}  // namespace fuzz::umtracer_copy

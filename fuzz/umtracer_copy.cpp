// Tests that a UMTracer trace is unchanged after it is read, written and read again. The input is a
// container of the eleven files. With bit 0 of the container's choice, the copy is copied again,
// and otherwise checked.
#include <algorithm>

#include "input.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/copy.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_copy {
namespace {

// Copies a trace. Returns the error if it cannot be read, or contains something that the
// writer refuses.
std::optional<trace_error> copy(const umtracer::reader& from, const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return error_of([&] {
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

template <class A, class B> bool same_items(const A& a, const B& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same_context(const umtracer::context_view& a, const umtracer::context_view& b) {
  if (!same(a.buffer(), b.buffer()) || a.memory_count() != b.memory_count()) return false;
  for (std::size_t i = 0; i < a.memory_count(); ++i)
    if (a.memory(i).address != b.memory(i).address || !same(a.memory(i).bytes, b.memory(i).bytes))
      return false;
  return true;
}

// Compares values, but not the surplus bytes after the values, because the writer omits these.
bool same_values(const umtracer::reader& from, const umtracer::record_view& x,
                 const umtracer::record_view& y) {
  const auto known = from.instructions().slots(from.row_of(x)).values_size;
  const auto all = x.values();
  return same(all.first(std::min<std::size_t>(all.size(), known)), y.values());
}

void compare(const umtracer::reader& a, const umtracer::reader& b, std::uint64_t i) {
  using enum umtracer::exec_type;
  const umtracer::record_view x = a[i], y = b[i];
  require(x.thread() == y.thread() && x.type() == y.type() && x.flags() == y.flags(),
          "decode(encode(x)) == x: records");
  if (x.type() == instruction)
    require(x.instruction_id() == y.instruction_id() && same_values(a, x, y),
            "decode(encode(x)) == x: instructions and their values");
  if (x.type() == thread_end || x.type() == application_end)
    require(x.exit_code() == y.exit_code(), "decode(encode(x)) == x: exit codes");
  if (x.has_syscall())
    require(x.syscall_id() == y.syscall_id(), "decode(encode(x)) == x: system calls of records");
  if (x.has_context())
    require(same_context(x.context(), y.context()), "decode(encode(x)) == x: contexts");
}

void compare_tables(const umtracer::reader& a, const umtracer::reader& b) {
  const auto &from = a.instructions(), &to = b.instructions();
  require(from.size() == to.size(), "as many instructions");
  for (std::size_t i = 0; i < from.size(); ++i) {
    require(from[i].type == to[i].type && from[i].address == to[i].address &&
                same(from.code(i), to.code(i)) && from.text(i) == to.text(i),
            "decode(encode(x)) == x: the instruction table");
    const auto d = from.decoded(i), e = to.decoded(i);
    require(d.values_size == e.values_size && d.constants == e.constants &&
                same_items(d.slots, e.slots),
            "decode(encode(x)) == x: decoded instructions");
  }
  const auto &modules = a.modules(), &copied = b.modules();
  require(modules.size() == copied.size(), "as many modules");
  for (std::size_t i = 0; i < modules.size(); ++i)
    require(modules[i].start_address == copied[i].start_address &&
                modules[i].load_eid == copied[i].load_eid &&
                modules[i].unload_eid == copied[i].unload_eid &&
                same_items(modules.win_name(i), copied.win_name(i)) &&
                same_items(modules.device_name(i), copied.device_name(i)),
            "decode(encode(x)) == x: modules");
  require(a.syscalls().size() == b.syscalls().size(), "as many system calls");
  for (std::size_t i = 0; i < a.syscalls().size(); ++i)
    require(a.syscalls()[i].raw_id == b.syscalls()[i].raw_id &&
                same_items(a.syscalls().arguments(i), b.syscalls().arguments(i)) &&
                same(a.syscalls().extras(i), b.syscalls().extras(i)),
            "decode(encode(x)) == x: system calls");
  require(a.threads().size() == b.threads().size(), "as many threads");
  for (std::size_t i = 0; i < a.threads().size(); ++i)
    require(a.threads()[i].win_tid == b.threads()[i].win_tid &&
                a.threads()[i].tib_address == b.threads()[i].tib_address,
            "decode(encode(x)) == x: threads");
}

void compare(const umtracer::reader& a, const umtracer::reader& b) {
  require(a.size() == b.size(), "as many records");
  for (std::uint64_t i = 0; i < a.size(); ++i) compare(a, b, i);
  compare_tables(a, b);
  require(same(a.files()[umtracer::file::context_map], b.files()[umtracer::file::context_map]),
          "the same context map");
}

void run(view in) {
  const container all = unpack(in);
  std::optional<umtracer::reader> from;
  if (error_of([&] { from.emplace(files_of(all)); })) return;
  static const std::string first = scratch() / "first", second = scratch() / "second";
  if (const auto error = copy(*from, first)) {
    require(error->code() == trace_errc::refused || errors(files_of(all)) != 0,
            "a sound trace is copied or refused");
    return;
  }
  const umtracer::reader once(first);
  compare(*from, once);
  if ((all.choice & 1U) == 0) {
    require(errors(once.files()) == 0 || errors(files_of(all)) != 0,
            "a copy of a sound trace is sound");
    return;
  }
  require(!copy(once, second), "what was written can be written again");
  const umtracer::reader twice(second);
  for (std::size_t i = 0; i < umtracer::file_count; ++i) {
    const auto f = static_cast<umtracer::file>(i);
    require(same(once.files()[f], twice.files()[f]), "decode(encode(x)) == x: a copy of a copy");
  }
}
const target registered("umtracer_copy", run);
}  // namespace
}  // namespace fuzz::umtracer_copy

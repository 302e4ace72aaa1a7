// merge.hpp: records that arrive thread by thread.
#include "tracecodec/umtracer/writer/merge.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "umtracer/replay.hpp"

using namespace test;
namespace fs = std::filesystem;
using umtracer::file;

namespace {

constexpr std::uint64_t sequence_of(std::uint64_t record) { return 3 * record + 7; }

// Passes a sample's modules and then its records to a writer, thread by thread. `choose`
// selects the next thread among those that have more records.
void tell_by_threads(const umtracer::reader& in, umtracer::merging_writer& out,
                     const std::function<std::size_t(std::size_t)>& choose) {
  for (std::size_t i = 0; i < in.modules().size(); ++i) {
    const auto m = in.modules()[i];
    const stored_module told(in.modules(), i);
    const auto sequence = [](std::int64_t eid) {
      return sequence_of(static_cast<std::uint64_t>(eid));
    };
    const std::int32_t id = out.add_module(told.info, sequence(m.load_eid));
    if (m.unload_eid != umtracer::no_eid) out.unload_module(id, sequence(m.unload_eid));
  }
  replay_tables(in, out);
  std::map<std::uint32_t, std::vector<std::uint64_t>> records;
  for (std::uint64_t i = in.size(); i-- > 0;) records[in[i].thread()].push_back(i);
  replayer told(in, out);
  while (!records.empty()) {
    const auto at = std::next(records.begin(), static_cast<std::ptrdiff_t>(choose(records.size())));
    const std::uint64_t i = at->second.back();
    told.tell(i, umtracer::record_place{at->first, sequence_of(i)});
    at->second.pop_back();
    if (at->second.empty()) records.erase(at);
  }
}

bytes some_context(const umtracer::reader& in) { return bytes(in.registers().dump_size()); }

}  // namespace

TEST_CASE("merges threads that arrive in any order into the original trace") {
  // NOLINTNEXTLINE: the same order in each run
  std::mt19937 random(5);
  const std::function<std::size_t(std::size_t)> orders[] = {
      [](std::size_t) { return std::size_t{0}; },  // one thread after the other
      [](std::size_t n) { return n - 1; },
      [&](std::size_t n) { return std::size_t{random()} % n; },
  };
  for (const std::string name : umtracer_samples)
    for (const auto& choose : orders) {
      CAPTURE(name);
      const umtracer::reader in(umtracer_sample(name));
      const folder dir;
      umtracer::merging_writer out(dir / "t", in.files()[file::context_map],
                                   umtracer::options_of(in));
      tell_by_threads(in, out, choose);
      CHECK(out.size() == in.size());
      out.finish();
      check_same(in, umtracer::reader(dir / "t"));
      // The temporary file of the records was removed.
      CHECK(std::distance(fs::directory_iterator(dir / "t"), {}) == 11);
    }
}

TEST_CASE("merging_writer and writer produce identical files") {
  const umtracer::reader in(umtracer_sample("plain64"));
  const folder dir;
  umtracer::writer ordered(dir / "a", in.files()[file::context_map], umtracer::options_of(in));
  umtracer::copy_trace(in, ordered);
  ordered.finish();
  umtracer::merging_writer merged(dir / "b", in.files()[file::context_map],
                                  umtracer::options_of(in));
  tell_by_threads(in, merged, [](std::size_t n) { return n / 2; });
  merged.finish();
  for (const auto f : {file::exec_records, file::exec_offsets, file::exec_neighbours, file::modules,
                       file::threads, file::syscall_offsets})
    CHECK(content(dir / ("a/" + std::string(umtracer::name(f)))) ==
          content(dir / ("b/" + std::string(umtracer::name(f)))));
}

TEST_CASE("refuses inconsistent sequence numbers") {
  const umtracer::reader in(umtracer_sample("plain64"));
  const bytes c = some_context(in);
  const folder dir;
  const auto refused = [&](const char* field,
                           const std::function<void(umtracer::merging_writer&)>& f) {
    umtracer::merging_writer out(dir / "t", in.files()[file::context_map]);
    out.add_thread({});
    out.add_thread({});
    const auto error = error_of([&] { f(out); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->field() == field);
    CHECK(error->file() == dir / "t/exec.vtable");
  };
  refused("sequence", [](auto& out) {
    out.thread_end({0, 5}, 0, 0);
    out.thread_end({0, 5}, 0, 0);
  });
  refused("sequence", [](auto& out) {
    out.thread_end({0, 5}, 0, 0);
    out.thread_end({1, 5}, 0, 0);
    out.finish();
  });
  refused("thread_id", [](auto& out) { out.thread_end({2, 5}, 0, 0); });
  refused("syscall_id", [](auto& out) { out.skipped_syscall_exit({0, 5}, 0, 0); });
  refused("syscall_id", [&](auto& out) {  // ends twice
    const auto id = out.syscall_entry({0, 1}, 0, {}, {c});
    out.skipped_syscall_exit({0, 2}, 0, id);
    out.skipped_syscall_exit({0, 3}, 0, id);
    out.finish();
  });
  refused("syscall_id", [&](auto& out) {  // ends in another thread before it begins
    const auto id = out.syscall_entry({0, 2}, 0, {}, {c});
    out.syscall_exit({1, 1}, 0, id, 0, {c});
    out.finish();
  });
  refused("syscall_id", [&](auto& out) {  // ends in another thread
    const auto id = out.syscall_entry({0, 2}, 0, {}, {c});
    out.syscall_exit({1, 3}, 0, id, 0, {c});
    out.finish();
  });
  refused("type", [](auto& out) {  // continues after another thread has ended the application
    out.thread_end({0, 9}, 0, 0);
    out.application_end({1, 8}, 0, 0);
    out.finish();
  });
  CHECK(fs::is_empty(dir / ""));
}

TEST_CASE("a refused record does not affect the records before and after it") {
  const umtracer::reader in(umtracer_sample("plain64"));
  const bytes c = some_context(in);
  const folder dir;
  umtracer::merging_writer out(dir / "t", in.files()[file::context_map]);
  out.add_thread({});
  const std::vector<std::uint64_t> arguments{1, 2, 3};
  CHECK(error_of([&] { out.syscall_entry({0, 1}, 0, {.arguments = arguments}, {}); }));
  CHECK(error_of([&] { out.opaque({0, 1}, umtracer::exec_type::instruction, 0, c); }));
  out.opaque({0, 1}, umtracer::exec_type{7}, 2, std::span(c).first(3));
  const auto call = out.syscall_entry({0, 2}, 0, {.arguments = arguments}, {c});
  out.syscall_exit({0, 1'000'000}, 0, call, 77, {c});
  out.finish();
  const umtracer::reader back(dir / "t");
  REQUIRE(back.size() == 3);
  CHECK(back[0].type() == umtracer::exec_type{7});
  CHECK(back[0].data().size() == 3);
  REQUIRE(back.syscalls().size() == 1);
  CHECK(back.syscalls()[0].begin_eid == 1);
  CHECK(back.syscalls()[0].end_eid == 2);
  CHECK(back.syscalls()[0].result == 77);
  CHECK(back.syscalls().arguments(0)[2] == 3);
}

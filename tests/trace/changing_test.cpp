// Tests every format while its mapped bytes change. Reading may return arbitrary bytes or an error,
// but must not access anything outside the file or a buffer.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "changing.hpp"
#include "sanitized.hpp"
#include "tracecodec/champsim/check.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/reader.hpp"
#include "tracecodec/rapidbin/trace_options.hpp"
#include "tracecodec/rows.hpp"
#include "tracecodec/trace/instruction_source.hpp"
#include "tracecodec/umtracer/check.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"
#if TRACECODEC_OPENS_UMTRACER
#include "tracecodec/umtracer/feed.hpp"
#endif
#include "tracecodec/umtracer/query.hpp"
#include "tracecodec/umtracer/reader/explicit_operands.hpp"
#include "tracecodec/umtracer/rows.hpp"
#include "tracecodec/umtracer/rows/tables.hpp"
#if TRACECODEC_OPENS_X64DBG
#include "tracecodec/x64dbg/check.hpp"
#include "tracecodec/x64dbg/feed.hpp"
#include "tracecodec/x64dbg/memory.hpp"
#include "tracecodec/x64dbg/repair.hpp"
#include "tracecodec/x64dbg/rows.hpp"
#endif
#if defined(TRACECODEC_WITH_ZSTD)
#include "tracecodec/tracepack/reader.hpp"
#endif
#include "umtracer/tiny_trace.hpp"
#include "umtracer/walk.hpp"

using namespace test;
namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace rapidbin = tracecodec::rapidbin;
namespace rows = tracecodec::rows;
namespace trace = tracecodec::trace;
using step_function = std::function<void()>;

namespace {
constexpr unsigned rounds = sanitized ? 6 : 12;

io::input open(std::span<const std::byte> file, const std::string& name = "changing") {
  return io::open_bytes(file, name, {.compression = io::codec::none});
}
// Returns at most `most` bytes from the beginning of a sample.
bytes front_of(const std::string& name, std::size_t most) {
  bytes all = content(data(name));
  all.resize(std::min(all.size(), most));
  return all;
}
// Reads bytes that may change at any time. The sum of the bytes is stored so that the reads are not
// optimised away.
volatile unsigned looked_at = 0;
void look(std::span<const std::byte> all) {
  unsigned sum = 0;
  for (const std::byte b : all) sum += std::to_integer<unsigned>(b);
  looked_at = sum;
}
template <class T> void look(std::span<const T> all) { look(std::as_bytes(all)); }

// Reads all columns of the format.
void read_columns(feed::column_source& from, const step_function& step) {
  from.want(from.has(), from.has());
  feed::columns batch;
  while (from.next(batch, 64)) {
    look(batch.ip());
    step();
  }
}
void read_records(trace::instruction_source& from, const step_function& step) {
  for (;;) {
    const auto batch = from.next_records(64);
    if (batch.records.empty()) return;
    step();
    look(std::as_bytes(batch.records));
  }
}
template <class F> void attempt(F f) {
  try {
    f();
  } catch (const trace_error&) {
    // Errors are expected, because the file is damaged by now.
  }
}
void read_any(std::span<const std::byte> file, tracecodec::format::open_options how,
              const step_function& step) {
  how.own.set(rapidbin::metadata_file{});
  how.maps = "";
  attempt([&] {
    const auto from = trace::open_instructions(trace::source(open(file), how), how);
    attempt([&] { read_columns(*from, step); });
    from->rewind();
    attempt([&] { read_records(*from, step); });
    from->rewind();
    static_cast<void>(from->skip(50));
    attempt([&] { read_records(*from, step); });
    static_cast<void>(from->count());
  });
}

#if TRACECODEC_OPENS_X64DBG
namespace x64dbg = tracecodec::x64dbg;

template <x64dbg::target T> void look(const x64dbg::block<T>& b, const step_function& step) {
  look(b.opcode.bytes());
  step();
  unsigned sum = 0;
  x64dbg::register_state<T>::walk(b, [&](std::size_t w, auto value) {
    sum += static_cast<unsigned>(w + value);
    step();
  });
  // The number of items depends on the flags at the time when they are read.
  for (const x64dbg::memory_access& a : x64dbg::accesses(b)) {
    sum += static_cast<unsigned>(a.address + a.old_value + a.value_after());
    step();
  }
  for (const auto value : b.new_values) sum += static_cast<unsigned>(value);
  looked_at = sum;
}

template <x64dbg::target T>
void read_x64dbg(std::span<const std::byte> file, bool repair, const step_function& step) {
  attempt([&] {
    x64dbg::block_reader<T> blocks(open(file), {.repair = repair});
    for (x64dbg::block<T> b; blocks.next(b);) {
      step();
      static_cast<void>(blocks.position_of(b));
      look(b, step);
    }
  });
  attempt([&] {
    x64dbg::reader<T> r(open(file), {.repair = repair, .without_snapshot = true});
    bytes out;
    rows::json_lines<x64dbg::row<T>> writer(std::make_unique<vector_sink>(out));
    for (x64dbg::instruction<T> i; r.next(i);) {
      step();
      writer.write(x64dbg::row_of(i));
      look(i.block, step);
    }
  });
  attempt([&] {
    x64dbg::trace_feed<T> from(open(file), {.repair = repair, .registers = true});
    for (const auto& i : from) {
      step();
      look(i.code());
      look(i.block(), step);
      for (const auto& a : i.recorded_accesses()) {
        looked_at = static_cast<unsigned>(a.value_after());
        step();
      }
    }
  });
  attempt([&] {
    x64dbg::reader<T> r(open(file), {.repair = repair});
    const auto index = x64dbg::index_of(r, 64);
    step();
    x64dbg::memory_queries<T> queries(r, index);
    queries.on_poll(step);
    const std::uint64_t n = index.instructions();
    for (const std::uint64_t at : {n, n / 2}) {
      static_cast<void>(queries.at(at, 0x30000, 16));
      step();
      static_cast<void>(queries.last_write(at, 0x30000, 16));
      static_cast<void>(queries.next_access(at / 2, 0x30000, 16));
    }
  });
  attempt([&] {
    bytes out;
    static_cast<void>(x64dbg::repair(open(file), std::make_unique<vector_sink>(out), "out",
                                     [&](const auto&) { step(); }));
  });
  static_cast<void>(x64dbg::check(open(file), [&](const auto&) { step(); }));
}
#endif

void read_umtracer(const umtracer::trace_files::contents& all, bool lenient,
                   const step_function& step) {
  const auto files = [&all] { return umtracer::trace_files(all, "changing"); };
  attempt([&] {
    const umtracer::reader r(files(), {.lenient = lenient});
    walked w;
    step();
    walk_tables(r, w, 40);
    for (std::uint64_t id = 0; id < r.size(); ++id) {
      step();
      walk_record(r, id, w, 40, calls::all);
      attempt([&] {
        const auto record = r[id];
        for (std::size_t i = 0; i != 4; ++i) {
          const auto o = umtracer::explicit_operand_of(r, record, i);
          step();
          look(o.before);
          look(o.after);
        }
      });
    }
  });
  attempt([&] {
    const umtracer::reader r(files(), {.lenient = lenient});
    const std::uint64_t n = r.size() / 2;
    step();
    static_cast<void>(umtracer::memory_at(r, n, {0x200020, 16}, umtracer::moment::before));
    static_cast<void>(umtracer::memory_at(r, n, {0x200020, 16}, umtracer::moment::after));
    step();
    auto state = umtracer::registers_at(r, n, umtracer::moment::before);
    static_cast<void>(state.get("RAX"));
    step();
    for (const auto& e : umtracer::filtered(r, {.thread = 5, .module = 0}))
      looked_at = static_cast<unsigned>(e.id());
  });
  attempt([&] {
    const umtracer::reader r(files(), {.lenient = lenient});
    bytes out;
    const auto write = [&](auto make, std::size_t size) {
      rows::json_lines<decltype(make(0))> to(std::make_unique<vector_sink>(out));
      attempt([&] {
        for (std::size_t i = 0; i < size; ++i) {
          step();
          to.write(make(i));
        }
      });
    };
    using text = std::optional<std::string_view>;
    write(umtracer::exec_rows<text>(r), static_cast<std::size_t>(r.size()));
    write(umtracer::instruction_rows<>(r), r.instructions().size());
    write(umtracer::syscall_rows<>(r), r.syscalls().size());
    write(umtracer::module_rows(r), r.modules().size());
  });
#if TRACECODEC_OPENS_UMTRACER
  attempt([&] {
    trace::feed_instructions from(
        umtracer::trace_feed(umtracer::reader(files(), {.lenient = lenient})));
    attempt([&] { read_columns(from, step); });
    from.rewind();
    attempt([&] { read_records(from, step); });
  });
#endif
  static_cast<void>(umtracer::check(files(), [&](const auto&) { step(); }));
}
umtracer::trace_files::contents contents_of(const changing_files& all) {
  umtracer::trace_files::contents views{};
  for (std::size_t i = 0; i != views.size(); ++i) views[i] = all[i];
  return views;
}
}  // namespace

TEST_CASE("survives changes of ChampSim's records during reading") {
  const bytes file = front_of("sed64.champsimtrace.xz", 64 * 200);
  const std::size_t steps =
      read_changing({file}, rounds, [](const changing_files& files, const step_function& step) {
        read_any(files[0], {.format = trace::find_format("champsim")}, step);
        read_any(files[0], {.format = trace::find_format("cloudsuite")}, step);
        static_cast<void>(
            champsim::check<champsim::instruction>(open(files[0]), [&](const auto&) { step(); }));
      });
  CHECK(steps > rounds);
}

TEST_CASE("survives changes of RapidBin's events during reading") {
  const bytes file = front_of("rapidbin/r250.data", 4096),
              text = front_of("rapidbin/r250.std", 4096);
  const std::size_t steps = read_changing(
      {file, text}, rounds, [](const changing_files& files, const step_function& step) {
        for (const bool repair : {false, true}) {
          read_any(files[0], {.format = trace::find_format("rapidbin"), .repair = repair}, step);
          read_any(files[1], {.format = trace::find_format("std"), .repair = repair}, step);
        }
        attempt([&] {
          rapidbin::reader r(open(files[0]), {.lenient = true});
          for (auto b = r.next(); b.size() != 0; b = r.next()) {
            step();
            for (const rapidbin::event e : b.events) looked_at = e.location;
          }
        });
        static_cast<void>(rapidbin::check(open(files[0]), [&](const auto&) { step(); }));
        static_cast<void>(rapidbin::check_std(open(files[1]), [&](const auto&) { step(); }));
      });
  CHECK(steps > rounds);
}

#if defined(TRACECODEC_WITH_ZSTD)
TEST_CASE("survives changes of tracepack's frames during reading") {
  namespace tracepack = tracecodec::tracepack;
  for (const char* name : {"champsim_fast", "cloudsuite_high", "properties", "stored"}) {
    CAPTURE(name);
    const bytes file = front_of("tracepack/" + std::string(name) + ".tracepack", 1U << 20U);
    const std::size_t steps = read_changing(
        {file}, 4 * rounds, [](const changing_files& files, const step_function& step) {
          for (const bool lenient : {false, true})
            attempt([&] {
              tracepack::reader_options how{.statics = true};
              if (lenient) how.lost = [&](const auto&) { step(); };
              tracepack::reader r(open(files[0]), how);
              step();
              static_cast<void>(r.content_size());
              static_cast<void>(r.skip(64 * 20));
              step();
              for (auto b = r.next(); !b.bytes.empty(); b = r.next()) {
                step();
                look(b.bytes);
                for (const std::uint32_t number : b.statics)
                  looked_at = static_cast<unsigned>(r.static_property(number).length);
              }
            });
          read_any(files[0], {.threads = 2}, step);
        });
    CHECK(steps > rounds);
  }
}
#endif

#if TRACECODEC_OPENS_X64DBG
TEST_CASE("survives changes of x64dbg's blocks during reading") {
  using enum x64dbg::target;
  const std::vector<bytes> files{front_of("work32.trace32.xz", 20000),
                                 front_of("threads3_64.trace64.xz", 20000),
                                 front_of("threads3_64_legacybug.trace64.xz", 20000)};
  const std::size_t steps =
      read_changing(files, rounds, [](const changing_files& all, const step_function& step) {
        read_x64dbg<x86>(all[0], false, step);
        read_x64dbg<x64>(all[1], false, step);
        read_x64dbg<x64>(all[2], true, step);
        for (std::size_t i = 0; i != 3; ++i)
          read_any(all[i],
                   {.format = trace::find_format("x64dbg"), .repair = i == 2, .registers = i == 1},
                   step);
      });
  CHECK(steps > rounds);
}
#endif

TEST_CASE("survives changes of UMTracer's tables during reading") {
  tiny_trace tiny;
  std::vector<bytes> files;
  for (std::size_t i = 0; i != umtracer::file_count; ++i)
    files.push_back(tiny[static_cast<umtracer::file>(i)]);
  const std::size_t steps =
      read_changing(files, 2 * rounds, [](const changing_files& all, const step_function& step) {
        for (const bool lenient : {false, true}) read_umtracer(contents_of(all), lenient, step);
      });
  CHECK(steps > rounds);
}

// Tests of the functions of tracecodec.h when memory runs out. They must report
// TRACECODEC_NO_MEMORY and no other error.
#include <doctest/doctest.h>

#include <cerrno>
#include <new>

#include "c/support.hpp"
#include "out_of_memory/each_allocation.hpp"

using namespace test;

namespace {

// Throws std::bad_alloc if a status, or the result of one of Arrow's functions, means lack of
// memory. Throws std::runtime_error for any other error.
void require(tracecodec_status s) {
  if (s == TRACECODEC_NO_MEMORY) throw std::bad_alloc();
  if (s != TRACECODEC_OK) throw std::runtime_error(tracecodec_status_name(s));
}
void require_errno(int error) {
  if (error == ENOMEM) throw std::bad_alloc();
  if (error != 0) throw std::runtime_error("errno " + std::to_string(error));
}

struct opened {
  tracecodec_trace* trace = nullptr;
  explicit opened(const std::string& path, std::uint32_t threads) {
    tracecodec_options o = options();
    o.threads = threads;
    const tracecodec_status s = tracecodec_open(path.c_str(), &o, &trace);
    if (s != TRACECODEC_OK) tracecodec_close(trace);
    require(s);
  }
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  ~opened() { tracecodec_close(trace); }
};

std::uint64_t read_records(tracecodec_trace* t) {
  sum_of sum;
  for (int i = 0; i != 3; ++i) {
    const tracecodec_record* records = nullptr;
    std::size_t n = 0;
    require(tracecodec_next_records(t, 100, &records, &n));
    for (std::size_t k = 0; k != n; ++k) sum.add(records[k].ip);
  }
  return sum.value();
}
std::uint64_t read_columns(tracecodec_trace* t) {
  sum_of sum;
  require(tracecodec_want(t, tracecodec_has(t), tracecodec_has(t)));
  for (int i = 0; i != 3; ++i) {
    std::size_t n = 0;
    require(tracecodec_next_columns(t, 100, &n));
    tracecodec_array ips{};
    require(tracecodec_values(t, TRACECODEC_COLUMN_IP, 0, &ips));
    for (std::size_t k = 0; k != n; ++k) sum.add(static_cast<const std::uint64_t*>(ips.values)[k]);
  }
  return sum.value();
}

struct stream {
  ArrowArrayStream s{};
  ~stream() {
    if (!released(s)) s.release(&s);
  }
};
std::uint64_t read_stream(opened& from) {
  sum_of sum;
  stream to;
  require(tracecodec_arrow_stream(from.trace, 100, &to.s));
  from.trace = nullptr;
  ArrowSchema schema{};
  require_errno(to.s.get_schema(&to.s, &schema));
  sum.add(static_cast<std::uint64_t>(schema.n_children));
  schema.release(&schema);
  for (int i = 0; i != 3; ++i) {
    ArrowArray batch{};
    require_errno(to.s.get_next(&to.s, &batch));
    if (released(batch)) break;
    sum.add(static_cast<std::uint64_t>(batch.length));
    batch.release(&batch);
  }
  return sum.value();
}

}  // namespace

TEST_CASE("the C interface reports lack of memory for each format") {
  for (const std::string& path : samples()) {
    CAPTURE(path);
    fail_each_allocation(
        [&] {
          opened t(path, 0);
          const std::uint64_t records = read_records(t.trace);
          require(tracecodec_rewind(t.trace));
          return records ^ read_columns(t.trace);
        },
        60);
    fail_each_allocation(
        [&] {
          opened t(path, 3);
          return read_stream(t);
        },
        60);
  }
}

TEST_CASE("a trace can be rewound and read once memory is available again") {
  for (const std::string& path : samples()) {
    CAPTURE(path);
    const auto read = [](tracecodec_trace* t) {
      require(tracecodec_rewind(t));
      return read_records(t);
    };
    opened sound(path, 0);
    const std::uint64_t expected = read(sound.trace);
    for (std::size_t i = 0; i != 40; ++i) {
      CAPTURE(i);
      opened t(path, 0);
      allocations::fail(i);
      const auto work = [&] { return read(t.trace); };
      const outcome o = outcome_of(work);
      allocations::stop();
      CHECK(o.wrong == "");
      CHECK((o.no_memory || o.sum == expected));
      CHECK(read(t.trace) == expected);
    }
  }
}

// Tests of tracecodec.h: a trace as an Arrow stream. An independent consumer, written from the
// specification of Arrow's C data interface, checks every array against its schema.
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "c/support.hpp"
#include "champsim/support.hpp"
#include "tracecodec/trace/reader.hpp"

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

// Returns the number of buffers of a format.
std::int64_t buffers_of(const std::string& format) {
  if (format == "+s") return 1;
  if (format == "z") return 3;
  return 2;
}
// Returns the number of bits of an element.
std::size_t width_of(const std::string& format) {
  if (format == "b") return 1;
  if (format == "C") return 8;
  if (format == "S") return 16;
  if (format == "I") return 32;
  REQUIRE(format == "L");
  return 64;
}

bool rising(const std::int32_t* offsets, std::int64_t n) {
  return offsets[0] == 0 && std::is_sorted(offsets, offsets + n + 1);
}

// Checks an array, and stops the test at the first error. Returns the sum of all bytes that must
// exist.
std::uint64_t check(const ArrowSchema& s, const ArrowArray& a) {
  REQUIRE(!test::released(s));
  REQUIRE(!test::released(a));
  REQUIRE(s.format != nullptr);
  REQUIRE(s.name != nullptr);
  REQUIRE(s.dictionary == nullptr);
  REQUIRE(a.dictionary == nullptr);
  REQUIRE(s.flags == 0);
  REQUIRE(a.null_count == 0);
  REQUIRE(a.offset == 0);
  REQUIRE(s.n_children == a.n_children);
  const std::string format = s.format;
  CAPTURE(format);
  REQUIRE(a.n_buffers == buffers_of(format));
  REQUIRE(a.buffers[0] == nullptr);
  std::uint64_t sum = 0;
  const auto read = [&sum](const void* p, std::size_t bytes) {
    if (bytes == 0) return;
    REQUIRE(p != nullptr);
    const auto* const all = static_cast<const unsigned char*>(p);
    for (std::size_t i = 0; i != bytes; ++i) sum += all[i];
  };
  if (format == "+s") {
    for (std::int64_t i = 0; i != s.n_children; ++i) {
      REQUIRE(a.children[i]->length == a.length);
      sum += check(*s.children[i], *a.children[i]);
    }
  } else if (format == "+l") {
    REQUIRE(s.n_children == 1);
    const auto* const offsets = static_cast<const std::int32_t*>(a.buffers[1]);
    REQUIRE(offsets != nullptr);
    REQUIRE(rising(offsets, a.length));
    REQUIRE(std::string(s.children[0]->name) == "item");
    REQUIRE(a.children[0]->length == offsets[a.length]);
    sum += check(*s.children[0], *a.children[0]);
  } else if (format == "z") {
    REQUIRE(s.n_children == 0);
    const auto* const offsets = static_cast<const std::int32_t*>(a.buffers[1]);
    REQUIRE(offsets != nullptr);
    REQUIRE(rising(offsets, a.length));
    read(a.buffers[2], static_cast<std::size_t>(offsets[a.length]));
  } else {
    REQUIRE(s.n_children == 0);
    const std::size_t width = width_of(format);
    REQUIRE(reinterpret_cast<std::uintptr_t>(a.buffers[1]) % std::max<std::size_t>(width / 8, 1) ==
            0);
    read(a.buffers[1], (static_cast<std::size_t>(a.length) * width + 7) / 8);
  }
  return sum;
}

std::string unit_of(const ArrowSchema& s) {
  if (s.metadata == nullptr) return {};
  const char* p = s.metadata;
  const auto number = [&p] {
    std::int32_t n = 0;
    std::memcpy(&n, p, sizeof n);
    p += sizeof n;
    return n;
  };
  const auto text = [&] {
    const auto n = static_cast<std::size_t>(number());
    const std::string t(p, n);
    p += n;
    return t;
  };
  REQUIRE(number() == 1);
  REQUIRE(text() == "tracecodec.unit");
  return text();
}

struct stream {
  ArrowArrayStream of{};
  explicit stream(test::c_trace t, std::size_t most = 0) {
    REQUIRE(tracecodec_arrow_stream(t.get(), most, &of) == TRACECODEC_OK);
    t.release();  // NOLINT: the stream has it
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() {
    if (of.release != nullptr) of.release(&of);
  }
  ArrowSchema schema() {
    ArrowSchema s{};
    REQUIRE(of.get_schema(&of, &s) == 0);
    return s;
  }
};

template <class T> const T* values(const ArrowArray& a) {
  return static_cast<const T*>(a.buffers[a.n_buffers - 1]);
}
bool bit_of(const ArrowArray& a, std::size_t i) {
  return (values<std::uint8_t>(a)[i / 8] >> i % 8 & 1) != 0;
}

}  // namespace

TEST_CASE("every array matches its schema, in batches of any size") {
  for (const std::string& path : test::samples()) {
    CAPTURE(path);
    std::uint64_t n = 0;
    trace::reader by_hand(path);
    const std::uint64_t rows = by_hand.count();
    for (const std::size_t most : {std::size_t{0}, std::size_t{77}}) {
      stream from(test::open(path), most);
      ArrowSchema s = from.schema();
      CHECK(std::string(s.format) == "+s");
      n = 0;
      ArrowArray a{};
      while (from.of.get_next(&from.of, &a) == 0 && a.release != nullptr) {
        CHECK(a.length <= static_cast<std::int64_t>(most == 0 ? 4096 : most));
        check(s, a);
        n += static_cast<std::uint64_t>(a.length);
        a.release(&a);
        CHECK(test::released(a));
      }
      CHECK(from.of.get_last_error(&from.of) == nullptr);
      CHECK(n == rows);
      s.release(&s);
      CHECK(test::released(s));
    }
  }
}

TEST_CASE("values equal those of trace::reader") {
  const std::string path = test::data("rapidbin/r250.data");
  trace::reader by_hand(path);
  using feed::column;
  by_hand.want({column::ip, column::thread, column::is_branch, column::memory, column::operation,
                column::destination_registers});
  feed::columns b;
  REQUIRE(by_hand.next(b));
  auto t = test::open(path);
  const auto bits = test::bit(TRACECODEC_COLUMN_IP) | test::bit(TRACECODEC_COLUMN_THREAD) |
                    test::bit(TRACECODEC_COLUMN_IS_BRANCH) | test::bit(TRACECODEC_COLUMN_MEMORY) |
                    test::bit(TRACECODEC_COLUMN_OPERATION) |
                    test::bit(TRACECODEC_COLUMN_DESTINATION_REGISTERS);
  REQUIRE(tracecodec_want(t.get(), bits, 0) == TRACECODEC_OK);
  stream from(std::move(t));
  ArrowSchema s = from.schema();
  REQUIRE(s.n_children == 6);
  const char* names[] = {"ip",    "is_branch", "thread", "operation", "destination_registers",
                         "memory"};
  const char* formats[] = {"L", "b", "I", "C", "+l", "+l"};
  for (int i = 0; i != 6; ++i) {
    CHECK(std::string(s.children[i]->name) == names[i]);
    CHECK(std::string(s.children[i]->format) == formats[i]);
  }
  CHECK(unit_of(*s.children[0]) == "address");
  CHECK(unit_of(*s.children[4]->children[0]) == "register");
  CHECK(std::string(s.children[4]->children[0]->format) == "C");
  const ArrowSchema& entry = *s.children[5]->children[0];
  CHECK(std::string(entry.format) == "+s");
  REQUIRE(entry.n_children == 3);
  CHECK(std::string(entry.children[0]->name) == "address");
  CHECK(std::string(entry.children[2]->format) == "b");
  CHECK(unit_of(*entry.children[1]) == "bytes");
  ArrowArray a{};
  REQUIRE(from.of.get_next(&from.of, &a) == 0);
  REQUIRE(a.length == static_cast<std::int64_t>(b.size()));
  const auto memory = b.memory();
  const ArrowArray& in_memory = *a.children[5];
  const ArrowArray& entries = *in_memory.children[0];
  REQUIRE(entries.length == static_cast<std::int64_t>(memory.address.size()));
  CHECK(std::equal(memory.offsets.begin(), memory.offsets.end(),
                   static_cast<const std::int32_t*>(in_memory.buffers[1])));
  for (std::size_t i = 0; i != b.size(); ++i) {
    CHECK(values<std::uint64_t>(*a.children[0])[i] == b.ip()[i]);
    CHECK(bit_of(*a.children[1], i) == (b.is_branch()[i] != 0));
    CHECK(values<std::uint32_t>(*a.children[2])[i] == b.thread()[i]);
    CHECK(values<std::uint8_t>(*a.children[3])[i] == b.operation()[i]);
  }
  for (std::size_t i = 0; i != memory.address.size(); ++i) {
    CHECK(values<std::uint64_t>(*entries.children[0])[i] == memory.address[i]);
    CHECK(bit_of(*entries.children[2], i) == (memory.write[i] != 0));
  }
  a.release(&a);
  s.release(&s);
}

TEST_CASE("batches and moved children outlive the stream") {
  const test::folder here;
  const auto all = test::records(10000);
  const std::string path = here.file("t", test::bytes_of(all));
  auto o = test::options();
  o.format = "champsim";
  auto t = test::open(path, &o);
  REQUIRE(tracecodec_want(t.get(),
                          test::bit(TRACECODEC_COLUMN_IP) | test::bit(TRACECODEC_COLUMN_MEMORY),
                          0) == TRACECODEC_OK);
  std::vector<ArrowArray> batches, ips;
  ArrowSchema s{};
  {
    stream from(std::move(t));
    s = from.schema();
    for (ArrowArray a{}; from.of.get_next(&from.of, &a) == 0 && a.release != nullptr;)
      batches.push_back(a);  // moved
  }
  REQUIRE(batches.size() == 3);
  std::size_t n = 0;
  for (ArrowArray& a : batches) {
    check(s, a);
    // The test keeps one child of each batch.
    ips.push_back(*a.children[0]);
    a.children[0]->release = nullptr;
    a.release(&a);
  }
  s.release(&s);
  for (ArrowArray& a : ips) {
    for (std::int64_t i = 0; i != a.length; ++i)
      REQUIRE(values<std::uint64_t>(a)[i] == all[n++].ip);
    a.release(&a);
    CHECK(test::released(a));
  }
  CHECK(n == all.size());
}

TEST_CASE("an error with its text follows the whole rows") {
  const test::folder here;
  auto bytes = test::bytes_of(test::records(5000));
  bytes.resize(bytes.size() - 24);
  auto o = test::options();
  o.format = "champsim";
  // The name is not valid UTF-8.
  stream from(test::open(here.file("cut\xFF", bytes), &o));
  std::int64_t n = 0;
  int code = 0;
  ArrowArray a{};
  while ((code = from.of.get_next(&from.of, &a)) == 0 && a.release != nullptr) {
    n += a.length;
    a.release(&a);
  }
  CHECK(n == 4999);
  for (int again = 0; again != 2; ++again) {
    CHECK(code == EIO);
    const char* const text = from.of.get_last_error(&from.of);
    REQUIRE(text != nullptr);
    CHECK(std::string(text).find(
              "cut\xEF\xBF\xBD: offset 319968, record 4999, field source_memory") !=
          std::string::npos);
    code = from.of.get_next(&from.of, &a);
  }
  // The schema is still available.
  ArrowSchema s = from.schema();
  CHECK(from.of.get_last_error(&from.of) == nullptr);
  s.release(&s);
}

TEST_CASE("refuses null pointers, and calls after a stream's release") {
  auto t = test::open(test::data("rapidbin/r250.data"));
  ArrowArrayStream s{};
  REQUIRE(tracecodec_arrow_stream(t.get(), 0, &s) == TRACECODEC_OK);
  static_cast<void>(t.release());
  const ArrowArrayStream kept = s;
  ArrowSchema schema{};
  ArrowArray batch{};
  CHECK(s.get_schema(&s, nullptr) == EINVAL);
  CHECK(s.get_next(&s, nullptr) == EINVAL);
  CHECK(s.get_schema(nullptr, &schema) == EINVAL);
  CHECK(s.get_next(nullptr, &batch) == EINVAL);
  CHECK(s.get_last_error(nullptr) == nullptr);
  s.release(nullptr);
  REQUIRE(s.get_schema(&s, &schema) == 0);
  REQUIRE(s.get_next(&s, &batch) == 0);
  check(schema, batch);
  s.release(&s);
  CHECK(test::released(s));
  CHECK((s.get_schema == nullptr));
  CHECK((s.get_next == nullptr));
  CHECK((s.get_last_error == nullptr));
  CHECK(s.private_data == nullptr);
  // Calls through function pointers that were copied before the release.
  CHECK(kept.get_schema(&s, &schema) == EINVAL);
  CHECK(kept.get_next(&s, &batch) == EINVAL);
  CHECK(kept.get_last_error(&s) == nullptr);
  kept.release(&s);
  // Structures that the stream delivered stay valid until they are released. A second release has
  // no effect.
  check(schema, batch);
  const auto release_schema = schema.release;
  const auto release_batch = batch.release;
  schema.release(&schema);
  batch.release(&batch);
  CHECK(test::released(schema));
  CHECK(test::released(batch));
  release_schema(&schema);
  release_batch(&batch);
}

TEST_CASE("refuses other uses of a trace that a stream owns") {
  tracecodec_trace* const t = test::open(test::data("rapidbin/r250.data")).release();
  ArrowArrayStream s{}, second{};
  REQUIRE(tracecodec_arrow_stream(t, 100, &s) == TRACECODEC_OK);
  CHECK(tracecodec_arrow_stream(t, 100, &second) == TRACECODEC_REFUSED);
  CHECK(test::released(second));
  REQUIRE(tracecodec_last_error(t) != nullptr);
  CHECK(test::view(tracecodec_last_error(t)->message) == "a stream owns the trace now");
  const tracecodec_record* records = nullptr;
  std::size_t n = 0;
  CHECK(tracecodec_next_records(t, 1, &records, &n) == TRACECODEC_REFUSED);
  CHECK(tracecodec_next_columns(t, 1, &n) == TRACECODEC_REFUSED);
  CHECK(tracecodec_rewind(t) == TRACECODEC_REFUSED);
  CHECK(test::view(tracecodec_name(t)) == test::data("rapidbin/r250.data"));
  tracecodec_close(t);  // without effect: the stream owns the trace
  std::int64_t rows = 0;
  for (ArrowArray a{}; s.get_next(&s, &a) == 0 && a.release != nullptr; a.release(&a))
    rows += a.length;
  CHECK(rows == 256);
  s.release(&s);
}

// Tests trace/reader.hpp and trace/records.hpp: traces of any format as columns and as
// records, whole and in parts.
#include "tracecodec/trace/reader.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "champsim/support.hpp"
#include "tracecodec/feed/column_row.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/records.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"

namespace feed = tracecodec::feed;
namespace trace = tracecodec::trace;

namespace {

using ips = std::vector<std::uint64_t>;

std::string data(const std::string& name) { return std::string(TRACECODEC_TEST_DATA) + "/" + name; }

ips all_of(trace::reader& from, std::size_t most = feed::columns::most_rows) {
  from.want({feed::column::ip});
  ips all;
  for (feed::columns batch; from.next(batch, most);)
    all.insert(all.end(), batch.ip().begin(), batch.ip().end());
  return all;
}
ips all_of(trace::records& from, std::size_t most = trace::records::most_records) {
  ips all;
  for (auto batch = from.next(most); !batch.empty(); batch = from.next(most))
    for (const auto& r : batch) all.push_back(r.ip);
  return all;
}
std::size_t some_of(trace::reader& from, std::size_t most) {
  from.want({feed::column::ip});
  feed::columns batch;
  return from.next(batch, most) ? batch.size() : 0;
}
std::size_t some_of(trace::records& from, std::size_t most) { return from.next(most).size(); }
ips by_feed(const std::string& path) {
  return trace::visit(path, [](auto in) {
    ips all;
    feed::for_each(in, [&](const auto& i) { all.push_back(i.ip()); });
    return all;
  });
}
ips part_of(const ips& all, std::size_t from, std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(to)};
}
tracecodec::trace_errc error_of(auto call) {
  try {
    call();
  } catch (const tracecodec::trace_error& e) {
    return e.code();
  }
  return {};
}

std::vector<std::string> samples() {
  std::vector<std::string> all{data("rapidbin/r250.data")};
#if TRACECODEC_OPENS_UMTRACER
  all.push_back(data("umtracer/plain64"));
#endif
#if defined(TRACECODEC_WITH_XZ)
  all.push_back(data("threads3_64.trace64.xz"));
  all.push_back(data("sed64.champsimtrace.xz"));
#endif
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("reads a trace of any format, whole and in parts", by, trace::reader,
                   trace::records) {
  for (const std::string& path : samples()) {
#if !TRACECODEC_OPENS_X64DBG
    if (path.find(".trace64") != std::string::npos) continue;
#endif
    CAPTURE(path);
    const ips all = by_feed(path);
    REQUIRE(all.size() > 200);
    by from(path);
    CHECK(from.name() == path);
    CHECK(from.has(feed::column::ip));
    CHECK(from.count() == all.size());
    CHECK(all_of(from) == all);
    CHECK(from.position() == all.size());
    from.rewind();
    CHECK(all_of(from, 7) == all);

    from.rewind();
    CHECK(from.skip(100) == 100);
    from.limit(50);
    CHECK(all_of(from) == part_of(all, 100, 150));
    CHECK(from.skip(1) == 0);
    from.rewind();
    CHECK(all_of(from) == part_of(all, 0, 150));

    ips parts;
    for (std::uint64_t k = 0; k != 3; ++k) {
      by part(path);
      part.skip(k);  // has no effect on the shard
      part.shard(k, 3);
      CHECK(part.count() == all.size() * (k + 1) / 3 - all.size() * k / 3);
      const ips here = all_of(part);
      parts.insert(parts.end(), here.begin(), here.end());
      part.rewind();
      CHECK(all_of(part) == here);
    }
    CHECK(parts == all);
  }
}

TEST_CASE_TEMPLATE("reading continues after count() or shard() in the middle", by, trace::reader,
                   trace::records) {
  for (const char* name : {"rapidbin/r250.data", "rapidbin/r250.std"}) {
    const std::string path = data(name);
    const ips all = by_feed(path);
    by from(path);
    from.skip(100);
    REQUIRE(some_of(from, 50) == 50);
    CHECK(from.count() == all.size());
    CHECK(all_of(from) == part_of(all, 150, all.size()));
    from.rewind();
    REQUIRE(some_of(from, 50) == 50);
    from.shard(1, 2);
    CHECK(all_of(from) == part_of(all, all.size() / 2, all.size()));
  }
}

TEST_CASE("reports progress, also of a part") {
  trace::reader from(data("rapidbin/r250.data"));
  from.want({feed::column::ip});
  from.limit(100);
  feed::columns batch;
  REQUIRE(from.next(batch, 50));
  CHECK(from.progress().value_or(0) >= 0.5);
  REQUIRE(from.next(batch));
  CHECK(from.progress().value_or(0) == 1);
}

TEST_CASE("selects parts of parts, and refuses invalid parts") {
  const std::string path = data("rapidbin/r250.data");
  const ips all = by_feed(path);
  trace::reader from(path);
  from.shard(1, 2);
  from.shard(0, 2);
  const std::size_t half = all.size() / 2;
  CHECK(all_of(from) == part_of(all, half, half + (all.size() - half) / 2));
  CHECK(error_of([&] { from.shard(2, 2); }) == tracecodec::trace_errc::refused);
  CHECK(error_of([&] { from.shard(0, 0); }) == tracecodec::trace_errc::refused);
  CHECK(error_of([&] { from.want({feed::column::text}); }) == tracecodec::trace_errc::refused);
  CHECK(error_of([&] { trace::reader none(path + ".none"); }) == tracecodec::trace_errc::system);
}

TEST_CASE_TEMPLATE("only the last part reports that a trace is truncated", by, trace::reader,
                   trace::records) {
  std::vector<std::byte> bytes(64 * 30 + 7);
  for (std::size_t i = 0; i != 30; ++i) bytes[64 * i] = std::byte{1};
  for (std::uint64_t k = 0; k != 3; ++k) {
    tracecodec::format::open_options how;
    how.format = &tracecodec::champsim::descriptor::facts;
    by part(trace::source(tracecodec::io::open_bytes(bytes, "cut"), how), how);
    part.shard(k, 3);
    CHECK(part.count() == 10);
    CHECK(some_of(part, 10) == 10);
    if (k == 2)
      CHECK(error_of([&] { some_of(part, 1); }) == tracecodec::trace_errc::truncated);
    else
      CHECK(some_of(part, 1) == 0);
  }
}

#if TRACECODEC_OPENS_X64DBG
TEST_CASE("rows of columns contain the sizes of memory accesses") {
  if (!test::with_xz) return;
  trace::reader from(test::data("work32.trace32.xz"));
  from.want(feed::branch_columns | feed::operand_columns | feed::column_set{feed::column::ip});
  feed::column_feed rows(from.columns());
  std::uint64_t written = 0;
  feed::for_each(rows, [&](const auto& i) {
    feed::for_each_access(i, [&](std::uint64_t /*address*/, std::uint64_t size, bool write) {
      if (write) written += size;
    });
  });
  CHECK(written == 40400);  // the sum that docs/feed.md computes with columns
}
#endif

// RapidBin, STD text and metadata: hostile input costs no more per byte than other input.
#include <string>

#include "growth.hpp"
#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/check.hpp"
#include "tracecodec/rapidbin/reader/std_reader.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/rapidbin/read_metadata.hpp"
#endif

using namespace test;

namespace {

// Returns a function that makes traces with `n` events, each from make(i).
template <class Make> auto trace_of(Make make) {
  return [make](std::size_t n) {
    bytes all = header_bytes({1, 1, 1, static_cast<std::int64_t>(n)});
    events list(n);
    for (std::size_t i = 0; i < n; ++i) list[i] = make(i);
    return all += event_bytes(list);
  };
}
// Returns a function that makes STD texts with `n` lines, each from make(i).
template <class Make> auto text_of(Make make) {
  return [make](std::size_t n) {
    std::string all;
    for (std::size_t i = 0; i < n; ++i) all += make(i);
    const auto raw = std::as_bytes(std::span(all));
    return bytes(raw.begin(), raw.end());
  };
}
const auto check_trace = [](const bytes& all) { rapidbin::check(input_of(all), no_report); };
const auto check_text = [](const bytes& all) { rapidbin::check_std(input_of(all), no_report); };
const auto renumber_text = [](const bytes& all) {
  rapidbin::std_reader in(input_of(all), {.renumber = true});
  for (bool more = true; more;) (void)error_of([&] { more = in.next().size() != 0; });
};

// Returns a multiple of 2^13 from 2^22 on. A hash table without a good hash function would not
// spread these ids.
std::uint64_t far_apart(std::size_t i) { return (i + 512) << 13 & rapidbin::largest_decor; }

}  // namespace

TEST_CASE("RapidBin: many ids and mistakes take linear time") {
  grows_with_size("variables", 20000, trace_of([](std::size_t i) {
                    return make(static_cast<unsigned>(i % 1024), op::write, far_apart(i), 1);
                  }),
                  check_trace);
  grows_with_size("locks that stay locked", 20000, trace_of([](std::size_t i) {
                    return make(static_cast<unsigned>(i % 7), op::acquire, far_apart(i), 1);
                  }),
                  check_trace);
  grows_with_size("one lock, taken again and again", 20000, trace_of([](std::size_t i) {
                    return make(static_cast<unsigned>(i % 2), op::acquire, 1, 1);
                  }),
                  check_trace);
  grows_with_size("operations that are none", 20000, trace_of([](std::size_t i) {
                    return make(1, static_cast<op>(10 + i % 6), i, 1);
                  }),
                  check_trace);
}

TEST_CASE("STD text: many names and bad lines take linear time") {
  const auto named = text_of([](std::size_t i) {
    std::string line = "T";
    line.append(std::to_string(i % 1000)).append("|w(x").append(std::to_string(i));
    return line.append(")|place").append(std::to_string(i)).append("\n");
  });
  grows_with_size("names", 5000, named, check_text);
  // At most 32,000 locations, which is within the limit of 32,768.
  grows_with_size("names, renumbered", 4000, named, renumber_text);
  grows_with_size("numbers that are taken", 5000, text_of([](std::size_t i) {
                    return std::string(i % 2 != 0 ? "T1|w(x" : "T1|w(V") + std::to_string(i / 2) +
                           ")|1\n";
                  }),
                  check_text);
  grows_with_size("no lines", 5000, text_of([](std::size_t) { return std::string("x\n"); }),
                  check_text);
  grows_with_size("empty lines", 100000, text_of([](std::size_t) { return std::string("\n"); }),
                  check_text);
  grows_with_size("one line", 1000000, text_of([](std::size_t) { return std::string("x"); }),
                  check_text);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
namespace {
// Returns a function that makes metadata with `n` variables of `width` bytes, at addresses
// that are `step` apart. All are shared by `threads` threads.
auto overlapping(std::size_t step, std::size_t width, std::size_t threads) {
  return [=](std::size_t n) {
    std::string all = R"({"memory_records":[)", shared = R"(],"shared_variables":{)";
    for (std::size_t i = 0; i < n; ++i) {
      const std::string comma = i == 0 ? "" : ",", id = std::to_string(i);
      all += comma + R"({"wasm_id":{"address":)" + std::to_string(i * step) +
             R"(,"access_width":)" + std::to_string(width) + R"(},"trace_id":)" + id + "}";
      shared += comma + '"' + id + "\":[";
      for (std::size_t t = 0; t < threads; ++t)
        shared.append(t == 0 ? "" : ",").append(std::to_string(t));
      shared += ']';
    }
    const std::string text = all + shared + "}}";
    const auto raw = std::as_bytes(std::span(text));
    return bytes(raw.begin(), raw.end());
  };
}
void check_with_names(const bytes& json) {
  const rapidbin::metadata names = rapidbin::read_metadata(input_of(json));
  const bytes trace = every_operation_bytes();
  rapidbin::check(input_of(trace), no_report, {}, &names);
}
}  // namespace

TEST_CASE("metadata: variables that all overlap take linear time") {
  constexpr growth_limits of_json{.bytes = 40};
  grows_with_size("at one place", 2000, overlapping(0, 8, 2), check_with_names, of_json);
  grows_with_size("longer and longer", 2000, overlapping(1, 1000000, 0), check_with_names, of_json);
  grows_with_size("with many threads", 100, overlapping(0, 8, 300), check_with_names, of_json);
  grows_with_size("side by side", 3000, overlapping(8, 8, 2), check_with_names, of_json);
}
#endif

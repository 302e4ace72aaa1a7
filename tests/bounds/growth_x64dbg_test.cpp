// x64dbg: many threads, user blocks and header keys cost no more per byte than others.
#include <memory>
#include <string>

#include "growth.hpp"
#include "tracecodec/x64dbg/check.hpp"
#include "x64dbg/support.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include "tracecodec/x64dbg/feed.hpp"
#endif

using namespace test;

namespace {

io::input in_memory(const bytes& all) {
  return io::open_source(std::make_unique<io::memory_source>(all), "t");
}
const auto check_blocks = [](const bytes& all) {
  x64dbg::check(in_memory(all), [](const auto&) {});
};
const auto read_and_repair = [](const bytes& all) {
  (void)error_of([&] {
    x64dbg::reader<x64> in(in_memory(all), {.repair = true});
    for (const auto& i : in) static_cast<void>(i);
  });
};

// Returns a function that makes traces with a snapshot and `n` blocks.
template <class Block> auto blocks_of(Block block) {
  return [block](std::size_t n) {
    bytes all = header(x64) + snapshot<x64>();
    const auto blocks = block(n);
    for (std::size_t i = 0; i < n; ++i) all += blocks(i);
    return all;
  };
}
// Returns a function that makes traces with one instruction for each of `n` threads. `opcode`
// has two hexadecimal digits.
auto threads(const std::string& opcode) {
  return blocks_of([opcode](std::size_t n) {
    return [opcode, ids = colliding_ids(n)](std::size_t i) {
      bytes b = from_hex("00 01 00 81 00000000" + opcode + "10 0510400000000000");
      for (unsigned k = 0; k < 4; ++k) b[4 + k] = static_cast<std::byte>(ids[i] >> 8 * k);
      return b;
    };
  });
}
auto repeated(const char* hex) {
  return blocks_of([hex](std::size_t) { return [b = from_hex(hex)](std::size_t) { return b; }; });
}

}  // namespace

TEST_CASE("x64dbg: many threads take linear time") {
  grows_with_size("checked", 4000, threads("90"), check_blocks);
#if defined(TRACECODEC_WITH_ZYDIS)
  const auto feed = [](const bytes& all) {
    x64dbg::trace_feed<x64> trace(in_memory(all));
    for (auto b = trace.next(); b.size() != 0; b = trace.next()) continue;
  };
  // Disassembling has constant costs. Holding back instructions until the next ip is known also has
  // constant costs.
  constexpr growth_limits of_feed{.bytes = 60, .constant = std::size_t{24} << 20};
  grows_with_size("fed", 4000, threads("90"), feed, of_feed);
  grows_with_size("fed, and each ends with a branch", 4000, threads("c3"), feed, of_feed);
#endif
}

TEST_CASE("x64dbg: blocks that look defective, and user blocks, take linear time") {
  // Each block changes the thread, and the following bytes may be a block without the bit for its
  // thread id.
  const char* suspicious = "00 00 00 81 34120000 90 00 00 00 01 34120000 90";
  grows_with_size("suspicious, checked", 10000, repeated(suspicious), check_blocks);
  grows_with_size("suspicious, mended", 10000, repeated(suspicious), read_and_repair);
  grows_with_size("empty user blocks", 20000, repeated("80 00000000"), check_blocks);
  grows_with_size("empty user blocks behind threads", 5000,
                  repeated("00 00 00 81 34120000 90 80 00000000 80 00000000"), check_blocks);
  grows_with_size("255 accesses", 500, repeated([] {
                    static std::string hex = "00 00 ff 01 90";
                    for (int i = 0; i < 255; ++i) hex += "00";
                    for (int i = 0; i < 3 * 255 * 8; ++i) hex += "77";
                    return hex.c_str();
                  }()),
                  check_blocks);
}

TEST_CASE("x64dbg: many or nested keys in a header take linear time") {
  const auto header_with = [](const char* each, const char* last) {
    return [=](std::size_t n) {
      std::string json = R"({"ver":1,"arch":"x64","compression":"")";
      for (std::size_t i = 0; i < n; ++i)
        json += each[0] == ',' ? std::string(each) + std::to_string(i) + last : each;
      return with_prefix(json + '}');
    };
  };
  constexpr growth_limits of_json{.bytes = 60};
  grows_with_size("keys", 5000, header_with(",\"k", "\":1"), check_blocks, of_json);
  grows_with_size("one key again", 5000, header_with(",\"arch\":\"", "\""), check_blocks, of_json);
  grows_with_size("nested", 50000, header_with("[", ""), check_blocks, of_json);
}

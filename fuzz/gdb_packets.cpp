// Tests trace_gdb with any packets about a small trace. In the first byte, bit 0 selects whole packets,
// one in each line, or else the bytes of a connection. Bit 1 leaves out acknowledgements.
#include <optional>
#include <string>
#include <string_view>

#include "../examples/programs/gdb/link.hpp"
#include "../examples/programs/gdb/server.hpp"
#include "input.hpp"
#include "tracecodec/tenet.hpp"

namespace fuzz::gdb_packets {
namespace {
namespace feed = tracecodec::feed;

constexpr std::string_view text =
    "rax=0x1,rbx=0x2,rcx=0x3,rsp=0x7ff0,rip=0x401000\n"
    "rax=0x5,rip=0x401003,mr=0x9000:0500000000000000\n"
    "rip=0x401007,mw=0x9008:1122334455667788\n"
    "rsp=0x7fe8,rip=0x402000,mw=0x7fe8:0c10400000000000\n"
    "rip=0x402003,mw=0x9000:07\n"
    "rsp=0x7ff0,rip=0x40100c,mr=0x7fe8:0c10400000000000\n"
    "rbx=0x8877665544332211,rip=0x401010,mr=0x9008:1122334455667788\n"
    "rip=0x401000\n";

// Requires that `s` is acknowledgements and whole packets of limited size.
void require_packets(std::string_view s) {
  while (!s.empty()) {
    if (s[0] == '+' || s[0] == '-') {
      s.remove_prefix(1);
      continue;
    }
    require(s[0] == '$', "output is acknowledgements and packets");
    const std::size_t end = s.find('#');
    require(end != s.npos && s.size() - end >= 3, "a packet is whole");
    const std::string content = debug::unescaped(s.substr(1, end - 1));
    require(content.size() <= debug::most_packet + 1, "a reply is not too long");
    require(debug::framed(content) == s.substr(0, end + 3), "a packet has its checksum");
    s.remove_prefix(end + 3);
  }
}

void run(view in) {
  const unsigned how = take_byte(in);
  const auto bytes = std::as_bytes(std::span(text));
  const auto trace = feed::make_column_source(tracecodec::tenet::trace_feed(in_memory(bytes)));
  debug::replay replay(*trace, nullptr);
  const tracecodec::program_map places({{.base = 0x401000, .size = 0x100, .path = "/bin/<\"&}#$*"}},
                                       {{.address = 0x401000, .size = 0x20, .name = "main"}});
  debug::server server(replay, places, [](const std::string&) {});
  debug::link link([&](const std::string& packet) { return server.answer(packet); });
  if ((how & 2) != 0) link.leave_out_acknowledgements();
  std::string_view rest = text_of(in);
  if ((how & 1) == 0) {
    // The bytes arrive in two parts.
    require_packets(link.receive(rest.substr(0, rest.size() / 2)) +
                    link.receive(rest.substr(rest.size() / 2)));
    rest = {};
  }
  for (int n = 0; !rest.empty() && n != 64; ++n) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    require_packets(link.receive(debug::framed(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    require(replay.position() < replay.instructions(), "the position is in the trace");
  }
  for (const std::string& r : replay.registers(replay.thread()))
    require(r.find_first_not_of("0123456789abcdefx") == r.npos, "a register is digits");
}
const target registered("gdb_packets", run);
}  // namespace
}  // namespace fuzz::gdb_packets

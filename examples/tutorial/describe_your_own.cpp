// Trace format of your own simulator. One struct describes the record, and everything else is
// derived from the struct. The program writes a trace of such records to OUT and reads the trace
// back.
// Usage: describe_your_own OUT
#include <array>
#include <boost/nowide/args.hpp>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/wire/table.hpp>
#include <tracecodec/wire/types/view.hpp>

namespace champsim = tracecodec::champsim;
namespace wire = tracecodec::wire;

namespace {

// Record with ChampSim's members and the additional members that this simulator needs.
struct my_record {
  std::uint64_t sequence;
  std::uint32_t thread;
  // Length of the instruction in bytes. Three bytes of padding follow.
  std::uint8_t length;
  // Value that the instruction loaded.
  std::uint64_t value;
  std::uint64_t ip;
  std::uint8_t is_branch;
  std::uint8_t branch_taken;
  std::array<std::uint8_t, 2> destination_registers;
  std::array<std::uint8_t, 4> source_registers;
  std::array<std::uint64_t, 2> destination_memory;
  std::array<std::uint64_t, 4> source_memory;
};
// Codec for the record. It is little-endian and has the same layout as the C struct.
using my_codec = champsim::codec_of<my_record>;
static_assert(my_codec::size == 88);
static_assert(my_codec::offset_of<&my_record::value> == 16);

// Writes three rounds of a loop: a load, a comparison, and a conditional jump back to the load.
void write(const std::string& path) {
  using champsim::flags, champsim::instruction_pointer;
  champsim::writer<my_codec> out(path);
  std::uint64_t n = 0;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint8_t again = i < 2 ? 1 : 0;
    out.write({n++, 7, 4, i * i, 0x1000, 0, 0, {3}, {4}, {}, {0x8000 + 8 * i}});
    out.write({n++, 7, 3, 0, 0x1004, 0, 0, {flags}, {3}, {}, {}});
    const std::array<std::uint8_t, 4> sources{instruction_pointer, flags};
    out.write({n++, 7, 2, 0, 0x1007, 1, again, {instruction_pointer}, sources, {}, {}});
  }
  out.finish();
}

void run(const std::string& path) {
  wire::print_table(wire::layout_table<my_codec>, [](std::string_view s) { std::cout << s; });
  write(path);

  // Read one record from its bytes in three ways: a single field, the whole struct, and all fields
  // with their names.
  auto in = tracecodec::io::open_input(path);
  const auto bytes = in.peek(my_codec::size).first<my_codec::size>();
  std::cout << "\nthread " << wire::record_view<my_codec>(bytes).get<&my_record::thread>() << '\n';
  const my_record first = my_codec::decode(bytes);
  my_codec::walk(first, [](std::string_view name, const auto& value) {
    if constexpr (requires { std::cout << +value; })
      std::cout << "  " << name << ' ' << +value << '\n';
  });

  // The feed reads this trace like any ChampSim trace. In addition, record() returns members that
  // ChampSim's record does not have.
  std::uint64_t sum = 0;
  for (const auto& i : champsim::trace_feed<my_record>(std::move(in))) {
    sum += i.record().value;
    if (i.taken())
      std::cout << std::hex << name(i.branch()) << " from 0x" << i.ip() << " to 0x" << i.target()
                << std::dec << '\n';
  }
  std::cout << "sum of the loaded values: " << sum << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  // File names are UTF-8 on Windows, too.
  const boost::nowide::args utf8(argc, argv);
  if (argc != 2 || std::string_view(argv[1]).starts_with("--")) {
    std::cerr << "describe_your_own: usage: describe_your_own OUT\n";
    return 2;
  }
  try {
    run(argv[1]);
    if (!std::cout.flush()) throw std::runtime_error("<stdout>: cannot be written");
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "describe_your_own: " << e.what() << '\n';
    return 1;
  }
}

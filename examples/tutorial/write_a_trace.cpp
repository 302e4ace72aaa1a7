// Writes a small trace and reads it back.   Usage: write_a_trace OUT
// OUT's suffix tells the compression (.xz, .gz, .zst); the file appears when it is whole.
#include <cstdint>
#include <iostream>
#include <string>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/champsim/writer.hpp>

#include "../programs/common/interrupt.hpp"
#include "../programs/common/program.hpp"
#include "../programs/common/version.hpp"

namespace champsim = tracecodec::champsim;

namespace {

// for (i = 0; i < 1000; ++i) b[i] = a[i];  return;
void write(const std::string& path) {
  using champsim::flags, champsim::instruction, champsim::instruction_pointer,
      champsim::stack_pointer;
  constexpr std::uint8_t i = 3, value = 4;  // registers
  constexpr std::uint64_t start = 0x401000, a = 0x10000, b = 0x20000, stack = 0x7fff0000;

  champsim::writer<champsim::instruction_codec> out(path);
  for (std::uint64_t n = 0; n < 1000; ++n) {
    examples::stop_if_interrupted();
    const std::uint8_t again = n + 1 < 1000 ? 1 : 0;
    out.write({start, 0, 0, {value}, {i}, {}, {a + 8 * n}});        // load a[i]
    out.write({start + 4, 0, 0, {}, {value, i}, {b + 8 * n}, {}});  // store b[i]
    out.write({start + 8, 0, 0, {i, flags}, {i}, {}, {}});          // ++i, compare
    out.write({start + 12, 1, again, {instruction_pointer}, {instruction_pointer, flags}, {}, {}});
  }
  // What a return is, the registers say: it reads and writes the stack pointer, and writes the ip.
  instruction back{start + 14, 1, 1, {}, {}, {}, {}};
  back.destination_registers = {instruction_pointer, stack_pointer};
  back.source_registers = {stack_pointer};
  back.source_memory = {stack};
  out.write(back);
  examples::stop_if_interrupted();
  out.finish();
}

int run(const std::string& path) {
  write(path);
  std::uint64_t records = 0, loads = 0, stores = 0, jumps = 0, returns = 0;
  for (const auto& i : champsim::trace_feed<>(path)) {
    ++records;
    loads += i.source_memory().size();
    stores += i.destination_memory().size();
    jumps += i.branch() == champsim::branch_class::conditional && i.taken();
    returns += i.branch() == champsim::branch_class::return_;
  }
  std::cout << records << " records: " << loads << " loads, " << stores << " stores, " << jumps
            << " jumps back, " << returns << " return\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("write_a_trace", [&] {
    const auto line = examples::arguments(argc, argv);
    if (examples::print_version("write_a_trace", line)) return 0;
    if (line.size() != 2 || examples::is_option(line[1]))
      throw examples::usage_error("usage: write_a_trace OUT");
    examples::on_interrupt(examples::ending_signals);  // they leave no temporary file
    return run(line[1]);
  });
}

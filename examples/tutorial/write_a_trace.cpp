// Writes a small trace and reads it back. The suffix of OUT selects the compression (.xz, .gz or
// .zst). OUT appears only when it is complete.
// Usage: write_a_trace OUT
#include <boost/nowide/args.hpp>
#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tracecodec/champsim/feed.hpp>
#include <tracecodec/champsim/writer.hpp>

namespace champsim = tracecodec::champsim;

namespace {

// Writes the trace of this code: for (i = 0; i < 1000; ++i) b[i] = a[i];  return;
void write(const std::string& path) {
  using champsim::flags, champsim::instruction, champsim::instruction_pointer,
      champsim::stack_pointer;
  constexpr std::uint8_t i = 3, value = 4;  // register numbers
  constexpr std::uint64_t start = 0x401000, a = 0x10000, b = 0x20000, stack = 0x7fff0000;

  champsim::writer<champsim::instruction_codec> out(path);
  for (std::uint64_t n = 0; n < 1000; ++n) {
    const std::uint8_t again = n + 1 < 1000 ? 1 : 0;
    out.write({start, 0, 0, {value}, {i}, {}, {a + 8 * n}});        // load a[i]
    out.write({start + 4, 0, 0, {}, {value, i}, {b + 8 * n}, {}});  // store b[i]
    out.write({start + 8, 0, 0, {i, flags}, {i}, {}, {}});          // ++i, compare
    out.write({start + 12, 1, again, {instruction_pointer}, {instruction_pointer, flags}, {}, {}});
  }
  // The registers identify a return: it reads and writes the stack pointer, and writes the ip.
  instruction back{start + 14, 1, 1, {}, {}, {}, {}};
  back.destination_registers = {instruction_pointer, stack_pointer};
  back.source_registers = {stack_pointer};
  back.source_memory = {stack};
  out.write(back);
  out.finish();
}

void run(const std::string& path) {
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
}

}  // namespace

int main(int argc, char** argv) {
  // File names are UTF-8 on Windows, too.
  const boost::nowide::args utf8(argc, argv);
#ifdef SIGXFSZ
  // Ignore the signal. A file that exceeds the size limit then causes an error instead of ending
  // the program.
  std::signal(SIGXFSZ, SIG_IGN);
#endif
  if (argc != 2 || std::string_view(argv[1]).starts_with("--")) {
    std::cerr << "write_a_trace: usage: write_a_trace OUT\n";
    return 2;
  }
  try {
    run(argv[1]);
    if (!std::cout.flush()) throw std::runtime_error("<stdout>: cannot be written");
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "write_a_trace: " << e.what() << '\n';
    return 1;
  }
}

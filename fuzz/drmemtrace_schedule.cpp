// Tests the files of schedules of drmemtrace traces. The input is the schedule of a folder with the threads
// 5 and 6, each of which has the timestamps 100, 110, 120 and so on, and two instructions after each. In
// the first byte, bit 0 selects cpu_schedule.bin, and the remaining bits are the number of timestamps.
#include <filesystem>

#include "input.hpp"
#include "tracecodec/drmemtrace.hpp"

namespace fuzz::drmemtrace_schedule {
namespace {
namespace drmemtrace = tracecodec::drmemtrace;
using word_size = tracecodec::wire::target;

bytes thread(std::uint64_t id, unsigned timestamps) {
  using codec = drmemtrace::codec<word_size::x64>;
  using drmemtrace::record_type;
  bytes all;
  const auto put = [&all](record_type type, std::uint16_t size, std::uint64_t value) {
    all.resize(all.size() + codec::size);
    codec::encode({type, size, value}, std::span(all).last(codec::size));
  };
  put(record_type::header, 0, 7);
  put(record_type::marker, 12, 7);
  put(record_type::thread, 4, id);
  for (unsigned n = 0; n != timestamps; ++n) {
    put(record_type::marker, 2, 100 + 10 * n);
    put(record_type::marker, 3, id);
    put(record_type::instr, 4, 0x1000 * id + 8 * n);
    put(record_type::instr, 4, 0x1000 * id + 8 * n + 4);
  }
  return all;
}

void run(view in) {
  const unsigned how = take_byte(in), timestamps = how >> 1U & 7U;
  const std::string folder = scratch() / "schedule";
  std::filesystem::create_directories(folder);
  write_file(folder + "/a.trace", thread(5, timestamps));
  write_file(folder + "/b.trace", thread(6, timestamps));
  std::filesystem::remove(folder + "/serial_schedule.bin");
  write_file(folder + ((how & 1U) != 0 ? "/cpu_schedule.bin" : "/serial_schedule.bin"), in);
  tracecodec::format::open_options o;
  o.own.set(drmemtrace::order::schedule);
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, 2> next{};
  const auto error = error_of([&] {
    auto opened = drmemtrace::descriptor::open_folder(folder, o);
    require(opened.has_value(), "the folder is a trace");
    for (const auto& i : drmemtrace::trace_feed(std::move(*opened))) {
      require(i.asid() == 5 || i.asid() == 6, "threads are kept");
      require(i.ip() == 0x1000 * i.asid() + 4 * next[i.asid() - 5]++,
              "the order of a thread is kept");
      ++instructions;
    }
  });
  require(error.has_value() || instructions == 4 * timestamps, "all instructions, or an error");
  require(in.size() % 32 == 0 || error.has_value(), "a cut is reported");
}
const target registered("drmemtrace_schedule", run);
}  // namespace
}  // namespace fuzz::drmemtrace_schedule

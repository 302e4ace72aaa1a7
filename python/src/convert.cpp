// Provides trace_convert as a function.
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../examples/programs/convert/convert_trace.hpp"
#include "common.hpp"

namespace tracecodec::python {

namespace {

// Only one conversion runs at a time, because the programs report through one global object.
std::timed_mutex converting;
std::atomic<std::thread::id> converts = {};

// Converts a trace and returns the notes on the conversion, one per line.
std::string convert(std::vector<std::string> line) {
  std::string notes;
  line.insert(line.begin(), "tracecodec.convert");
  try {
    unlocked([&] {
      // Refuse instead of waiting: a signal handler would wait for the conversion that it
      // interrupts.
      if (converts == std::this_thread::get_id())
        throw std::runtime_error("a conversion of this thread is still running");
      std::unique_lock one(converting, std::defer_lock);
      while (!one.try_lock_for(std::chrono::milliseconds(50))) handle_signals();
      converts = std::this_thread::get_id();
      struct ended {
        ~ended() { converts = std::thread::id(); }
      } const at_end;
      examples::told = {.note = [&notes](const std::string& text) { (notes += text) += '\n'; },
                        .progress = false};
      if (auto job = ::convert::parse(line)) ::convert::convert_trace(*std::move(job));
    });
  } catch (const examples::usage_error& e) {
    throw py::value_error(e.what());
  }
  return notes;
}

}  // namespace

void define_convert(py::module_& m) {
  m.def("convert", [](const std::vector<py::bytes>& line) {
    return text_of(convert({line.begin(), line.end()}));
  });
}

}  // namespace tracecodec::python

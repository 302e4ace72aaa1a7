// Provides trace_convert as a Python function.
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

// Lock for conversions. Only one conversion can run at a time, because the programs report through
// a global object.
std::timed_mutex converting;
std::atomic<std::thread::id> converts = {};

// Converts a trace. Returns the notes about the conversion, one per line.
std::string convert(std::vector<std::string> line) {
  std::string notes;
  line.insert(line.begin(), "tracecodec.convert");
  try {
    unlocked([&] {
      // Do not wait if the conversion of this thread is running. A signal handler has interrupted
      // that conversion, so it would never end.
      if (converts == std::this_thread::get_id())
        throw std::runtime_error("a conversion of this thread is still running");
      std::unique_lock one(converting, std::defer_lock);
      while (!one.try_lock_for(std::chrono::milliseconds(50))) handle_signals();
      converts = std::this_thread::get_id();
      struct ended {
        ~ended() { converts = std::thread::id(); }
      } const at_end;
      examples::output_hooks = {
          .note = [&notes](const std::string& text) { (notes += text) += '\n'; },
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

// trace_convert as a function.
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../examples/convert/convert_trace.hpp"
#include "common.hpp"

namespace tracecodec::python {

namespace {

// One conversion at a time: programs tell what they are at in one place.
std::mutex converting;

// Returns what is to be known of it, a line each.
std::string convert(std::vector<std::string> line) {
  std::string notes;
  line.insert(line.begin(), "tracecodec.convert");
  try {
    unlocked([&] {
      const std::lock_guard one(converting);
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

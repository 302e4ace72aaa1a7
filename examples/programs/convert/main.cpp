// trace_convert: changes the compression or format of a trace, extracts a part, repairs the trace,
// or converts its records to text rows. OUT appears only once it is complete.
#include "../common/command_line.hpp"
#include "../common/interrupt.hpp"
#include "convert_trace.hpp"

namespace {

int start(int argc, char** argv) {
  auto job = convert::parse(examples::arguments(argc, argv));
  if (!job) return 0;
  examples::on_interrupt(examples::ending_signals);
  convert::convert_trace(*std::move(job));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run("trace_convert", [&] { return start(argc, argv); });
}

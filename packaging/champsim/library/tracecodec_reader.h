// Lets ChampSim, compiled as C++17, read traces of all formats through libtracecodec.
// src/tracereader.cc includes this file after ChampSim's own headers.
#ifndef TRACECODEC_READER_H
#define TRACECODEC_READER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <tracecodec.h>

// True for traces that tracecodec_reader() opens. CloudSuite's records have more operands than the
// library's records, so ChampSim's own reader opens CloudSuite traces.
constexpr bool tracecodec_reads(bool is_cloudsuite) { return !is_cloudsuite; }

// Instructions of a trace. They are made from batches of the library's records.
template <class Cpu>
class tracecodec_source
{
  struct closer {
    void operator()(tracecodec_trace* t) const noexcept { tracecodec_close(t); }
  };

  std::unique_ptr<tracecodec_trace, closer> trace{};
  const tracecodec_record* next = nullptr; // rest of the batch
  std::size_t left = 0;
  bool repeat;
  Cpu cpu;
  bool ended = false;
  ooo_model_instr held; // returned once the next instruction is known, whose ip is the branch target

  void check(tracecodec_status status) const
  {
    if (status == TRACECODEC_OK)
      return;
    const auto* error = tracecodec_last_error(trace.get());
    throw std::runtime_error{error != nullptr ? error->line.bytes : tracecodec_status_name(status)};
  }

  // Reads a batch if the previous batch is used up. Returns false at the trace's end.
  bool fetch()
  {
    if (left == 0) {
      check(tracecodec_next_records(trace.get(), SIZE_MAX, &next, &left));
      if (left == 0 && repeat) {
        check(tracecodec_rewind(trace.get()));
        check(tracecodec_next_records(trace.get(), SIZE_MAX, &next, &left));
      }
    }
    return left != 0;
  }

  ooo_model_instr take()
  {
    static_assert(sizeof(input_instr) == sizeof(tracecodec_record), "ChampSim's records have 64 bytes");
    input_instr record;
    std::memcpy(&record, next, sizeof(record));
    ++next;
    --left;
    return ooo_model_instr{cpu, record};
  }

public:
  tracecodec_source(const std::string& fname, Cpu who, bool again) : repeat(again), cpu(who), held(who, input_instr{})
  {
    tracecodec_trace* opened = nullptr;
    const auto status = tracecodec_open(fname.c_str(), nullptr, &opened);
    trace.reset(opened);
    check(status);
    if (fetch())
      held = take();
    else
      ended = true;
  }

  // Returns the next instruction. eof() must be false.
  ooo_model_instr operator()()
  {
    auto retval = held;
    if (fetch()) {
      held = take();
      retval = champsim::apply_branch_target(retval, held);
    } else {
      ended = true;
    }
    return retval;
  }

  [[nodiscard]] bool eof() const { return ended; }
};

// Returns a reader of the trace `fname`, which may have any format that libtracecodec reads.
// With `repeat` the trace begins again at its end. `cpu` is the argument that ChampSim passes
// to an instruction in addition to its record: a core's number or an origin. Throws
// std::runtime_error with the library's message.
template <class Cpu>
champsim::tracereader tracecodec_reader(const std::string& fname, Cpu cpu, bool /*is_cloudsuite*/, bool repeat)
{
  return champsim::tracereader{tracecodec_source<Cpu>{fname, cpu, repeat}};
}

#endif

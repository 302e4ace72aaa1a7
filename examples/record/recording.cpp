#include "recording.hpp"

#include <tracecodec/io/filesystem.hpp>
#include <tracecodec/io/json_text.hpp>
#include <tracecodec/x64dbg/writer.hpp>

#include <stdexcept>

#include "../common/text.hpp"
#include "../convert/output_format.hpp"
#include "ending.hpp"
#include "recorder.hpp"

namespace record {

namespace {

using namespace examples;
namespace io = tracecodec::io;
using x64dbg::target;

x64dbg::trace_header header_of(const options& o, target t) {
  x64dbg::trace_header h;
  h.arch = t;
  h.hash_algorithm.reset();
  h.path = io::as_utf8(o.command[0]);
  return h;
}

template <target T> recorded record_as(const std::string& path, tracee& program,
                                       program_modules& modules, const options& o) {
  x64dbg::writer<T> out(path, header_of(o, T),
                        {.mode = x64dbg::writer_mode::exact_union, .cip_always = true});
  // OUT is open. What is recorded now is kept, if nobody must be waited for to take it.
  enough_signals = is_device(o.out) ? 2 : 0;
  recorder<T> recorder(program, out);
  const recorded r = recorder.run(o.skip, o.count);
  if (ended_by == 0) recorder.release();
  observed = 0;
  if (r.instructions == 0)
    throw std::runtime_error(
        o.out +
        ": not written: " + (ended_by != 0 ? "signal " + std::to_string(ended_by) : "the program") +
        (ended_by != 0 ? " ended it" : " ended") + " after " + some(r.skipped, "instruction"));
  out.finish();
  modules = recorder.modules();
  return r;
}

}  // namespace

recorded record_to(target t, const std::string& path, tracee& program, program_modules& modules,
                   const options& o) {
  return t == target::x64 ? record_as<target::x64>(path, program, modules, o)
                          : record_as<target::x86>(path, program, modules, o);
}

}  // namespace record

#include "conversion.hpp"

#include <tracecodec/champsim/descriptor.hpp>
#include <tracecodec/drmemtrace/descriptor.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../pack_output.hpp"

namespace convert {

namespace {

namespace drmemtrace = tracecodec::drmemtrace;
using tracecodec::tracepack::processor;

constexpr std::array<conversion_target, 2> targets_of_drmemtrace{
    {{.to = &tracecodec::champsim::descriptor::facts,
      .write = drmemtrace_to_champsim,
      .take_options =
          [](tracecodec::format::own_options& output) {
            output.reset<drmemtrace::extra_accesses>();
          }},
     {.to = &drmemtrace::descriptor::facts, .write = copy_drmemtrace, .makes_folders = true}}};

// Returns the first file type (struct drmemtrace::file_type) of a trace, or 0. Consumes no bytes.
std::uint64_t type_of(io::input& in) {
  using tracecodec::wire::target;
  const auto front = in.peek(io::input::peek_limit);
  const auto find = [front]<target T>(std::integral_constant<target, T>) -> std::uint64_t {
    for (const auto& e : tracecodec::wire::array_view<drmemtrace::codec<T>>(front))
      if (e.is(drmemtrace::marker::filetype)) return e.value;
    return 0;
  };
  return drmemtrace::target_of(front) == target::x86
             ? find(std::integral_constant<target, target::x86>())
             : find(std::integral_constant<target, target::x64>());
}

processor drmemtrace_processor(tracecodec::trace::source& in) {
  const std::uint64_t type = type_of(in.input());
  if ((type & drmemtrace::file_type::regdeps) != 0) return processor::unknown;
  if ((type & drmemtrace::file_type::x86_64) != 0) return processor::x86_64;
  if ((type & drmemtrace::file_type::x86_32) != 0) return processor::x86_32;
  return (type & drmemtrace::file_type::aarch64) != 0 ? processor::aarch64 : processor::unknown;
}

}  // namespace

void refuse_for_drmemtrace(const options& o) {
  if (o.output.has<drmemtrace::extra_accesses>())
    throw usage_error("--extra-accesses is for " +
                      std::string(drmemtrace::extra_accesses_option.traces));
  if (is_packed(o)) throw usage_error("tracepack does not store drmemtrace records");
}

constexpr format_conversion drmemtrace_conversion{
    .format = &drmemtrace::descriptor::facts,
    .targets = targets_of_drmemtrace,
    .to_rows = drmemtrace_to_rows,
    .processor = drmemtrace_processor,
    .from_any = any_to_drmemtrace,
    .output = "a drmemtrace trace",
    .help =
        "A further suffix .zip makes an archive of chunks. If OUT is a folder, each thread has a "
        "file. If IN has no x86 code, instructions have "
        "synthetic encodings of their registers (REGDEPS). Times are numbers of instructions, and "
        "cpus are unknown. Unknown lengths and sizes become 1. IN's markers are kept only if IN is "
        "a "
        "drmemtrace trace."};

}  // namespace convert

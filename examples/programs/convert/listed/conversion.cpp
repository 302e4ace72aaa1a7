#include "conversion.hpp"

#include <tracecodec/dinero/descriptor.hpp>
#include <tracecodec/lackey/descriptor.hpp>

#include <array>
#include <cstdint>
#include <utility>

#include "../selected.hpp"
#include "from_columns.hpp"

namespace convert {

namespace {

namespace dinero = tracecodec::dinero;
namespace lackey = tracecodec::lackey;

void any_to_lackey(tracecodec::trace::source in, const options& o, const format& /*to*/,
                   io::codec compression) {
  const unknown_values unknown = write_listed<lackey::trace_file>(
      std::move(in), o, compression, [](std::uint64_t, const auto& i, auto sink) {
        lackey::write_instruction(i.ip, i.length, i.list, sink);
      });
  if (unknown.lengths != 0)
    say(some(unknown.lengths, "instruction") + " of unknown length, written as 1");
  if (unknown.sizes != 0)
    say(some(unknown.sizes, "memory operand") + " of unknown size, written as 1");
}
void any_to_dinero(tracecodec::trace::source in, const options& o, const format& /*to*/,
                   io::codec compression) {
  write_listed<dinero::trace_file>(std::move(in), o, compression,
                                   [](std::uint64_t, const auto& i, auto sink) {
                                     dinero::write_instruction(i.ip, i.list, sink);
                                   });
}

// Copies the instructions and their memory accesses, in the order of the trace, without other lines.
template <class File, class Lines> void copy_listed(tracecodec::trace::source in, const options& o,
                                                    io::codec compression, Lines lines) {
  refuse_pack(o);
  tracecodec::feed::listed_reader<File> from(std::move(in.input()));
  tracecodec::file::writer<File> out(io::open_output(o.out, compression, o.packing),
                                     output_name(o));
  const auto failure = for_each_selected(from, o, [&](std::uint64_t, const auto& i) {
    lines(i, [&out](const auto& line) { out.write(line); });
  });
  finish(out, out.written(), failure, o);
}
void copy_lackey(tracecodec::trace::source in, const options& o, const format& /*to*/,
                 io::codec compression) {
  copy_listed<lackey::trace_file>(std::move(in), o, compression, [](const auto& i, auto sink) {
    lackey::write_instruction(i.ip, i.length, i.list, sink);
  });
}
void copy_dinero(tracecodec::trace::source in, const options& o, const format& /*to*/,
                 io::codec compression) {
  copy_listed<dinero::trace_file>(std::move(in), o, compression, [](const auto& i, auto sink) {
    dinero::write_instruction(i.ip, i.list, sink);
  });
}

constexpr std::array<conversion_target, 1> lackey_targets{
    {{.to = &lackey::descriptor::facts, .write = copy_lackey}}};
constexpr std::array<conversion_target, 1> dinero_targets{
    {{.to = &dinero::descriptor::facts, .write = copy_dinero}}};

}  // namespace

constexpr format_conversion lackey_conversion{.format = &lackey::descriptor::facts,
                                              .targets = lackey_targets,
                                              .from_any = any_to_lackey,
                                              .output = "lines of Valgrind's tool Lackey"};
constexpr format_conversion dinero_conversion{.format = &dinero::descriptor::facts,
                                              .targets = dinero_targets,
                                              .from_any = any_to_dinero,
                                              .output = "lines of Dinero's format din"};

}  // namespace convert

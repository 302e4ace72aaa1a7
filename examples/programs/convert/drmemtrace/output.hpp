// Writes drmemtrace traces.
#pragma once
#include <tracecodec/drmemtrace/instruction_writer.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/options.hpp>
#include <tracecodec/tracepack/about.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace convert {

// Opens an output. A zip archive consists of chunks. Throws usage_error if this build cannot write zip.
std::unique_ptr<tracecodec::io::sink> open_drmemtrace(
    const std::string& path, tracecodec::io::codec compression,
    const tracecodec::io::output_options& options);
// Returns a sink that compresses bytes for `file`, called `path`. Throws like open_drmemtrace().
std::unique_ptr<tracecodec::io::sink> compress_drmemtrace(
    std::unique_ptr<tracecodec::io::sink> file, const std::string& path,
    tracecodec::io::codec compression, const tracecodec::io::output_options& options);

// Output of instructions of other traces. If the processor is an x86 processor, the output contains
// the code, otherwise synthetic encodings of the registers.
class drmemtrace_output {
 public:
  using instruction = tracecodec::drmemtrace::written_instruction;
  using unknown_facts = tracecodec::drmemtrace::unknown_facts;

  drmemtrace_output(std::unique_ptr<tracecodec::io::sink> to, const std::string& name,
                    tracecodec::tracepack::processor processor, bool threads);
  void add(const instruction& i) {
    std::visit([&i](auto& one) { one.add(i); }, to_);
  }
  void finish() {
    std::visit([](auto& one) { one.finish(); }, to_);
  }
  [[nodiscard]] std::uint64_t written() const {
    return std::visit([](const auto& one) { return one.written(); }, to_);
  }
  [[nodiscard]] const unknown_facts& unknown() const {
    return std::visit([](const auto& one) -> const unknown_facts& { return one.unknown(); }, to_);
  }

 private:
  template <tracecodec::drmemtrace::target T> using writer =
      tracecodec::drmemtrace::instruction_writer<T>;
  using writers =
      std::variant<writer<tracecodec::wire::target::x64>, writer<tracecodec::wire::target::x86>>;
  writers to_;
};

// Calls note(text) for each fact that instructions lacked.
void report(const tracecodec::drmemtrace::unknown_facts& unknown,
            const std::function<void(const std::string&)>& note);

}  // namespace convert

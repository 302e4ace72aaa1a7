// Output files of a recording. Each process, or each thread, has its own file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../options.hpp"
#include "session.hpp"

namespace record::qemu {

// Returns the name of an output file. The file of the first process and its first thread has the
// name `out`. Other names contain, for example, "process2" or "thread3" before the suffix. The
// numbers of processes and threads follow the order in which they begin.
std::string name_of(const std::string& out, std::size_t process, std::size_t thread);

// Output file for records.
class output {
 public:
  output() = default;
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  virtual ~output() = default;
  // Writes whole records of the process `from`. May modify `records`.
  virtual void write(const process& from, std::uint32_t thread, std::span<std::byte> records) = 0;
  virtual void finish() = 0;
  // Returns the number of bytes written to the file so far.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};
// Opens an output for ChampSim records (64 bytes) or CloudSuite records (96 bytes). A tracepack and a
// drmemtrace trace store the code of the processor `whose`, so they require order::keeps_code. A
// drmemtrace trace is made of CloudSuite records.
std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    tracepack::processor whose, const options& o);

}  // namespace record::qemu

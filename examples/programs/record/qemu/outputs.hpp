// Output files of a recording, one for each process or for each thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../options.hpp"
#include "session.hpp"

namespace record::qemu {

// Returns the name of an output file. The name for the first thread of the first process is `out`.
// Other names have "process2" or "thread3" before the suffix. The numbers follow the order in which
// processes and threads begin.
std::string name_of(const std::string& out, std::size_t process, std::size_t thread);

// Output file for records.
class output {
 public:
  output() = default;
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  virtual ~output() = default;
  // Writes whole records of process `from`. May modify the records in place.
  virtual void write(const process& from, std::uint32_t thread, std::span<std::byte> records) = 0;
  virtual void finish() = 0;
  // Returns the current size of the file in bytes.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};
// Opens an output for ChampSim records (64 bytes) or CloudSuite records (96 bytes). A tracepack
// contains code for the processor `whose` and requires order::keeps_code.
std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    tracepack::processor whose, const options& o);

}  // namespace record::qemu

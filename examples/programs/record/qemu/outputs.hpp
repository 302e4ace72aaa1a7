// The files of a recording: of a process, or of each of its threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../options.hpp"
#include "session.hpp"

namespace record::qemu {

// `out` for the first process and its first thread; else its name with "process2" or "thread3" before the
// last of its suffixes, by the order in which they begin.
std::string name_of(const std::string& out, std::size_t process, std::size_t thread);

// A file of records.
class output {
 public:
  output() = default;
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  virtual ~output() = default;
  // The bytes of whole records of `from`. May change them.
  virtual void write(const process& from, std::uint32_t thread, std::span<std::byte> records) = 0;
  virtual void finish() = 0;
  // Of the file, so far.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};
// Of ChampSim's records, of 64 bytes, or of CloudSuite's, of 96. A tracepack has the code of a program for `whose`,
// which order::keeps_code asks for.
std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    tracepack::processor whose, const options& o);

}  // namespace record::qemu

// What the tests of the ChampSim floor share: records by example, traces in temporary files.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "tracecodec/champsim.hpp"

namespace test {

using tracecodec::champsim::cloudsuite_instruction;
using tracecodec::champsim::instruction;

// A folder of its own, removed with everything in it.
class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tracecodec.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file of these bytes; returns its path.
  std::string file(const std::string& name, std::span<const std::byte> bytes) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline std::string data(const std::string& name) {
  return std::string(TRACECODEC_TEST_DATA) + "/" + name;
}

// `n` standard records that differ from each other; every tenth is a conditional jump taken.
inline std::vector<instruction> records(std::size_t n) {
  std::vector<instruction> all;
  for (std::size_t i = 0; i < n; ++i) {
    instruction r{};
    r.ip = 0x401000 + 4 * i;
    if (i % 10 == 9) {
      r.is_branch = r.branch_taken = 1;
      r.destination_registers = {26, 0};
      r.source_registers = {26, 25, 0, 0};
    } else {
      r.source_memory[0] = 0x7ff000000000 + i;
    }
    all.push_back(r);
  }
  return all;
}

inline std::vector<std::byte> bytes_of(std::span<const instruction> all) {
  std::vector<std::byte> out(all.size() * 64);
  for (std::size_t i = 0; i < all.size(); ++i)
    tracecodec::champsim::instruction_codec::encode(all[i], std::span(out).subspan(i * 64));
  return out;
}

}  // namespace test

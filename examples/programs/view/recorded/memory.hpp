// Contents of memory, for formats whose traces record the bytes of memory accesses.
#pragma once
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/trace/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "../memory_dump.hpp"

namespace view {

// Memory before instructions, for queries in ascending order. It follows from the accesses of earlier
// instructions. The class reads the trace independently of the rows.
class recorded_memory {
 public:
  recorded_memory(const std::string& path, const tracecodec::format::open_options& as,
                  const tracecodec::analysis::address_span& wanted)
      : dump_{wanted.first, std::vector<dumped_byte>(dump_size(wanted))},
        trace_((require_file(path), path), as) {
    trace_.want({tracecodec::feed::column::memory_values});
  }

  // Returns the memory before instruction `n`, which must not precede the instruction of the previous
  // query. The result is valid until the next call. Throws any trace_error of trace::reader.
  const memory_dump& before(std::uint64_t n) {
    while (first_ + row_ < n) {
      if (row_ == batch_.size()) {
        first_ += row_;
        row_ = 0;
        if (!trace_.next(batch_)) break;
      }
      const auto values = batch_.memory_values();
      for (std::size_t k = values.begin(row_); k != values.end(row_); ++k)
        if (values.trusted[k] != 0) take(values.address[k], values.bytes[k]);
      ++row_;
    }
    return dump_;
  }

 private:
  static void require_file(const std::string& path) {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_regular_file(tracecodec::io::path_of(path), ignored))
      throw examples::usage_error(
          "--memory reads the trace twice, which needs a file instead of a pipe");
  }
  void take(std::uint64_t address, std::span<const std::byte> bytes) {
    for (std::size_t n = 0; n != bytes.size(); ++n)
      if (const std::uint64_t at = address + n - dump_.address; at < dump_.bytes.size())
        dump_.bytes[static_cast<std::size_t>(at)] = {std::to_integer<std::uint8_t>(bytes[n]), true};
  }

  memory_dump dump_;
  tracecodec::trace::reader trace_;
  tracecodec::feed::columns batch_ = {};
  std::uint64_t first_ = 0;  // number of the first row of batch_
  std::size_t row_ = 0;      // first row of batch_ that was not examined
};

}  // namespace view

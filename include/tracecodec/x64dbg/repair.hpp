// Repairs a trace that is damaged, truncated, or has the thread-id defect, by writing a sound copy.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/open.hpp"
#include "reader/block_pass.hpp"
#include "writer.hpp"

namespace tracecodec::x64dbg {

// Position of a block that contained a thread id although the bit has_thread was 0.
struct mended_place {
  std::uint64_t offset = 0;  // byte offset of the block
  std::uint64_t instruction = 0;
  std::uint32_t thread = 0;
};

struct repair_summary {
  std::uint64_t instructions = 0, mended = 0;
  // Number of skipped ranges (block_reader::on_skipped), and total number of skipped bytes.
  std::uint64_t skipped_places = 0, skipped_bytes = 0;
  // Error that ended the trace early, or nullopt if the entire trace was read. All blocks before
  // the error were written.
  std::optional<trace_error> cut = {};
};

// Maximum size in bytes of a user block that is held in memory. The limit is necessary because a
// few bytes of a compressed trace may expand to 4 GiB.
inline constexpr std::uint32_t largest_held_block = std::uint32_t{64} << 20;

// Copies a user block if it is complete. If the trace is a stream, first reads the entire block
// into `spare`. Throws trace_error(refused) if `spare` would need more than largest_held_block
// bytes.
template <target T>
void copy_user_block(user_block_data<T>& from, writer<T>& to, std::vector<std::byte>& spare);

namespace detail {
// Implementation of repair(). This function is a template, so that only programs that call repair()
// compile it.
using mended_function = std::function<void(const mended_place&)>;
template <class Report> repair_summary repair_all(io::input in, std::unique_ptr<io::sink> out,
                                                  const std::string& name, const Report& report);
}  // namespace detail

// Copies the trace `in` to `out`. `name` is the output's name in error messages. The header,
// instruction blocks and user blocks are copied byte for byte, except that missing thread bits are
// set. Damaged bytes, headers of appended traces and an incomplete block at the end are left out.
// After removed damage, x64dbg displays old register values up to the next snapshot.
//
// Calls report(const mended_place&) for each block with a corrected thread bit. Uses constant
// memory, except that each user block of a stream is held in memory until it has been read
// completely.
//
// Throws the errors of block_reader's constructor and copy_user_block(). Also throws trace_error if
// an error precedes the first whole instruction, or if the output cannot be written.
template <class Report> repair_summary repair(io::input in, std::unique_ptr<io::sink> out,
                                              const std::string& name, Report&& report) {
  return detail::repair_all<detail::mended_function>(
      std::move(in), std::move(out), name, [&report](const mended_place& m) { report(m); });
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/repair.ipp"
#endif

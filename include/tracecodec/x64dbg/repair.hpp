// Rewrites a trace with the thread-id defect, or one that is damaged or cut, into a sound one.
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

// A block that had a thread id without the bit that says so.
struct mended_place {
  std::uint64_t offset = 0;  // of the block
  std::uint64_t instruction = 0;
  std::uint32_t thread = 0;
};

struct repair_summary {
  std::uint64_t instructions = 0, mended = 0;
  // Places that were passed over, and their bytes (block_reader::on_skipped).
  std::uint64_t skipped_places = 0, skipped_bytes = 0;
  // What ended the trace early: everything before it was written.
  std::optional<trace_error> cut = {};
};

// What is held of a user block at most: a few bytes of a compressed trace may stand for 4 GiB.
inline constexpr std::uint32_t largest_held_block = std::uint32_t{64} << 20;

// Copies a user block, if all of it is there: of a stream its bytes are held in `spare` until that
// is known. Throws trace_error(refused) if those are more than largest_held_block.
template <target T>
void copy_user_block(user_block_data<T>& from, writer<T>& to, std::vector<std::byte>& spare);

namespace detail {
// A template, so that who does not repair compiles none of it.
using mended_function = std::function<void(const mended_place&)>;
template <class Report> repair_summary repair_all(io::input in, std::unique_ptr<io::sink> out,
                                                  const std::string& name, const Report& report);
}  // namespace detail

// Copies the trace `in` to `out`, named `name` in errors: header, instruction blocks and user
// blocks byte for byte, but with the missing bits set, and without damage, headers of appended
// traces and what is not whole at the end. x64dbg keeps old values of registers after damage, until the
// next snapshot gives them.
// Calls report(const mended_place&) for each mended block. Constant memory, but that a user block
// of a stream is held until it is known to be whole.
// Throws trace_error: as the constructor of block_reader; if nothing at all is whole; as
// copy_user_block(); if the output cannot be written.
template <class Report> repair_summary repair(io::input in, std::unique_ptr<io::sink> out,
                                              const std::string& name, Report&& report) {
  return detail::repair_all<detail::mended_function>(
      std::move(in), std::move(out), name, [&report](const mended_place& m) { report(m); });
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/repair.ipp"
#endif

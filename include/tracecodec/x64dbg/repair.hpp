// Rewrites a trace with the thread-id defect, or one that is cut, into a sound one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reader.hpp"
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
  // What ended the trace early: everything before it was written.
  std::optional<trace_error> cut = {};
};

// What is held of a user block at most: a few bytes of a compressed trace may stand for 4 GiB.
inline constexpr std::uint32_t largest_held_block = std::uint32_t{64} << 20;

// Copies a user block, if all of it is there: of a stream its bytes are held in `spare` until that
// is known. Throws trace_error(refused) if those are more than largest_held_block.
template <target T>
void copy_user_block(user_block_data<T>& from, writer<T>& to, std::vector<std::byte>& spare) {
  if (from.whole() == false) return;
  const bool whole = from.whole().value_or(false);
  if (!whole && from.size() > largest_held_block)
    throw trace_error(trace_errc::refused, {from.name(), from.offset(), from.instruction(), {}},
                      "a user block of " + std::to_string(from.size()) +
                          " bytes is copied only from a file that is not compressed");
  spare.clear();
  if (whole) to.begin_user_block(from.type(), from.size());
  for (auto piece = from.next(); !piece.empty(); piece = from.next())
    if (whole)
      to.add_user_data(piece);
    else
      spare.insert(spare.end(), piece.begin(), piece.end());
  if (!whole) to.write_user_block(from.type(), spare);
}

// Copies the trace `in` to `out`, named `name` in errors: header, instruction blocks and user
// blocks byte for byte, but with the missing bits set, and without what is not whole at the end.
// Calls report(const mended_place&) for each mended block. Constant memory, but that a user block
// of a stream is held until it is known to be whole.
// Throws trace_error: as the constructor of block_reader; if nothing at all is whole; as
// copy_user_block(); if the output cannot be written.
template <class Report> repair_summary repair(io::input in, std::unique_ptr<io::sink> out,
                                              const std::string& name, Report&& report) {
  return with_reader(
      std::move(in), {.repair = true, .without_snapshot = true}, [&]<target T>(reader<T>& from) {
        repair_summary sum;
        writer<T> to(std::move(out), name, from.header(), {.mode = writer_mode::raw});
        from.on_user_block([&to, spare = std::vector<std::byte>()](user_block_data<T>& u) mutable {
          copy_user_block(u, to, spare);
        });
        try {
          for (const instruction<T>& i : from) {
            to.write(i);
            ++sum.instructions;
            if (!from.was_mended()) continue;
            ++sum.mended;
            report(mended_place{i.offset, i.index, i.block.thread});
          }
        } catch (const trace_error& e) {
          const bool damaged = e.file() == from.name() && e.code() != trace_errc::refused;
          if (!damaged || sum.instructions == 0) throw;
          sum.cut = e;
        }
        to.finish();
        return sum;
      });
}

}  // namespace tracecodec::x64dbg

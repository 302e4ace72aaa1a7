// An x64dbg trace as another one: in another mode, a part of it, or mended.
#pragma once
#include <tracecodec/x64dbg/repair.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace convert {

namespace x64dbg = tracecodec::x64dbg;
namespace io = tracecodec::io;

// Which instructions, and how they are written.
struct x64dbg_part {
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
  std::optional<std::uint32_t> thread = {};
  x64dbg::writer_options how = {};
  [[nodiscard]] bool whole() const { return skip == 0 && !limit && !thread; }
};

// Copies instructions and the user blocks between them. Calls mended(place) for each block that was
// mended and passed(progress) now and then. Returns what ended the trace early.
template <x64dbg::target T, class Mended, class Passed>
std::exception_ptr copy(x64dbg::reader<T>& from, x64dbg::writer<T>& to, const x64dbg_part& part,
                        Mended mended, Passed passed) {
  std::uint64_t left_out = 0, done = 0;
  const std::uint64_t wanted = part.limit.value_or(static_cast<std::uint64_t>(-1));
  from.on_user_block([&, spare = std::vector<std::byte>()](x64dbg::user_block_data<T>& u) mutable {
    if (part.skip == 0 || done != 0) x64dbg::copy_user_block(u, to, spare);
  });
  x64dbg::instruction<T> i;
  while (done != wanted) {
    try {
      if (!from.next(i)) break;
    } catch (const tracecodec::trace_error& e) {
      if (e.file() != from.name()) throw;  // of the output: a user block
      return std::current_exception();
    }
    if ((part.thread && i.thread != part.thread) || left_out++ < part.skip) continue;
    to.write(i);
    if (from.was_mended()) mended(x64dbg::mended_place{i.offset, i.index, i.block.thread});
    if (++done % 65536 == 0) passed(from.window().progress());
  }
  return nullptr;
}

}  // namespace convert

// The first bytes of an input, by which a format is recognised.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../file/known_file.hpp"

namespace tracecodec::format {

struct front {
  std::span<const std::byte> bytes = {};   // as many as can be peeked, or all there are
  std::optional<std::uint64_t> size = {};  // of the whole content, if that is known
  file::known_file known = {};             // what else begins so
  // True if another kind of file begins so, and a trace hardly ever does.
  [[nodiscard]] bool begins_as_another() const noexcept {
    return known && known.is != file::known_file::evidence::weak;
  }
};

// How well a format fits the front of an input. The best one is taken; of equal ones the first in the list.
enum class match : std::uint8_t {
  none,
  too_short,  // the bytes are fewer than one record: its reader says so, unless they are text
  possible,  // all that is there makes sense, which may be chance; not if another kind of file begins so
  likely,   // the records look like a program's
  certain,  // constants, or counts that agree with the size
  marked    // a mark or a form of lines that no other file has
};

// Why bytes are not a trace of a format, and what helps.
struct mismatch {
  std::uint64_t offset = 0;
  std::string text = {};
};

}  // namespace tracecodec::format

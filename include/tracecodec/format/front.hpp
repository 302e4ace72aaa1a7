// First bytes of an input, by which its format is recognised.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../file/known_file.hpp"

namespace tracecodec::format {

struct front {
  std::span<const std::byte> bytes = {};   // up to io::input::peek_limit
  std::optional<std::uint64_t> size = {};  // size of the whole content, if known
  file::known_file known = {};             // another kind of file that begins with these bytes
  // Returns true if another kind of file begins with these bytes, and a trace almost never
  // does.
  [[nodiscard]] bool begins_as_another() const noexcept {
    return known && known.is != file::known_file::evidence::weak;
  }
};

// Degree to which the first bytes of an input match a format. The best match wins, and of
// equal matches the first in the list.
enum class match : std::uint8_t {
  none,
  // Fewer bytes than one record. The reader reports this, unless the bytes are text.
  too_short,
  // Plausible, but perhaps by chance. Ignored if another kind of file begins with these bytes.
  possible,
  likely,   // the records look like those of a program
  certain,  // constants, or counts that match the size
  marked    // a mark, or a form of lines, that no other file has
};

// Reason why bytes are not a trace of a format, with advice.
struct mismatch {
  std::uint64_t offset = 0;
  std::string text = {};
};

}  // namespace tracecodec::format

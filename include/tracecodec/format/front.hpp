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
  std::span<const std::byte> bytes = {};   // up to io::input::peek_limit
  std::optional<std::uint64_t> size = {};  // of the whole content, if known
  file::known_file known = {};             // another kind of file that begins with these bytes
  // True if another kind of file begins so, and a trace almost never does.
  [[nodiscard]] bool begins_as_another() const noexcept {
    return known && known.is != file::known_file::evidence::weak;
  }
};

// How well a format matches the first bytes of an input. The best match wins; among equal ones the first in the list.
enum class match : std::uint8_t {
  none,
  too_short,  // fewer bytes than one record, which the reader reports unless they are text
  possible,   // plausible, perhaps by chance; ignored if another kind of file begins so
  likely,     // the records look like those of a program
  certain,    // constants, or counts that agree with the size
  marked      // a mark or a form of lines that no other file has
};

// Why bytes are not a trace of a format, and what to do.
struct mismatch {
  std::uint64_t offset = 0;
  std::string text = {};
};

}  // namespace tracecodec::format

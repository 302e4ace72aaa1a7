// First bytes of an input, which determine its format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../file/known_file.hpp"

namespace tracecodec::format {

struct front {
  std::span<const std::byte> bytes = {};   // at most the first io::input::peek_limit bytes
  std::optional<std::uint64_t> size = {};  // size of the whole content, if known
  file::known_file known = {};             // another kind of file that begins with `bytes`
  // Returns true if `bytes` identify another kind of file, and almost never occur at the beginning
  // of a trace.
  [[nodiscard]] bool begins_as_another() const noexcept {
    return known && known.is != file::known_file::evidence::weak;
  }
};

// Degree to which the first bytes of an input match a format. The best match wins. If several
// formats match equally well, the first format in the list wins.
enum class match : std::uint8_t {
  none,
  // The input has fewer bytes than one record. Unless the bytes are text, the reader reports the
  // truncated record.
  too_short,
  // The bytes are plausible, but perhaps by chance. This match is ignored if another kind of
  // file begins with the bytes.
  possible,
  likely,   // the records look like those of a program
  certain,  // the bytes contain the format's constants, or counts that match the size
  marked    // the bytes contain a signature or lines of text that only this format has
};

// Reason why bytes are not a trace of a format, with advice for the user.
struct mismatch {
  std::uint64_t offset = 0;
  std::string text = {};
};

}  // namespace tracecodec::format

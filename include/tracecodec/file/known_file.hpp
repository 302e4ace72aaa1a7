// Names what a file is by its first bytes: files of formats that begin with a mark, and others whose form is
// known. Readers of formats without a mark refuse such a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::file {

// What a file is. An empty name stands for a file that is not known.
struct known_file {
  std::string_view name = {};  // "a ZIP archive"
  std::string_view help = {};  // what to do; empty if nothing makes a trace of it
  // How much its first bytes say: a trace may begin with them by chance (weak), hardly so, unless its
  // addresses follow each other as a program's do (sure), or never (certain).
  enum class evidence : std::uint8_t { weak, sure, certain };
  evidence is = evidence::certain;
  bool has_records = false;  // a description of its records reads it

  [[nodiscard]] explicit operator bool() const noexcept { return !name.empty(); }
  // Returns name and help as a message.
  [[nodiscard]] std::string message() const {
    return std::string(name) + (help.empty() ? ", expected a trace" : ": ") + std::string(help);
  }
};

// Returns what the file is that begins with `front`: what lies beside traces or is made of them,
// traces whose format has a mark or a known form, archives, programs, documents and others.
TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front);

// True if all of it is text in UTF-8 without control characters.
TRACECODEC_FUNC bool is_text(std::span<const std::byte> front);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/known_file.ipp"
#endif

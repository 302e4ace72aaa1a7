// Names what a file is that is not a trace, and what to do with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::trace {

// What a file is that is not a trace. An empty name stands for a file that is not known.
struct known_file {
  std::string_view name = {};  // "a ZIP archive"
  std::string_view help = {};  // what to do; empty if nothing makes a trace of it
  // How much its first bytes say: a trace may begin with them by chance (weak), hardly so, unless its
  // addresses follow each other as a program's do (sure), or never (certain).
  enum class evidence : std::uint8_t { weak, sure, certain };
  evidence is = evidence::certain;

  [[nodiscard]] explicit operator bool() const noexcept { return !name.empty(); }
  // Returns name and help as a message.
  [[nodiscard]] std::string message() const;
};

// Returns what the file is that begins with `front`: what lies beside traces or is made of them,
// traces of formats that are not read, archives, programs, documents and others.
known_file named_by_content(std::span<const std::byte> front);

// Returns the same by a file's name alone; of UMTracer's tables, which have no mark of their own.
std::string_view named_by_name(std::string_view path);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/no_trace.ipp"
#endif

// Finds text in the values that a trace reads from memory and writes to it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../config.hpp"
#include "../feed/columns.hpp"

namespace tracecodec::analysis {

enum class text_encoding : std::uint8_t { utf8, utf16 };  // utf16 is little-endian

struct found_text {
  std::uint64_t address = 0;
  // Numbers of the first and the last instruction that accessed a byte of the text, until the text
  // was whole.
  std::uint64_t first = 0, last = 0;
  std::uint64_t ip = 0;  // address of instruction `first`
  text_encoding encoding = text_encoding::utf8;
  std::string text = {};  // UTF-8
};

// Search for text in memory. It is an analysis (run.hpp).
//
// The search follows the contents of memory: the bytes that instructions read or write, in the order
// of the trace. Text is a longest sequence of characters at neighbouring addresses, in UTF-8 or in
// UTF-16 (little-endian), whichever accesses its bytes come from. Characters are those that a screen
// shows (io::is_shown), tab, carriage return and line feed. In UTF-16, only characters up to U+052F
// (Latin, Greek, Cyrillic) count, because other numbers would often look like text.
//
// Text is found before one of its bytes changes a second time, and at the end of the trace. So text
// that is written over other text is not mixed with it, even if it is written byte by byte. The same
// text at the same address is found once.
//
// Memory is bounded: of up to 16,384 lines of memory (memory_contents.hpp), up to `most_texts` texts
// and `most_bytes` bytes of text. Text of more than `most_length` bytes can be found in parts.
class text_search {
 public:
  static constexpr std::size_t most_texts = std::size_t{1} << 20;
  static constexpr std::size_t most_bytes = std::size_t{1} << 26;
  static constexpr std::size_t most_length = 4096;

  // Searches for text of at least `length` characters. A length of 0 is treated as 1.
  explicit text_search(std::uint64_t length = 5);
  text_search(text_search&&) noexcept;
  text_search& operator=(text_search&&) noexcept;
  ~text_search();

  // Returns the columns that batches must contain. Not every format has them.
  [[nodiscard]] feed::column_set columns() const noexcept {
    return {feed::column::ip, feed::column::memory, feed::column::memory_values};
  }
  void add(const feed::columns& batch);
  // Adds bytes that instruction `index` at `ip` reads or writes.
  void add(std::uint64_t address, std::span<const std::byte> bytes, std::uint64_t index,
           std::uint64_t ip);

  // Ends the search, and returns the texts, sorted by `first` and by address.
  [[nodiscard]] const std::vector<found_text>& result();
  // Returns the number of texts that were not stored.
  [[nodiscard]] std::uint64_t left_out() const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/texts.ipp"
#endif

// Constant properties of a format, such as its names and the contents of its traces.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "option.hpp"

namespace tracecodec::format {

// Constant properties of a format, stored as the member `facts` of its descriptor. The address
// of the object identifies the format.
struct facts {
  // Lower-case name for options and messages, such as "cloudsuite". NUL-terminated.
  std::string_view name = {};
  // Name for text, spelled as in the format's own documents, such as "CloudSuite".
  std::string_view title = {};
  // Family of the format. Traces of all formats in a family contain the same kinds of records or
  // events.
  std::string_view family = {};
  // Indefinite article for the name: "an" in "an x64dbg trace".
  std::string_view article = "a";
  // Noun for the numbers in column `thread`, such as "thread" or "address space". Empty if
  // traces of the format contain no such numbers.
  std::string_view thread = {};
  bool chooses_threads = false;  // true if the format supports open_options::thread
  bool repairs = false;          // true if the format supports open_options::repair
  bool has_addresses = true;     // true if the ip of an instruction is a code address
  bool has_code = false;         // true if traces contain the bytes or the text of instructions
  bool has_values = false;       // true if traces contain values of registers or memory
  // True if records that a table describes (open_options::record) can be converted to this
  // format.
  bool takes_tables = false;
  bool has_short_option = false;       // true if programs accept --NAME for --format NAME
  std::string_view record = "record";  // name of the layout of a record
  bool has_chunks = false;             // true if a trace can be a zip archive of chunks
  bool is_text = false;                // true if traces are lines of text, which have no layout
  // Suffixes of file names, with the dot. Formats of one family may share suffixes.
  std::span<const std::string_view> suffixes = {};
  // Names of the operations, indexed by the values of column `operation`. Empty if the format
  // has no events.
  std::span<const std::string_view> operations = {};
  // Names of the files in a trace that is a folder. The first file must exist. Empty if a trace
  // is a single file.
  std::span<const std::string_view> folder_files = {};
  // Names among folder_files that are unique to this format.
  std::span<const std::string_view> marked_files = {};
  // Returns the path of the file that accompanies the trace `name`. If null, only a map of the
  // program can accompany a trace.
  std::string (*beside)(const std::string& name) = nullptr;
  std::span<const option* const> options = {};  // options that other formats lack

  [[nodiscard]] constexpr bool is_folder() const noexcept { return !folder_files.empty(); }
  [[nodiscard]] constexpr bool has(const option& one) const noexcept {
    for (const option* const o : options)
      if (o == &one) return true;
    return false;
  }
};

// Returns a phrase such as "an x64dbg trace". `word` is the format's name or title.
inline std::string trace_of(const facts& f, std::string_view word) {
  return std::string(f.article) + ' ' + std::string(word) + " trace";
}

}  // namespace tracecodec::format

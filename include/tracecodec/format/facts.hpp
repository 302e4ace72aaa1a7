// Constant properties of a format: its names, and what its traces contain.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "option.hpp"

namespace tracecodec::format {

// Constant properties of a format, stored as the member `facts` of its descriptor. The address
// of the object identifies the format.
struct facts {
  std::string_view name =
      {};  // in options and messages, in lower case, such as "cloudsuite"; NUL-terminated
  std::string_view title = {};     // in text, as the format's own documents write it: "CloudSuite"
  std::string_view family = {};    // formats of one family contain the same records or events
  std::string_view article = "a";  // for "an x64dbg trace"
  // Noun for the numbers in column `thread`: "thread", "address space". Empty: the format has
  // none.
  std::string_view thread = {};
  bool chooses_threads = false;  // supports open_options::thread
  bool repairs = false;          // supports open_options::repair
  bool has_addresses = true;     // the ip of an instruction is a code address
  bool has_code = false;         // traces contain the bytes or the text of instructions
  bool has_values = false;       // traces contain values of registers or memory
  // True if records that a table describes (open_options::record) can be converted to this
  // format.
  bool takes_tables = false;
  bool has_short_option = false;       // programs accept --NAME for --format NAME
  std::string_view record = "record";  // name of the layout of a record
  bool is_text = false;                // traces are lines of text, which have no layout
  // Suffixes of file names, with the dot. Formats of one family may share some.
  std::span<const std::string_view> suffixes = {};
  // Names of the operations, indexed by their numbers in column `operation`. Empty: the format
  // has no events.
  std::span<const std::string_view> operations = {};
  // Names of the files in a trace that is a folder. The first must exist. Empty: a trace is a
  // single file.
  std::span<const std::string_view> folder_files = {};
  // Names among folder_files that are unique to this format.
  std::span<const std::string_view> marked_files = {};
  // Returns the path of the file that accompanies the trace `name`. Null: a map of the program
  // may accompany it.
  std::string (*beside)(const std::string& name) = nullptr;
  std::span<const option* const> options = {};  // options that only some formats have

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

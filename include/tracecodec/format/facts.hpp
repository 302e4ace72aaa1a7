// The constant properties of a format: its names, and what its traces have.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "option.hpp"

namespace tracecodec::format {

// Each format has one constant object of this type, the member `facts` of its descriptor. Its address identifies the
// format.
struct facts {
  std::string_view name =
      {};  // in options and messages, in lower case: "cloudsuite"; ends with a NUL
  std::string_view title = {};     // in text, as the format's own documents write it: "CloudSuite"
  std::string_view family = {};    // formats of one family hold the same records or events
  std::string_view article = "a";  // "an x64dbg trace"
  // The noun for the numbers in column `thread`: "thread", "address space". Empty: the format has none.
  std::string_view thread = {};
  bool chooses_threads = false;  // supports open_options::thread
  bool repairs = false;          // supports open_options::repair
  bool has_addresses = true;     // an instruction's ip is an address of code
  bool has_code = false;         // traces contain the bytes or the text of instructions
  bool has_values = false;       // traces contain values of registers or memory
  // Records that a table describes (open_options::record) can become records of this format.
  bool takes_tables = false;
  bool has_short_option = false;       // programs have --NAME for --format NAME
  std::string_view record = "record";  // the name of the layout of a record
  bool is_text = false;                // a trace is lines of text, which have no layout
  // The suffixes of file names, with the dot. Formats of one family may share some.
  std::span<const std::string_view> suffixes = {};
  // The names of operations, by their numbers in column `operation`. Empty: the format has no events.
  std::span<const std::string_view> operations = {};
  // The names of the files in a trace that is a folder. The first must exist. Empty: a trace is a single file.
  std::span<const std::string_view> folder_files = {};
  // The names among them that no other kind of file has.
  std::span<const std::string_view> marked_files = {};
  // Returns the path of the file that accompanies the trace `name`. Null: a map of the program may accompany it.
  std::string (*beside)(const std::string& name) = nullptr;
  std::span<const option* const> options = {};  // options that only some formats have

  [[nodiscard]] constexpr bool is_folder() const noexcept { return !folder_files.empty(); }
  [[nodiscard]] constexpr bool has(const option& one) const noexcept {
    for (const option* const o : options)
      if (o == &one) return true;
    return false;
  }
};

// Returns "an x64dbg trace"; `word` is the format's name or title.
inline std::string trace_of(const facts& f, std::string_view word) {
  return std::string(f.article) + ' ' + std::string(word) + " trace";
}

}  // namespace tracecodec::format

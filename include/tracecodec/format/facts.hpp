// What is known of a format before a trace is open: what it is called and what it has.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "option.hpp"

namespace tracecodec::format {

// One constant object for each format, the member `facts` of its descriptor: a format is told by its address.
struct facts {
  std::string_view name = {};      // of options and messages, in small letters: "cloudsuite"
  std::string_view title = {};     // of pages, as its documents call it: "CloudSuite"
  std::string_view family = {};    // formats of one family hold the same records or events
  std::string_view article = "a";  // "an x64dbg trace"
  // What the numbers in the column `thread` are, "thread"; empty: it has no such number.
  std::string_view thread = {};
  bool chooses_threads = false;  // open_options::thread
  bool repairs = false;          // open_options::repair
  bool has_addresses = true;     // an instruction's ip is an address of code
  bool has_code = false;         // it can be disassembled
  bool has_values = false;       // of registers or memory
  // The files of a trace that is a folder, of which the first must be there; empty: a trace is one file.
  std::span<const std::string_view> folder_files = {};
  std::span<const std::string_view> marked_files =
      {};  // those of them whose names no other file has
  // Returns the file beside the trace `name` that belongs to it; null: the map of its program may lie there.
  std::string (*beside)(const std::string& name) = nullptr;
  std::span<const option* const> options = {};  // that it has of its own

  [[nodiscard]] constexpr bool is_folder() const noexcept { return !folder_files.empty(); }
  [[nodiscard]] constexpr bool has(const option& one) const noexcept {
    for (const option* const o : options)
      if (o == &one) return true;
    return false;
  }
};

// "an x64dbg trace": `word` is what the format is called there, its name or its title.
inline std::string trace_of(const facts& f, std::string_view word) {
  return std::string(f.article) + ' ' + std::string(word) + " trace";
}

}  // namespace tracecodec::format

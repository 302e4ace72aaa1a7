// What trace_record was asked for.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tracecodec/trace/source.hpp>

#include "../common/output_name.hpp"
#include "../common/pack.hpp"

namespace record {

// Where recording begins, or ends: an address, or a function by its name; when it is come to for that time.
struct place {
  std::optional<std::uint64_t> address = {};
  std::string symbol = {};
  std::uint64_t count = 1;
  bool begins = false;
};

struct options {
  std::string out = {};
  std::uint64_t skip = 0, count = 1'000'000;
  std::optional<std::string> format =
      {};  // "champsim", "cloudsuite", "x64dbg"; none: by OUT's name
  std::optional<std::string> engine = {};  // "qemu", "ptrace"; none: what is there and fits
  std::string engine_reason = {};          // which engine it is, and why, in words
  std::string recorded_by = {};            // the same in a word: the emulator, or single steps
  std::vector<std::string> command = {};
  bool no_maps = false, quiet = false;
  examples::packing packed_as = {};  // of tracepack
  // Of the engine qemu alone.
  bool split_threads = false;  // a file for each
  bool follow_forks = false;
  bool markers = false;
  std::vector<place> places = {};
  std::uint64_t every = 0, length = 0;      // of so many instructions the first so many; 0: all
  std::optional<std::string> vectors = {};  // where basic-block vectors go
  std::uint64_t interval = 10'000'000;      // instructions of each

  // Returns whether OUT gets CloudSuite's records.
  [[nodiscard]] bool wants_cloudsuite() const {
    return format ? *format == "cloudsuite"
                  : examples::output_name(out).format() ==
                        tracecodec::trace::find_format("cloudsuite");
  }
};

}  // namespace record

// Settings of trace_record that the command line provides.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tracecodec/trace/source.hpp>

#include "../common/output_name.hpp"
#include "../common/pack.hpp"

namespace record {

// Place at which the recording begins or ends: an address, or the name of a function. The place
// takes effect when it is executed for the `count`th time.
struct place {
  std::optional<std::uint64_t> address = {};
  std::string symbol = {};
  std::uint64_t count = 1;
  bool begins = false;
};

struct options {
  std::string out = {};
  std::uint64_t skip = 0, count = 1'000'000;
  // Format: "champsim", "cloudsuite", "drmemtrace" or "x64dbg"; nullopt if OUT's name determines the format.
  std::optional<std::string> format = {};
  // Engine: "qemu" or "ptrace"; nullopt for the best engine that is available.
  std::optional<std::string> engine = {};
  // Text that states the selected engine and the reason for the selection.
  std::string engine_reason = {};
  // Short name of the recorder: the name of the emulator, or "single steps".
  std::string recorded_by = {};
  std::vector<std::string> command = {};
  bool no_maps = false, quiet = false;
  examples::packing packed_as = {};  // settings for writing a tracepack
  // The following options are supported only by the QEMU engine.
  bool split_threads = false;  // true if each thread gets its own output file
  bool follow_forks = false;
  bool markers = false;
  std::vector<place> places = {};
  // Sampling. In each period of `every` instructions, the first `length` instructions are recorded.
  // If `every` is 0, all instructions are recorded.
  std::uint64_t every = 0, length = 0;
  std::optional<std::string> vectors = {};  // output file for basic-block vectors
  std::uint64_t interval = 10'000'000;      // number of instructions per basic-block vector

  // Returns true if OUT has the format `name`.
  [[nodiscard]] bool wants(std::string_view name) const {
    return format ? *format == name
                  : examples::output_name(out).format() == tracecodec::trace::find_format(name);
  }
};

}  // namespace record

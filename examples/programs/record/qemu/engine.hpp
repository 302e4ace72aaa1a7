// Recording engine that runs a program under QEMU and produces ChampSim or CloudSuite records.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "../options.hpp"
#include "../summary.hpp"

namespace record::qemu {

// Components that a recording requires. If a component is not available, `missing` describes the
// problem and the remedy.
struct found {
  std::string folder = {};
  std::string emulator = {};
  std::string plugin = {};
  std::string missing = {};
  // Name of the program's processor if it is not x86, otherwise empty. Only this engine can run
  // programs for other processors.
  std::string_view foreign = {};
};
found find(const options& o);

// Error that is thrown if the emulator did not load the plugin. In this case, the program has not
// started.
struct not_loaded : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Records a program. Throws not_loaded if the emulator did not load the plugin, std::runtime_error
// for other failures, and any exception that a writer throws.
recorded_program run(const options& o, const found& with);

}  // namespace record::qemu

// Engine that runs a program under QEMU's emulation. It makes ChampSim and CloudSuite records at
// the speed of the emulator.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "../options.hpp"
#include "../telling.hpp"

namespace record::qemu {

// Components for recording a program. If a component is missing, `missing` contains the explanation
// and the remedy.
struct found {
  std::string folder = {};
  std::string emulator = {};
  std::string plugin = {};
  std::string missing = {};
  // The program's processor if the processor is not x86. Only this engine can run such a program.
  std::string_view foreign = {};
};
found find(const options& o);

// Error that the emulator did not load the plugin. The program has not begun.
struct not_loaded : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Records a program. Throws not_loaded if the plugin was not loaded. Throws std::runtime_error and
// any exception of a writer.
recorded_program run(const options& o, const found& with);

}  // namespace record::qemu

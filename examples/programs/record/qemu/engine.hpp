// The engine that runs a program in QEMU's emulation of a processor: ChampSim's and CloudSuite's records, at
// the speed of the emulator.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "../options.hpp"
#include "../telling.hpp"

namespace record::qemu {

// What the engine needs to record a program; if something is missing `missing` says what, and what to do.
struct found {
  std::string folder = {};    // of the emulators
  std::string emulator = {};  // of the program
  std::string plugin = {};
  std::string missing = {};
  // The processor of the program, if it is another: no other engine can run it.
  std::string_view foreign = {};
};
found find(const options& o);

// The emulator does not take the plugin: the program has not begun.
struct not_loaded : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Throws not_loaded. Throws std::runtime_error, and what a writer throws.
recorded_program run(const options& o, const found& with);

}  // namespace record::qemu

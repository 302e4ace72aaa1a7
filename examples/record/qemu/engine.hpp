// The engine that runs a program in QEMU's emulation of a processor: ChampSim's and CloudSuite's records, at
// the speed of the emulator.
#pragma once
#include <stdexcept>
#include <string>

#include "../options.hpp"

namespace record::qemu {

// What the engine needs to record a program; if something is missing `missing` says what, and what to do.
struct found {
  std::string folder = {};  // of the emulators
  std::string plugin = {};
  std::string missing = {};
};
found find(const options& o);

// The emulator does not take the plugin: the program has not begun.
struct not_loaded : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The program's exit status is not looked at. Throws not_loaded. Throws std::runtime_error, and what a writer throws.
void run(const options& o, const found& with);

}  // namespace record::qemu

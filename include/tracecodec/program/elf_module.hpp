// Opens an ELF file with libdw of elfutils (TRACECODEC_WITH_LIBDW, -ldw).
#pragma once
#include <elfutils/libdwfl.h>
#include <memory>

#include "../io/os/os.hpp"
#include "map.hpp"

namespace tracecodec {

// ELF file at the path of a module. Finds separate debug information in the same places as
// debuggers, and on the servers listed in DEBUGINFOD_URLS.
class elf_module {
 public:
  explicit elf_module(const program_module& m) {
    // The path may now refer to something other than a file, such as a pipe, which must not be
    // opened.
    if (io::os::facts_if_any(m.path).what != io::os::kind::regular) return;
    static char* debuginfo_path = nullptr;
    callbacks_.find_elf = dwfl_build_id_find_elf;
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks_.section_address = dwfl_offline_section_address;
    callbacks_.debuginfo_path = &debuginfo_path;
    session_.reset(dwfl_begin(&callbacks_));
    if (!session_) return;
    dwfl_report_begin(session_.get());
    module_ = dwfl_report_elf(session_.get(), m.path.c_str(), m.path.c_str(), -1, m.base, false);
    dwfl_report_end(session_.get(), nullptr, nullptr);
  }
  elf_module(const elf_module&) = delete;
  elf_module& operator=(const elf_module&) = delete;

  // Returns libdw's module, with addresses in the process, or null if the file is not an ELF file.
  [[nodiscard]] Dwfl_Module* get() const noexcept { return module_; }

 private:
  Dwfl_Callbacks callbacks_ = {};
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> session_{nullptr, dwfl_end};
  Dwfl_Module* module_ = nullptr;
};

}  // namespace tracecodec

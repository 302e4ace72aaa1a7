// State of a writer, which consists of the files, and of the data that is kept in memory until
// finish().
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../../io/output/atomic_folder.hpp"
#include "../../reader/context_map.hpp"
#include "../../writer.hpp"
#include "exec_writer.hpp"
#include "instruction_writer.hpp"
#include "module_writer.hpp"
#include "page_set.hpp"
#include "syscall_writer.hpp"

namespace tracecodec::umtracer {

struct writer::state {
  state(const std::string& path, std::span<const std::byte> context_map,
        const writer_options& options)
      : folder(path, options.most_bytes),
        map_bytes(context_map.begin(), context_map.end()),
        map_files(only(map_bytes), path),
        map(map_files),
        exec(folder, options.exec_version, options.thread_row_size),
        instructions(folder, options.instruction_version),
        modules(folder, options.module_row_size),
        syscalls(folder, options.unified_version) {}

  static trace_files::contents only(std::span<const std::byte> context_map) {
    trace_files::contents all = {};
    all[static_cast<std::size_t>(file::context_map)] = context_map;
    return all;
  }

  io::atomic_folder folder;
  std::vector<std::byte> map_bytes;
  trace_files map_files;
  context_map map;
  exec_writer exec;
  instruction_writer instructions;
  module_writer modules;
  syscall_writer syscalls;
  page_set pages = {};
  std::vector<address_range> ranges = {};
  std::optional<std::string> xml = {};
  std::vector<memory_reference> memory = {};  // scratch buffer
};

}  // namespace tracecodec::umtracer

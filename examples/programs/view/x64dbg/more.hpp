// Optional parts of an x64dbg row that the command line selects: registers and memory.
#pragma once
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/x64dbg/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../memory_dump.hpp"
#include "registers.hpp"

namespace view {

// Memory before instructions, for queries in ascending order. To build an index, the class first
// reads the whole trace, independently of the feed. The first query searches backward from its
// instruction. It then searches forward for bytes that only later instructions reveal. Each later
// query continues where the previous query ended.
template <x64dbg::target T> class x64dbg_memory {
  using word = tracecodec::wire::word_t<T>;

 public:
  x64dbg_memory(const std::string& path, const tracecodec::format::open_options& as,
                const tracecodec::analysis::address_span& wanted)
      : dump_{wanted.first, std::vector<dumped_byte>(dump_size(wanted))} {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_regular_file(tracecodec::io::path_of(path), ignored))
      throw examples::usage_error(
          "--memory reads the trace twice, which needs a file instead of a pipe");
    if (wanted.last > static_cast<word>(-1))
      throw examples::usage_error("--memory: the trace's addresses have 32 bits");
    x64dbg::block_reader<T> blocks(tracecodec::io::open_input(path, as.input), {as.repair});
    index_ = x64dbg::index_of(blocks);
    trace_.emplace(tracecodec::io::open_input(path, as.input),
                   x64dbg::reader_options{.repair = as.repair});
  }

  // Returns the memory before instruction `n`, which must not precede the instruction of the
  // previous query. The result is valid until the next call. Throws any trace_error of
  // x64dbg::reader.
  const memory_dump& before(std::uint64_t n) {
    if (!started_) {
      x64dbg::memory_queries<T> memory(*trace_, index_);
      // Search only the instructions in the index. If the trace ends early, the feed reports the
      // error.
      const std::uint64_t left = index_.instructions() - std::min(n, index_.instructions());
      const auto found =
          memory.at(n, static_cast<word>(dump_.address), dump_.bytes.size(), {.forward = left});
      for (std::size_t i = 0; i < found.size(); ++i)
        dump_.bytes[i] = {found[i].value, found[i].from != x64dbg::memory_byte::origin::unknown};
      trace_->seek(n, &index_);
      started_ = true;
    }
    x64dbg::instruction<T> i;
    while (trace_->index() < n && trace_->next(i))
      for (const x64dbg::memory_access& a : i.accesses()) take(a);
    return dump_;
  }

 private:
  // Stores the bytes that memory contains after the access.
  void take(const x64dbg::memory_access& a) {
    for (unsigned b = 0; b < sizeof(word); ++b) {
      const word at =
          static_cast<word>(static_cast<word>(a.address) + b - static_cast<word>(dump_.address));
      if (at < dump_.bytes.size())
        dump_.bytes[static_cast<std::size_t>(at)] = {
            static_cast<std::uint8_t>(a.value_after() >> 8 * b), true};
    }
  }
  memory_dump dump_;
  x64dbg::snapshot_index index_;
  std::optional<x64dbg::reader<T>> trace_ = {};
  bool started_ = false;
};

template <x64dbg::target T> struct x64dbg_more {
  // Registers to print. If empty, the detailed view prints its default set of registers.
  std::vector<x64dbg::register_name> registers = {};
  std::unique_ptr<x64dbg_memory<T>> memory = {};
  bool effects = false;  // true if compact rows show the changes that an instruction makes

  x64dbg_more(const shown_besides& wanted, const std::string& path,
              const tracecodec::format::open_options& as)
      : registers(register_list<T>(wanted.registers)), effects(wanted.effects) {
    if (wanted.memory) memory = std::make_unique<x64dbg_memory<T>>(path, as, *wanted.memory);
  }
};

}  // namespace view

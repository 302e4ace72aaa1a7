// Flow of data through the instructions of a trace of any format: the bytes of registers and memory
// that each instruction writes, and those on which they depend.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "../wire/policy.hpp"

namespace tracecodec::x86 {
struct instruction_flow;
}

namespace tracecodec::query {

// Bytes of memory or of a register.
struct place {
  std::uint64_t at = 0;     // address, or offset in the register
  std::uint32_t size = 0;   // in bytes
  std::uint8_t number = 0;  // register, as in column `destination_registers`, or 0 for memory

  [[nodiscard]] constexpr bool is_memory() const noexcept { return number == 0; }
  // Returns true if the places share bytes.
  [[nodiscard]] constexpr bool meets(const place& p) const noexcept {
    return number == p.number && (p.at - at < size || at - p.at < p.size);
  }
  friend constexpr bool operator==(const place&, const place&) = default;
};

enum class flow_kind : std::uint8_t {
  copy,         // byte n of the result is byte n of the only source
  computation,  // every byte of the result depends on all sources; without sources, it is constant
  outside,      // the result comes from outside the program, such as from a system call
  incomplete,   // like computation, but the trace does not store all sources
  none          // the instruction reads the sources, but they do not flow to a result
};

struct flow {
  place to = {};
  flow_kind kind = flow_kind::computation;
  std::uint32_t first_source = 0, source_count = 0;
};

// Bytes of memory that a row shows.
struct shown_memory {
  std::uint64_t address = 0;
  bool after = false;  // true for bytes that the instruction wrote
  std::uint32_t size = 0;
  std::size_t first_byte = 0;
};

// Registers of a trace: their names and sizes.
class register_names {
 public:
  // `trace` must outlive the object.
  explicit register_names(feed::column_source& trace);

  // Returns the bytes of the register or part called `name`, ignoring case, such as rax, ah, xmm3
  // or, for other instruction sets, the names in the trace's rows. A decimal number is the number
  // of a register. Returns nullopt for other names, and for the instruction pointer.
  [[nodiscard]] std::optional<place> find(const std::string& name) const;
  // Returns the name of a register or part, such as "eax" or "rax[2-3]", or the address and size of
  // memory, such as "0x1000+8".
  [[nodiscard]] std::string name(const place& p) const;
  [[nodiscard]] std::string name(std::uint8_t number) const;
  // Returns the size of a register in bytes.
  [[nodiscard]] std::uint32_t size(std::uint8_t number) const noexcept { return sizes_[number]; }
  // Makes a register as large as bytes that the trace has of it.
  void extend(std::uint8_t number, std::size_t size);
  // Returns true if a number is not a register, but only marks the class of a branch.
  [[nodiscard]] bool is_mark(std::uint8_t number) const noexcept { return marks_[number]; }
  // Returns true if the registers are those of x86.
  [[nodiscard]] bool are_x86() const noexcept { return !own_; }
  // Returns the mode of the code, or nullopt if the trace has no x86 code.
  [[nodiscard]] std::optional<wire::target> code_mode() const noexcept { return mode_; }
  // Returns the registers of the instruction set that have a name. For x86, the general registers
  // and the flags.
  [[nodiscard]] std::vector<std::uint8_t> all() const;

 private:
  feed::column_source* trace_;
  bool own_;
  std::optional<wire::target> mode_;
  std::array<std::uint32_t, 256> sizes_ = {};
  std::bitset<256> marks_ = {};
};

// Flows of consecutive instructions. In a trace with x86 code, the flows are exact
// (x86/data_flow.hpp). In other traces, a result depends on all registers and all memory that the
// instruction reads, including those that form an address. An access of unknown size is known by
// its first byte.
class flow_rows {
 public:
  // If `values` is set, the rows also have the memory that the trace shows. `trace` must outlive
  // the object.
  explicit flow_rows(feed::column_source& trace, bool values = false);
  flow_rows(const flow_rows&) = delete;
  flow_rows& operator=(const flow_rows&) = delete;
  ~flow_rows();

  [[nodiscard]] register_names& names() noexcept { return names_; }
  // Returns true if the flows are derived from code: the trace has x86 code, and the build has a
  // disassembler.
  [[nodiscard]] bool has_code() const noexcept { return has_code_; }

  // Returns the columns that the batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  // Removes all rows. The next batch may be anywhere in the trace.
  void clear() noexcept;
  // Adds the first `rows` rows of a batch that follows the earlier ones.
  void add(const feed::columns& batch, std::size_t rows);

  [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] std::uint32_t thread(std::size_t row) const noexcept { return rows_[row].thread; }
  [[nodiscard]] std::uint64_t ip(std::size_t row) const noexcept { return rows_[row].ip; }
  // Returns the flows of an instruction. They happen at the same time: sources are those before it.
  [[nodiscard]] std::span<const flow> flows(std::size_t row) const noexcept;
  [[nodiscard]] std::span<const place> sources(const flow& f) const noexcept {
    return std::span(sources_).subspan(f.first_source, f.source_count);
  }
  // Returns the memory that the trace shows at an instruction. Bytes that may be wrong are left
  // out.
  [[nodiscard]] std::span<const shown_memory> shown(std::size_t row) const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes(const shown_memory& m) const noexcept {
    return std::span(bytes_).subspan(m.first_byte, m.size);
  }
  // Returns the number of flows, sources and bytes of all rows.
  [[nodiscard]] std::size_t entries() const noexcept {
    return flows_.size() + sources_.size() + shown_.size() + bytes_.size();
  }
  // Returns the number of operands and bytes that did not fit in a batch.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct row_entry {
    std::uint64_t ip = 0;
    std::uint32_t thread = 0;
    std::uint32_t first_flow = 0, first_shown = 0;
  };
  struct code_cache;

  void add_flow(const place& to, flow_kind kind, std::size_t first_source);
  [[nodiscard]] bool add_exact(const feed::columns& batch, std::size_t row);
  void bind(const x86::instruction_flow& f, const feed::memory_column& m, std::size_t row);
  void add_coarse(const feed::columns& batch, std::size_t row);
  void add_shown(const feed::memory_values_column& m, std::size_t row);

  register_names names_;
  bool all_registers_, has_values_, has_register_values_, lacks_sources_, has_code_;
  feed::column_set columns_ = {};
  std::unique_ptr<code_cache> codes_;
  std::uint64_t first_ = 0, left_out_ = 0;
  std::vector<row_entry> rows_ = {};
  std::vector<flow> flows_ = {};
  std::vector<place> sources_ = {};
  std::vector<shown_memory> shown_ = {};
  std::vector<std::byte> bytes_ = {};
};

// Reads rows of a trace backward, in growing windows.
class backward_rows {
 public:
  static constexpr std::uint64_t smallest_window = 256, largest_window = 262144;

  // The objects must outlive this one.
  backward_rows(feed::column_source& trace, flow_rows& rows) : trace_(&trace), rows_(&rows) {}

  // Continues with the instruction before number `end`.
  void start(std::uint64_t end) noexcept {
    end_ = end;
    left_ = 0;
    window_ = smallest_window;
  }
  // Moves to the previous instruction. Returns false at the beginning of the trace.
  bool previous();
  // Returns the row of the instruction in `rows`, and the number of the instruction.
  [[nodiscard]] std::size_t row() const noexcept { return left_; }
  [[nodiscard]] std::uint64_t at() const noexcept { return rows_->first() + left_; }

 private:
  // Maximum number of entries of a window with several instructions.
  static constexpr std::size_t most_entries = std::size_t{1} << 22;
  [[nodiscard]] bool read(std::uint64_t begin);

  feed::column_source* trace_;
  flow_rows* rows_;
  feed::columns batch_ = {};
  std::uint64_t end_ = 0;  // number of instructions before the window
  std::size_t left_ = 0;   // number of rows of the window that are left
  std::uint64_t window_ = smallest_window;
};

// Reads the rows of a trace forward.
class forward_rows {
 public:
  forward_rows(feed::column_source& trace, flow_rows& rows, std::uint64_t from);
  // Moves to the next instruction. Returns false at the end of the trace.
  bool next();
  [[nodiscard]] std::size_t row() const noexcept { return row_; }
  [[nodiscard]] std::uint64_t at() const noexcept { return rows_->first() + row_; }
  // Returns the batch with the row.
  [[nodiscard]] const feed::columns& batch() const noexcept { return batch_; }

 private:
  feed::column_source* trace_;
  flow_rows* rows_;
  feed::columns batch_ = {};
  std::size_t row_ = 0;
};

// Returns the thread of instruction `at`, or of the last instruction if `at` is the end of the
// trace. Threads are 0 if the trace does not have them. Throws trace_error(refused) if the trace
// ends before.
TRACECODEC_FUNC std::uint32_t thread_at(feed::column_source& trace, std::uint64_t at);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/data_flow.ipp"
#endif

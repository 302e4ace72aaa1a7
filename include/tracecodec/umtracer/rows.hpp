// Execution records of UMTracer traces as rows of text, JSON lines or CSV (rows/).
// umtracer/rows/tables.hpp defines the rows of the other tables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../rows/columns.hpp"
#include "../rows/json.hpp"
#include "reader/addresses.hpp"
#include "reader/operands.hpp"

namespace tracecodec::umtracer {

// Returns the name of operand `id`, such as "RAX" or "MEM0", or an empty string if the operand has
// no name.
std::string_view operand_name(const context_map& map, std::uint16_t id) noexcept;

// JSON list of the register values, or of the memory values, in a record. For an instruction, the
// list contains its operands in slot order:
//   {"name":"RAX","when":"before","value":"0100000000000000"}
//   {"name":"MEM0","when":"before","address":"0x...","value":"..."}
// For a context, the list contains all memory, or all registers that are not part of a larger
// register. In this case, "when" is "context", and the "name" of memory is null. The bytes of a
// value are in memory order.
template <bool Memory> struct record_values {
  const reader* trace = nullptr;
  const record_view* record = nullptr;

  // Writes the list. Throws the errors of operands_of() and record_view::context().
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array();
    if (record->type() == exec_type::instruction)
      operands(j);
    else if (record->has_context())
      context(j, record->context());
    j.end_array();
  }

 private:
  template <class Out> void operands(rows::json<Out>& j) const {
    const operand_values all = operands_of(*trace, *record);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const umtracer::slot s = all.slot(i);
      if (s.is_memory() != Memory) continue;
      const slot_value v = all.value(s);
      begin(j, s.name, i < all.first_after() ? "before" : "after");
      if (Memory) j.key("address").hex(v.address);
      j.key("value").bytes(v.bytes).end_object();
    }
  }
  template <class Out> void context(rows::json<Out>& j, const context_view& c) const {
    if constexpr (Memory) {
      for (std::size_t i = 0; i < c.memory_count(); ++i) {
        const memory_reference m = c.memory(i);
        j.object().key("name").null().key("when").plain("context");
        j.key("address").hex(m.address).key("value").bytes(m.bytes).end_object();
      }
    } else {
      const context_map& map = trace->registers();
      for (std::uint16_t id = 0; id < map.size(); ++id) {
        const auto value = c.register_bytes(id);
        if (value.empty() || map.info(id, record->code64()).largest != id) continue;
        begin(j, id, "context");
        j.key("value").bytes(value).end_object();
      }
    }
  }
  template <class Out>
  void begin(rows::json<Out>& j, std::uint16_t id, std::string_view when) const {
    const std::string_view name = operand_name(trace->registers(), id);
    j.object().key("name");
    if (name.empty())
      j.null();
    else
      j.string(name);
    j.key("when").plain(when);
  }
};

// Row of an execution record. A field is null if the record's type does not have the field.
// `Disassembly` is std::optional<std::string_view>, or rows::absent to omit the column.
template <class Disassembly = rows::absent> struct exec_row {
  std::uint64_t id = 0;
  rows::record_fields<exec_record_codec> head = {};
  rows::record_fields<neighbours_codec> around = {};
  std::optional<std::uint64_t> instruction_id = {};
  std::optional<rows::address> address = {};  // the result of instruction_address()
  std::optional<rows::hex_bytes> code = {};
  Disassembly disassembly = {};
  std::optional<std::int64_t> syscall_id = {};
  std::optional<std::uint32_t> exit_code = {};
  record_values<false> registers = {};
  record_values<true> memory = {};
};

// Source of rows for a trace's execution records. Rows contain pointers to this object, so do not
// move the object once it has returned a row.
template <class Disassembly = rows::absent> class exec_rows {
 public:
  // Creates a source of rows for `trace`, which must outlive this object.
  explicit exec_rows(const reader& trace) noexcept : trace_(&trace) {}

  // Returns the row of record `id`, which must be less than trace.size(). The row is valid until
  // the next call. Throws the errors of the reader. Writing the row later may also throw
  // trace_error.
  exec_row<Disassembly> operator()(std::uint64_t id) {
    const record_view& r = record_.emplace((*trace_)[id]);
    head_ = {r.thread(), r.type(), r.flags()};
    around_ = trace_->neighbours_of(id);
    exec_row<Disassembly> row{.id = id,
                              .head = {&head_},
                              .around = {&around_},
                              .registers = {trace_, &r},
                              .memory = {trace_, &r}};
    if (r.type() == exec_type::instruction) {
      const std::size_t i = trace_->row_of(r);
      const instruction_table& table = trace_->instructions();
      row.instruction_id = i;
      row.address = {instruction_address(*trace_, i)};
      row.code = {table.code(i)};
      if constexpr (!std::is_same_v<Disassembly, rows::absent>) row.disassembly = table.text(i);
    } else if (r.has_syscall()) {
      row.syscall_id = r.syscall_id();
    } else if (r.has_exit_code()) {
      row.exit_code = r.exit_code();
    }
    return row;
  }

 private:
  const reader* trace_;
  std::optional<record_view> record_ = {};
  exec_record head_ = {};
  neighbours around_ = {};
};

inline std::string_view operand_name(const context_map& map, std::uint16_t id) noexcept {
  switch (id) {
    case name_mem0:
      return "MEM0";
    case name_mem1:
      return "MEM1";
    case name_agen:
      return "AGEN";
    default:
      return id == 0 ? std::string_view() : map.name(id);
  }
}

}  // namespace tracecodec::umtracer

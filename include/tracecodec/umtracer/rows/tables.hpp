// Tables of a UMTracer trace as rows of text, JSON lines or CSV (rows/). A row is valid until the
// next call to the operator() that returned it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "../../rows/columns.hpp"
#include "../../rows/json.hpp"
#include "../layout/names.hpp"
#include "../layout/utf16.hpp"
#include "../reader.hpp"

namespace tracecodec::umtracer {

using thread_row = rows::record_fields<thread_codec>;

struct range_row {
  std::uint64_t id = 0;
  rows::record_fields<address_range_codec> range = {};
};

struct module_row {
  std::uint64_t id = 0;
  rows::record_fields<module_codec> record = {};
  std::string_view win_name = {};
  std::string_view device_name = {};
  // Time and version of the module's file. Only newer traces contain these fields.
  std::optional<rows::address> last_write_time = {};
  std::optional<std::string_view> version = {};  // such as "10.0.19041.1"
};

// Row of the instruction table. `Name` is std::optional<std::string_view> to include the names of
// XED's numbers, or rows::absent to omit the names.
template <class Name = rows::absent> struct instruction_row {
  rows::record_fields<instruction_codec, &instruction_record::code> record = {};
  rows::hex_bytes code = {};
  std::string_view disassembly = {};
  // The remaining members come from the decoded instruction.
  std::uint16_t category = 0;
  Name category_name = {};
  std::uint16_t mnemonic = 0;
  Name mnemonic_name = {};
  std::uint16_t form = 0;
  Name form_name = {};
  std::uint8_t flags = 0;
  std::uint8_t operand_count = 0;
  std::uint8_t operand_size = 0;
  std::uint8_t address_size = 0;
};

// Arguments of a system call. In JSON, the arguments are a list of strings such as "0x7ffe0300".
struct argument_list {
  wire::array_view<wire::u64le> all = {};
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array();
    for (const std::uint64_t a : all) j.hex(a);
    j.end_array();
  }
};

template <class Name = rows::absent> struct syscall_row {
  std::uint64_t id = 0;
  rows::record_fields<syscall_codec, &syscall_record::result> record = {};
  std::optional<rows::address> result = {};  // null unless the call completed
  Name uniform_name = {};
  argument_list arguments = {};
  rows::hex_bytes extras = {};
};

// Register of the context map, with its location in contexts of 32-bit and of 64-bit code.
struct register_row {
  std::uint64_t id = 0;
  std::string_view name = {};
  std::uint16_t common_name = 0;
  std::optional<register_info> map32 = {};
  std::optional<register_info> map64 = {};
};

// Source of rows for the thread table. size() returns the number of rows, and operator()(i) returns
// row `i`. operator()(i) throws the errors of the reader. The row sources of the other tables have
// the same two functions.
class thread_rows {
 public:
  explicit thread_rows(const reader& trace);
  [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }
  thread_row operator()(std::size_t i);

 private:
  const row_table<thread_codec>* table_;
  thread_record record_ = {};
};

class range_rows {
 public:
  explicit range_rows(const reader& trace);
  [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }
  range_row operator()(std::size_t i);

 private:
  const row_table<address_range_codec>* table_;
  address_range record_ = {};
};

class module_rows {
 public:
  explicit module_rows(const reader& trace) : table_(&trace.modules()) {}
  [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }
  module_row operator()(std::size_t i);

 private:
  const module_table* table_;
  module_record record_ = {};
  std::string win_name_ = {}, device_name_ = {}, version_ = {};
};

namespace detail {
// Returns the name of a number, or nullopt if the number has no name.
std::optional<std::string_view> found_name(const name_table& names, std::uint32_t number);
}  // namespace detail

template <class Name = rows::absent> class instruction_rows {
 public:
  // Creates a source of rows for the instruction table of `trace`. `names` may be null only if
  // `Name` is rows::absent. `trace` and `names` must outlive this object.
  explicit instruction_rows(const reader& trace, const names* names = nullptr)
      : table_(&trace.instructions()), names_(names) {}
  [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }
  instruction_row<Name> operator()(std::size_t i) {
    record_ = (*table_)[i];
    const decoded_instruction d = table_->decoded(i);
    instruction_row<Name> r{.record = {&record_},
                            .code = {table_->code(i)},
                            .disassembly = table_->text(i),
                            .category = d.category,
                            .mnemonic = d.mnemonic,
                            .form = d.form,
                            .flags = d.flags,
                            .operand_count = d.operand_count,
                            .operand_size = d.operand_size,
                            .address_size = d.address_size};
    if constexpr (!std::is_same_v<Name, rows::absent>) {
      r.category_name = detail::found_name(names_->categories, d.category);
      r.mnemonic_name = detail::found_name(names_->mnemonics, d.mnemonic);
      r.form_name = detail::found_name(names_->forms, d.form);
    }
    return r;
  }

 private:
  const instruction_table* table_;
  const names* names_;
  instruction_record record_ = {};
};

template <class Name = rows::absent> class syscall_rows {
 public:
  explicit syscall_rows(const reader& trace, const names* names = nullptr)
      : table_(&trace.syscalls()), names_(names) {}
  [[nodiscard]] std::size_t size() const noexcept { return table_->size(); }
  syscall_row<Name> operator()(std::size_t i) {
    record_ = (*table_)[i];
    syscall_row<Name> r{.id = i,
                        .record = {&record_},
                        .arguments = {table_->arguments(i)},
                        .extras = {table_->extras(i)}};
    if (record_.completed != 0) r.result = {record_.result};
    if constexpr (!std::is_same_v<Name, rows::absent>)
      r.uniform_name = detail::found_name(names_->syscalls, record_.uniform_id);
    return r;
  }

 private:
  const syscall_table* table_;
  const names* names_;
  syscall_record record_ = {};
};

class register_rows {
 public:
  explicit register_rows(const reader& trace) : map_(&trace.registers()) {}
  [[nodiscard]] std::size_t size() const noexcept { return map_->size(); }
  register_row operator()(std::size_t i) const;

 private:
  const context_map* map_;
};

inline thread_rows::thread_rows(const reader& trace) : table_(&trace.threads()) {}
inline thread_row thread_rows::operator()(std::size_t i) { return {&(record_ = (*table_)[i])}; }
inline range_rows::range_rows(const reader& trace) : table_(&trace.ranges()) {}
inline range_row range_rows::operator()(std::size_t i) { return {i, {&(record_ = (*table_)[i])}}; }
inline module_row module_rows::operator()(std::size_t i) {
  record_ = (*table_)[i];
  module_row r{.id = i,
               .record = {&record_},
               .win_name = win_name_ = to_utf8(table_->win_name(i)),
               .device_name = device_name_ = to_utf8(table_->device_name(i))};
  if (const auto v = table_->version(i)) {
    r.last_write_time = {v->last_write_time};
    version_.clear();
    for (const std::uint16_t n : v->version) {
      if (!version_.empty()) version_ += '.';
      version_ += std::to_string(n);
    }
    r.version = version_;
  }
  return r;
}

namespace detail {
inline std::optional<std::string_view> found_name(const name_table& names, std::uint32_t number) {
  const std::string_view n = names.name(number);
  return n.empty() ? std::nullopt : std::optional(n);
}

}  // namespace detail

inline register_row register_rows::operator()(std::size_t i) const {
  const auto id = static_cast<std::uint16_t>(i);
  register_row r{.id = i, .name = map_->name(id), .common_name = map_->common_name(id)};
  if (const register_info n = map_->info(id, false); n.present()) r.map32 = n;
  if (const register_info n = map_->info(id, true); n.present()) r.map64 = n;
  return r;
}

}  // namespace tracecodec::umtracer

// Instructions of files that list the memory accesses of an instruction after it, one record each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../file/made_records.hpp"
#include "../file/reader.hpp"
#include "mapping.hpp"
#include "of.hpp"
#include "operand_list.hpp"

namespace tracecodec::feed {

// Meaning of a record.
enum class listing : std::uint8_t { other, instruction, read, write, modify };

struct listed_access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // in bytes, or 0 if it is unknown
  bool write = false;
};

// Instruction with the accesses that follow it in the file.
struct listed_instruction {
  std::uint64_t ip = 0;      // 0 if no instruction precedes the access
  std::uint32_t length = 0;  // in bytes, or 0 if it is unknown
  std::vector<listed_access> list = {};
  // Address of the next instruction if it does not follow in memory, otherwise 0. Such an instruction
  // is a jump; whether it is a call, a return or conditional is unknown.
  std::uint64_t target = 0;

  [[nodiscard]] constexpr branch_class branch() const noexcept {
    return target != 0 ? branch_class::direct_jump : branch_class::not_branch;
  }
  [[nodiscard]] std::span<const listed_access> accesses() const noexcept { return list; }
};

// Reader of listed instructions (models file::reader). Records of `File` have the member functions
// listed(), which returns a `listing`, address() and size(). An instruction with more than 64 accesses
// becomes several with the same ip, so that memory use is bounded. An access before the first
// instruction becomes an instruction with ip 0. An instruction after which the next one is elsewhere
// in memory is a jump. Records without accesses and instructions are left
// out.
template <class File> class listed_reader
    : public file::made_records<listed_reader<File>, listed_instruction> {
  friend file::made_records<listed_reader, listed_instruction>;

 public:
  explicit listed_reader(io::input in) : from_(std::move(in)) {}
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }
  [[nodiscard]] const std::string& name() const { return from_.name(); }

 private:
  static constexpr std::size_t most = 64;  // maximum number of accesses of a listed_instruction

  bool make(std::vector<listed_instruction>& to) {
    typename file::reader<File>::batch_type b;
    try {
      b = from_.next();
    } catch (const trace_error&) {
      complete(to);
      throw;
    }
    for (const auto& r : b) {
      const listing what = r.listed();
      if (what == listing::other) continue;
      if (what == listing::instruction) {
        if (has_ip_) last_.target = target_of(last_, r.address());
        complete(to);
        last_ = {.ip = r.address(), .length = r.size()};
        open_ = has_ip_ = true;
        continue;
      }
      if (what != listing::write) add(to, {r.address(), r.size(), false});
      if (what != listing::read) add(to, {r.address(), r.size(), true});
    }
    if (b.size() == 0) complete(to);
    return b.size() != 0;
  }
  void add(std::vector<listed_instruction>& to, const listed_access& a) {
    if (!has_ip_ || last_.list.size() == most) complete(to);
    last_.list.push_back(a);
    open_ = true;
  }
  // Returns the target of `i`, if the instruction at `next` does not follow it. Repeated instructions
  // do not jump. If the length is unknown, instructions have at most 15 bytes.
  static std::uint64_t target_of(const listed_instruction& i, std::uint64_t next) noexcept {
    constexpr std::uint64_t longest = 15;
    const std::uint64_t distance = next - i.ip;
    const bool follows = i.length != 0 ? distance == i.length : distance <= longest;
    return follows || distance == 0 ? 0 : next;
  }
  // Returns the last instruction, if it was not returned yet.
  void complete(std::vector<listed_instruction>& to) {
    if (!std::exchange(open_, false)) return;
    to.push_back(last_);
    last_.list.clear();
  }
  void restart() {
    from_.rewind();
    last_ = {};
    open_ = has_ip_ = false;
  }

  file::reader<File> from_;
  listed_instruction last_ = {};
  bool open_ = false;    // true if `last_` was not returned yet
  bool has_ip_ = false;  // true after the first instruction
};

constexpr auto written_by(const listed_instruction& i) noexcept {
  return written_registers(i.branch());
}
constexpr auto read_by(const listed_instruction& i) noexcept { return read_registers(i.branch()); }

template <class File> using listed_feed =
    over<listed_reader<File>, map::ip<&listed_instruction::ip>,
         map::branch<&listed_instruction::branch>, map::target<&listed_instruction::target>,
         map::destination_registers<&written_by>, map::source_registers<&read_by>,
         map::accesses<&listed_instruction::accesses>, map::length<&listed_instruction::length>>;

}  // namespace tracecodec::feed

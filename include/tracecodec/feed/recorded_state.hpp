// Instructions of traces that list the registers and the memory that each instruction changes, with
// their values. The values of all registers before each instruction follow from these lists.
//
// A reader has a member state_recorder and makes records that derive from recorded_instruction. Its
// member function registers() returns the register_set. The functions of values.hpp then have
// implementations for the feed, which maps map::all_registers and map::accesses.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../wire/types/scalar.hpp"
#include "operand_list.hpp"

namespace tracecodec::feed {

// Up to 8 bytes of the register with the number `number`, from byte `offset` on.
struct register_part {
  std::uint8_t number = 0;
  std::uint8_t offset = 0, size = 0;  // in bytes

  friend constexpr bool operator==(const register_part&, const register_part&) = default;
};

// Registers of an instruction set, as words of at most 8 bytes.
struct register_set {
  std::span<const register_part> words = {};
  // Returns the register or part of a register with a name in any case, or nullopt.
  std::optional<register_part> (*find)(std::string_view name) = nullptr;
  // Returns the name of the register with a number, or an empty text.
  std::string (*name)(std::uint8_t number) = nullptr;

  // Returns the index of the word that contains `p`, or nullopt.
  [[nodiscard]] constexpr std::optional<std::size_t> word_of(
      const register_part& p) const noexcept {
    for (std::size_t n = 0; n != words.size(); ++n)
      if (words[n].number == p.number && words[n].offset <= p.offset &&
          p.offset + p.size <= words[n].offset + words[n].size)
        return n;
    return std::nullopt;
  }
};

// Values of up to `Most` words of registers.
template <std::size_t Most> struct register_state {
  std::array<std::uint64_t, Most> values = {};
  std::bitset<Most> known = {};
};
struct register_change {
  std::uint16_t word = 0;  // index in the register_set
  std::uint64_t value = 0;
};
// Memory access of an instruction. recorded_instruction::bytes_of() returns its bytes.
struct recorded_access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // in bytes, or 0 if it is unknown
  bool write = false;
  bool has_bytes = false;
  std::size_t first_byte = 0;
};

namespace detail {
// Data of consecutive records.
template <std::size_t Most> struct recorded_data {
  const register_set* set = nullptr;
  std::size_t records = 0;
  std::vector<register_state<Most>> states = {};
  std::vector<register_change> changes = {};
  std::vector<std::uint8_t> written = {};
  std::vector<recorded_access> accesses = {};
  std::vector<std::byte> bytes = {};

  void clear() {
    records = 0;
    states.clear();
    changes.clear();
    written.clear();
    accesses.clear();
    bytes.clear();
  }
};
}  // namespace detail

template <std::size_t Most> class state_recorder;

// Instruction with the values of registers and memory. Copies refer to the data of the reader, which
// are valid as long as the record is in the reader's batch.
template <std::size_t Most> class recorded_instruction {
 public:
  std::uint64_t ip = 0;

  [[nodiscard]] const register_set& set() const noexcept { return *data_->set; }
  // Returns the values before the instruction.
  [[nodiscard]] const register_state<Most>* registers() const noexcept {
    return &data_->states[state_];
  }
  // Returns the registers that the instruction writes, with the values after it.
  [[nodiscard]] std::span<const register_change> changes() const noexcept {
    return std::span(data_->changes).subspan(changes_.first, changes_.second);
  }
  // Returns the numbers of the registers that the instruction writes, without those from which
  // ChampSim derives the class of a branch.
  [[nodiscard]] std::span<const std::uint8_t> written() const noexcept {
    return std::span(data_->written).subspan(written_.first, written_.second);
  }
  [[nodiscard]] std::span<const recorded_access> accesses() const noexcept {
    return std::span(data_->accesses).subspan(accesses_.first, accesses_.second);
  }
  // Returns the bytes of an access in the order of their addresses: those that it writes or, for a
  // read, those that the trace lists.
  [[nodiscard]] std::span<const std::byte> bytes_of(const recorded_access& a) const noexcept {
    return std::span(data_->bytes).subspan(a.first_byte, a.has_bytes ? a.size : 0);
  }
  // Returns the value of a word before the instruction, or nullopt if it is unknown.
  [[nodiscard]] std::optional<std::uint64_t> before(std::size_t word) const noexcept {
    if (!registers()->known[word]) return std::nullopt;
    return registers()->values[word];
  }
  // Returns the value of a word after the instruction if the instruction writes it.
  [[nodiscard]] std::optional<std::uint64_t> after(std::size_t word) const noexcept {
    for (const register_change& c : changes())
      if (c.word == word) return c.value;
    return std::nullopt;
  }

 private:
  friend class state_recorder<Most>;
  using range = std::pair<std::size_t, std::size_t>;  // first element and number of elements

  const detail::recorded_data<Most>* data_ = nullptr;
  std::size_t state_ = 0;
  range changes_ = {}, written_ = {}, accesses_ = {};
};

// Recorder of the data of records, and of the values of the registers.
template <std::size_t Most> class state_recorder {
 public:
  explicit state_recorder(const register_set& set) : set_(&set) {}

  [[nodiscard]] const register_set& set() const noexcept { return *set_; }
  // Selects the registers of the trace. Call this function only before begin().
  void select(const register_set& set) noexcept { set_ = &set; }

  // Prepares further records, and frees the data of all records except the last `unread` ones. Call
  // this function first in make() of file::made_records, with the size of the vector.
  void begin(std::size_t unread) {
    std::size_t all = 0;
    for (const auto& one : data_) all += one->records;
    std::unique_ptr<data> free;
    while (!data_.empty() && all - data_.front()->records >= unread) {
      all -= data_.front()->records;
      free = std::move(data_.front());
      data_.erase(data_.begin());
    }
    if (!free) free = std::make_unique<data>();
    free->clear();
    free->set = set_;
    data_.push_back(std::move(free));
    changes_ = accesses_ = 0;
  }
  // Sets the value of a register after the current instruction. If the instruction already changed the
  // register, the new value replaces the old one, so that an instruction has at most `Most` changes.
  void change(std::size_t word, std::uint64_t value) {
    auto& all = now().changes;
    if (const std::size_t at = place_of(word); at != all.size())
      all[at].value = value;
    else
      all.push_back({static_cast<std::uint16_t>(word), value});
  }
  // Adds bytes that the current instruction writes to register `number` from byte `offset` on. The other
  // bytes of the words keep their values. Bytes outside the words of the set are left out.
  void change(std::uint8_t number, std::size_t offset, std::span<const std::byte> bytes) {
    for_each_word(number, offset, bytes,
                  [this](std::size_t word, std::uint64_t mask, std::uint64_t value) {
                    change(word, (after(word) & ~mask) | value);
                  });
  }
  // Sets bytes of a register in `state`, such as that of another processor.
  void set(register_state<Most>& state, std::uint8_t number, std::size_t offset,
           std::span<const std::byte> bytes) const {
    for_each_word(number, offset, bytes,
                  [&state](std::size_t word, std::uint64_t mask, std::uint64_t value) {
                    state.values[word] = (state.values[word] & ~mask) | value;
                    state.known[word] = true;
                  });
  }
  // Adds an access of the current instruction, with its bytes if they are known.
  void access(std::uint64_t address, std::size_t size, bool write) {
    now().accesses.push_back({address, static_cast<std::uint32_t>(size), write, false, 0});
  }
  void access(std::uint64_t address, std::span<const std::byte> bytes, bool write) {
    now().accesses.push_back(
        {address, static_cast<std::uint32_t>(bytes.size()), write, true, now().bytes.size()});
    now().bytes.insert(now().bytes.end(), bytes.begin(), bytes.end());
  }
  // Returns the changes and accesses of the current instruction.
  [[nodiscard]] std::span<const register_change> changes() const noexcept {
    return std::span<const register_change>(data_.back()->changes).subspan(changes_);
  }
  [[nodiscard]] std::span<const recorded_access> accesses() const noexcept {
    return std::span<const recorded_access>(data_.back()->accesses).subspan(accesses_);
  }
  [[nodiscard]] std::span<const std::byte> bytes_of(const recorded_access& a) const noexcept {
    return std::span<const std::byte>(data_.back()->bytes)
        .subspan(a.first_byte, a.has_bytes ? a.size : 0);
  }
  // Returns the value of a word after the current instruction, or 0 if it is unknown.
  [[nodiscard]] std::uint64_t after(std::size_t word) const noexcept {
    const auto& all = data_.back()->changes;
    const std::size_t at = place_of(word);
    return at != all.size() ? all[at].value : state_.values[word];
  }
  // Sets and returns values before the current instruction.
  void set_before(std::size_t word, std::uint64_t value) noexcept {
    state_.values[word] = value;
    state_.known[word] = true;
  }
  [[nodiscard]] const register_state<Most>& before() const noexcept { return state_; }
  [[nodiscard]] register_state<Most>& before() noexcept { return state_; }
  // Applies the changes of the current instruction, and forgets its accesses. Use this function for
  // the state before the first instruction.
  void apply() noexcept {
    for (const register_change& c : changes()) set_before(c.word, c.value);
    drop();
  }
  // Forgets the changes and the accesses of the current instruction.
  void drop() noexcept {
    now().changes.resize(changes_);
    now().accesses.resize(accesses_);
  }
  // Forgets the values of all registers.
  void clear() noexcept { state_ = {}; }

  // Ends the current instruction, whose data become those of `to`, and applies its changes.
  void end(recorded_instruction<Most>& to, bool is_branch) {
    data& all = now();
    to.data_ = &all;
    to.state_ = all.states.size();
    all.states.push_back(state_);
    to.changes_ = {changes_, all.changes.size() - changes_};
    to.accesses_ = {accesses_, all.accesses.size() - accesses_};
    to.written_.first = all.written.size();
    for (; changes_ != all.changes.size(); ++changes_) {
      const register_change& c = all.changes[changes_];
      set_before(c.word, c.value);
      const std::uint8_t number = set_->words[c.word].number;
      const bool shown = number != instruction_pointer && (!is_branch || number != stack_pointer);
      const auto first = all.written.begin() + static_cast<std::ptrdiff_t>(to.written_.first);
      if (shown && std::find(first, all.written.end(), number) == all.written.end())
        all.written.push_back(number);
    }
    to.written_.second = all.written.size() - to.written_.first;
    accesses_ = all.accesses.size();
    ++all.records;
  }

 private:
  using data = detail::recorded_data<Most>;
  // Calls f(word, mask, value) for each word of the register that contains some of the bytes.
  template <class F> void for_each_word(std::uint8_t number, std::size_t offset,
                                        std::span<const std::byte> bytes, F f) const {
    for (std::size_t n = 0; n != bytes.size();) {
      const std::size_t at = offset + n, size = std::min(8 - at % 8, bytes.size() - n);
      const auto word =
          at > 255 ? std::nullopt : set_->word_of({number, static_cast<std::uint8_t>(at), 1});
      if (!word) return;
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size) << 8 * (at % 8);
      f(*word, mask, wire::load_little(bytes.data() + n, size) << 8 * (at % 8));
      n += size;
    }
  }
  data& now() noexcept { return *data_.back(); }
  // Returns the index of the current instruction's change of a word, or the number of changes.
  [[nodiscard]] std::size_t place_of(std::size_t word) const noexcept {
    const auto& all = data_.back()->changes;
    std::size_t at = changes_;
    while (at != all.size() && all[at].word != word) ++at;
    return at;
  }

  const register_set* set_;
  register_state<Most> state_ = {};
  std::vector<std::unique_ptr<data>> data_ = {};  // the last one has the current instruction
  std::size_t changes_ = 0, accesses_ = 0;        // first ones of the current instruction
};

// Instruction of a feed whose record is a recorded_instruction.
template <class I>
concept with_recorded_state = requires(const I& i) {
  i.record().set().words;
  i.record().registers()->known;
  i.record().changes();
  i.record().accesses();
};

// Implementations of the functions of values.hpp. The instruction pointer is not among the values of
// for_each_register_value() and for_each_register_change(), because the instruction has it.
template <with_recorded_state I, class F> void for_each_memory_value(const I& i, F&& f) {
  for (const recorded_access& a : i.record().accesses())
    if (a.has_bytes) f(a.address, i.record().bytes_of(a), a.write);
}
template <with_recorded_state I, class F> void for_each_new_register_value(const I& i, F&& f) {
  for (const register_change& c : i.record().changes())
    if (const register_part& w = i.record().set().words[c.word]; w.number != instruction_pointer)
      f(w.number, std::size_t{w.offset}, c.value, std::size_t{w.size}, true);
}
// Calls f() for the values that differ from `old`, or for all values if `old` is null.
template <with_recorded_state I, class State, class F>
void for_each_register_beside(const I& i, const State* old, F&& f) {
  const auto& now = *i.record().registers();
  const auto words = i.record().set().words;
  for (std::size_t n = 0; n != words.size(); ++n)
    if (now.known[n] && words[n].number != instruction_pointer &&
        (old == nullptr || !old->known[n] || old->values[n] != now.values[n]))
      f(words[n].number, std::size_t{words[n].offset}, now.values[n], std::size_t{words[n].size},
        false);
  for_each_new_register_value(i, f);
}
template <with_recorded_state I, class F> void for_each_register_value(const I& i, F&& f) {
  for_each_register_beside(i, decltype(i.record().registers()){nullptr}, f);
}
template <with_recorded_state I, class State, class F>
void for_each_register_change(const I& i, const State& file, F&& f) {
  for_each_register_beside(i, &file, f);
}
// Calls f(value, after) with the values of a part of a register.
template <with_recorded_state I, class F>
void for_each_value_of(const I& i, const register_part& p, F&& f) {
  const auto word = i.record().set().word_of(p);
  if (!word) return;
  const unsigned first = 8U * (p.offset - i.record().set().words[*word].offset);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * p.size);
  const std::optional<std::uint64_t> before = i.record().before(*word);
  if (before) f(*before >> first & mask, false);
  if (const auto after = i.record().after(*word)) f(*after >> first & mask, true);
}

// Feed over a reader whose records have recorded states.
template <class F>
concept with_register_set = requires(const F& f) {
  { f.source().registers() } -> std::same_as<const register_set&>;
};
template <with_register_set Feed>
std::optional<register_part> register_named(const Feed& feed, std::string_view name) {
  const register_set& set = feed.source().registers();
  const auto found = set.find(name);
  return found && set.word_of(*found) ? found : std::nullopt;
}
template <with_register_set Feed>
constexpr std::size_t register_size(const Feed&, const register_part& p) noexcept {
  return p.size;
}

template <with_register_set Feed>
std::string name_of_register(const Feed& feed, std::uint8_t number) {
  return feed.source().registers().name(number);
}

}  // namespace tracecodec::feed

// Instructions that a feed composes from several records: the code, the accesses and the outcome of
// a branch come from different records.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/open.hpp"
#include "../wire/types/bytes.hpp"
#include "code_versions.hpp"
#include "column.hpp"
#include "executed_batch.hpp"
#include "operand_list.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

struct composed_instruction {
  std::uint64_t ip = 0, target = 0;
  // Numbers of the first read and write in the lists of the composer, and numbers of accesses.
  std::uint32_t reads = 0, writes = 0;
  std::uint32_t read_count = 0, write_count = 0;
  std::uint32_t code = no_code;
  std::uint32_t thread = 0;
  std::uint64_t time = 0;
  std::uint32_t cpu = unknown_cpu;
  std::uint16_t system_events = 0;  // bits of feed::system_event
  std::uint16_t length = 0;
  branch_class branch = branch_class::not_branch;
  feed::outcome outcome = feed::outcome::no_branch;
  bool taken = false;
  // False for a part of an instruction that the processor does not fetch again, such as an iteration.
  bool fetched = true;
};

// Range of register numbers.
using register_numbers = std::span<const std::uint8_t>;

// Registers that an instruction writes and reads. Those from which ChampSim derives the class of a
// branch come first.
class register_operands {
 public:
  constexpr register_operands() noexcept = default;
  // Creates the operands of an instruction of class `c` that writes `written` and reads `read`.
  constexpr explicit register_operands(branch_class c, register_numbers written = {},
                                       register_numbers read = {}) noexcept {
    for (const std::uint8_t r : written_registers<same>(c, written)) add_written(r);
    for (const std::uint8_t r : read_registers<same>(c, read)) add_read(r);
  }
  // Add a register, unless it is 0 or already there, or 16 others are there.
  constexpr void add_written(std::uint8_t r) noexcept { add(written_, written_count_, r); }
  constexpr void add_read(std::uint8_t r) noexcept { add(read_, read_count_, r); }
  [[nodiscard]] constexpr register_numbers written() const noexcept {
    return {written_.data(), written_count_};
  }
  [[nodiscard]] constexpr register_numbers read() const noexcept {
    return {read_.data(), read_count_};
  }

 private:
  using list = std::array<std::uint8_t, 16>;
  static constexpr std::uint8_t same(std::uint8_t r) noexcept { return r; }
  static constexpr void add(list& to, std::uint8_t& n, std::uint8_t r) noexcept {
    if (r != 0 && n != to.size() && std::find(to.begin(), to.begin() + n, r) == to.begin() + n)
      to[n++] = r;
  }
  list written_ = {}, read_ = {};
  std::uint8_t written_count_ = 0, read_count_ = 0;
};

// List of instructions in progress. An instruction is complete when another one follows, and when the
// outcome of its branch is known. A branch whose outcome does not follow within `reach` instructions
// and most_held accesses gets an estimated one, so that the list remains short.
class composer {
 public:
  // State of a thread that only the composer uses.
  struct thread {
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    std::uint64_t last = none, awaited = none;  // numbers of instructions
    bool undecided = false;                     // true if the awaited branch may be not taken
  };
  // Accesses of all instructions in the list, in the order of the trace.
  struct accesses {
    std::vector<std::uint64_t> addresses = {};
    std::vector<std::uint16_t> sizes = {};
  };
  static constexpr std::uint32_t most_accesses = 65536;  // of an instruction, of either kind
  static constexpr std::size_t most_held = std::size_t{1} << 22;

  explicit composer(std::size_t reach) : reach_(reach) {}

  [[nodiscard]] const accesses& reads() const noexcept { return reads_; }
  [[nodiscard]] const accesses& writes() const noexcept { return writes_; }
  // Returns the complete instructions at the front of the list.
  [[nodiscard]] std::span<const composed_instruction> complete() const noexcept {
    return std::span(all_).first(complete_);
  }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  // Appends an instruction of thread `t`.
  TRACECODEC_INLINE composed_instruction& append(thread& t, std::uint64_t ip) {
    t.last = first_ + all_.size();
    composed_instruction one;
    one.ip = ip;
    one.reads = static_cast<std::uint32_t>(reads_.addresses.size());
    one.writes = static_cast<std::uint32_t>(writes_.addresses.size());
    return all_.emplace_back(one);
  }
  // Returns true if the thread's last instruction is also the last one of all threads. Only this
  // instruction can have further accesses.
  [[nodiscard]] bool is_last(const thread& t) const noexcept {
    return !all_.empty() && t.last == first_ + all_.size() - 1;
  }
  // Adds an access to the last instruction. Returns false if it has most_accesses of this kind.
  [[nodiscard]] TRACECODEC_INLINE bool add_access(bool write, std::uint64_t address,
                                                  std::uint16_t size) {
    std::uint32_t& n = write ? all_.back().write_count : all_.back().read_count;
    if (n == most_accesses) return false;
    ++n;
    accesses& to = write ? writes_ : reads_;
    to.addresses.push_back(address);
    to.sizes.push_back(size);
    return true;
  }
  // Makes the outcome of the thread's last instruction depend on the thread's next address.
  void await(thread& t, bool undecided) {
    all_.back().outcome = outcome::awaited;
    t.awaited = t.last;
    t.undecided = undecided;
  }
  // Sets the outcome of the branch that the thread awaits: it continued at `ip`.
  TRACECODEC_INLINE void decide(thread& t, std::uint64_t ip) {
    if (composed_instruction* const one = take_awaited(t)) {
      one->taken = !t.undecided || ip != one->ip + one->length;
      one->target = one->taken ? ip : 0;
      one->outcome = outcome::followed;
    }
  }
  // Estimates the outcome of the branch that the thread awaits.
  void give_up(thread& t) {
    if (composed_instruction* const one = take_awaited(t)) one->outcome = outcome::estimated;
  }
  // Estimates the outcomes of the branches that all threads await.
  void give_up_all() noexcept { given_up_ = first_ + all_.size(); }

 protected:
  // Determines which instructions are complete. If `ended` is true, nothing follows.
  void complete_until(bool ended) noexcept {
    const std::size_t most = all_.size() - (ended || all_.empty() ? 0 : 1);
    for (; complete_ < most; ++complete_)
      if (composed_instruction& one = all_[complete_]; one.outcome == outcome::awaited) {
        const bool may_follow = all_.size() - complete_ <= reach_ &&
                                first_ + complete_ >= given_up_ &&
                                reads_.sizes.size() + writes_.sizes.size() <= most_held;
        if (!ended && may_follow) return;
        one.outcome = outcome::estimated;
      }
  }
  // Removes the first `n` instructions, which are complete.
  void drop(std::size_t n) {
    if (n == 0) return;
    drop_accesses(reads_, &composed_instruction::reads, n);
    drop_accesses(writes_, &composed_instruction::writes, n);
    all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(n));
    first_ += n;
    complete_ -= n;
  }

 private:
  TRACECODEC_INLINE composed_instruction* take_awaited(thread& t) noexcept {
    const std::uint64_t n = std::exchange(t.awaited, thread::none);
    return n == thread::none || n < first_ || n < given_up_
               ? nullptr
               : &all_[static_cast<std::size_t>(n - first_)];
  }
  void drop_accesses(accesses& from, std::uint32_t composed_instruction::*at, std::size_t n) {
    const std::uint32_t first =
        n != all_.size() ? all_[n].*at : static_cast<std::uint32_t>(from.addresses.size());
    from.addresses.erase(from.addresses.begin(), from.addresses.begin() + first);
    from.sizes.erase(from.sizes.begin(), from.sizes.begin() + first);
    for (std::size_t i = n; i != all_.size(); ++i) all_[i].*at -= first;
  }

  std::vector<composed_instruction> all_ = {};
  accesses reads_ = {}, writes_ = {};
  std::size_t complete_ = 0;    // number of complete instructions at the front
  std::uint64_t first_ = 0;     // number of the first instruction of `all_`
  std::uint64_t given_up_ = 0;  // no outcomes follow for instructions before this number
  std::size_t reach_;
};

// Collector of the code of an instruction, which several records store.
struct code_bytes {
  std::array<std::byte, 16> all = {};
  std::uint8_t size = 0;

  // Appends the `n` lowest bytes of `value`, as long as there is room.
  template <std::unsigned_integral Value> constexpr void add(Value value, std::size_t n) noexcept {
    for (std::size_t i = 0; i != n && i != sizeof value && size != all.size(); ++i)
      all[size++] = static_cast<std::byte>(value >> 8 * i & 0xFFU);
  }
  // Returns the code and empties this object. The bytes are valid until the next add().
  constexpr std::span<const std::byte> take() noexcept {
    return std::span<const std::byte>(all).first(std::exchange(size, std::uint8_t{0}));
  }
};

// Code of an instruction.
struct known_code {
  std::uint64_t ip = 0;
  std::uint64_t target = 0;  // target of a direct branch, if it is known, or 0
  std::array<std::byte, 16> bytes = {};
  register_operands operands = {};
  std::uint8_t length = 0;  // number of `bytes`
  branch_class branch = branch_class::not_branch;
  bool decoded = true;  // false if the bytes are not an instruction

  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return std::span(bytes).first(length);
  }
};

// Composer for traces that store the code of an instruction once. Without code, the registers are
// only those from which ChampSim derives the class of a branch.
class code_composer : public composer {
 public:
  using own_versions = code_versions<known_code>::own_versions;
  using composer::composer;

  [[nodiscard]] const register_operands& operands(const composed_instruction& i) const noexcept {
    static constexpr auto without_code = [] {
      std::array<register_operands, branch_class_count> all{};
      for (std::size_t n = 0; n != all.size(); ++n)
        all[n] = register_operands(static_cast<branch_class>(n));
      return all;
    }();
    // Parts of a branch that were not fetched are not a branch.
    if (i.code == no_code || codes_[i.code].branch != i.branch)
      return without_code[static_cast<std::size_t>(i.branch)];
    return codes_[i.code].operands;
  }
  [[nodiscard]] std::span<const std::byte> code(const composed_instruction& i) const noexcept {
    return i.code == no_code ? std::span<const std::byte>() : codes_[i.code].code();
  }
  [[nodiscard]] bool decoded(const composed_instruction& i) const noexcept {
    return i.code == no_code || codes_[i.code].decoded;
  }

 protected:
  [[nodiscard]] const code_versions<known_code>& codes() const noexcept { return codes_; }
  // Forgets the versions of a thread that ends.
  void forget(own_versions& own) noexcept { codes_.forget(own); }
  // Makes `bytes`, of which there are at most 16, the code of instruction `one` in its thread.
  // decode(code) sets the members that follow from the bytes, if the code is new.
  template <class Decode> void set_code(own_versions& own, composed_instruction& one,
                                        std::span<const std::byte> bytes, Decode decode) {
    const auto equals = [&](const known_code& k) {
      return k.branch == one.branch && std::ranges::equal(k.code(), bytes);
    };
    one.code = codes_.set(own, one.ip, equals, [&] {
      known_code k{.ip = one.ip,
                   .operands = register_operands(one.branch),
                   .length = static_cast<std::uint8_t>(bytes.size()),
                   .branch = one.branch};
      std::ranges::copy(bytes, k.bytes.begin());
      decode(k);
      return k;
    });
  }

 private:
  code_versions<known_code> codes_ = {};
};

// View of an instruction (models feed::instruction). `Source` is a composer with the functions
//   const register_operands& operands(const composed_instruction&) const
//   std::span<const std::byte> code(const composed_instruction&) const
//   bool decoded(const composed_instruction&) const    returns false for unknown code
template <class Source> class composed_view {
 public:
  TRACECODEC_INLINE constexpr composed_view(const composed_instruction* one, std::uint64_t target,
                                            const Source* from,
                                            const composed_instruction* /*front*/) noexcept
      : one_(one), target_(target), from_(from) {}

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return one_->ip; }
  [[nodiscard]] constexpr branch_class branch() const noexcept { return one_->branch; }
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return branch() != branch_class::not_branch;
  }
  [[nodiscard]] constexpr bool taken() const noexcept { return one_->taken; }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept { return target_; }
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept { return one_->thread; }
  [[nodiscard]] register_numbers destination_registers() const noexcept {
    return from_->operands(*one_).written();
  }
  [[nodiscard]] register_numbers source_registers() const noexcept {
    return from_->operands(*one_).read();
  }
  // Return the addresses of all accesses.
  [[nodiscard]] std::span<const std::uint64_t> destination_memory() const noexcept {
    return std::span(from_->writes().addresses).subspan(one_->writes, one_->write_count);
  }
  [[nodiscard]] std::span<const std::uint64_t> source_memory() const noexcept {
    return std::span(from_->reads().addresses).subspan(one_->reads, one_->read_count);
  }
  // Calls f(address, size, write) for each access. Reads precede writes.
  template <class F> void for_each_access(F&& f) const {
    const auto each = [&f](const composer::accesses& all, std::size_t at, std::size_t n,
                           bool write) {
      for (; n != 0; --n, ++at) f(all.addresses[at], std::uint64_t{all.sizes[at]}, write);
    };
    each(from_->reads(), one_->reads, one_->read_count, false);
    each(from_->writes(), one_->writes, one_->write_count, true);
  }
  [[nodiscard]] constexpr const composed_instruction& record() const noexcept { return *one_; }
  [[nodiscard]] constexpr bool fetched() const noexcept { return one_->fetched; }
  // Returns the size of the code in bytes, which code() need not return.
  [[nodiscard]] constexpr std::size_t length() const noexcept { return one_->length; }
  [[nodiscard]] std::span<const std::byte> code() const noexcept { return from_->code(*one_); }
  [[nodiscard]] constexpr std::uint64_t time() const noexcept { return one_->time; }
  [[nodiscard]] constexpr std::uint32_t cpu() const noexcept { return one_->cpu; }
  [[nodiscard]] constexpr std::uint16_t system_events() const noexcept {
    return one_->system_events;
  }
  // Returns the bits of feed::uncertainty that apply to the instruction.
  [[nodiscard]] std::uint8_t uncertainty() const noexcept {
    const bool estimated = one_->outcome == outcome::estimated;
    return static_cast<std::uint8_t>(
        (from_->decoded(*one_) ? 0U : static_cast<unsigned>(feed::uncertainty::undecoded)) |
        (estimated ? static_cast<unsigned>(feed::uncertainty::estimated_outcome) : 0U));
  }

 private:
  const composed_instruction* one_;
  std::uint64_t target_;
  const Source* from_;
};

// Source of a feed: a composer that reads its own records. `Source` has the functions of
// composed_view, the type options_type, and
//   Source(io::input, options), Source(reader, options)
//   reader& records()       returns the reader, such as a file::any_reader
//   column_set lacks() const
//   bool read()             adds instructions, and returns false at the end of the records
template <class Source> class composed_source final : public Source {
 public:
  using Source::Source;
  // Removes the first `n` instructions, and reads until at least one other is complete. At the end or
  // after an error, there may be none.
  void advance(std::size_t n) {
    this->drop(n);
    while (this->complete().empty() && !ended_) {
      try {
        ended_ = !this->read();
      } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
      }
      this->complete_until(ended_);
    }
  }
  void throw_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  // Returns true if the complete instructions are the last ones.
  [[nodiscard]] bool ends() const noexcept { return ended_ && !failure_; }

 private:
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// Feed of composed instructions (feed::stream, and a range). next() returns all complete instructions
// before it throws an error of the source. rewind() and count() throw trace_error(refused) for a pipe.
template <class Source> class composed_feed : public iterable<composed_feed<Source>> {
  using composing = composed_source<Source>;

 public:
  using options_type = typename Source::options_type;
  using batch_type = executed_batch<composed_view<Source>, composed_instruction, const Source*>;

  explicit composed_feed(io::input in, const options_type& options = {})
      : options_(options), from_(open(std::move(in))) {}
  explicit composed_feed(const std::string& path, const options_type& options = {})
      : composed_feed(io::open_input(path), options) {}

  batch_type next() {
    from_->advance(std::exchange(done_, 0));
    const auto all = from_->complete();
    if (all.empty()) from_->throw_failure();
    done_ = all.size();
    return {all, from_.get(), from_->ends(), false};
  }
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t skipped = 0;
    while (skipped != n) {
      from_->advance(std::exchange(done_, 0));
      const std::size_t there = from_->complete().size();
      if (there == 0) break;
      done_ = static_cast<std::size_t>(std::min<std::uint64_t>(there, n - skipped));
      skipped += done_;
    }
    return skipped;
  }
  void rewind() {
    from_->records().rewind();
    from_ = open(std::move(from_->records()));
    done_ = 0;
  }
  std::optional<std::uint64_t> count() {
    return composed_feed(from_->records().again(), options_)
        .skip(std::numeric_limits<std::uint64_t>::max());
  }
  [[nodiscard]] std::optional<double> progress() const { return from_->records().progress(); }
  [[nodiscard]] const std::string& name() const { return from_->records().name(); }
  // Returns the columns for which this trace has no data.
  [[nodiscard]] column_set lacks() const { return from_->lacks(); }
  [[nodiscard]] const Source& source() const noexcept { return *from_; }

 private:
  // Reads the first instructions, so that the source knows what the trace contains.
  template <class Records> std::unique_ptr<composing> open(Records records) {
    auto from = std::make_unique<composing>(std::move(records), options_);
    from->advance(0);
    return from;
  }

  options_type options_;
  std::unique_ptr<composing> from_;
  std::size_t done_ = 0;  // number of instructions at the front that were returned or skipped
};

}  // namespace tracecodec::feed

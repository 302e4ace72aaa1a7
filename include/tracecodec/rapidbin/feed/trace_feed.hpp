// RapidBin events as simulator instructions. address_map.hpp assigns addresses to the instructions.
// An instruction for a read or a write accesses the variable. An instruction for an acquire or a
// release reads and writes the address of the lock. The format does not record control flow, so no
// instruction is a branch.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../feed/instruction.hpp"
#include "../../feed/stream.hpp"
#include "../reader.hpp"
#include "../reader/events.hpp"
#include "address_map.hpp"

namespace tracecodec::rapidbin {

using feed::branch_class;

// View of an event as an instruction (feed::instruction).
class instruction_view {
 public:
  static constexpr bool has_branches = false;

  TRACECODEC_INLINE instruction_view(const event& e, std::uint64_t index,
                                     const address_map& map) noexcept
      : event_(e),
        index_(index),
        ip_(map.ip(e.location)),
        address_{map.operand_of(e.operation, e.decor)},
        reads_(is_one_of(e.operation, {operation::acquire, operation::release, operation::read})),
        writes_(is_one_of(e.operation, {operation::acquire, operation::release, operation::write})),
        addresses_(&map) {}

  [[nodiscard]] std::uint64_t ip() const noexcept { return ip_; }
  [[nodiscard]] branch_class branch() const noexcept { return branch_class::not_branch; }
  [[nodiscard]] bool is_branch() const noexcept { return false; }
  [[nodiscard]] bool taken() const noexcept { return false; }
  [[nodiscard]] std::uint64_t target() const noexcept { return 0; }
  [[nodiscard]] std::uint32_t asid() const noexcept { return event_.thread; }
  // Returns an empty list, because RapidBin does not record registers.
  [[nodiscard]] std::span<const std::uint8_t> destination_registers() const noexcept { return {}; }
  [[nodiscard]] std::span<const std::uint8_t> source_registers() const noexcept { return {}; }

  // Range of at most one address.
  class addresses {
   public:
    addresses(std::uint64_t address, std::size_t n) noexcept : address_{address}, n_(n) {}
    [[nodiscard]] const std::uint64_t* begin() const noexcept { return address_.data(); }
    [[nodiscard]] const std::uint64_t* end() const noexcept { return address_.data() + n_; }
    [[nodiscard]] std::size_t size() const noexcept { return n_; }
    [[nodiscard]] bool empty() const noexcept { return n_ == 0; }

   private:
    std::array<std::uint64_t, 1> address_;
    std::size_t n_;
  };
  // Returns the address that the event writes, if any. Leaves out the address 0, which metadata may
  // contain. dropped_operands() counts addresses that are left out.
  [[nodiscard]] addresses destination_memory() const noexcept {
    return {address_[0], address_[0] != 0 ? writes_ : 0U};
  }
  [[nodiscard]] addresses source_memory() const noexcept {
    return {address_[0], address_[0] != 0 ? reads_ : 0U};
  }
  [[nodiscard]] std::uint64_t dropped_operands() const noexcept {
    return address_[0] != 0 ? 0 : 0U + reads_ + writes_;
  }
  // Calls f(is_used, address, size in bytes or 0, is_write) for the slot of the read, and then for
  // the slot of the write. The address may be 0. Does not call `f` if the event neither reads nor
  // writes memory.
  static constexpr std::size_t access_slots = 2;
  template <class F> TRACECODEC_INLINE void for_each_access_slot(F f) const {
    if (reads_ + writes_ == 0) return;
    const std::uint64_t size = access_width();
    f(reads_ != 0, address_[0], size, false);
    f(writes_ != 0, address_[0], size, true);
  }

  // Returns the event as stored in the trace.
  [[nodiscard]] const rapidbin::event& event() const noexcept { return event_; }
  // Returns the operand of an event that does not access memory. For a request, the operand is the
  // address of the lock. For a fork or a join, the operand is the id of the other thread. Returns 0
  // for all other events.
  [[nodiscard]] std::uint64_t event_operand() const noexcept {
    if (event_.operation == operation::request) return address_[0];
    return operand_of(event_.operation) == operand::thread ? event_.decor : 0;
  }
  // Returns the index of the event in the trace.
  [[nodiscard]] std::uint64_t index() const noexcept { return index_; }
  [[nodiscard]] std::optional<std::uint32_t> thread() const noexcept { return event_.thread; }
  // Returns true if the event is a fork, join, begin or end.
  [[nodiscard]] bool is_thread_event() const noexcept {
    return event_.operation >= operation::fork && event_.operation <= operation::end;
  }
  // Returns the size in bytes of the variable that the event reads or writes. Returns 0 if the
  // event does not access a variable, or if the size is unknown.
  [[nodiscard]] std::uint64_t access_width() const noexcept {
    return operand_of(event_.operation) == operand::variable ? addresses_->width(event_.decor) : 0;
  }
  // Returns the trace's metadata, or nullopt if the feed was created without metadata.
  [[nodiscard]] const std::optional<metadata>& trace_metadata() const noexcept {
    return addresses_->trace_metadata();
  }

 private:
  // Returns 1 if `o` is in `all`, and 0 otherwise. The function does not branch.
  TRACECODEC_INLINE static constexpr std::uint8_t is_one_of(
      operation o, std::initializer_list<operation> all) noexcept {
    unsigned bits = 0;
    for (const operation one : all) bits |= 1U << static_cast<unsigned>(one);
    return defined(o) ? static_cast<std::uint8_t>(bits >> static_cast<unsigned>(o) & 1) : 0;
  }

  rapidbin::event event_;
  std::uint64_t index_;
  std::uint64_t ip_;
  std::array<std::uint64_t, 1> address_;
  std::uint8_t reads_, writes_;
  const address_map* addresses_;
};

// Batch of consecutive events as instructions (feed::batch).
class instruction_batch {
 public:
  using value_type = instruction_view;
  instruction_batch() = default;
  instruction_batch(const event_batch& events, const address_map& addresses) noexcept
      : events_(events), addresses_(&addresses), ends_(events.last) {}

  [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
  TRACECODEC_INLINE value_type operator[](std::size_t i) const noexcept {
    return {events_.events[i], events_.index(i), *addresses_};
  }
  [[nodiscard]] instruction_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    return instruction_batch(events_.part(0, n), *addresses_);
  }
  [[nodiscard]] instruction_batch drop(std::size_t n) const noexcept {
    instruction_batch b = *this;
    b.events_ = events_.part(n, size() - n);
    return b;
  }
  [[nodiscard]] bool last_batch() const noexcept { return ends_; }
  void mark_last() noexcept { ends_ = true; }
  // Returns false, because no instruction has a branch target.
  [[nodiscard]] static constexpr bool uses_next_ip() noexcept { return false; }
  void set_next_ip(std::uint64_t) noexcept {}

  [[nodiscard]] const event_batch& events() const noexcept { return events_; }

 private:
  event_batch events_ = {};
  const address_map* addresses_ = nullptr;
  bool ends_ = true;
};

// Feed of a trace's events (feed::stream). The feed is also a range. The feed's functions throw the
// errors of the event source.
class trace_feed : public feed::iterable<trace_feed> {
 public:
  using batch_type = instruction_batch;

  explicit trace_feed(std::unique_ptr<event_source> from, address_map addresses = {});
  // Opens the RapidBin file `path`. The path "-" stands for standard input.
  explicit trace_feed(const std::string& path, address_map addresses = {});

  batch_type next() { return {from_->next(), *addresses_}; }
  std::uint64_t skip(std::uint64_t n) { return from_->skip(n); }
  void rewind() { from_->rewind(); }
  std::optional<std::uint64_t> count() { return from_->count(); }
  [[nodiscard]] std::optional<double> progress() const { return from_->progress(); }
  [[nodiscard]] const std::string& name() const { return from_->name(); }

  [[nodiscard]] const std::optional<metadata>& trace_metadata() const noexcept {
    return addresses_->trace_metadata();
  }
  [[nodiscard]] event_source& source() noexcept { return *from_; }

  // Returns the name of an id. Searches the STD text that has been read so far, and then the
  // metadata. Returns null if the id has no name.
  [[nodiscard]] const std::string* name_of(id_kind kind, std::uint64_t id) const {
    if (const std::string* const name = from_->name_of(kind, id)) return name;
    return trace_metadata() ? trace_metadata()->names.of(kind).find(id) : nullptr;
  }

 private:
  std::unique_ptr<event_source> from_;
  // Address map on the heap. Batches store a pointer to the map, so moving the feed must not change
  // the map's address.
  std::unique_ptr<const address_map> addresses_;
};

inline trace_feed::trace_feed(std::unique_ptr<event_source> from, address_map addresses)
    : from_(std::move(from)),
      addresses_(std::make_unique<const address_map>(std::move(addresses))) {}
inline trace_feed::trace_feed(const std::string& path, address_map addresses)
    : trace_feed(std::make_unique<reader>(path), std::move(addresses)) {}

}  // namespace tracecodec::rapidbin

// Concept of a feed: batches of instructions in trace order, and a range over them.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "instruction.hpp"

namespace tracecodec::feed {

// Consecutive instructions, valid until the feed's next call; empty by default. operator[] makes
// the view of an instruction. The last one's target comes from the instruction after the batch.
//   first(n), drop(n)    the first n instructions, or all but these; n <= size()
//   last_batch()         true if the trace, or this pass over it, ends after the batch
//   mark_last()           makes last_batch() true
//   set_next_ip(ip)      sets the ip of the next instruction, if it is not the trace's own
//   uses_next_ip()    true if set_next_ip() changes the target of a taken branch at the end of
//                        the batch; optional, true by default
template <class B>
concept batch = std::default_initializable<B> && instruction<typename B::value_type> &&
    requires(B b, const B& c, std::size_t n, std::uint64_t ip) {
  { c.size() } -> std::convertible_to<std::size_t>;
  { c[n] } -> std::convertible_to<typename B::value_type>;
  { c.first(n) } -> std::same_as<B>;
  { c.drop(n) } -> std::same_as<B>;
  { c.last_batch() } -> std::convertible_to<bool>;
  b.mark_last();
  b.set_next_ip(ip);
};

// Feed: a pull stream of instructions. Adaptors (adaptors.hpp) take feeds and are feeds.
//   next()      returns the next batch, or an empty one at the end. Throws trace_error, but only
//               after every intact instruction was delivered
//   skip(n)     skips n instructions or all that remain; returns how many
//   rewind()    goes back to the first instruction; throws if the input cannot rewind (a pipe)
//   count()     returns the number of instructions in the whole trace; nullopt if endless. May read
//               the whole file; throws if that is impossible
//   progress()  returns 0 to 1, or nullopt if unknown
template <class F>
concept stream = batch<typename F::batch_type> && requires(F f, std::uint64_t n) {
  { f.next() } -> std::same_as<typename F::batch_type>;
  { f.skip(n) } -> std::same_as<std::uint64_t>;
  f.rewind();
  { f.count() } -> std::same_as<std::optional<std::uint64_t>>;
  { f.progress() } -> std::same_as<std::optional<double>>;
};

// Makes a feed an input range: for (auto& i : feed) ...
// A reference is valid until the iterator moves. Iteration begins at the feed's current
// position.
template <class Feed> class iterable {
 public:
  template <class Batch> class iterator_over {
   public:
    using value_type = typename Batch::value_type;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    [[gnu::always_inline]] explicit iterator_over(Feed& feed) : feed_(&feed) { fetch(); }
    // The view is made here, not when the iterator moves. Otherwise g++ treats a loop's first
    // round as a special case, which costs six more instructions per element. Dereferencing
    // twice at one position returns the same reference and makes the view again.
    [[gnu::always_inline]] const value_type& operator*() const {
      return current_.emplace(batch_[0]);
    }
    [[gnu::always_inline]] const value_type* operator->() const { return &**this; }
    // Inlined so that a loop keeps the iterator in registers: 28 instructions for a ChampSim
    // record instead of 79.
    [[gnu::always_inline]] iterator_over& operator++() {
      batch_ = batch_.drop(1);
      if (batch_.size() == 0) [[unlikely]]
        fetch();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator_over& it, std::default_sentinel_t) noexcept {
      return it.batch_.size() == 0;
    }

   private:
    [[gnu::always_inline]] void fetch() { batch_ = feed_->next(); }
    Feed* feed_;
    Batch batch_ = {};  // begins with the current instruction; empty at the end
    mutable std::optional<value_type> current_ = {};
  };

  [[gnu::always_inline]] auto begin() {
    return iterator_over<typename Feed::batch_type>(static_cast<Feed&>(*this));
  }
  std::default_sentinel_t end() const noexcept { return {}; }
};

// Calls f(instruction) for each remaining instruction: the fast way to consume a whole feed.
template <stream Feed, class F> void for_each(Feed& feed, F&& f) {
  for (auto b = feed.next(); b.size() != 0; b = feed.next())
    for (std::size_t i = 0, n = b.size(); i < n; ++i) f(b[i]);
}

}  // namespace tracecodec::feed

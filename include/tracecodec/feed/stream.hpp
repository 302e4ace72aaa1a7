// Concept of a feed: batches of instructions in trace order, and a range over them.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "instruction.hpp"

namespace tracecodec::feed {

// Batch of consecutive instructions. A batch is valid until the next call to the feed. A
// default-constructed batch is empty. operator[] returns a view of an instruction. The target of
// the last instruction comes from the instruction after the batch. `n` must not exceed size().
//   first(n)         returns the first `n` instructions
//   drop(n)          returns all instructions except the first `n`
//   last_batch()     returns true if the trace, or this pass over it, ends after the batch
//   mark_last()      makes last_batch() return true
//   set_next_ip(ip)  replaces the ip of the instruction that follows the batch in the trace
//   uses_next_ip()   returns true if set_next_ip() changes the target of a taken branch at the end
//                    of the batch. Optional, true by default
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

// Feed: a pull stream of instructions. An adaptor (adaptors.hpp) takes a feed and is itself a feed.
//   next()      returns the next batch, or an empty batch at the end. Throws trace_error, but only
//               after every intact instruction was returned
//   skip(n)     skips `n` instructions, or all remaining ones. Returns the number of skipped
//               instructions
//   rewind()    moves back to the first instruction. Throws if the input cannot rewind (a pipe)
//   count()     returns the number of instructions in the whole trace, or nullopt if the feed is
//               endless. May read the whole file. Throws if the file cannot be counted
//   progress()  returns the progress from 0 to 1, or nullopt if it is unknown
template <class F>
concept stream = batch<typename F::batch_type> && requires(F f, std::uint64_t n) {
  { f.next() } -> std::same_as<typename F::batch_type>;
  { f.skip(n) } -> std::same_as<std::uint64_t>;
  f.rewind();
  { f.count() } -> std::same_as<std::optional<std::uint64_t>>;
  { f.progress() } -> std::same_as<std::optional<double>>;
};

// Base class that makes a feed an input range, so that `for (auto& i : feed)` compiles. A reference
// is valid until the iterator moves. Iteration begins at the feed's current position.
template <class Feed> class iterable {
 public:
  template <class Batch> class iterator_over {
   public:
    using value_type = typename Batch::value_type;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    [[gnu::always_inline]] explicit iterator_over(Feed& feed) : feed_(&feed) { fetch(); }
    // The view is constructed here and not when the iterator moves. Otherwise g++ treats a loop's
    // first iteration as a special case, which costs six more instructions per element.
    // Dereferencing again at one position constructs the view again and returns the same reference.
    [[gnu::always_inline]] const value_type& operator*() const {
      return current_.emplace(batch_[0]);
    }
    [[gnu::always_inline]] const value_type* operator->() const { return &**this; }
    // Inlined so that a loop keeps the iterator in registers. A ChampSim record then takes 28
    // instructions instead of 79.
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
    Batch batch_ = {};  // batch that begins with the current instruction, or is empty at the end
    mutable std::optional<value_type> current_ = {};
  };

  [[gnu::always_inline]] auto begin() {
    return iterator_over<typename Feed::batch_type>(static_cast<Feed&>(*this));
  }
  std::default_sentinel_t end() const noexcept { return {}; }
};

// Calls f(instruction) for each remaining instruction. This is the fastest way to read a whole
// feed.
template <stream Feed, class F> void for_each(Feed& feed, F&& f) {
  for (auto b = feed.next(); b.size() != 0; b = feed.next())
    for (std::size_t i = 0, n = b.size(); i < n; ++i) f(b[i]);
}

}  // namespace tracecodec::feed

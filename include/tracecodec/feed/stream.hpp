// What every feed is: batches of instructions in trace order, and a range over them.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "instruction.hpp"

namespace tracecodec::feed {

// Consecutive instructions, valid until the feed is asked for more; none by default. operator[]
// makes the view of one; the target of the last one comes from the instruction behind the batch.
//   first(n), drop(n)    the first n, all but the first n; n <= size()
//   ends()               whether the trace, or this pass over it, ends behind the batch
//   end_here()           makes ends() true
//   follow_with(ip)      states the ip that comes next, where it is not the trace's own
//   can_be_followed()    whether that changes where a branch goes, if it is the last one and taken; yes if
//                        the batch does not say
template <class B>
concept batch = std::default_initializable<B> && instruction<typename B::value_type> &&
    requires(B b, const B& c, std::size_t n, std::uint64_t ip) {
  { c.size() } -> std::convertible_to<std::size_t>;
  { c[n] } -> std::convertible_to<typename B::value_type>;
  { c.first(n) } -> std::same_as<B>;
  { c.drop(n) } -> std::same_as<B>;
  { c.ends() } -> std::convertible_to<bool>;
  b.end_here();
  b.follow_with(ip);
};

// A feed. Adaptors (adaptors.hpp) take feeds and are feeds.
//   next()      the next batch; an empty one at the end. Throws trace_error, but only after every
//               whole instruction was delivered
//   skip(n)     moves n instructions on, or to the end; returns how many
//   rewind()    back to the first; throws where the input cannot (a pipe)
//   count()     how many instructions from the first to the end; nullopt if endless. May read the
//               whole file; throws where it cannot
//   progress()  0 to 1, or nullopt if unknown
template <class F>
concept stream = batch<typename F::batch_type> && requires(F f, std::uint64_t n) {
  { f.next() } -> std::same_as<typename F::batch_type>;
  { f.skip(n) } -> std::same_as<std::uint64_t>;
  f.rewind();
  { f.count() } -> std::same_as<std::optional<std::uint64_t>>;
  { f.progress() } -> std::same_as<std::optional<double>>;
};

// Makes a feed an input range: for (auto& i : feed) ...
// The reference lives until the iterator moves. Iterating continues where the feed stands.
template <class Feed> class iterable {
 public:
  template <class Batch> class iterator_over {
   public:
    using value_type = typename Batch::value_type;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    [[gnu::always_inline]] explicit iterator_over(Feed& feed) : feed_(&feed) { fetch(); }
    // Made here, not when the iterator moves: what an instruction is was then known on entry to a
    // loop's first round, which g++ made a case of its own, and six more instructions for each.
    // Twice at one place gives the same reference, and makes the view once more.
    [[gnu::always_inline]] const value_type& operator*() const {
      return current_.emplace(batch_[0]);
    }
    [[gnu::always_inline]] const value_type* operator->() const { return &**this; }
    // Inline, so that the iterator of a loop is kept in registers: 28 instructions for a ChampSim
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
    Batch batch_ = {};  // from the current instruction on; none at the end
    mutable std::optional<value_type> current_ = {};
  };

  [[gnu::always_inline]] auto begin() {
    return iterator_over<typename Feed::batch_type>(static_cast<Feed&>(*this));
  }
  std::default_sentinel_t end() const noexcept { return {}; }
};

// Calls f(instruction) for each one to the end: the fast way to consume a whole feed.
template <stream Feed, class F> void for_each(Feed& feed, F&& f) {
  for (auto b = feed.next(); b.size() != 0; b = feed.next())
    for (std::size_t i = 0, n = b.size(); i < n; ++i) f(b[i]);
}

}  // namespace tracecodec::feed

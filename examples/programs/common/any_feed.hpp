// A feed whose kind is chosen at run time, at the price of one virtual call for each batch: the
// options of a command line then need not be a template instantiation for every combination.
#pragma once
#include <tracecodec/feed/stream.hpp>
#include <tracecodec/io/os/interruption.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace examples {

namespace feed = tracecodec::feed;

// Holds any feed with batches of type `Batch` and is one itself (feed::stream). Adaptors keep the
// batch type of what they adapt, so an any_feed takes any_feed | skip{n} in turn.
template <feed::batch Batch> class any_feed : public feed::iterable<any_feed<Batch>> {
 public:
  using batch_type = Batch;

  template <class Feed>
  requires(!std::same_as<Feed, any_feed> && feed::stream<Feed>) any_feed(Feed f)
      : held_(std::make_unique<holder<Feed>>(std::move(f))) {}

  Batch next() { return held_->next(); }
  std::uint64_t skip(std::uint64_t n) { return held_->skip(n); }
  void rewind() { held_->rewind(); }
  std::optional<std::uint64_t> count() { return held_->count(); }
  [[nodiscard]] std::optional<double> progress() const { return held_->progress(); }

 private:
  struct base {
    base() = default;
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() = default;
    virtual Batch next() = 0;
    virtual std::uint64_t skip(std::uint64_t n) = 0;
    virtual void rewind() = 0;
    virtual std::optional<std::uint64_t> count() = 0;
    [[nodiscard]] virtual std::optional<double> progress() const = 0;
  };
  template <class Feed> struct holder final : base {
    explicit holder(Feed f) : inner(std::move(f)) {}
    Batch next() override { return inner.next(); }
    std::uint64_t skip(std::uint64_t n) override { return inner.skip(n); }
    void rewind() override { inner.rewind(); }
    std::optional<std::uint64_t> count() override { return inner.count(); }
    [[nodiscard]] std::optional<double> progress() const override { return inner.progress(); }
    Feed inner;
  };
  std::unique_ptr<base> held_;
};

// Calls f(batch) for each batch to the end. Returns the error that ended the feed early, if one
// did: what was whole is dealt with before the error is reported. What f throws is thrown, and an
// interruption.
template <feed::stream Feed, class F> std::exception_ptr for_each_batch(Feed& feed, F f) {
  for (;;) {
    typename Feed::batch_type b;
    try {
      b = feed.next();
    } catch (const tracecodec::io::interruption&) {
      throw;
    } catch (...) {
      return std::current_exception();
    }
    if (b.size() == 0) return nullptr;
    f(b);
  }
}

}  // namespace examples

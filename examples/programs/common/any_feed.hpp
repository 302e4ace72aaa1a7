// Type-erased feed that is chosen at run time. It costs one virtual call per batch, but avoids a
// template instantiation for every combination of command-line options.
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

// Type-erased feed with batches of type `Batch`. It satisfies the concept feed::stream. An adaptor
// keeps the batch type of the feed that it wraps, so an any_feed can also contain any_feed |
// skip{n}.
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

// Calls f(batch) for each batch until the end of the feed. If the feed fails, returns the error
// instead of throwing it, so the caller can first finish its work on the intact batches. Exceptions
// from f and io::interruption propagate.
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

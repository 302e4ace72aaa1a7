// What is called with one thing after the other.
#pragma once
#include <concepts>
#include <utility>

#include "../io/owned.hpp"

namespace tracecodec::x64dbg {

// Anything that is called with an `Event`, or nothing; movable. (std::function does more, and its header
// costs a compiler as much as a reader's.)
template <class Event> class listener {
 public:
  listener() = default;
  template <class F>
  requires(!std::same_as<F, listener>) && requires(F& f, Event e) { f(static_cast<Event>(e)); }
  listener(F f) : to_(io::make_owned<own<F>>(std::move(f))) {}

  explicit operator bool() const { return to_ != nullptr; }
  void operator()(Event e) const { to_->hear(static_cast<Event>(e)); }

 private:
  struct any {
    any() = default;
    any(const any&) = delete;
    any& operator=(const any&) = delete;
    virtual ~any() = default;
    virtual void hear(Event e) = 0;
  };
  template <class F> struct own final : any {
    explicit own(F f) : call(std::move(f)) {}
    void hear(Event e) override { call(static_cast<Event>(e)); }
    F call;
  };
  io::owned<any> to_ = {};
};

}  // namespace tracecodec::x64dbg

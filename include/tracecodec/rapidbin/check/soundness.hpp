// What the events of one trace must not do: locks held twice, threads that act before they exist.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../io/hash.hpp"
#include "../layout.hpp"
#include "rules.hpp"

namespace tracecodec::rapidbin {

// A lock that is held, and the acquire that took it.
struct held_lock {
  std::uint64_t lock = 0, index = 0;
  std::uint32_t depth = 0;  // how often its thread has acquired it and not released it
  std::uint16_t thread = 0, location = 0;
};

// Memory: 4 KiB for threads, some 50 bytes for each lock that was ever held.
class soundness {
 public:
  // Adds event `index`. Calls broken(rule, message) for each rule that it breaks. If that returns true, the
  // event is left out as if it were not there, and add() returns false.
  template <class Broken> bool add(const event& e, std::uint64_t index, Broken&& broken) {
    thread_state& t = threads_[e.thread];
    if (t.joined && broken(rule::after_join, thread(e.thread) + " acts after its join"))
      return false;
    if (t.ended && broken(rule::after_end, thread(e.thread) + " acts after its end")) return false;
    if (!act(e, index, broken)) return false;
    t.acted = true;
    return true;
  }

  // Calls held(held_lock) for each lock that is held, in the order of the acquires.
  template <class Held> void finish(Held&& held) const {
    std::vector<held_lock> left;
    for (const auto& [lock, s] : locks_)
      if (s.depth != 0) left.push_back({lock, s.index, s.depth, s.thread, s.location});
    std::sort(left.begin(), left.end(),
              [](const held_lock& a, const held_lock& b) { return a.index < b.index; });
    for (const held_lock& l : left) held(l);
  }

 private:
  struct thread_state {
    bool acted = false, forked = false, joined = false, ended = false;
  };
  struct lock_state {
    std::uint64_t index = 0;  // of the acquire
    std::uint32_t depth = 0;  // 0: free
    std::uint16_t thread = 0, location = 0;
  };

  static std::string thread(std::uint64_t id) { return "thread " + std::to_string(id); }
  static std::string lock(std::uint64_t id) { return "lock " + std::to_string(id); }

  template <class Broken> bool act(const event& e, std::uint64_t index, Broken& broken) {
    thread_state& t = threads_[e.thread];
    switch (e.operation) {
      case operation::acquire:
        return acquire(e, index, broken);
      case operation::release:
        return release(e, broken);
      case operation::fork:
        return fork(e, broken);
      case operation::join:
        if (e.decor <= largest_thread) threads_[static_cast<std::size_t>(e.decor)].joined = true;
        return true;
      case operation::begin:
        return !t.acted ||
               !broken(rule::begin_not_first, thread(e.thread) + " acted before its begin");
      case operation::end:
        t.ended = true;
        return true;
      default:
        return true;
    }
  }

  template <class Broken> bool acquire(const event& e, std::uint64_t index, Broken& broken) {
    lock_state& l = locks_[e.decor];
    if (l.depth != 0 && l.thread == e.thread) {
      if (broken(rule::lock_reentrant, thread(e.thread) + " holds " + lock(e.decor) +
                                           " since event " + std::to_string(l.index)))
        return false;
      ++l.depth;
      return true;
    }
    if (l.depth != 0 &&
        broken(rule::lock_taken, thread(e.thread) + " acquires " + lock(e.decor) + ", which " +
                                     thread(l.thread) + " holds since event " +
                                     std::to_string(l.index)))
      return false;
    l = {index, 1, e.thread, e.location};
    return true;
  }

  template <class Broken> bool release(const event& e, Broken& broken) {
    const auto at = locks_.find(e.decor);
    if (at == locks_.end() || at->second.depth == 0)
      return !broken(rule::lock_not_held,
                     thread(e.thread) + " releases " + lock(e.decor) + ", which is free");
    if (at->second.thread != e.thread)
      return !broken(rule::lock_not_held, thread(e.thread) + " releases " + lock(e.decor) +
                                              ", which " + thread(at->second.thread) +
                                              " holds since event " +
                                              std::to_string(at->second.index));
    --at->second.depth;
    return true;
  }

  template <class Broken> bool fork(const event& e, Broken& broken) {
    if (e.decor > largest_thread) return true;
    thread_state& child = threads_[static_cast<std::size_t>(e.decor)];
    if (child.forked) {
      if (broken(rule::forked_twice, thread(e.decor) + " is forked again")) return false;
    } else if ((child.acted || e.decor == e.thread) &&
               broken(rule::before_fork, thread(e.decor) + " acted before")) {
      return false;
    }
    child.forked = true;
    return true;
  }

  std::array<thread_state, largest_thread + 1> threads_ = {};
  std::unordered_map<std::uint64_t, lock_state, io::keyed_hash> locks_ = {};
};

}  // namespace tracecodec::rapidbin

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

// Memory: 4 KiB for threads, some 50 bytes for each lock that was ever held.
class soundness {
 public:
  // Event `index`. Calls broken(rule, message) for each rule it breaks.
  template <class Broken> void add(const event& e, std::uint64_t index, Broken&& broken) {
    thread_state& t = threads_[e.thread];
    if (t.joined) broken(rule::after_join, thread(e.thread) + " acts after its join");
    if (t.ended) broken(rule::after_end, thread(e.thread) + " acts after its end");
    switch (e.operation) {
      case operation::acquire:
        acquire(e, index, broken);
        break;
      case operation::release:
        release(e, broken);
        break;
      case operation::fork:
        fork(e, broken);
        break;
      case operation::join:
        if (e.decor <= largest_thread) threads_[static_cast<std::size_t>(e.decor)].joined = true;
        break;
      case operation::begin:
        if (t.acted) broken(rule::begin_not_first, thread(e.thread) + " acted before its begin");
        break;
      case operation::end:
        t.ended = true;
        break;
      default:
        break;
    }
    t.acted = true;
  }

  // Calls held(lock, thread, index of the acquire) for each lock that is held, in that order.
  template <class Held> void finish(Held&& held) const {
    struct entry {
      std::uint64_t lock, index;
      std::uint16_t thread;
    };
    std::vector<entry> left;
    for (const auto& [lock, s] : locks_)
      if (s.depth != 0) left.push_back({lock, s.index, s.thread});
    std::sort(left.begin(), left.end(),
              [](const entry& a, const entry& b) { return a.index < b.index; });
    for (const entry& l : left) held(l.lock, l.thread, l.index);
  }

 private:
  struct thread_state {
    bool acted = false, forked = false, joined = false, ended = false;
  };
  struct lock_state {
    std::uint64_t index = 0;  // of the acquire
    std::uint32_t depth = 0;  // 0: free
    std::uint16_t thread = 0;
  };

  static std::string thread(std::uint64_t id) { return "thread " + std::to_string(id); }
  static std::string lock(std::uint64_t id) { return "lock " + std::to_string(id); }

  template <class Broken> void acquire(const event& e, std::uint64_t index, Broken& broken) {
    lock_state& l = locks_[e.decor];
    if (l.depth != 0 && l.thread == e.thread) {
      broken(rule::lock_reentrant, thread(e.thread) + " holds " + lock(e.decor) + " since event " +
                                       std::to_string(l.index));
      ++l.depth;
      return;
    }
    if (l.depth != 0)
      broken(rule::lock_taken, thread(e.thread) + " acquires " + lock(e.decor) + ", which " +
                                   thread(l.thread) + " holds since event " +
                                   std::to_string(l.index));
    l = {index, 1, e.thread};
  }

  template <class Broken> void release(const event& e, Broken& broken) {
    const auto at = locks_.find(e.decor);
    if (at == locks_.end() || at->second.depth == 0)
      broken(rule::lock_not_held,
             thread(e.thread) + " releases " + lock(e.decor) + ", which is free");
    else if (at->second.thread != e.thread)
      broken(rule::lock_not_held, thread(e.thread) + " releases " + lock(e.decor) + ", which " +
                                      thread(at->second.thread) + " holds since event " +
                                      std::to_string(at->second.index));
    else
      --at->second.depth;
  }

  template <class Broken> void fork(const event& e, Broken& broken) {
    if (e.decor > largest_thread) return;
    thread_state& child = threads_[static_cast<std::size_t>(e.decor)];
    if (child.forked)
      broken(rule::forked_twice, thread(e.decor) + " is forked again");
    else if (child.acted || e.decor == e.thread)
      broken(rule::before_fork, thread(e.decor) + " acted before");
    child.forked = true;
  }

  std::array<thread_state, largest_thread + 1> threads_ = {};
  std::unordered_map<std::uint64_t, lock_state, io::keyed_hash> locks_ = {};
};

}  // namespace tracecodec::rapidbin

// Rules for the order of events in a trace. For example, no thread may acquire a lock that
// another thread holds, or act before it is forked.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../io/hash.hpp"
#include "../layout.hpp"
#include "rules.hpp"

namespace tracecodec::rapidbin {

// Held lock, and the acquire event that took the lock.
struct held_lock {
  std::uint64_t lock = 0, index = 0;
  std::uint32_t depth = 0;  // number of acquires by `thread` without a release
  std::uint32_t thread = 0, location = 0;
};

// Checker for the order of events. The checker needs 4 KiB of memory, plus about 50 bytes for each
// lock that was ever held and for each thread above largest_thread.
class soundness {
 public:
  // Callback that returns the name of an id, or null if the id has no name.
  using names = std::function<const std::string*(id_kind, std::uint64_t)>;
  soundness() = default;
  explicit soundness(names of_ids) : names_(std::move(of_ids)) {}

  // Returns a description of an id for messages, such as "thread 1", or "thread 1 (worker)" if the
  // id has a name.
  [[nodiscard]] std::string name_of(id_kind kind, std::uint64_t id) const {
    std::string s = std::string(name(kind)) + ' ' + std::to_string(id);
    const std::string* const given = names_ ? names_(kind, id) : nullptr;
    return given == nullptr ? s : s + " (" + *given + ')';
  }

  // Adds the event `e`, which is event number `index` of the trace. Calls broken(rule, message) for
  // each rule that the event breaks. If broken() returns true, add() ignores the event and returns
  // false.
  template <class Broken> bool add(const event& e, std::uint64_t index, Broken&& broken) {
    thread_state& t = state_of(e.thread);
    if (t.joined && broken(rule::after_join, thread(e.thread) + " acts after its join"))
      return false;
    if (t.ended && broken(rule::after_end, thread(e.thread) + " acts after its end")) return false;
    if (!act(t, e, index, broken)) return false;
    t.acted = true;
    return true;
  }

  // Calls held(held_lock) for each lock that is held at the end, in the order of the acquires.
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
    std::uint64_t index = 0;  // index of the acquire
    std::uint32_t depth = 0;  // number of acquires without a release; 0 if the lock is free
    std::uint32_t thread = 0, location = 0;
  };

  [[nodiscard]] std::string thread(std::uint64_t id) const { return name_of(id_kind::thread, id); }
  [[nodiscard]] std::string lock(std::uint64_t id) const { return name_of(id_kind::lock, id); }

  thread_state& state_of(std::uint64_t id) {
    if (id <= largest_thread) [[likely]]
      return threads_[static_cast<std::size_t>(id)];
    return other_threads_[id];
  }

  // Checks the event `e` of the thread with state `t`, and updates the states of threads and locks.
  // Returns false if broken() returns true.
  template <class Broken>
  bool act(thread_state& t, const event& e, std::uint64_t index, Broken& broken) {
    switch (e.operation) {
      case operation::acquire:
        return acquire(e, index, broken);
      case operation::release:
        return release(e, broken);
      case operation::fork:
        return fork(e, broken);
      case operation::join:
        state_of(e.decor).joined = true;
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
    thread_state& child = state_of(e.decor);
    if (child.forked) {
      if (broken(rule::forked_twice, thread(e.decor) + " is forked again")) return false;
    } else if ((child.acted || e.decor == e.thread) &&
               broken(rule::before_fork, thread(e.decor) + " acted before")) {
      return false;
    }
    child.forked = true;
    return true;
  }

  names names_ = {};
  std::array<thread_state, largest_thread + 1> threads_ = {};
  // States of threads above largest_thread, which occur only in STD text.
  std::unordered_map<std::uint64_t, thread_state, io::keyed_hash> other_threads_ = {};
  std::unordered_map<std::uint64_t, lock_state, io::keyed_hash> locks_ = {};
};

}  // namespace tracecodec::rapidbin

// Queue of frames that are decoded in advance, and the threads that decode the frames. The reader's
// thread reads the file. If there is only one other thread, the reader's thread decodes every
// fourth frame itself. Without this work, the reader's thread would wait for much of the time.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "../../io/os/home_process.hpp"
#include "../about.hpp"
#include "frame_ahead.hpp"

namespace tracecodec::tracepack::detail {

class frames_ahead {
 public:
  // Creates an empty queue for `threads` threads, including the reader's thread. `threads` must be
  // at least 2.
  frames_ahead(const about& a, unsigned threads)
      : about_(a),
        others_(std::min<std::size_t>(threads, most_threads) - 1),
        stock_(others_ == 1 ? ready_of_one : ready_of_each * others_) {}
  frames_ahead(const frames_ahead&) = delete;
  frames_ahead& operator=(const frames_ahead&) = delete;
  ~frames_ahead() {
    give_back();
    drop();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  // Returns the process that runs the threads. After a fork, the child process must not call any
  // other function of this object, and must not destroy the object.
  [[nodiscard]] const io::home_process& home() const noexcept { return home_; }
  [[nodiscard]] bool empty() const noexcept { return frames_.empty(); }
  [[nodiscard]] bool full() const noexcept {
    return frames_.size() >= (others_ == 1 ? 3 : others_ + 1) ||
           (!frames_.empty() && payloads_ > most_payloads);
  }
  [[nodiscard]] frame_ahead& front() { return *frames_.front(); }
  // Adds a frame. Throws std::system_error if no thread can be started.
  void add(frame_ahead::order&& o) {
    std::shared_ptr<frame_ahead> f = unused();
    o.turn = turns_++;
    const std::size_t payload = o.payload.size();
    if (others_ == 1 && ++since_here_ >= here_every && !waits_for_others(o)) {
      since_here_ = 0;
      f->begin_here(std::move(o));
      frames_.push_back(std::move(f));
      payloads_ += payload;
      return;
    }
    if (threads_.size() < std::min(others_, frames_.size() + 1)) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
      }
    }
    f->begin(std::move(o));
    const std::lock_guard lock(mutex_);
    waiting_.push_back(f);
    try {
      frames_.push_back(std::move(f));
    } catch (...) {
      waiting_.pop_back();
      throw;
    }
    payloads_ += payload;
    changed_.notify_one();
  }
  // Removes and returns the first frame. The frame is valid until give_back() is called.
  frame_ahead& take() {
    give_back();
    taken_ = frames_.front();
    pop_front();
    return *taken_;
  }
  void give_back() {
    if (taken_ != nullptr) spare(std::exchange(taken_, nullptr));
  }
  // Discards the first frame.
  void leave_out() {
    const std::shared_ptr<frame_ahead> first = frames_.front();
    pop_front();
    spare(first);
  }
  // Discards all frames that have not been taken.
  void drop() {
    give_up_waiting();
    while (!frames_.empty()) leave_out();
    since_here_ = here_every;
  }

 private:
  // Gives up the frames that are waiting for a thread. Holds the mutex until all these frames are
  // given up. Without the mutex, a thread could begin a frame, and then wait for the dictionary of
  // a frame that was already given up. This function must not allocate memory, because the
  // destructor calls it.
  void give_up_waiting() noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& f : waiting_) f->give_up();
    waiting_.clear();
  }
  // Removes the first frame. The next frame may then use as much memory as it needs.
  void pop_front() {
    payloads_ -= frames_.front()->of().payload.size();
    frames_.pop_front();
    const std::lock_guard lock(stock_.mutex);
    stock_.next_turn = frames_.empty() ? turns_ : frames_.front()->of().turn;
    stock_.changed.notify_all();
  }
  // Keeps a frame for reuse. Cannot throw, because unused() has reserved the space.
  void spare(std::shared_ptr<frame_ahead> f) noexcept {
    f->cancel();
    spares_.push_back(std::move(f));
  }
  std::shared_ptr<frame_ahead> unused() {
    const auto spare =
        std::find_if(spares_.begin(), spares_.end(), [](const auto& f) { return f->at_end(); });
    if (spare == spares_.end()) {
      spares_.reserve(made_ + 1);
      auto made = std::make_shared<frame_ahead>(about_, stock_);
      ++made_;
      return made;
    }
    std::shared_ptr<frame_ahead> f = std::move(*spare);
    spares_.erase(spare);
    return f;
  }
  // Returns true if the frame extends a dictionary that another thread has not loaded yet. This
  // thread must not wait for the dictionary, because the other thread may be waiting until this
  // thread takes records.
  bool waits_for_others(const frame_ahead::order& o) {
    if (o.base == nullptr || o.header.base == o.header.number) return false;
    const std::lock_guard lock(stock_.mutex);
    return !o.base->known;
  }
  void work() {
    for (;;) {
      std::shared_ptr<frame_ahead> f;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        f = std::move(waiting_.front());
        waiting_.pop_front();
      }
      f->run();
    }
  }

  // Interval in frames at which the reader's thread decodes a frame itself.
  static constexpr std::size_t here_every = 4;
  // Limits of decoded data in bytes. ready_of_one is the limit if there is only one other thread,
  // and ready_of_each is the limit for each of several threads. ready_of_one is larger, because a
  // single thread continues while the reader's thread decodes a frame itself.
  static constexpr std::size_t ready_of_one = std::size_t{24} << 20,
                               ready_of_each = std::size_t{16} << 20;
  // Maximum number of threads. Additional threads would only wait, because the reader's thread lays
  // out all records.
  static constexpr std::size_t most_threads = 4;
  static constexpr std::size_t most_payloads = std::size_t{32} << 20;  // limit of payloads_

  io::home_process home_ = {};
  const about& about_;
  std::size_t others_;  // number of threads in addition to the reader's thread
  // Number of frames added since the reader's thread last decoded a frame.
  std::size_t since_here_ = here_every;
  std::size_t payloads_ = 0;  // total bytes of the payloads in frames_
  std::uint64_t turns_ = 0;   // number of frames that were added
  ahead_stock stock_;
  std::deque<std::shared_ptr<frame_ahead>> frames_ = {};
  std::shared_ptr<frame_ahead> taken_ = {};
  std::vector<std::shared_ptr<frame_ahead>> spares_ = {};
  std::size_t made_ = 0;  // number of frame_ahead objects that were created
  std::mutex mutex_ = {};
  // A condition variable is used instead of a std::stop_token. With libstdc++ 12, waiting with a
  // stop token may never end if a thread is requested to stop (observed under wine).
  std::condition_variable changed_ = {};
  std::deque<std::shared_ptr<frame_ahead>> waiting_ = {};  // frames that wait for a thread
  bool ended_ = false;
  std::vector<std::jthread> threads_ = {};  // joined before the members above are destroyed
};

}  // namespace tracecodec::tracepack::detail

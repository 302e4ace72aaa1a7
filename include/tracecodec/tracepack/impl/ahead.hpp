// Frames that other threads decode before they are asked for: to units and addresses. The reader's thread makes records
// of these, and reads the file. With one other thread it also decodes every third frame by itself: otherwise it would
// wait half of the time.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "../about.hpp"
#include "frames.hpp"
#include "model/decoder.hpp"
#include "model_frame.hpp"

namespace tracecodec::tracepack::detail {

// A dictionary that frames go on with: there once its own frame is loaded, nullptr if that fails.
struct shared_base {
  std::uint32_t number = 0;
  // With ahead_stock's mutex, once other threads have it.
  bool known = false;
  std::shared_ptr<const dictionary> found = {};
};

// What all threads share: how much is ready, and room for more of it.
struct ahead_stock {
  explicit ahead_stock(std::size_t most) : most_ready(most) {}

  std::size_t most_ready;  // bytes
  std::mutex mutex = {};
  std::condition_variable changed = {};  // of any frame
  std::size_t ready = 0;                 // bytes of all frames
  std::vector<bare_records> spare = {};
};

// A frame and what was made of it so far.
class frame_ahead {
 public:
  struct order {
    frame_header header = {};
    std::vector<std::byte> payload = {};
    std::shared_ptr<shared_base> base = {};  // of a model frame
    frame_file::state before = {};           // of the file
  };

  frame_ahead(const about& a, ahead_stock& stock) : model_(a), stock_(stock) {}
  frame_ahead(const frame_ahead&) = delete;
  frame_ahead& operator=(const frame_ahead&) = delete;
  ~frame_ahead() = default;

  // For the reader's thread.

  // Another frame: while no thread works on this.
  void begin(order&& o) {
    order_ = std::move(o);
    loading_ = state::open;
    here_ = at_end_ = false;
    cancelled_ = false;
  }
  // The same, decoded by the reader's thread when it comes to it. Its dictionary is there at once, for those that go on
  // with it.
  void begin_here(order&& o) {
    begin(std::move(o));
    loading_ = load() ? state::sound : state::damaged;
    here_ = at_end_ = true;
  }
  [[nodiscard]] bool here() const noexcept { return here_; }
  [[nodiscard]] const order& of() const noexcept { return order_; }
  // Whether its streams and its dictionary are sound, or its stored content.
  [[nodiscard]] bool loaded() {
    std::unique_lock lock(stock_.mutex);
    stock_.changed.wait(lock, [this] { return loading_ != state::open; });
    return loading_ == state::sound;
  }
  // Of one that is loaded.
  [[nodiscard]] const dictionary& all() const noexcept { return model_.all(); }
  [[nodiscard]] std::span<const std::byte> stored() const noexcept { return stored_; }
  [[nodiscard]] std::unique_ptr<model_decoder> decoder() const { return model_.decoder(); }

  // The next records instead of those in `to`; false if its streams are damaged behind those before.
  bool take(bare_records& to) {
    std::unique_lock lock(stock_.mutex);
    spare(to);
    stock_.changed.wait(lock, [this] { return !ready_.empty() || at_end_; });
    if (ready_.empty()) return false;
    to = std::move(ready_.front());
    ready_.pop_front();
    stock_.ready -= to.bytes();
    stock_.changed.notify_all();
    return true;
  }
  // When all were taken.
  [[nodiscard]] std::uint64_t digest() {
    const std::lock_guard lock(stock_.mutex);
    return digest_;
  }
  // Nobody wants its records any more.
  void cancel() {
    const std::lock_guard lock(stock_.mutex);
    cancelled_ = true;
    for (bare_records& r : ready_) {
      stock_.ready -= r.bytes();
      spare(r);
    }
    ready_.clear();
    stock_.changed.notify_all();
  }
  // Whether no thread works on it any more.
  [[nodiscard]] bool at_end() {
    const std::lock_guard lock(stock_.mutex);
    return at_end_;
  }

  // For the thread that decodes it.
  void run() noexcept {
    const bool sound = load();
    {
      const std::lock_guard lock(stock_.mutex);
      loading_ = sound ? state::sound : state::damaged;
      stock_.changed.notify_all();
    }
    if (sound && order_.header.kind != frame_kind::stored) {
      try {
        decode();
      } catch (...) {
        // What lacks is decoded by the reader's thread, which has the same error.
      }
    }
    const std::lock_guard lock(stock_.mutex);
    at_end_ = true;
    stock_.changed.notify_all();
  }

 private:
  enum class state : std::uint8_t { open, sound, damaged };
  // Fewer cost more for each: a thread is woken for them.
  static constexpr std::size_t records_at_once = std::size_t{1} << 16;
  bool load() noexcept {
    const frame_header& h = order_.header;
    const bool stored = h.kind == frame_kind::stored, own = h.base == h.number;
    try {
      // Others may wait for a dictionary.
      if (cancelled_ && (stored || !own)) return false;
      if (stored) {
        stored_.resize(h.content_size);
        return model_.unpack_stored(order_.payload, stored_);
      }
      if (!own && !model_.knows(h.base)) {
        std::unique_lock lock(stock_.mutex);
        stock_.changed.wait(lock, [this] { return order_.base->known; });
        const auto base = order_.base->found;
        lock.unlock();
        if (base == nullptr) return false;
        model_.learn(h.base, *base);
      }
      model_.load(h, order_.payload);
      if (own) find_base(std::make_shared<const dictionary>(model_.all()));
      return true;
    } catch (...) {
      if (own && !stored) find_base(nullptr);
      return false;
    }
  }
  void find_base(std::shared_ptr<const dictionary> found) {
    const std::lock_guard lock(stock_.mutex);
    order_.base->known = true;
    order_.base->found = std::move(found);
    stock_.changed.notify_all();
  }
  void decode() {
    const std::unique_ptr<model_decoder> from = model_.decoder();
    bare_records some;
    std::size_t records = 0;
    while (from->left() != 0 && !cancelled_) {
      const std::size_t units = some.unit_count, addresses = some.address_count;
      const std::size_t n = from->next(some);
      const bool sound = n != 0 && from->sound();
      if (!sound) {
        some.unit_count = units;
        some.address_count = addresses;
      }
      records += n;
      if (!sound || records >= records_at_once || from->left() == 0) {
        add(some, from->left() == 0 ? from->digest() : 0);
        records = 0;
      }
      if (!sound) return;
    }
  }
  // Waits while there is enough.
  void add(bare_records& some, std::uint64_t digest) {
    std::unique_lock lock(stock_.mutex);
    stock_.changed.wait(lock, [&] {
      return cancelled_ || ready_.empty() || stock_.ready + some.bytes() <= stock_.most_ready;
    });
    digest_ = digest;
    if (cancelled_ || some.unit_count == 0) return;
    stock_.ready += some.bytes();
    ready_.push_back(std::move(some));
    stock_.changed.notify_all();
    some = {};
    if (stock_.spare.empty()) return;
    some = std::move(stock_.spare.back());
    stock_.spare.pop_back();
    some.unit_count = some.address_count = 0;
  }
  void spare(bare_records& some) {
    if (!some.units.empty()) stock_.spare.push_back(std::move(some));
    some = {};
  }

  order order_ = {};
  model_frame model_;
  std::vector<std::byte> stored_ = {};
  std::atomic<bool> cancelled_ = false;
  ahead_stock& stock_;
  // All that follows only with its mutex.
  state loading_ = state::open;
  bool here_ = false, at_end_ = true;
  std::deque<bare_records> ready_ = {};
  std::uint64_t digest_ = 0;
};

// Lays out the records of one. Where its streams are damaged they are decoded once more, as they would be without
// other threads, so that errors are the same.
class ahead_decoder final : public model_decoder {
 public:
  ahead_decoder(frame_ahead& from, std::size_t records) : from_(from), dictionary_(from.all()) {
    left_ = records;
  }

  std::size_t next(std::span<std::byte> to, const told& more) override {
    if (again_ == nullptr) {
      const std::size_t n = dictionary_.compact() && dictionary_.of().size == 64
                                ? lay_out<64>(to, more)
                                : lay_out<0>(to, more);
      if (n != 0) {
        left_ -= n;
        done_ += n;
        return n;
      }
      decode_again();
    }
    const std::size_t n = again_->next(to, more);
    left_ = again_->left();
    return n;
  }
  // It has them.
  std::size_t next(bare_records& /*to*/) override { return 0; }
  [[nodiscard]] bool sound() const override { return again_ == nullptr || again_->sound(); }
  [[nodiscard]] std::uint64_t digest() const override {
    return again_ == nullptr ? from_.digest() : again_->digest();
  }

 private:
  // As many records as a decoder would make of them; 0 if there is damage among these.
  template <std::size_t Size> std::size_t lay_out(std::span<std::byte> to, told more) {
    const std::size_t size = Size != 0 ? Size : dictionary_.of().size;
    const std::size_t room = std::min({to.size() / size, most(size), left_ + most_in_unit});
    const dictionary_arrays from(dictionary_);
    std::byte* out = to.data();
    std::size_t records = 0;
    while (records + most_in_unit <= room && records < left_) {
      if (unit_ == some_.unit_count) {
        unit_ = address_ = 0;
        if (!from_.take(some_)) return 0;
      }
      const std::uint64_t* address = some_.addresses.data() + address_;
      for (; unit_ != some_.unit_count && records + most_in_unit <= room && records < left_;
           ++unit_) {
        const unit u = from.units[some_.units[unit_]];
        std::byte* const at = out;
        out = lay_out_unit<Size>(from, u, out, more);
        const access* const all = from.accesses + u.first_access;
        for (std::uint32_t i = 0; i != u.accesses; ++i)
          store_word(*address++, at + std::size_t{word_of(all[i])} * 8);
        records += u.length;
      }
      address_ = static_cast<std::size_t>(address - some_.addresses.data());
    }
    return records;
  }
  void decode_again() {
    again_ = from_.decoder();
    const std::size_t size = dictionary_.of().size;
    std::vector<std::byte> room((most(size) + most_in_unit) * size);
    for (std::size_t left = done_; left != 0;)
      left -= again_->next(
          std::span(room).first((std::min(left, most(size)) + most_in_unit - 1) * size), {});
  }

  frame_ahead& from_;
  const dictionary& dictionary_;
  bare_records some_ = {};
  std::size_t unit_ = 0, address_ = 0;  // of these
  std::size_t done_ = 0;
  std::unique_ptr<model_decoder> again_ = {};
};

// Frames in their order, and the threads that work on them.
class frames_ahead {
 public:
  frames_ahead(const about& a, unsigned threads)
      : about_(a),
        others_(threads - 1),
        stock_(others_ == 1 ? ready_of_one : ready_of_each * others_) {}
  frames_ahead(const frames_ahead&) = delete;
  frames_ahead& operator=(const frames_ahead&) = delete;
  ~frames_ahead() { drop(); }

  [[nodiscard]] bool empty() const noexcept { return frames_.empty(); }
  [[nodiscard]] bool full() const noexcept {
    return frames_.size() >= (others_ == 1 ? 3 : others_ + 1);
  }
  [[nodiscard]] frame_ahead& front() { return *frames_.front(); }
  // Throws std::system_error if no thread can be had.
  void add(frame_ahead::order&& o) {
    std::shared_ptr<frame_ahead> f = unused();
    if (others_ == 1 && ++since_here_ >= 3 && !waits_for_others(o)) {
      since_here_ = 0;
      f->begin_here(std::move(o));
      frames_.push_back(std::move(f));
      return;
    }
    if (threads_.size() < std::min(others_, frames_.size() + 1)) {
      try {
        threads_.emplace_back([this](const std::stop_token& end) { work(end); });
      } catch (const std::system_error&) {
        if (threads_.empty()) throw;
      }
    }
    f->begin(std::move(o));
    frames_.push_back(f);
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(f));
    changed_.notify_one();
  }
  // The first, which is given back when it is not needed any more.
  std::shared_ptr<frame_ahead> take() {
    std::shared_ptr<frame_ahead> f = std::move(frames_.front());
    frames_.pop_front();
    return f;
  }
  void give_back(std::shared_ptr<frame_ahead> f) {
    f->cancel();
    spares_.push_back(std::move(f));
  }
  void drop() {
    {
      const std::lock_guard lock(mutex_);
      waiting_.clear();
    }
    for (const auto& f : frames_) f->cancel();
    frames_.clear();
    since_here_ = 3;
  }

 private:
  // Its dictionary goes on with one that another thread has not loaded yet; nor does it, where there is no room for
  // more records before this thread takes some.
  bool waits_for_others(const frame_ahead::order& o) {
    if (o.base == nullptr || o.header.base == o.header.number) return false;
    const std::lock_guard lock(stock_.mutex);
    return !o.base->known;
  }
  std::shared_ptr<frame_ahead> unused() {
    const auto spare =
        std::find_if(spares_.begin(), spares_.end(), [](const auto& f) { return f->at_end(); });
    if (spare == spares_.end()) return std::make_shared<frame_ahead>(about_, stock_);
    std::shared_ptr<frame_ahead> f = std::move(*spare);
    spares_.erase(spare);
    return f;
  }
  void work(const std::stop_token& end) {
    for (;;) {
      std::shared_ptr<frame_ahead> f;
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, end, [this] { return !waiting_.empty(); })) return;
        f = std::move(waiting_.front());
        waiting_.pop_front();
      }
      f->run();
    }
  }

  // What one makes while the reader's thread decodes a frame; what one of several makes of a frame.
  static constexpr std::size_t ready_of_one = std::size_t{24} << 20,
                               ready_of_each = std::size_t{16} << 20;

  const about& about_;
  std::size_t others_;          // threads
  std::size_t since_here_ = 3;  // frames
  ahead_stock stock_;
  std::deque<std::shared_ptr<frame_ahead>> frames_ = {};
  std::vector<std::shared_ptr<frame_ahead>> spares_ = {};
  std::mutex mutex_ = {};
  std::condition_variable_any changed_ = {};
  std::deque<std::shared_ptr<frame_ahead>> waiting_ = {};  // for a thread
  std::vector<std::jthread> threads_ = {};
};

}  // namespace tracecodec::tracepack::detail

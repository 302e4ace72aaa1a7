// A frame that another thread decodes before it is asked for: to units and addresses.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../about.hpp"
#include "frame_file.hpp"
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

// State that all threads share: how much is ready, spare buffers, and how much memory all frames take.
struct ahead_stock {
  explicit ahead_stock(std::size_t most) : most_ready(most) {}

  std::size_t most_ready;  // bytes
  std::mutex mutex = {};
  std::condition_variable changed = {};  // of any frame
  std::size_t ready = 0;                 // bytes of all frames
  std::vector<bare_records> spare = {};
  // Limit of the bytes that streams, dictionaries and decoders of all frames take. A small payload can ask for 100 MiB:
  // such a frame waits until others are done, unless it is the next one.
  static constexpr std::size_t most_held = std::size_t{96} << 20;
  std::size_t held = 0;
  std::uint64_t next_turn = 0;  // of the frame that the reader's thread takes next
};

// A frame and what was made of it so far.
class frame_ahead {
 public:
  struct order {
    frame_header header = {};
    std::vector<std::byte> payload = {};
    std::shared_ptr<shared_base> base = {};  // of a model frame
    frame_file::state before = {};           // of the file
    std::uint64_t turn = 0;                  // of all that were looked at ahead
  };

  frame_ahead(const about& a, ahead_stock& stock) : about_(a), stock_(stock) {}
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
    if (!model_) model_.emplace(about_);
  }
  // The same, decoded by the reader's thread when it comes to it. Its dictionary is there at once, for those that go on
  // with it.
  void begin_here(order&& o) {
    begin(std::move(o));
    here_ = true;
    loading_ = load() ? state::sound : state::damaged;
    at_end_ = true;
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
  [[nodiscard]] const dictionary& all() const noexcept { return model_->all(); }
  [[nodiscard]] std::span<const std::byte> stored() const noexcept { return stored_; }
  [[nodiscard]] std::unique_ptr<model_decoder> decoder() const { return model_->decoder(); }

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
  void cancel() noexcept {
    const std::lock_guard lock(stock_.mutex);
    cancelled_ = true;
    for (bare_records& r : ready_) {
      stock_.ready -= r.bytes();
      spare(r);
    }
    ready_.clear();
    if (at_end_) release();
    stock_.changed.notify_all();
  }
  // No thread will work on it.
  void give_up() noexcept {
    const std::lock_guard lock(stock_.mutex);
    at_end_ = true;
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
    if (cancelled_) release();
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
        return model_->unpack_stored(order_.payload, stored_);
      }
      if (!own && !model_->knows(h.base)) {
        std::unique_lock lock(stock_.mutex);
        stock_.changed.wait(lock, [this] { return order_.base->known; });
        const auto base = order_.base->found;
        lock.unlock();
        if (base == nullptr) return false;
        model_->learn(h.base, *base);
      }
      if (hold(streamed_by(order_.payload))) {
        model_->unpack(h, order_.payload);
        // Others that go on with its dictionary have a copy.
        if (hold(model_->streamed() + model_->needs() * (own ? 2 : 1))) {
          model_->build(h);
          if (own) find_base(std::make_shared<const dictionary>(model_->all()));
          return true;
        }
      }
      if (own) find_base(nullptr);
      return false;
    } catch (...) {
      if (own && !stored) find_base(nullptr);
      return false;
    }
  }
  // Waits until there is room for `bytes`, or this frame is the next one, and counts them. Returns false if the frame was
  // cancelled meanwhile.
  bool hold(std::size_t bytes) {
    std::unique_lock lock(stock_.mutex);
    const auto has_room = [&] {
      return here_ || order_.turn <= stock_.next_turn ||
             stock_.held - held_ + bytes <= ahead_stock::most_held;
    };
    stock_.changed.wait(lock, [&] { return has_room() || cancelled_; });
    if (!has_room()) return false;
    stock_.held += bytes - held_;
    held_ = bytes;
    return true;
  }
  // Stops counting what the frame takes. Called with the mutex, when no thread works on the frame any more. Small buffers
  // are kept for another frame.
  void release() {
    stock_.held -= std::exchange(held_, 0);
    stock_.changed.notify_all();
    if (order_.payload.capacity() > kept) order_.payload = {};
    if (model_ && model_->holds() > kept) model_.reset();
  }
  void find_base(std::shared_ptr<const dictionary> found) {
    const std::lock_guard lock(stock_.mutex);
    order_.base->known = true;
    order_.base->found = std::move(found);
    stock_.changed.notify_all();
  }
  void decode() {
    const std::unique_ptr<model_decoder> from = model_->decoder();
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
    const std::size_t bytes = some.bytes();
    ready_.push_back(std::move(some));
    stock_.ready += bytes;
    stock_.changed.notify_all();
    some = {};
    if (stock_.spare.empty()) return;
    some = std::move(stock_.spare.back());
    stock_.spare.pop_back();
    some.unit_count = some.address_count = 0;
  }
  void spare(bare_records& some) noexcept {
    try {
      if (!some.units.empty()) stock_.spare.push_back(std::move(some));
    } catch (const std::bad_alloc&) {
      // Its memory is freed, and not used again.
    }
    some = {};
  }

  static constexpr std::size_t kept = std::size_t{8} << 20;  // bytes
  const about& about_;
  order order_ = {};
  std::optional<model_frame> model_ = {};
  std::vector<std::byte> stored_ = {};
  std::atomic<bool> cancelled_ = false;
  ahead_stock& stock_;
  // All that follows only with its mutex.
  state loading_ = state::open;
  bool here_ = false, at_end_ = true;
  std::deque<bare_records> ready_ = {};
  std::uint64_t digest_ = 0;
  std::size_t held_ = 0;  // bytes of ahead_stock's
};

}  // namespace tracecodec::tracepack::detail

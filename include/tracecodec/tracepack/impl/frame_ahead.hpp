// Frame that another thread decodes in advance, into units and addresses.
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

// Dictionary that other frames extend. The dictionary is available once the frame that contains it
// is loaded. If loading fails, `found` is nullptr.
struct shared_base {
  std::uint32_t number = 0;
  // The mutex of ahead_stock protects the following members once other threads share this object.
  bool known = false;
  std::shared_ptr<const dictionary> found = {};
};

// State that all threads share: the amount of decoded data, spare buffers, and the memory that all
// frames use.
struct ahead_stock {
  explicit ahead_stock(std::size_t most) : most_ready(most) {}

  std::size_t most_ready;  // limit of `ready` in bytes
  std::mutex mutex = {};
  std::condition_variable changed = {};  // notified when the state of any frame changes
  std::size_t ready = 0;                 // bytes of decoded data in all frames
  std::vector<bare_records> spare = {};
  // Maximum memory in bytes for the streams, dictionaries and decoders of all frames. A frame with
  // a small payload can require 100 MiB. Such a frame waits until other frames are released, unless
  // the reader's thread needs this frame next.
  static constexpr std::size_t most_held = std::size_t{96} << 20;
  std::size_t held = 0;
  std::uint64_t next_turn = 0;  // turn of the frame that the reader's thread needs next
};

// Frame, with the data that has been decoded so far.
class frame_ahead {
 public:
  struct order {
    frame_header header = {};
    std::vector<std::byte> payload = {};
    std::shared_ptr<shared_base> base = {};  // dictionary of a model frame's base, or nullptr
    frame_file::state before = {};           // state of the file before the frame
    std::uint64_t turn = 0;                  // serial number among all frames decoded in advance
  };

  frame_ahead(const about& a, ahead_stock& stock) : about_(a), stock_(stock) {}
  frame_ahead(const frame_ahead&) = delete;
  frame_ahead& operator=(const frame_ahead&) = delete;
  ~frame_ahead() = default;

  // Functions that only the reader's thread may call:

  // Starts another frame. No thread may be working on the current frame.
  void begin(order&& o) {
    order_ = std::move(o);
    loading_ = state::open;
    here_ = at_end_ = false;
    cancelled_ = false;
    if (!model_) model_.emplace(about_);
  }
  // Starts another frame, which the reader's thread will decode itself. The dictionary is
  // immediately available to other frames.
  void begin_here(order&& o) {
    begin(std::move(o));
    here_ = true;
    loading_ = load() ? state::sound : state::damaged;
    at_end_ = true;
  }
  [[nodiscard]] bool here() const noexcept { return here_; }
  [[nodiscard]] const order& of() const noexcept { return order_; }
  // Waits until the frame is loaded. Returns true if the streams and the dictionary of a model
  // frame, or the content of a stored frame, are intact.
  [[nodiscard]] bool loaded() {
    std::unique_lock lock(stock_.mutex);
    stock_.changed.wait(lock, [this] { return loading_ != state::open; });
    return loading_ == state::sound;
  }
  // all() returns the dictionary of a loaded frame. stored() returns the content of a stored frame,
  // and decoder() returns a new decoder.
  [[nodiscard]] const dictionary& all() const noexcept { return model_->all(); }
  [[nodiscard]] std::span<const std::byte> stored() const noexcept { return stored_; }
  [[nodiscard]] std::unique_ptr<model_decoder> decoder() const { return model_->decoder(); }

  // Replaces the content of `to` with the next records. Returns false if the streams are damaged
  // after the records that have already been taken.
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
  // Returns the digest of the frame's data. Call this function only after all records have been
  // taken.
  [[nodiscard]] std::uint64_t digest() {
    const std::lock_guard lock(stock_.mutex);
    return digest_;
  }
  // Discards the frame and its records.
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
  // Marks the frame as given up, which means that no thread will work on it.
  void give_up() noexcept {
    const std::lock_guard lock(stock_.mutex);
    at_end_ = true;
  }
  // Returns true if no thread is working on the frame any more.
  [[nodiscard]] bool at_end() {
    const std::lock_guard lock(stock_.mutex);
    return at_end_;
  }

  // Decodes the frame. The thread that works on the frame calls this function.
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
        // Ignore the error. The reader's thread decodes the missing records, and reports the same
        // error.
      }
    }
    const std::lock_guard lock(stock_.mutex);
    at_end_ = true;
    if (cancelled_) release();
    stock_.changed.notify_all();
  }

 private:
  enum class state : std::uint8_t { open, sound, damaged };
  // Number of records that are handed over at once. Each transfer wakes a thread, so a smaller
  // number would take more time per record.
  static constexpr std::size_t records_at_once = std::size_t{1} << 16;
  bool load() noexcept {
    const frame_header& h = order_.header;
    const bool stored = h.kind == frame_kind::stored, own = h.base == h.number;
    try {
      // A frame with its own dictionary is loaded even if it is cancelled, because other threads
      // may be waiting for the dictionary.
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
        // A frame with its own dictionary needs memory for a second copy of the dictionary. Frames
        // that extend the dictionary use this copy.
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
  // Waits until `bytes` bytes of memory are available, or until the reader's thread needs this
  // frame next. Then changes the frame's total share of ahead_stock::held to `bytes` bytes. Returns
  // false if the frame was cancelled in the meantime.
  bool hold(std::size_t bytes) {
    std::unique_lock lock(stock_.mutex);
    const auto fits = [&] {
      return here_ || order_.turn <= stock_.next_turn ||
             stock_.held - held_ + bytes <= ahead_stock::most_held;
    };
    stock_.changed.wait(lock, [&] { return fits() || cancelled_; });
    if (!fits()) return false;
    stock_.held += bytes - held_;
    held_ = bytes;
    return true;
  }
  // Subtracts the frame's memory from ahead_stock::held. The caller must hold the mutex, and no
  // thread may be working on the frame. Small buffers are kept for another frame.
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
  // Hands over records to the reader's thread. If other records of this frame are ready, first
  // waits until the new records fit within ahead_stock::most_ready.
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
      // Ignore the error, and free the buffer instead of reusing it.
    }
    some = {};
  }

  // Maximum size in bytes of a buffer that is kept for another frame.
  static constexpr std::size_t kept = std::size_t{8} << 20;
  const about& about_;
  order order_ = {};
  std::optional<model_frame> model_ = {};
  std::vector<std::byte> stored_ = {};
  std::atomic<bool> cancelled_ = false;
  ahead_stock& stock_;
  // The mutex of stock_ protects the following members.
  state loading_ = state::open;
  bool here_ = false, at_end_ = true;
  std::deque<bare_records> ready_ = {};
  std::uint64_t digest_ = 0;
  std::size_t held_ = 0;  // bytes counted in ahead_stock::held
};

}  // namespace tracecodec::tracepack::detail

// What happens when another program shortens a file that is mapped here. Its last pages are gone:
// who touches them is ended by a signal, SIGBUS, and what is left of its last page reads as zeros.
// On Windows a file that is mapped cannot become shorter.
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "error.hpp"
#include "os.hpp"

namespace tracecodec::io {

namespace detail {

// A mapped file. All of them are in a list while they are.
struct mapped_place {
  std::string name;
  os::descriptor file;  // none where a mapped file cannot become shorter
  std::span<const std::byte> bytes;
  // Pages were gone when they were read: set by a signal handler, of any thread.
  std::atomic<bool> missed = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
  mapped_place* next = nullptr;

  // What to tell of it if it is shorter now, or was when it mattered. Throws trace_error(system) if
  // the system does not say how long it is.
  [[nodiscard]] std::optional<trace_error> error() const {
    const bool shorter = file && os::facts_of(file, name).size < bytes.size();
    if (!shorter && !missed.load(std::memory_order_relaxed)) return std::nullopt;
    return trace_error(trace_errc::system, {.file = name},
                       shorter ? "became shorter while it was read"
                               : "could not be read: it became shorter for a while, or its disk "
                                 "fails");
  }
};

// No mutex: a signal handler takes it. Whoever holds it touches no mapped file, so that no thread
// waits for itself.
class spin_lock {
 public:
  void lock() noexcept {
    while (taken_.test_and_set(std::memory_order_acquire)) continue;
  }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_ = {};
};

// Constant-initialised and never destroyed, as files may be mapped from first to last.
struct mapped_places {
  spin_lock lock = {};
  mapped_place* first = nullptr;
  const trace_error* before = nullptr;  // of a file that was cut when it was closed; owned
};
inline constinit mapped_places places = {};

inline void add_place(mapped_place& p) noexcept {
  const std::lock_guard guard(places.lock);
  p.next = std::exchange(places.first, &p);
}

inline void remove_place(const mapped_place& p) noexcept {
  const std::lock_guard guard(places.lock);
  mapped_place** at = &places.first;
  while (*at != &p) at = &(*at)->next;
  *at = p.next;
  try {
    if (places.before != nullptr) return;
    if (const auto e = p.error()) places.before = new trace_error(*e);
  } catch (...) {
    // There is no memory to remember it with.
  }
}

// Of the files that are mapped now.
inline std::optional<trace_error> error_of_places() {
  for (const mapped_place* p = places.first; p != nullptr; p = p->next)
    if (auto e = p->error()) return e;
  return std::nullopt;
}

// The mapped bytes that hold `at`, which cannot be read. Called by a signal handler.
inline std::span<const std::byte> missing(const std::byte* at) noexcept {
  const std::lock_guard guard(places.lock);
  const std::less<> before;
  for (mapped_place* p = places.first; p != nullptr; p = p->next) {
    const std::byte* const begin = p->bytes.data();
    if (before(at, begin) || !before(at, begin + p->bytes.size())) continue;
    p->missed.store(true, std::memory_order_relaxed);
    return p->bytes;
  }
  return {};
}

}  // namespace detail

// From now on the process survives it when a mapped file of this library becomes shorter: what is
// gone reads as zeros. Windows, feeds and checks throw where the file ends for them, if the zeros
// were no error before; who looks into mapped_file::bytes() or takes records of an UMTracer
// trace by their number (umtracer::reader, its queries, filters and merges) is told by
// check_mapped_files() alone. For a program to call when it starts: a signal handler is the whole
// process's. Other causes of SIGBUS are left to the handler that was there before. Throws
// trace_error(system) if the system takes no handler.
inline void survive_cut_files() { os::on_missing_page(detail::missing); }

// Throws trace_error(system) if a file that is mapped now has become shorter.
inline void check_mapped_files() {
  const auto error = [] {
    const std::lock_guard guard(detail::places.lock);
    return detail::error_of_places();
  }();
  if (error) throw *error;
}

// What check_mapped_files() throws, or would have thrown before the file was closed. So a program
// can tell the cause of an error that is only its consequence. It is told once: a file that is
// closed is forgotten then. What was read in full before the file became shorter is told, too: ask
// only after an error that zeros can have caused.
inline std::optional<trace_error> cut_file_error() {
  const auto before = [] {
    const std::lock_guard guard(detail::places.lock);
    return std::unique_ptr<const trace_error>(std::exchange(detail::places.before, nullptr));
  }();
  if (before) return *before;
  try {
    check_mapped_files();
  } catch (const trace_error& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace tracecodec::io

// The files that are mapped now, for what happens if one becomes shorter. For cut_files.ipp,
// file.ipp and mapped_file.ipp alone.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../error.hpp"
#include "../../os/impl/spin_lock.hpp"
#include "../../os/os.hpp"

namespace tracecodec::io::detail {

// A mapped file. All of them are in a list while they are.
struct mapped_place {
  std::string name = {};
  os::descriptor file = {};  // none where a mapped file cannot become shorter
  std::span<const std::byte> bytes = {};
  // Pages were gone when they were read: set by a signal handler, of any thread.
  std::atomic<bool> missed = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
  mapped_place* next = nullptr;

  // What to tell of it if it is shorter now, or was when it mattered. Throws trace_error(system) if
  // the system does not say how long it is.
  [[nodiscard]] std::optional<trace_error> error() const {
    const bool shorter = file && os::facts_of(file, name).size < bytes.size();
    if (!shorter && !missed.load(std::memory_order_relaxed)) return std::nullopt;
    return cut(shorter);
  }

 private:
  [[gnu::cold]] trace_error cut(bool shorter) const {
    return {trace_errc::system,
            {.file = name},
            shorter ? "became shorter while it was read"
                    : "could not be read: it became shorter for a while, or its disk fails"};
  }
};

// Constant-initialised and never destroyed, as files may be mapped from first to last.
struct mapped_places {
  // No mutex: a signal handler takes it. Whoever holds it touches no mapped file, so that no thread
  // waits for itself.
  spin_lock lock = {};
  mapped_place* first = nullptr;
  const trace_error* before = nullptr;  // of a file that was cut when it was closed or read; owned
};
inline constinit mapped_places places = {};

inline void add_place(mapped_place& p) noexcept {
  const spin_guard guard(places.lock);
  p.next = std::exchange(places.first, &p);
}

inline void remove_place(const mapped_place& p) noexcept {
  const spin_guard guard(places.lock);
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

// Of a file that is read, not mapped.
inline void remember_cut(const trace_error& e) noexcept {
  const spin_guard guard(places.lock);
  try {
    if (places.before == nullptr) places.before = new trace_error(e);
  } catch (...) {
    // As above.
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
  const spin_guard guard(places.lock);
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  for (mapped_place* p = places.first; p != nullptr; p = p->next) {
    const auto begin = reinterpret_cast<std::uintptr_t>(p->bytes.data());
    if (address < begin || address - begin >= p->bytes.size()) continue;
    p->missed.store(true, std::memory_order_relaxed);
    return p->bytes;
  }
  return {};
}

}  // namespace tracecodec::io::detail

// List of the files that are currently mapped. The library uses the list when another program
// truncates a mapped file. Only truncation.hpp, file.ipp and mapped_file.ipp include this file.
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

// Element of the list, which describes a mapped file.
struct mapped_place {
  std::string name = {};
  os::descriptor file = {};  // empty on systems where a mapped file cannot become shorter
  std::span<const std::byte> bytes = {};
  // True once an access has hit a missing page. Set by a signal handler on any thread.
  std::atomic<bool> missed = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
  mapped_place* next = nullptr;

  // Returns the error to report if the file is now shorter than its mapping, or was shorter when it
  // was read. Otherwise, returns nullopt. Throws trace_error(system) if the size of the file cannot
  // be determined.
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

// List of all mapped files. Constant-initialised and never destroyed, because files may be
// mapped during static initialisation and destruction.
struct mapped_places {
  // Spin lock, because a signal handler must not lock a mutex. A thread that holds the lock must
  // not access a mapped file, because a signal handler on that thread would wait forever.
  spin_lock lock = {};
  mapped_place* first = nullptr;
  // Error for a truncated file that has since been closed, or that is read instead of mapped. This
  // object owns the error.
  const trace_error* before = nullptr;
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
    // Memory is insufficient, so the error is not stored.
  }
}

// Stores the error for a truncated file that is read instead of mapped.
inline void remember_cut(const trace_error& e) noexcept {
  const spin_guard guard(places.lock);
  try {
    if (places.before == nullptr) places.before = new trace_error(e);
  } catch (...) {
    // Memory is insufficient, so the error is not stored.
  }
}

// Returns the error for the first file in the list that was truncated, or nullopt.
inline std::optional<trace_error> error_of_places() {
  for (const mapped_place* p = places.first; p != nullptr; p = p->next)
    if (auto e = p->error()) return e;
  return std::nullopt;
}

// Finds the mapped file that contains the unreadable address `at`. Sets the file's `missed` and
// returns all bytes of the file. Returns an empty span if there is no such file. The signal handler
// calls this function.
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

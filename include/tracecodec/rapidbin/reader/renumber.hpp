// Dense ids: threads, locks, variables and locations numbered anew by first appearance, from 0 for
// each kind and within an event in Wasmgrind's order: thread, decor, location.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "../metadata.hpp"
#include "events.hpp"

namespace tracecodec::rapidbin {

// Movable.
class renumbering {
 public:
  renumbering();
  renumbering(renumbering&&) noexcept;
  renumbering& operator=(renumbering&&) noexcept;
  ~renumbering();

  // `e` with its new ids. Those of a RapidBin file fit, as there are no more of them than there were.
  event operator()(event e);
  // The new id of an old one, and back; nullopt for an id that did not appear.
  [[nodiscard]] std::optional<std::uint64_t> new_id(id_kind kind, std::uint64_t old) const;
  [[nodiscard]] std::optional<std::uint64_t> old_id(id_kind kind, std::uint64_t id) const;

  // Metadata of the old ids as that of the new ones, of those that appeared. A variable stays
  // shared if more than one of its threads appeared. A name that text reads as a number is left out: a new number may be
  // the same.
  [[nodiscard]] metadata operator()(const metadata& old) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// The events of another source, renumbered.
class renumbered_events final : public event_source {
 public:
  explicit renumbered_events(std::unique_ptr<event_source> from);
  TRACECODEC_FUNC ~renumbered_events() override;

  TRACECODEC_FUNC event_batch next() override;
  // What is passed over gets no ids.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> complaint() override;
  [[nodiscard]] TRACECODEC_FUNC const std::string& name() const override;
  [[nodiscard]] TRACECODEC_FUNC std::uint64_t named() const override;
  [[nodiscard]] TRACECODEC_FUNC const std::string* name_of(id_kind kind,
                                                           std::uint64_t id) const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> id_of(
      id_kind kind, std::string_view name) const override;

  [[nodiscard]] const renumbering& numbers() const { return numbers_; }

 private:
  struct buffer;
  std::unique_ptr<event_source> from_;
  renumbering numbers_;
  std::unique_ptr<buffer> batch_;
};

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/renumber.ipp"
#endif

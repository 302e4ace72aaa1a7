// Renumbers threads, locks, variables and locations by first appearance. The numbers of each kind
// begin at 0 and have no gaps. Within an event, new ids are assigned in Wasmgrind's order: thread,
// decor, location.
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

// Mapping from old to new ids. Renumbering an event adds its new ids to the mapping. Movable.
class renumbering {
 public:
  renumbering();
  renumbering(renumbering&&) noexcept;
  renumbering& operator=(renumbering&&) noexcept;
  ~renumbering();

  // Returns `e` with new ids. Renumbering does not increase the number of ids, so the new ids of a
  // RapidBin file always fit in an event.
  event operator()(event e);
  // new_id() returns the new id for an old id, and old_id() returns the old id for a new id. Both
  // functions return nullopt for an id that has not appeared.
  [[nodiscard]] std::optional<std::uint64_t> new_id(id_kind kind, std::uint64_t old) const;
  [[nodiscard]] std::optional<std::uint64_t> old_id(id_kind kind, std::uint64_t id) const;

  // Returns the metadata for the new ids, limited to ids that have appeared. A variable remains in
  // shared_variables only if more than one of its threads has appeared. A name that is a number in
  // STD text (T0) is left out, because the number may be the new id of another object.
  [[nodiscard]] metadata operator()(const metadata& old) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// Event source that renumbers the events of another source.
class renumbered_events final : public event_source {
 public:
  explicit renumbered_events(std::unique_ptr<event_source> from);
  TRACECODEC_FUNC ~renumbered_events() override;

  TRACECODEC_FUNC event_batch next() override;
  // Skips events like event_source::skip(). Ids that occur only in skipped events do not receive
  // new ids.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  TRACECODEC_FUNC void rewind() override;
  TRACECODEC_FUNC std::uint64_t count() override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<trace_error> first_error() override;
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

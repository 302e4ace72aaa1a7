#pragma once
#include "../std_writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../../io/open.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Set of ids of one kind that are written as names.
class written_names {
 public:
  written_names(id_kind kind, const id_table<std::string>& names) : kind_(kind), names_(&names) {
    std::unordered_map<std::uint64_t, std::uint64_t, io::keyed_hash> by_number;
    for (const auto& r : names) {
      const bool first = names.find_trace_id(r.wasm_id) == r.trace_id;
      const auto number = std_number(kind, r.wasm_id);
      if (first && number && by_number.emplace(*number, r.trace_id).second) continue;
      kept_[r.trace_id] = first && !number && readable_in_std(kind, r.wasm_id);
    }
  }

  // Returns true if the writer uses the name of `id` instead of its number. `id` must have a name.
  bool has(std::uint64_t id) {
    // A name such as T0 may also be the number of another id. In this case, the name can be used
    // only if the other id is also written as a name. The loop follows the resulting chain of ids.
    std::vector<std::uint64_t> path;
    bool keep = true;
    for (std::uint64_t at = id;;) {
      // Assume true. If the chain leads back to this id, true is the correct result.
      const auto [known, is_new] = kept_.emplace(at, true);
      if (!is_new) {
        keep = known->second;
        break;
      }
      const std::string* const name = names_->find(at);
      if (name == nullptr) keep = false;
      path.push_back(at);
      if (name == nullptr) break;
      at = *std_number(kind_, *name);
      if (at == path.back()) break;
    }
    for (const std::uint64_t one : path) kept_[one] = keep;
    return keep;
  }

 private:
  id_kind kind_;
  const id_table<std::string>* names_;
  std::unordered_map<std::uint64_t, bool, io::keyed_hash> kept_ = {};
};
}  // namespace detail

TRACECODEC_FUNC id_names names_for_std(const id_names& all) {
  const auto of = [&all](id_kind k) { return detail::written_names(k, all.of(k)); };
  // Ids to write as names, indexed by id_kind.
  std::array<detail::written_names, id_kind_count> written{
      of(id_kind::thread), of(id_kind::lock), of(id_kind::variable), of(id_kind::location)};
  return names_if(all, [&written](id_kind k, const std::string&, std::uint64_t id) {
    return written[static_cast<std::size_t>(k)].has(id);
  });
}

TRACECODEC_FUNC void std_writer::set_names(std_names names) {
  names_ = std::move(names);
  if (dialect_ == dialect::rapid)
    names_ = [all = std::move(names_)](id_kind k, std::uint64_t id) {
      return k == id_kind::location ? nullptr : all(k, id);
    };
}

TRACECODEC_FUNC std_writer::std_writer(std::unique_ptr<io::sink> out, std::string name, dialect d)
    : out_(std::move(out)), name_(std::move(name)), dialect_(d) {}
TRACECODEC_FUNC std_writer::std_writer(const std::string& path, dialect d)
    : std_writer(io::open_output(path, io::codec_of_suffix(path)), path, d) {}

TRACECODEC_FUNC void std_writer::write(const event& e) {
  constexpr std::size_t buffer_size = std::size_t{64} << 10;
  if (const auto field = not_in_std(e); !field.empty()) [[unlikely]]
    throw trace_error(trace_errc::refused, {name_, {}, written_ + left_out_, std::string(field)},
                      "STD text cannot represent it");
  if (!has(dialect_, e.operation)) {
    ++left_out_;
    return;
  }
  if (names_)
    append_std(text_, e, names_);
  else
    append_std(text_, e);
  text_ += '\n';
  ++written_;
  if (text_.size() >= buffer_size) flush();
}
TRACECODEC_FUNC void std_writer::write(const event_list& events) {
  for (const event e : events) write(e);
}

TRACECODEC_FUNC void std_writer::finish() {
  flush();
  out_->finish();
}

TRACECODEC_FUNC void std_writer::flush() {
  out_->write(std::as_bytes(std::span(text_)));
  text_.clear();
}

}  // namespace tracecodec::rapidbin

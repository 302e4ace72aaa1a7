#pragma once
#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "../../io/error.hpp"
#include "../../io/hash.hpp"
#include "../../io/os/os.hpp"
#include "../posting_sorter.hpp"

namespace tracecodec::query {

namespace detail {

inline constexpr const char* runs_name = "a temporary file for the index";

// A run has, for each granule in ascending order, three LEB128 numbers (the difference to the
// granule before, the number of postings, and the number of their bytes) and the postings.
struct run_place {
  std::uint64_t offset = 0, size = 0;
};

// Reads a run, which is in memory or in the temporary file.
class run_reader {
 public:
  explicit run_reader(std::vector<std::byte> run) : buffer_(std::move(run)) {}
  run_reader(const io::os::descriptor& file, run_place place) : file_(&file), place_(place) {}

  // Moves to the next granule. Returns false at the end.
  bool next() {
    if (!ensure(1)) return false;
    granule_ += number();
    count_ = number();
    bytes_ = static_cast<std::size_t>(number());
    return true;
  }
  [[nodiscard]] std::uint64_t granule() const noexcept { return granule_; }
  // Appends the granule's postings to `to`.
  void read(std::vector<posting>& to, posting_form form) {
    if (!ensure(bytes_)) throw cut();
    block_reader in(std::span<const std::byte>(buffer_).subspan(at_, bytes_), 0, form);
    while (const posting* p = in.next()) to.push_back(*p);
    at_ += bytes_;
    if (buffer_.size() <= 4 * chunk || file_ == nullptr) return;
    // Other runs need the memory for lists of theirs.
    buffer_ =
        std::vector<std::byte>(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), buffer_.end());
    at_ = 0;
  }

 private:
  static constexpr std::size_t chunk = std::size_t{64} << 10;

  static trace_error cut() {
    return {trace_errc::system, {runs_name}, "has changed while it was used"};
  }
  // Makes `n` bytes available, if the run has as many.
  bool ensure(std::size_t n) {
    if (buffer_.size() - at_ >= n) return true;
    if (file_ == nullptr) return false;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t had = buffer_.size();
    const auto more =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(n - had, chunk), place_.size));
    buffer_.resize(had + more);
    io::os::seek(*file_, place_.offset, runs_name);
    int error = 0;
    if (io::os::read_full(*file_, std::span(buffer_).subspan(had), error) != more)
      throw error != 0 ? trace_error(trace_errc::system, {runs_name}, "cannot be read") : cut();
    place_.offset += more;
    place_.size -= more;
    return buffer_.size() >= n;
  }
  std::uint64_t number() {
    static_cast<void>(ensure(10));
    std::uint64_t v = 0;
    const wire::scan_result got =
        wire::detail::scan_uleb(v, std::span<const std::byte>(buffer_).subspan(at_));
    if (got.error != wire::errc::ok) throw cut();
    at_ += got.at;
    return v;
  }

  std::vector<std::byte> buffer_ = {};
  std::size_t at_ = 0;
  const io::os::descriptor* file_ = nullptr;
  run_place place_ = {};  // part of the run that was not read
  std::uint64_t granule_ = 0, count_ = 0;
  std::size_t bytes_ = 0;
};

// Reads the postings of an index like a run.
class earlier_run {
 public:
  earlier_run(const posting_set& from, std::uint64_t end) : from_(&from), end_(end) {}

  bool next() {
    for (++at_; at_ >= lists_.size(); at_ = 0) {
      if (group_ == from_->groups()) return false;
      lists_ = from_->lists_of(group_++);
    }
    return true;
  }
  [[nodiscard]] std::uint64_t granule() const noexcept { return lists_[at_].granule; }
  void read(std::vector<posting>& to, posting_form) const { from_->read(lists_[at_], end_, to); }

 private:
  const posting_set* from_;
  std::uint64_t end_, group_ = 0;
  std::vector<posting_list> lists_ = {};
  std::size_t at_ = 0;
};

}  // namespace detail

struct posting_sorter::state {
  state(posting_form f, std::size_t run) : form(f), most(run) { form.masks = true; }

  struct added {
    std::uint32_t list, at;  // number of the granule's list; instruction, relative to `begin`
    byte_mask mask;
    bool changes;
  };
  posting_form form;
  std::size_t most;
  std::uint64_t begin = 0;
  std::vector<added> all = {};
  boost::unordered_flat_map<std::uint64_t, std::uint32_t, io::keyed_hash> lists = {};
  std::vector<std::uint32_t> sizes = {};
  io::os::descriptor file = {};
  std::vector<detail::run_place> runs = {};
  const posting_set* earlier = nullptr;
  std::uint64_t end_of_earlier = 0;

  // Sorts the postings in memory, and returns the run.
  std::vector<std::byte> sort();
  void spill();
};

TRACECODEC_FUNC posting_sorter::posting_sorter(posting_form form, std::size_t run)
    : state_(std::make_unique<state>(form, run)) {}
TRACECODEC_FUNC posting_sorter::posting_sorter(posting_sorter&&) noexcept = default;
TRACECODEC_FUNC posting_sorter& posting_sorter::operator=(posting_sorter&&) noexcept = default;
TRACECODEC_FUNC posting_sorter::~posting_sorter() = default;

TRACECODEC_FUNC void posting_sorter::add(std::uint64_t granule, const posting& p) {
  state& s = *state_;
  if (s.all.size() == s.most || p.at - s.begin > std::numeric_limits<std::uint32_t>::max())
    s.spill();
  if (s.all.empty()) s.begin = p.at;
  const auto [place, is_new] =
      s.lists.try_emplace(granule, static_cast<std::uint32_t>(s.sizes.size()));
  if (is_new) s.sizes.push_back(0);
  ++s.sizes[place->second];
  s.all.push_back({place->second, static_cast<std::uint32_t>(p.at - s.begin), p.mask, p.changes});
}

TRACECODEC_FUNC std::vector<std::byte> posting_sorter::state::sort() {
  // Distributes the postings to the lists. The order within a list remains.
  std::vector<std::size_t> begins(sizes.size() + 1);
  for (std::size_t i = 0; i != sizes.size(); ++i) begins[i + 1] = begins[i] + sizes[i];
  std::vector<std::size_t> ends(begins.begin(), begins.end() - 1);
  std::vector<posting> sorted(all.size());
  for (const added& a : all) {
    const posting p{begin + a.at, a.mask, a.changes};
    std::size_t& end = ends[a.list];
    if (end != begins[a.list] && sorted[end - 1].at == p.at && sorted[end - 1].changes == p.changes)
      sorted[end - 1].mask |= p.mask;
    else
      sorted[end++] = p;
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(lists.begin(), lists.end());
  std::sort(order.begin(), order.end());

  std::vector<std::byte> run, list;
  const auto add_number = [&run](std::uint64_t v) {
    std::byte number[10];
    run.insert(run.end(), number, wire::detail::store_uleb(v, number));
  };
  std::uint64_t last = 0;
  for (const auto& [granule, i] : order) {
    const std::span<const posting> postings(sorted.data() + begins[i], ends[i] - begins[i]);
    list.clear();
    store_block(list, postings, 0, form);
    add_number(granule - last);
    add_number(postings.size());
    add_number(list.size());
    run.insert(run.end(), list.begin(), list.end());
    last = granule;
  }
  all.clear();
  lists.clear();
  sizes.clear();
  return run;
}

TRACECODEC_FUNC void posting_sorter::state::spill() {
  if (runs.empty()) file = io::os::create_vanishing(io::os::temporary_folder(), detail::runs_name);
  const std::vector<std::byte> run = sort();
  const std::uint64_t offset = runs.empty() ? 0 : runs.back().offset + runs.back().size;
  io::os::write_all(file, run, detail::runs_name);
  runs.push_back({offset, run.size()});
}

TRACECODEC_FUNC void posting_sorter::continue_from(const posting_set& earlier,
                                                   std::uint64_t end) noexcept {
  state_->earlier = &earlier;
  state_->end_of_earlier = end;
}

TRACECODEC_FUNC void posting_sorter::finish(posting_receiver& to) {
  state& s = *state_;
  std::vector<std::variant<detail::run_reader, detail::earlier_run>> readers;
  const auto move_on = [](auto& run) {
    return std::visit([](auto& in) { return in.next(); }, run);
  };
  const auto granule_of = [](const auto& run) {
    return std::visit([](const auto& in) { return in.granule(); }, run);
  };
  if (s.earlier != nullptr) readers.emplace_back(detail::earlier_run(*s.earlier, s.end_of_earlier));
  for (const detail::run_place& place : s.runs)
    readers.emplace_back(detail::run_reader(s.file, place));
  readers.emplace_back(detail::run_reader(s.sort()));
  s.all.shrink_to_fit();
  // Runs that have another granule, as a heap with the lowest granule and, for equal granules, the
  // earliest run at the top.
  std::vector<std::size_t> open;
  const auto later = [&](std::size_t a, std::size_t b) {
    return std::pair(granule_of(readers[a]), a) > std::pair(granule_of(readers[b]), b);
  };
  for (std::size_t i = 0; i != readers.size(); ++i)
    if (move_on(readers[i])) open.push_back(i);
  std::make_heap(open.begin(), open.end(), later);
  std::vector<posting> postings;
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    auto& in = readers[open.back()];
    postings.clear();
    std::visit([&](auto& run) { run.read(postings, s.form); }, in);
    if (!postings.empty()) to.add(granule_of(in), postings);
    if (move_on(in))
      std::push_heap(open.begin(), open.end(), later);
    else
      open.pop_back();
  }
}

}  // namespace tracecodec::query

// Answers questions about the memory accesses of traces of any format, with an index or without one.
#include <tracecodec/io/os/os.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_state.hpp>
#include <tracecodec/trace/reader.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"

namespace tracecodec::python {

namespace {

using number = std::optional<std::uint64_t>;

// Accesses that a question is about.
struct accesses {
  std::uint64_t address, size;
  bool reads, writes, only_changes;

  [[nodiscard]] query::access_query as_query() const {
    return {{address, address + (size - 1)}, reads, writes, only_changes};
  }
};

// Questions about a trace, which one thread asks at a time.
class questions {
 public:
  explicit questions(origin& from, std::unique_ptr<query::trace_index> index)
      : trace_(from.open(), from.options()),
        index_(std::move(index)),
        asked_(index_ == nullptr ? query::memory_questions(trace_.columns())
                                 : query::memory_questions(trace_.columns(), index_->memory())) {
    asked_.on_batch(handle_signals);
  }

  [[nodiscard]] bool has_index() const noexcept { return asked_.has_index(); }

  number last(const accesses& of, std::uint64_t before) {
    const std::lock_guard guard(mutex_);
    return asked_.last(of.as_query(), before);
  }
  number first(const accesses& of, std::uint64_t since) {
    const std::lock_guard guard(mutex_);
    return asked_.first(of.as_query(), since);
  }
  // Returns the numbers of up to `most` instructions.
  std::vector<std::uint64_t> all(const accesses& of, std::uint64_t since, std::uint64_t end,
                                 std::uint64_t most) {
    const std::lock_guard guard(mutex_);
    std::vector<std::uint64_t> found;
    if (most == 0) return found;
    asked_.each(of.as_query(), since, end, [&](const feed::columns& batch, std::size_t row) {
      found.push_back(batch.first() + row);
      return found.size() != most;
    });
    return found;
  }
  // Stores the bytes before instruction `at` in `values`. For each byte, stores the number of the
  // instruction that shows it, or -1, in `shown_by`.
  void memory(std::uint64_t address, std::uint64_t at, std::span<std::uint8_t> values,
              std::span<std::int64_t> shown_by) {
    const std::lock_guard guard(mutex_);
    const auto found = query::memory_at(asked_, trace_.columns(), address, values.size(), at);
    for (std::size_t i = 0; i != found.size(); ++i) {
      values[i] = static_cast<std::uint8_t>(found[i].value);
      shown_by[i] =
          found[i].by == query::known_by::nothing ? -1 : static_cast<std::int64_t>(found[i].at);
    }
  }

 private:
  std::mutex mutex_ = {};
  trace::reader trace_;
  std::unique_ptr<query::trace_index> index_;
  query::memory_questions asked_;
};

void require_index(const origin& from) {
  if (!from.can_have_index())
    throw trace_error(trace_errc::refused, {.file = from.name()},
                      "only a file or folder whose instructions are all read can have an index");
}

// Opens the index `file`, or the usual one, if it exists. An empty path means to use none.
std::unique_ptr<query::trace_index> open_index(const origin& from,
                                               const std::optional<std::string>& file) {
  if (file && !file->empty()) {
    require_index(from);
    return std::make_unique<query::trace_index>(*file, from.path());
  }
  const std::string usual = query::index_name(from.path());
  if (file || !from.can_have_index() || io::os::facts_if_any(usual).what == io::os::kind::missing)
    return nullptr;
  return std::make_unique<query::trace_index>(usual, from.path());
}

using path = std::optional<py::bytes>;
std::optional<std::string> text_of_path(const path& p) {
  return p ? std::optional(std::string(*p)) : std::nullopt;
}

std::unique_ptr<questions> open_questions(origin& from, const path& index) {
  const auto file = text_of_path(index);
  return unlocked([&] {
    if (!from.again())
      throw trace_error(trace_errc::refused, {.file = from.name()},
                        "can be read only once, but questions need it several times");
    return std::make_unique<questions>(from, open_index(from, file));
  });
}

py::array_t<std::uint64_t> numbers_of(const std::vector<std::uint64_t>& all) {
  load_numpy();
  return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(all.size()), all.data());
}

// Writes the index of a trace. Returns the numbers of its instructions and accesses.
py::tuple write_index(origin& from, const path& file) {
  const auto given = text_of_path(file);
  const auto totals = unlocked([&] {
    require_index(from);
    trace::reader trace(from.open(), from.options());
    return query::write_index(trace.columns(), from.path(),
                              given.value_or(query::index_name(from.path())), handle_signals);
  });
  return py::make_tuple(totals.instructions, totals.accesses);
}

}  // namespace

void define_questions(py::module_& m) {
  using of = const accesses&;
  py::class_<accesses>(m, "Accesses")
      .def(py::init<std::uint64_t, std::uint64_t, bool, bool, bool>());
  py::class_<questions>(m, "Questions")
      .def(py::init(&open_questions), py::keep_alive<1, 2>())
      .def_property_readonly("has_index", &questions::has_index)
      .def("last", [](questions& q, of a,
                      std::uint64_t before) { return unlocked([&] { return q.last(a, before); }); })
      .def("first", [](questions& q, of a,
                       std::uint64_t since) { return unlocked([&] { return q.first(a, since); }); })
      .def("all",
           [](questions& q, of a, std::uint64_t since, std::uint64_t end, std::uint64_t most) {
             return numbers_of(unlocked([&] { return q.all(a, since, end, most); }));
           })
      .def("memory", [](questions& q, std::uint64_t address, std::size_t size, std::uint64_t at) {
        load_numpy();
        py::array_t<std::uint8_t> values(static_cast<py::ssize_t>(size));
        py::array_t<std::int64_t> shown_by(static_cast<py::ssize_t>(size));
        const std::span to(values.mutable_data(), size);
        const std::span by(shown_by.mutable_data(), size);
        unlocked([&] { q.memory(address, at, to, by); });
        return py::make_tuple(std::move(values), std::move(shown_by));
      });
  m.def("write_index", &write_index);
}

}  // namespace tracecodec::python

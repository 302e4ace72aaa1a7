// Reads records in their stored form. If a file is mapped, an array refers to the records in the
// file. Otherwise, the records are read into memory that NumPy takes over.
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include <tracecodec/file/table_reader.hpp>
#include <tracecodec/io/open.hpp>
#include <tracecodec/rapidbin/bulk.hpp>
#include <tracecodec/rapidbin/reader.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

#include "common.hpp"

namespace tracecodec::python {

void load_numpy() {
  static std::atomic<bool> loaded = false;
  // Use a recursive mutex, because a signal handler can call this function while it is already
  // running.
  static std::recursive_mutex loading;
  if (loaded) return;
  std::unique_lock guard(loading, std::defer_lock);
  unlocked([&] { guard.lock(); });
  // Import all of NumPy first. pybind11 would import only a submodule, and a thread could wait for
  // the submodule while the importing thread waits for NumPy.
  py::module_::import("numpy");
  static_cast<void>(py::dtype::of<std::uint8_t>());
  loaded = true;
}

py::array array_of(const py::dtype& type, const void* values, std::size_t n,
                   const py::handle& owner) {
  py::array a(type, {static_cast<py::ssize_t>(n)}, {type.itemsize()}, values, owner);
  a.attr("setflags")(py::arg("write") = false);
  return a;
}

namespace {

// Buffer of an array. The destructor keeps the memory for reuse, because requesting memory from the
// system for each batch would lengthen decompression by about a tenth. The class is used only with
// the GIL.
class lent_memory {
 public:
  struct owner {
    std::unique_ptr<std::byte[]> spare = {};
    std::size_t size = 0;  // size of `spare` in bytes
  };

  lent_memory(std::shared_ptr<owner> of, std::size_t size) : of_(std::move(of)), size_(size) {
    if (of_->spare != nullptr && of_->size == size)
      bytes_ = std::move(of_->spare);
    else
      bytes_.reset(new std::byte[size]);  // not initialised
  }
  lent_memory(const lent_memory&) = delete;
  lent_memory& operator=(const lent_memory&) = delete;
  ~lent_memory() {
    of_->spare = std::move(bytes_);
    of_->size = size_;
  }

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::shared_ptr<owner> of_;
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_ = {};
};

class records {
 public:
  records(origin& from, std::uint64_t skip, std::optional<std::uint64_t> limit)
      : table_(from.table()),
        in_(from.open_records()),
        left_(limit.value_or(~std::uint64_t{0})),
        mapped_(in_.mapped()) {
    pass_header();
    pass(skip);
  }

  [[nodiscard]] bool mapped() const noexcept { return mapped_; }
  [[nodiscard]] std::size_t record_size() const noexcept { return table_->size(); }
  [[nodiscard]] const std::string& name() const { return in_.name(); }
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t size = in_.content_size(), header = table_->header().size;
    return size > header ? (size - header) / table_->size() : 0;
  }

  // Returns up to `n` of the next records of a mapped file, without copying them.
  std::span<const std::byte> show(std::uint64_t n) {
    const auto rest = in_.bytes().subspan(static_cast<std::size_t>(at_));
    const std::size_t size = table_->size();
    const auto whole =
        static_cast<std::size_t>(std::min({n, left_, std::uint64_t{rest.size() / size}}));
    if (whole == 0 && left_ != 0 && n != 0) {
      in_.check();
      end(rest.size());
    }
    take(whole);
    return rest.first(whole * size);
  }
  [[nodiscard]] std::unique_ptr<lent_memory> memory(std::size_t size) const {
    return std::make_unique<lent_memory>(memory_, size);
  }
  // Reads the next records of an unmapped file into `to`. Returns the number of records.
  std::size_t read(std::span<std::byte> to) {
    const std::size_t size = table_->size();
    const std::size_t available =
        static_cast<std::size_t>(std::min<std::uint64_t>(to.size() / size, left_));
    if (available == 0) return 0;
    if (rest_ != 0) end(rest_);
    const std::size_t n = in_.read(to.first(available * size));
    if (n == 0) end(0);
    rest_ = n % size;
    take(n / size);
    // Return whole records first. If an error or a partial record follows, the next call throws.
    if (n / size == 0) end(rest_);
    return n / size;
  }

 private:
  void take(std::size_t n) {
    position_ += n;
    left_ -= n;
    at_ += std::uint64_t{n} * table_->size();
  }
  void pass_header() {
    const file::record_file_header& header = table_->header();
    if (header.size == 0) return;
    if (const auto flaw = file::header_flaw(*table_, name(), in_.peek(header.magic.size()))) {
      in_.check_ahead();
      throw trace_error(*flaw);
    }
    at_ =
        mapped_ ? std::min<std::uint64_t>(header.size, in_.bytes().size()) : in_.skip(header.size);
    if (at_ == header.size) return;
    in_.check();
    throw file::cut_header(*table_, name(), at_);
  }
  void pass(std::uint64_t n) {
    const std::uint64_t size = table_->size();
    if (mapped_) {
      n = std::min<std::uint64_t>(n, (in_.bytes().size() - at_) / size);
      position_ = n;
      at_ += n * size;
      return;
    }
    const std::uint64_t done =
        in_.skip(n > ~std::uint64_t{0} / size ? ~std::uint64_t{0} / size * size : n * size);
    position_ = done / size;
    rest_ = static_cast<std::size_t>(done % size);
  }
  // Throws if `rest` bytes of a partial record remain, or if the file has no records.
  void end(std::size_t rest) {
    if (rest != 0) {
      // If the input itself has failed, this read throws the input's own error.
      std::byte more{};
      if (!mapped_ && in_.read({&more, 1}) != 0) rest = 0;
      throw file::cut_record(*table_, name(), position_, rest, in_.offset_note());
    }
    if (position_ == 0) throw file::no_records(*table_, name());
  }

  std::shared_ptr<const file::record_table> table_;
  io::input in_;
  std::uint64_t left_, position_ = 0, at_ = 0;
  std::size_t rest_ = 0;  // number of bytes that were read of a partial record
  bool mapped_;
  std::shared_ptr<lent_memory::owner> memory_ = std::make_shared<lent_memory::owner>();
};

// Returns the next records as an array. If the file is mapped, the array keeps `self` alive, and
// thus also the file.
py::object next_records(const py::object& self, const py::dtype& type, std::uint64_t most) {
  auto& from = self.cast<records&>();
  if (static_cast<std::size_t>(type.itemsize()) != from.record_size())
    throw py::value_error("the dtype has another size than the records");
  if (from.mapped()) {
    const auto bytes = unlocked([&] { return from.show(most); });
    return array_of(type, bytes.data(), bytes.size() / from.record_size(), self);
  }
  // Limit the size of the buffer, even if the caller requests many records.
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
  const std::uint64_t fit = std::max<std::uint64_t>(1, most_bytes / from.record_size());
  const std::size_t size = static_cast<std::size_t>(std::min(most, fit)) * from.record_size();
  auto available = from.memory(size);
  const std::span<std::byte> bytes = available->bytes();
  const std::size_t n = unlocked([&] { return from.read(bytes); });
  const py::capsule owner(available.release(),
                          [](void* p) { delete static_cast<lent_memory*>(p); });
  return py::array(type, {static_cast<py::ssize_t>(n)}, {type.itemsize()}, bytes.data(), owner);
}

// Events of a RapidBin trace, which are decoded in bulk.
class events {
 public:
  events(origin& from, std::uint64_t skip, std::optional<std::uint64_t> limit)
      : reader_(open(from)), left_(limit.value_or(~std::uint64_t{0})) {
    reader_.skip(skip);
  }

  // Returns arrays of the thread, operation, decor, location and sign of up to `most` events. At
  // the end of the trace, the arrays are empty.
  py::tuple next(std::size_t most) {
    if (batch_.size() == 0 && left_ != 0) batch_ = unlocked([this] { return reader_.next(); });
    const auto n = static_cast<std::size_t>(
        std::min({std::uint64_t{most}, left_, std::uint64_t{batch_.size()}}));
    py::array_t<std::uint16_t> thread(static_cast<py::ssize_t>(n)),
        location(static_cast<py::ssize_t>(n));
    py::array_t<std::uint8_t> operation(static_cast<py::ssize_t>(n)),
        sign(static_cast<py::ssize_t>(n));
    py::array_t<std::uint64_t> decor(static_cast<py::ssize_t>(n));
    const rapidbin::columns to{{thread.mutable_data(), n},
                               {operation.mutable_data(), n},
                               {decor.mutable_data(), n},
                               {location.mutable_data(), n},
                               {sign.mutable_data(), n}};
    unlocked([&] { rapidbin::decode(batch_.events.words().subview(0, n), to); });
    batch_ = batch_.part(n, batch_.size() - n);
    left_ -= n;
    return py::make_tuple(thread, operation, decor, location, sign);
  }

 private:
  static io::input open(origin& from) {
    if (from.format().name != "rapidbin") throw py::value_error("not a RapidBin trace");
    if (!rapidbin::wanted_events(from.options()).everything())
      throw trace_error(
          trace_errc::refused, {.file = from.name()},
          "records are those of all threads: open it without thread=, or read its instructions");
    trace::source s = from.open();
    return std::move(s.input());
  }

  rapidbin::reader reader_;
  rapidbin::event_batch batch_ = {};
  std::uint64_t left_;
};

}  // namespace

void define_records(py::module_& m) {
  py::class_<records>(m, "Records")
      .def(py::init([](origin& o, std::uint64_t skip, std::optional<std::uint64_t> limit) {
             load_numpy();
             return unlocked([&] { return std::make_unique<records>(o, skip, limit); });
           }),
           py::keep_alive<1, 2>())
      .def_property_readonly("mapped", &records::mapped)
      .def("count", [](const records& r) { return unlocked([&r] { return r.count(); }); })
      .def("next", &next_records);
  py::list operations;
  for (std::size_t i = 0; i < rapidbin::operation_count; ++i)
    operations.append(std::string(name(static_cast<rapidbin::operation>(i))));
  m.attr("operations") = operations;
  py::class_<events>(m, "Events")
      .def(py::init([](origin& o, std::uint64_t skip, std::optional<std::uint64_t> limit) {
             load_numpy();
             return unlocked([&] { return std::make_unique<events>(o, skip, limit); });
           }),
           py::keep_alive<1, 2>())
      .def("next", &events::next);
}

}  // namespace tracecodec::python

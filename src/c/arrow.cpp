// Exports a trace through Arrow's C stream interface:
// https://arrow.apache.org/docs/format/CStreamInterface.html
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <tracecodec/io/text/utf8.hpp>

#include "trace.hpp"

namespace tracecodec::c {

namespace {

using feed::column;

// Columns of a batch. `bits` contains flags that are packed into bits, as Arrow requires. The
// lowest bit of a byte contains the first flag.
struct held_batch {
  feed::columns columns = {};
  std::vector<std::unique_ptr<unsigned char[]>> bits = {};
};
using held = std::shared_ptr<const held_batch>;

// ---- Parts that all Arrow structures share: children and owned data ----

template <class Structure> struct owned {
  std::vector<Structure> children = {};
  std::vector<Structure*> pointers = {};
  owned() = default;
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  // Releases the children. Children that were moved out are already marked as released.
  ~owned() {
    for (Structure& child : children)
      if (child.release != nullptr) child.release(&child);
  }
  // Creates `n` children, which the caller then fills.
  void reserve(std::size_t n) {
    // resize() sets the children to zero, which marks them as released.
    children.resize(n);
    for (Structure& child : children) pointers.push_back(&child);
  }
};
struct owned_schema : owned<ArrowSchema> {
  std::string name = {}, metadata = {};
};
struct owned_array : owned<ArrowArray> {
  held batch = {};
  std::array<const void*, 3> buffers = {};
};
// Releases a structure. A second call has no effect. A caller that has saved the address of this
// function can make such a call.
template <class Owned, class Structure> void release(Structure* s) {
  if (s == nullptr) return;
  delete static_cast<Owned*>(std::exchange(s->private_data, nullptr));
  s->release = nullptr;
}
template <class Structure, class Owned> void give(std::unique_ptr<Owned> from, Structure& to) {
  to.n_children = static_cast<std::int64_t>(from->children.size());
  to.children = from->pointers.empty() ? nullptr : from->pointers.data();
  to.dictionary = nullptr;
  to.release = &release<Owned, Structure>;
  to.private_data = from.release();
}

// ---- Schemas ----

void add_number(std::string& to, std::size_t n) {
  const auto number = static_cast<std::int32_t>(n);
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}
std::string metadata_of(std::string_view unit) {
  constexpr std::string_view key = "tracecodec.unit";
  std::string m;
  add_number(m, 1);
  add_number(m, key.size());
  m += key;
  add_number(m, unit.size());
  m += unit;
  return m;
}

// Fills `to` with a schema, except for its children, which the caller fills. `format` must outlive
// the schema.
ArrowSchema& make_schema(ArrowSchema& to, const char* format, std::string name,
                         std::size_t children, const char* unit = nullptr) {
  auto own = std::make_unique<owned_schema>();
  own->name = std::move(name);
  if (unit != nullptr) own->metadata = metadata_of(unit);
  own->reserve(children);
  to.format = format;
  to.name = own->name.c_str();
  to.metadata = unit != nullptr ? own->metadata.data() : nullptr;
  to.flags = 0;
  give(std::move(own), to);
  return to;
}

const char* format_of(std::int32_t type) noexcept {
  switch (type) {
    case TRACECODEC_FLAG:
      return "b";
    case TRACECODEC_U16:
      return "S";
    case TRACECODEC_U32:
      return "I";
    case TRACECODEC_U64:
      return "L";
    default:
      return "C";
  }
}

void make_part(ArrowSchema& to, const tracecodec_part_info& p, std::string name) {
  make_schema(to, p.is_list != 0 ? "z" : format_of(p.type), std::move(name), 0, p.unit);
}

void make_column(ArrowSchema& to, std::size_t c) {
  const tracecodec_column_info& info = *tracecodec_column(c);
  const tracecodec_part_info& first = *tracecodec_part(c, 0);
  if (info.is_list == 0) return make_part(to, first, info.name);
  if (first.type == TRACECODEC_BYTE) {
    make_schema(to, "z", info.name, 0, first.unit);
    return;
  }
  ArrowSchema& item = *make_schema(to, "+l", info.name, 1).children[0];
  if (info.parts == 1) return make_part(item, first, "item");
  make_schema(item, "+s", "item", info.parts);
  for (std::size_t p = 0; p != info.parts; ++p)
    make_part(*item.children[p], *tracecodec_part(c, p), tracecodec_part(c, p)->name);
}

// ---- Batches ----

struct array_maker {
  held_batch& batch;
  held keep;

  // Fills `to` with an array of `length` elements. `buffers` contains all buffers of the array
  // except the first one. The first buffer would mark null elements, and is always null.
  ArrowArray& make(ArrowArray& to, std::size_t length, std::size_t children,
                   std::initializer_list<const void*> buffers) const {
    auto own = std::make_unique<owned_array>();
    own->batch = keep;
    own->reserve(children);
    std::copy(buffers.begin(), buffers.end(), own->buffers.begin() + 1);
    to.length = static_cast<std::int64_t>(length);
    to.null_count = 0;
    to.offset = 0;
    to.n_buffers = static_cast<std::int64_t>(buffers.size() + 1);
    to.buffers = own->buffers.data();
    give(std::move(own), to);
    return to;
  }

  const void* bits(const tracecodec_array& flags) const {
    const auto* const from = static_cast<const unsigned char*>(flags.values);
    const std::size_t n = flags.size, bytes = (n + 7) / 8;
    // Round the size up to a multiple of 64 bytes, as Arrow recommends.
    auto& to = batch.bits.emplace_back(std::make_unique<unsigned char[]>((bytes + 63) / 64 * 64));
    std::size_t i = 0;
    for (std::size_t byte = 0; byte != bytes; ++byte) {
      unsigned all = 0;
      for (unsigned bit = 0; bit != 8 && i != n; ++bit, ++i)
        all |= static_cast<unsigned>(from[i] != 0) << bit;
      to[byte] = static_cast<unsigned char>(all);
    }
    return to.get();
  }

  void make_part(ArrowArray& to, column c, std::size_t part, std::size_t length) const {
    const tracecodec_part_info& p = *tracecodec_part(static_cast<std::size_t>(c), part);
    const tracecodec_array a = array_of(batch.columns, c, part);
    if (p.is_list != 0)
      make(to, length, 0, {a.offsets != nullptr ? a.offsets : &none, a.values});
    else
      make(to, length, 0, {p.type == TRACECODEC_FLAG ? bits(a) : a.values});
  }

  void make_column(ArrowArray& to, column c) const {
    const tracecodec_column_info& info = *tracecodec_column(static_cast<std::size_t>(c));
    const std::size_t rows = batch.columns.size();
    if (info.is_list == 0) return make_part(to, c, 0, rows);
    const tracecodec_array first = array_of(batch.columns, c, 0);
    if (tracecodec_part(static_cast<std::size_t>(c), 0)->type == TRACECODEC_BYTE) {
      make(to, rows, 0, {first.offsets, first.values});
      return;
    }
    ArrowArray& item = *make(to, rows, 1, {offsets_of(batch.columns, c).data()}).children[0];
    if (info.parts == 1) return make_part(item, c, 0, first.size);
    make(item, first.size, info.parts, {});
    for (std::size_t p = 0; p != info.parts; ++p) make_part(*item.children[p], c, p, first.size);
  }

  static constexpr std::int32_t none = 0;
};

// ---- The stream ----

// Returns text in a form that is safe to print. NUL becomes "?", and bytes that are not valid UTF-8
// become U+FFFD.
std::string as_utf8(std::string_view s) {
  std::string all;
  io::add_utf8(
      all, s, [](char c) { return c == '\0'; }, [&all](char) { all += '?'; },
      [&all](std::string_view wide, char32_t) { all += wide; });
  return all;
}

class stream {
 public:
  stream(feed::column_set columns, std::size_t most) : most_(most) {
    for (std::size_t c = 0; c != feed::column_count; ++c)
      if (columns.has(static_cast<column>(c))) columns_.push_back(static_cast<column>(c));
  }

  // Takes ownership of the trace. The destructor of the stream closes the trace.
  void take(tracecodec_trace* trace) noexcept {
    trace->streamed = true;
    trace_.reset(trace);
  }

  // Callbacks of the stream. They refuse null arguments. They also refuse calls after release(),
  // which a caller can make if it has saved the address of a callback.
  static int get_schema(ArrowArrayStream* s, ArrowSchema* out) noexcept {
    if (!has_stream(s) || out == nullptr) return EINVAL;
    return of(s).guarded([&](stream& own) {
      ArrowSchema all{};
      owner<ArrowSchema> undo{all};
      make_schema(all, "+s", "", own.columns_.size());
      for (std::size_t i = 0; i != own.columns_.size(); ++i)
        c::make_column(*all.children[i], static_cast<std::size_t>(own.columns_[i]));
      *out = std::exchange(all, ArrowSchema{});
    });
  }
  static int get_next(ArrowArrayStream* s, ArrowArray* out) noexcept {
    if (!has_stream(s) || out == nullptr) return EINVAL;
    return of(s).guarded([&](stream& own) {
      ArrowArray all{};
      owner<ArrowArray> undo{all};
      auto batch = std::make_shared<held_batch>();
      if (own.trace_->from->next(batch->columns, own.most_)) {
        const array_maker to{*batch, batch};
        to.make(all, batch->columns.size(), own.columns_.size(), {});
        for (std::size_t i = 0; i != own.columns_.size(); ++i)
          to.make_column(*all.children[i], own.columns_[i]);
      }
      *out = std::exchange(all, ArrowArray{});
    });
  }
  static const char* get_last_error(ArrowArrayStream* s) noexcept {
    if (!has_stream(s)) return nullptr;
    stream& own = of(s);
    if (own.error_.code() == TRACECODEC_OK) return nullptr;
    const tracecodec_text line = own.error_.shown().line;
    try {
      own.line_ = as_utf8({line.bytes, line.size});
      return own.line_.c_str();
    } catch (...) {
      return tracecodec_status_name(own.error_.code());
    }
  }
  static void release(ArrowArrayStream* s) noexcept {
    if (s == nullptr) return;
    delete static_cast<stream*>(s->private_data);
    *s = {};
  }

 private:
  // Guard that releases a structure if it was only partly built.
  template <class Structure> struct owner {
    Structure& of;
    ~owner() {
      if (of.release != nullptr) of.release(&of);
    }
  };
  static bool has_stream(const ArrowArrayStream* s) noexcept {
    return s != nullptr && s->private_data != nullptr;
  }
  static stream& of(ArrowArrayStream* s) noexcept { return *static_cast<stream*>(s->private_data); }
  template <class F> int guarded(F f) noexcept {
    error_.clear();
    try {
      f(*this);
    } catch (...) {
      error_.take();
    }
    switch (error_.code()) {
      case TRACECODEC_OK:
        return 0;
      case TRACECODEC_NO_MEMORY:
        return ENOMEM;
      case TRACECODEC_REFUSED:
      case TRACECODEC_UNSUPPORTED:
        return EINVAL;
      default:
        return EIO;
    }
  }

  std::unique_ptr<tracecodec_trace> trace_ = {};
  std::vector<column> columns_ = {};
  std::size_t most_;
  failure error_ = {};
  std::string line_ = {};
};

}  // namespace

}  // namespace tracecodec::c

tracecodec_status tracecodec_arrow_stream(tracecodec_trace* trace, size_t most,
                                          ArrowArrayStream* out) noexcept {
  namespace c = tracecodec::c;
  namespace feed = tracecodec::feed;
  return c::guarded(trace, [&](tracecodec_trace& t, c::instructions& from) {
    if (out == nullptr) c::refuse("the stream pointer is null");
    feed::column_set columns = from.all().wanted();
    if (columns.empty()) {
      columns = from.has() -
                feed::column_set{feed::column::mnemonic_matches, feed::column::register_value};
      from.all().want(columns);
    }
    constexpr std::size_t all = feed::columns::most_rows;
    auto made = std::make_unique<c::stream>(columns, most == 0 ? all : std::min(most, all));
    made->take(&t);
    out->get_schema = &c::stream::get_schema;
    out->get_next = &c::stream::get_next;
    out->get_last_error = &c::stream::get_last_error;
    out->release = &c::stream::release;
    out->private_data = made.release();
  });
}

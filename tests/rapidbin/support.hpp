// Helpers for the tests of rapidbin: example traces.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "../bytes.hpp"
#include "tracecodec/rapidbin/reader.hpp"
#include "tracecodec/rapidbin/writer.hpp"

namespace test {

namespace rapidbin = tracecodec::rapidbin;
using op = rapidbin::operation;
using rapidbin::event;
using events = std::vector<event>;

inline bytes header_bytes(const rapidbin::header& h) {
  bytes out(18);
  rapidbin::header_codec::encode(h, out);
  return out;
}
inline bytes event_bytes(const events& all) {
  bytes out(8 * all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    rapidbin::event_codec::encode(all[i], std::span(out).subspan(8 * i));
  return out;
}
inline event make(unsigned thread, op o, std::uint64_t decor, unsigned location) {
  return {false, location, decor, o, thread};
}

// Returns a sound trace with every operation. every_operation_bytes() is derived by hand from
// the specification's bit table:
//   location << 48 | decor << 14 | operation << 10 | thread.
inline events every_operation() {
  return {make(0, op::fork, 1, 0),    make(1, op::begin, 0, 1), make(1, op::request, 0, 2),
          make(1, op::acquire, 0, 2), make(1, op::write, 0, 3), make(1, op::branch, 0, 4),
          make(1, op::release, 0, 5), make(1, op::end, 0, 6),   make(0, op::join, 1, 7),
          make(0, op::read, 0, 8)};
}
inline bytes every_operation_bytes() {
  return from_hex(
      "0002 00000001 00000001 000000000000000a"
      "0000 000000005000"  // fork: decor 1 << 14 | 4 << 10
      "0001 000000001801"  // begin: 6 << 10 | thread 1
      "0002 000000002001"  // request
      "0002 000000000001"  // acquire
      "0003 000000000c01"  // write
      "0004 000000002401"  // branch
      "0005 000000000401"  // release
      "0006 000000001c01"  // end
      "0007 000000005400"  // join
      "0008 000000000800");
}

inline io::input input_of(const bytes& all, const std::string& name = "t") {
  return io::open_source(std::make_unique<io::memory_source>(all), name);
}

// Returns all events of a source, up to its end or an error.
inline events all_of(rapidbin::event_source& from, std::optional<trace_error>* error = nullptr) {
  events out;
  const auto collect = [&] {
    for (auto b = from.next(); b.size() != 0; b = from.next())
      for (const event e : b.events) out.push_back(e);
  };
  if (error != nullptr)
    *error = error_of(collect);
  else
    collect();
  return out;
}

inline bytes written(const events& all) {
  const folder dir;
  rapidbin::writer out(dir / "t");
  for (const event& e : all) out.write(e);
  out.finish();
  return content(dir / "t");
}

}  // namespace test

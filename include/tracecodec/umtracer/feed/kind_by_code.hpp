// What a disassembler tells of an instruction that no name tells.
#pragma once
#include <cstddef>
#include <span>

#include "../../x86/disassembler.hpp"

namespace tracecodec::umtracer::detail {

// Tells the kind of an instruction by its code: `known`, whether it does.
class kind_by_code {
 public:
  kind_by_code() = default;
  kind_by_code(const kind_by_code&) = delete;
  kind_by_code& operator=(const kind_by_code&) = delete;
  virtual ~kind_by_code() = default;
  virtual x86::kind kind_of(std::span<const std::byte> code, bool code64, bool& known) = 0;
};
template <x86::disassembler D> class kind_by final : public kind_by_code {
 public:
  x86::kind kind_of(std::span<const std::byte> code, bool code64, bool& known) override {
    const x86::instruction& found = (code64 ? code64_ : code32_).decode(code);
    known = found.valid();
    return found.kind;
  }

 private:
  D code32_{wire::target::x86}, code64_{wire::target::x64};
};

}  // namespace tracecodec::umtracer::detail

// Type-erased disassembler. Code that uses it is compiled only once, and not once for each type of
// disassembler.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "disassembler.hpp"

namespace tracecodec::x86 {

// Movable wrapper of any disassembler. The wrapper also models disassembler. Decoding an
// instruction requires a virtual call, so use the wrapper inside a cached_disassembler, which
// decodes each distinct instruction about once.
class any_disassembler {
 public:
  template <class D>
  requires(!std::same_as<D, any_disassembler> && disassembler<D>) explicit any_disassembler(D d)
      : it_(std::make_unique<model<D>>(std::move(d))) {}

  [[nodiscard]] instruction decode(std::span<const std::byte> code) noexcept {
    return it_->decode(code);
  }
  [[nodiscard]] target mode() const noexcept { return it_->mode(); }
  // Returns the text of the instruction at `ip`. Returns an empty text if the disassembler does not
  // have a function text(code, ip).
  [[nodiscard]] std::string text(std::span<const std::byte> code, std::uint64_t ip) {
    return it_->text(code, ip);
  }

 private:
  class interface {
   public:
    interface() = default;
    interface(const interface&) = delete;
    interface& operator=(const interface&) = delete;
    virtual ~interface() = default;
    virtual instruction decode(std::span<const std::byte> code) noexcept = 0;
    [[nodiscard]] virtual target mode() const noexcept = 0;
    virtual std::string text(std::span<const std::byte> code, std::uint64_t ip) = 0;
  };
  template <class D> class model final : public interface {
   public:
    explicit model(D d) : d_(std::move(d)) {}
    instruction decode(std::span<const std::byte> code) noexcept override {
      return d_.decode(code);
    }
    [[nodiscard]] target mode() const noexcept override { return d_.mode(); }
    std::string text(std::span<const std::byte> code, std::uint64_t ip) override {
      if constexpr (requires(D & d) { std::string(d.text(code, ip)); })
        return std::string(d_.text(code, ip));
      else
        return {};
    }

   private:
    D d_;
  };
  std::unique_ptr<interface> it_;
};

}  // namespace tracecodec::x86

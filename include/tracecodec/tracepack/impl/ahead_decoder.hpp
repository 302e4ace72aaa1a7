// Lays out the records of a frame that was decoded in advance. This code runs on the reader's own
// thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "frame_ahead.hpp"
#include "model/decoder.hpp"

namespace tracecodec::tracepack::detail {

// Decoder of a frame that another thread decodes in advance. This class only lays out the records.
// If the frame's streams are damaged, the frame is decoded again on the reader's thread, so that
// errors do not depend on the number of threads.
class ahead_decoder final : public model_decoder {
 public:
  ahead_decoder(frame_ahead& from, std::size_t records) : from_(from), dictionary_(from.all()) {
    left_ = records;
  }

  std::size_t next(std::span<std::byte> to, const details& more) override {
    if (again_ == nullptr) {
      const std::size_t n = dictionary_.compact() && dictionary_.of().size == 64
                                ? lay_out<64>(to, more)
                                : lay_out<0>(to, more);
      if (n != 0) {
        left_ -= n;
        done_ += n;
        return n;
      }
      decode_again();
    }
    const std::size_t n = again_->next(to, more);
    left_ = again_->left();
    return n;
  }
  // Unused, because the frame's units and addresses are already decoded.
  std::size_t next(bare_records& /*to*/) override { return 0; }
  [[nodiscard]] bool sound() const override { return again_ == nullptr || again_->sound(); }
  [[nodiscard]] std::uint64_t digest() const override {
    return again_ == nullptr ? from_.digest() : again_->digest();
  }

 private:
  // Lays out as many records as a decoder would decode at once. Returns 0 if any of these records
  // is damaged.
  template <std::size_t Size> std::size_t lay_out(std::span<std::byte> to, details more) {
    const std::size_t size = Size != 0 ? Size : dictionary_.of().size;
    const std::size_t available = std::min({to.size() / size, most(size), left_ + most_in_unit});
    const dictionary_arrays from(dictionary_);
    std::byte* out = to.data();
    std::size_t records = 0;
    while (records + most_in_unit <= available && records < left_) {
      if (unit_ == some_.unit_count) {
        unit_ = address_ = 0;
        if (!from_.take(some_)) return 0;
      }
      const std::uint64_t* address = some_.addresses.data() + address_;
      for (; unit_ != some_.unit_count && records + most_in_unit <= available && records < left_;
           ++unit_) {
        const unit u = from.units[some_.units[unit_]];
        std::byte* const at = out;
        out = lay_out_unit<Size>(from, u, out, more);
        const access* const all = from.accesses + u.first_access;
        for (std::uint32_t i = 0; i != u.accesses; ++i)
          store_word(*address++, at + std::size_t{word_of(all[i])} * 8);
        records += u.length;
      }
      address_ = static_cast<std::size_t>(address - some_.addresses.data());
    }
    return records;
  }
  void decode_again() {
    again_ = from_.decoder();
    const std::size_t size = dictionary_.of().size;
    std::vector<std::byte> available((most(size) + most_in_unit) * size);
    for (std::size_t left = done_; left != 0;)
      left -= again_->next(
          std::span(available).first((std::min(left, most(size)) + most_in_unit - 1) * size), {});
  }

  frame_ahead& from_;
  const dictionary& dictionary_;
  bare_records some_ = {};
  std::size_t unit_ = 0, address_ = 0;  // positions in some_
  std::size_t done_ = 0;
  std::unique_ptr<model_decoder> again_ = {};
};

}  // namespace tracecodec::tracepack::detail

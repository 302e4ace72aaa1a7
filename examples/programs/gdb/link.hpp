// Packets of GDB's remote protocol: framing, checksums and acknowledgements, without input or output.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace debug {

// Maximum number of characters of a packet, without the frame.
inline constexpr std::size_t most_packet = 0x4000;

// Returns a packet with the content `content`: $content#checksum. Escapes special characters.
std::string framed(std::string_view content);

// Removes the escapes of binary data in a packet.
std::string unescaped(std::string_view content);

// Side of a connection that receives packets and answers each one.
class link {
 public:
  // Returns the content of the reply, or nullopt if the packet has none.
  using answer = std::function<std::optional<std::string>(const std::string& packet)>;
  explicit link(answer f) : answer_(std::move(f)) {}

  // Receives bytes. Returns the bytes to send: acknowledgements and replies. Asks for a damaged
  // packet again, and drops the rest of a packet that is too long, which gets an error.
  std::string receive(std::string_view bytes);
  // Stops sending and expecting acknowledgements, after the reply to the current packet.
  void leave_out_acknowledgements() noexcept { acknowledges_ = false; }

 private:
  enum class state : std::uint8_t { outside, inside, first_digit, second_digit };

  void end_packet(std::string& out);

  answer answer_;
  state state_ = state::outside;
  bool acknowledges_ = true, is_too_long_ = false;
  unsigned sum_ = 0, given_sum_ = 0;
  std::string packet_ = {};
  std::string last_ = {};  // last reply, for another transmission
};

}  // namespace debug

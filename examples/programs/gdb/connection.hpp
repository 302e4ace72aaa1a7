// Connection to a debugger: standard input and output, or a TCP connection.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace debug {

class connection {
 public:
  // Standard input and output.
  connection() = default;
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  // Accepts one connection to a numeric address. Port 0 selects a free one. Calls listening(port)
  // before it waits. Throws std::runtime_error.
  connection(const std::string& address, std::uint16_t port,
             const std::function<void(std::uint16_t)>& listening);

  // Waits for bytes. Returns an empty text at the end of the connection.
  std::string read();
  // Returns false if the connection has ended.
  bool write(std::string_view bytes);
  // Returns true if the other side has asked to interrupt the program, or has ended.
  bool is_interrupted();

 private:
  int in_ = 0, out_ = 1, socket_ = -1;
  bool is_at_end_ = false;
  std::string pending_ = {};
};

}  // namespace debug

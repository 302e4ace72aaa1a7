#include "connection.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "../common/interrupt.hpp"

namespace debug {

namespace {

constexpr char interrupt_byte = 3;
// Maximum number of bytes that are kept for later, while a search runs.
constexpr std::size_t most_pending = 1U << 20;

[[noreturn]] void fail(const std::string& what) {
  const std::error_code why(errno, std::generic_category());
  throw std::runtime_error(what + ": " + why.message());
}

class listener {
 public:
  listener(const std::string& address, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int e = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
        e != 0)
      throw std::runtime_error("cannot listen at '" + address +
                               "': expected a numeric address, such as 127.0.0.1");
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
    file_ = ::socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    const int on = 1;
    if (file_ < 0 || ::setsockopt(file_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        ::bind(file_, found->ai_addr, found->ai_addrlen) != 0 || ::listen(file_, 1) != 0) {
      const int error = errno;
      if (file_ >= 0) ::close(file_);
      errno = error;
      fail("cannot listen at " + address + " port " + std::to_string(port));
    }
  }
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;
  ~listener() { ::close(file_); }

  [[nodiscard]] std::uint16_t port() const {
    sockaddr_storage name{};
    socklen_t size = sizeof(name);
    if (::getsockname(file_, reinterpret_cast<sockaddr*>(&name), &size) != 0) fail("getsockname");
    return ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(name).sin6_port
                                            : reinterpret_cast<sockaddr_in&>(name).sin_port);
  }
  [[nodiscard]] int accept() const {
    for (;;) {
      const int file = ::accept(file_, nullptr, nullptr);
      if (file >= 0) return file;
      examples::stop_if_interrupted();
      if (errno != EINTR && errno != ECONNABORTED) fail("cannot accept a connection");
    }
  }

 private:
  int file_ = -1;
};

}  // namespace

connection::connection(const std::string& address, std::uint16_t port,
                       const std::function<void(std::uint16_t)>& listening) {
  const listener at(address, port);
  listening(at.port());
  in_ = out_ = socket_ = at.accept();
}

connection::~connection() {
  if (socket_ >= 0) ::close(socket_);
}

std::string connection::read() {
  if (!pending_.empty()) return std::exchange(pending_, {});
  std::array<char, 16384> bytes{};
  while (!is_at_end_) {
    const ssize_t n = ::read(in_, bytes.data(), bytes.size());
    if (n > 0) return {bytes.data(), static_cast<std::size_t>(n)};
    examples::stop_if_interrupted();
    is_at_end_ = n == 0 || errno != EINTR;
  }
  return {};
}

bool connection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(out_, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    examples::stop_if_interrupted();
    if (errno != EINTR) return false;
  }
  return true;
}

bool connection::is_interrupted() {
  examples::stop_if_interrupted();
  pollfd ready{in_, POLLIN, 0};
  if (is_at_end_ || pending_.size() >= most_pending || ::poll(&ready, 1, 0) <= 0) return is_at_end_;
  std::array<char, 4096> bytes{};
  const ssize_t n = ::read(in_, bytes.data(), bytes.size());
  if (n <= 0) {
    is_at_end_ = n == 0 || errno != EINTR;
    return is_at_end_;
  }
  pending_.append(bytes.data(), static_cast<std::size_t>(n));
  const std::size_t at = pending_.find(interrupt_byte);
  if (at == std::string::npos) return false;
  pending_.erase(at, 1);
  return true;
}

}  // namespace debug

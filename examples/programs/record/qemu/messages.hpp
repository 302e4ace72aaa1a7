// First contact between the plugin and the recorder, through a socket with messages (AF_UNIX,
// SOCK_SEQPACKET). Programs may close file descriptors that they did not open. Therefore the plugin
// closes the socket at once, and later communication uses shared memory.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "shared.hpp"

namespace record::qemu {

// Message that the plugin sends when a process begins. The recorder replies with two files: the
// shared memory of the process, and the bell that all processes share (see shared.hpp).
struct hello {
  std::uint32_t version = protocol;
  std::uint32_t layout = qemu::layout;
  // Id of the recorded process that created this process, or 0 if no recorded process created it.
  std::uint64_t parent = 0;
  // Processor that QEMU emulates for the process.
  tracepack::processor processor = tracepack::processor::unknown;
};

// Converts a name to a socket address in Linux's abstract namespace, in which sockets are not
// files. The address begins with a 0 byte. Returns the size of the address.
inline socklen_t address_of(std::string_view name, sockaddr_un& to) {
  to = {};
  to.sun_family = AF_UNIX;
  const std::size_t n = name.size() < sizeof to.sun_path - 1 ? name.size() : sizeof to.sun_path - 1;
  std::memcpy(to.sun_path + 1, name.data(), n);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + n);
}

// Returns true if the current user owns the process at the other end of `socket`.
inline bool is_of_this_user(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::geteuid();
}

// Sends a message. Returns false if the other end of the socket is closed.
template <class T> bool send_to(int socket, const T& what) {
  for (;;) {
    if (::send(socket, &what, sizeof what, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof what))
      return true;
    if (errno != EINTR) return false;
  }
}
template <class T> bool receive_from(int socket, T& what) {
  for (;;) {
    const ssize_t n = ::recv(socket, &what, sizeof what, 0);
    if (n == static_cast<ssize_t>(sizeof what)) return true;
    if (n >= 0 || errno != EINTR) return false;
  }
}

// Two open files, which are sent with a message of one byte.
using two_files = std::array<int, 2>;
namespace detail {
struct file_message {
  file_message() {
    all.msg_iov = &data;
    all.msg_iovlen = 1;
    all.msg_control = space.data();
    all.msg_controllen = space.size();
  }
  file_message(const file_message&) = delete;
  file_message& operator=(const file_message&) = delete;

  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(two_files))> space{};
  msghdr all{};
};
}  // namespace detail
inline bool send_files(int socket, const two_files& files) {
  detail::file_message m;
  cmsghdr* const head = CMSG_FIRSTHDR(&m.all);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof files);
  std::memcpy(CMSG_DATA(head), files.data(), sizeof files);
  return ::sendmsg(socket, &m.all, MSG_NOSIGNAL) == 1;
}
// Receives two files. Returns false if the other end does not send them.
inline bool receive_files(int socket, two_files& files) {
  detail::file_message m;
  ssize_t n = -1;
  do n = ::recvmsg(socket, &m.all, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const cmsghdr* const head = n == 1 ? CMSG_FIRSTHDR(&m.all) : nullptr;
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof files))
    return false;
  std::memcpy(files.data(), CMSG_DATA(head), sizeof files);
  return true;
}

}  // namespace record::qemu

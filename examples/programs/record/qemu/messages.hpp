// First contact of the plugin and the recorder, over a socket with messages (AF_UNIX,
// SOCK_SEQPACKET). The socket is closed again at once, because the program may close files
// that it did not open. Later communication uses shared memory.
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

// Message of the plugin at the beginning of a process. The reply consists of two files: the
// shared memory of this process, and the bell shared by all processes.
struct hello {
  std::uint32_t version = protocol;
  std::uint32_t layout = qemu::layout;
  std::uint64_t parent = 0;  // process of the program that created it; 0: none
  tracepack::processor processor = tracepack::processor::unknown;  // emulated processor
};

// Converts a name to a socket address that no file can have (Linux: its first character is 0).
// Returns its size.
inline socklen_t address_of(std::string_view name, sockaddr_un& to) {
  to = {};
  to.sun_family = AF_UNIX;
  const std::size_t n = name.size() < sizeof to.sun_path - 1 ? name.size() : sizeof to.sun_path - 1;
  std::memcpy(to.sun_path + 1, name.data(), n);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + n);
}

// Returns true if the other side belongs to the same user.
inline bool is_of_this_user(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::geteuid();
}

// Sends a message; returns false if the other side is gone.
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

// Two open files, sent with a message of one byte.
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
// Receives two files; returns false if none arrive.
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

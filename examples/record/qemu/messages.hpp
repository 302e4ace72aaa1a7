// What the plugin and the recorder say to each other, over a socket of whole messages (AF_UNIX,
// SOCK_SEQPACKET): rarely, and nothing of single instructions.
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

namespace record::qemu {

// Of the plugin.
struct message {
  enum class kind : std::uint32_t {
    hello,     // a process of the program begins: `a` is its id, `b` the one that made it, else 0
    filled,    // a chunk of `lane`
    look,      // code at `a` is new: an answer is awaited; what is at address 0 there is `b` here
    finished,  // nothing more will be recorded of this process, which goes on
    executes   // it becomes another program
  };
  kind what = kind::hello;
  std::uint32_t lane = 0;
  std::uint64_t a = 0, b = 0;
};

// Where the recording begins, or ends.
struct trigger {
  std::uint64_t address = 0;
  std::uint64_t count = 1;  // the execution of this number
  bool begins = false;
};
inline constexpr std::size_t most_triggers = 16;

// Of the recorder, to what is new: the code that was looked at, and the triggers in it.
struct answer {
  std::uint64_t from = 0, to = 0;  // [from, to)
  std::uint32_t count = 0;
  std::array<trigger, most_triggers> triggers = {};
};

// A name that no file has (Linux: the first character is 0).
inline socklen_t address_of(std::string_view name, sockaddr_un& to) {
  to = {};
  to.sun_family = AF_UNIX;
  const std::size_t n = name.size() < sizeof to.sun_path - 1 ? name.size() : sizeof to.sun_path - 1;
  std::memcpy(to.sun_path + 1, name.data(), n);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + n);
}

// False if the other side is gone.
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

// A file that is open goes along with a message of one byte.
inline bool send_file(int socket, int file) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr all{};
  all.msg_iov = &data;
  all.msg_iovlen = 1;
  all.msg_control = space.data();
  all.msg_controllen = space.size();
  cmsghdr* const head = CMSG_FIRSTHDR(&all);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &file, sizeof file);
  return ::sendmsg(socket, &all, MSG_NOSIGNAL) == 1;
}
// -1 if there comes none.
inline int receive_file(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr all{};
  all.msg_iov = &data;
  all.msg_iovlen = 1;
  all.msg_control = space.data();
  all.msg_controllen = space.size();
  ssize_t n = -1;
  do n = ::recvmsg(socket, &all, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const cmsghdr* const head = n == 1 ? CMSG_FIRSTHDR(&all) : nullptr;
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return -1;
  int file = -1;
  std::memcpy(&file, CMSG_DATA(head), sizeof file);
  return file;
}

}  // namespace record::qemu

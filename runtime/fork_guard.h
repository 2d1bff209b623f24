// Tells a process made by fork() from the one that an object was made in. A forked child has copies of workers' locks
// but not the workers: waiting there would hang. What is made in the child itself works.
#pragma once

#include <weft/error.h>

#include <cstdint>

namespace weft::runtime {

class ForkedProcessError : public UsageError {
 public:
  ForkedProcessError()
      : UsageError(
            "this process was forked after the device was created, and worker threads do not survive fork(): "
            "create a new device in the child process") {}
};

class ForkGuard {
 public:
  ForkGuard();

  // Since this guard was made, the process was forked and this is the child.
  bool in_child() const;

  // Throws ForkedProcessError in the child.
  void check() const {
    if (in_child()) throw ForkedProcessError();
  }

 private:
  std::uint32_t generation_;
};

}  // namespace weft::runtime

// Runs code that is expected to end its process, in a child, and tells how it ended and what it wrote to stderr.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace weft::test {

struct Death {
  bool aborted = false;
  std::string text;  // what the child wrote to standard error
};

// Call it while the process has one thread. `action` must not touch Catch2's assertions.
template <typename Action>
Death death_of(Action action) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);  // Catch2's handler would report the child as a failed test
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    action();
    _exit(0);
  }
  close(ends[1]);
  Death death;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; (got = read(ends[0], chunk.data(), chunk.size())) > 0;) {
    death.text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  death.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  return death;
}

}  // namespace weft::test

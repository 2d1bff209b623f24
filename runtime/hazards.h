// Which earlier tasks a task must wait for, from the bytes that both touch. Reads of the same bytes may overlap; a read
// and a write, or two writes, keep the order in which they were added. Ranges are compared byte by byte: two halves of
// one buffer are two resources, and so is what two views of a buffer have in common.
//
//   HazardTracker hazards;
//   hazards.add(1, {{.memory = 0, .begin = 0, .end = 64, .access = Access::update}}, 0, out);    // out: nothing
//   hazards.add(2, {{.memory = 0, .begin = 32, .end = 40, .access = Access::read}}, 0, out);     // out: 1
//
// A dependency says whether the earlier task's failure is also the later one's: it is when the later one sees what the
// earlier one should have written, not when it merely must not overtake it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace weft::runtime {

enum class Access : std::uint8_t {
  read,
  write,   // every byte of the range: what was there before does not matter
  update,  // some bytes of the range, or bytes that depend on what was there
};

// Bytes [begin, end) of a memory. What a memory is, the caller decides; one of them may be all the addresses of the
// process. Empty ranges touch nothing.
struct Use {
  std::uint64_t memory = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Access access = Access::read;
};

struct Dependency {
  std::uint64_t task = 0;
  bool carries_failure = false;

  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// Not for several threads at once.
class HazardTracker {
 public:
  // Appends to `dependencies` the earlier tasks that `task` must wait for, each once, in ascending order, and records
  // what the task touches. Numbers of tasks ascend from 1. Tasks up to `ended` have ended: they may be left out.
  void add(std::uint64_t task, std::span<const Use> uses, std::uint64_t ended, std::vector<Dependency>& dependencies);

  // Forgets what only tasks up to `ended` have touched.
  void forget(std::uint64_t ended);
  void clear() { segments_.clear(); }

  // Ranges that are told apart.
  std::size_t size() const { return segments_.size(); }

 private:
  // Bytes that were last written by one task and have been read by the same tasks since. They are at
  // [key.second, end) of memory key.first, disjoint from those of all other segments.
  struct Segment {
    std::uint64_t end;
    std::uint64_t writer;  // 0: none
    std::vector<std::uint64_t> readers;
  };
  using Segments = std::map<std::pair<std::uint64_t, std::uint64_t>, Segment>;

  void collect(std::uint64_t task, const Use& use, std::vector<Dependency>& dependencies) const;
  void record_read(std::uint64_t task, const Use& use, std::uint64_t ended);
  void record_write(std::uint64_t task, const Use& use);
  Segments::iterator split(std::uint64_t memory, std::uint64_t at);

  Segments segments_;
};

}  // namespace weft::runtime

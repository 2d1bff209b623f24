// Which tasks wait for which: against a tracker that remembers each byte.
#include "runtime/hazards.h"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>

using namespace weft::runtime;

namespace {

std::vector<Dependency> add(HazardTracker& hazards, std::uint64_t task, std::vector<Use> uses,
                            std::uint64_t ended = 0) {
  std::vector<Dependency> out;
  hazards.add(task, uses, ended, out);
  return out;
}

constexpr Use use(std::uint64_t begin, std::uint64_t end, Access access, std::uint64_t memory = 0) {
  return {memory, begin, end, access};
}

// The meaning, byte by byte.
class SlowTracker {
 public:
  std::vector<Dependency> add(std::uint64_t task, const std::vector<Use>& uses) {
    std::map<std::uint64_t, bool> found;
    for (const Use& use : uses) {
      for (std::uint64_t at = use.begin; at < use.end; ++at) collect(bytes_[{use.memory, at}], task, use.access, found);
    }
    for (const Use& use : uses) {
      for (std::uint64_t at = use.begin; at < use.end; ++at) {
        Byte& byte = bytes_[{use.memory, at}];
        if (use.access == Access::read) {
          byte.readers.push_back(task);
        } else {
          byte = {task, {}};
        }
      }
    }
    std::vector<Dependency> out;
    for (const auto& [number, carries] : found) out.push_back({number, carries});
    return out;
  }

 private:
  struct Byte {
    std::uint64_t writer = 0;
    std::vector<std::uint64_t> readers;
  };
  static void collect(const Byte& byte, std::uint64_t task, Access access, std::map<std::uint64_t, bool>& found) {
    if (byte.writer != 0 && byte.writer != task) found[byte.writer] |= access != Access::write;
    if (access == Access::read) return;
    for (const std::uint64_t reader : byte.readers) {
      if (reader != task) found.try_emplace(reader, false);
    }
  }
  std::map<std::pair<std::uint64_t, std::uint64_t>, Byte> bytes_;
};

}  // namespace

TEST_CASE("hazards: reads overlap, a write comes after them, and a read after it") {
  HazardTracker hazards;
  CHECK(add(hazards, 1, {use(0, 64, Access::read)}).empty());
  CHECK(add(hazards, 2, {use(0, 64, Access::read)}).empty());
  CHECK(add(hazards, 3, {use(32, 40, Access::update)}) == std::vector<Dependency>{{1, false}, {2, false}});
  CHECK(add(hazards, 4, {use(0, 64, Access::read)}) == std::vector<Dependency>{{3, true}});
}

TEST_CASE("hazards: parts of one memory, and memories, are told apart") {
  HazardTracker hazards;
  CHECK(add(hazards, 1, {use(0, 32, Access::update)}).empty());
  CHECK(add(hazards, 2, {use(32, 64, Access::update)}).empty());
  CHECK(add(hazards, 3, {use(0, 32, Access::update, 7)}).empty());
  CHECK(add(hazards, 4, {use(31, 32, Access::read)}) == std::vector<Dependency>{{1, true}});
  CHECK(add(hazards, 5, {use(10, 10, Access::update)}).empty());
}

TEST_CASE("hazards: writing all of a range does not inherit a failure, changing some of it does") {
  HazardTracker hazards;
  add(hazards, 1, {use(0, 64, Access::update)});
  CHECK(add(hazards, 2, {use(0, 64, Access::write)}) == std::vector<Dependency>{{1, false}});
  CHECK(add(hazards, 3, {use(0, 64, Access::update)}) == std::vector<Dependency>{{2, true}});
}

TEST_CASE("hazards: a task that reads and writes the same bytes does not wait for itself") {
  HazardTracker hazards;
  CHECK(add(hazards, 1, {use(0, 8, Access::read), use(4, 12, Access::update), use(0, 12, Access::read)}).empty());
}

TEST_CASE("hazards: readers that have ended are forgotten") {
  HazardTracker hazards;
  for (std::uint64_t task = 1; task <= 10'000; ++task) add(hazards, task, {use(0, 8, Access::read)}, task - 1);
  CHECK(add(hazards, 10'001, {use(0, 8, Access::update)}, 10'000).size() < 10);
  add(hazards, 10'002, {use(100, 108, Access::update)}, 10'001);
  CHECK(hazards.size() == 2);
  hazards.forget(10'001);
  CHECK(hazards.size() == 1);
}

TEST_CASE("hazards: random ranges give what a tracker of single bytes gives") {
  const auto seed = GENERATE(range(0u, 40u));
  std::mt19937 random(seed);
  const auto below = [&](std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random);
  };
  HazardTracker hazards;
  SlowTracker slow;
  for (std::uint64_t task = 1; task <= 150; ++task) {
    std::vector<Use> uses(below(3) + 1);
    for (Use& use : uses) {
      use.memory = below(2);
      use.begin = below(40);
      use.end = use.begin + below(20);
      use.access = std::array{Access::read, Access::write, Access::update}[below(3)];
    }
    REQUIRE(add(hazards, task, uses) == slow.add(task, uses));
  }
}

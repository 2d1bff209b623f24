// Tasks of one queue that wait for each other, or do not: overlap, order, failures, graphs.
#include "tests/unit/runtime/launch.h"

#include <atomic>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace weft;
using namespace weft::runtime;
using namespace weft::runtime::test;

namespace {

Use reads(std::uint64_t begin, std::uint64_t end) { return {0, begin, end, Access::read}; }
Use updates(std::uint64_t begin, std::uint64_t end) { return {0, begin, end, Access::update}; }
Use writes(std::uint64_t begin, std::uint64_t end) { return {0, begin, end, Access::write}; }

std::uint64_t submit(CommandQueue& queue, std::function<void()> function, std::vector<Use> uses) {
  return queue.submit(host(std::move(function)), uses);
}

void fail() { throw std::runtime_error("it failed"); }

void check_failed(const Outcome& outcome) {
  REQUIRE(outcome.exception);
  CHECK_THROWS_WITH(std::rethrow_exception(outcome.exception), "it failed");
}

}  // namespace

TEST_CASE("tasks: commands that touch different bytes overlap") {
  Launcher launcher(GENERATE(1u, 3u));
  std::atomic<bool> second_runs{false};
  submit(launcher.queue(), [&] { second_runs.wait(false); }, {updates(0, 8)});
  submit(launcher.queue(),
         [&] {
           second_runs = true;
           second_runs.notify_all();
         },
         {updates(8, 16)});
  launcher.queue().flush();
  CHECK(launcher.queue().synchronize().ok());
}

TEST_CASE("tasks: commands that touch the same bytes keep their order") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  constexpr unsigned kBytes = 24;
  std::mt19937 random(GENERATE(1u, 2u, 3u));
  std::vector<unsigned> expected(kBytes);
  std::vector<unsigned> found(kBytes);  // no lock: two commands on one byte would be a race
  for (unsigned i = 1; i <= 400; ++i) {
    const std::uint64_t from = random() % kBytes;
    const std::uint64_t to = from + 1 + random() % (kBytes - from);
    const std::uint64_t source = random() % kBytes;
    const auto step = [=](std::vector<unsigned>& bytes) {
      const unsigned seen = bytes[source];
      for (std::uint64_t at = from; at < to; ++at) bytes[at] = bytes[at] * 31 + seen + i;
    };
    step(expected);
    submit(launcher.queue(), [&found, step] { step(found); }, {reads(source, source + 1), updates(from, to)});
    if (i % 16 == 0) launcher.queue().flush();
  }
  CHECK(launcher.queue().synchronize().ok());
  CHECK(found == expected);
}

TEST_CASE("tasks: a fence waits for all before it, and all behind it wait for it") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<int> before{0};
  std::atomic<int> wrong{0};
  bool fence = false;
  for (std::uint64_t i = 0; i < 50; ++i) {
    submit(
        launcher.queue(),
        [&] {
          std::this_thread::sleep_for(std::chrono::microseconds(100));  // or all would be over before the fence comes
          ++before;
        },
        {updates(i, i + 1)});
  }
  launcher.queue().flush();
  launcher.queue().submit(host([&] {
    wrong += before != 50;
    fence = true;
  }));
  for (std::uint64_t i = 0; i < 50; ++i) submit(launcher.queue(), [&] { wrong += !fence; }, {updates(i, i + 1)});
  launcher.queue().flush();
  CHECK(launcher.queue().synchronize().ok());
  CHECK(before == 50);
  CHECK(wrong == 0);
}

TEST_CASE("tasks: a failure stops what depends on it and nothing else") {
  Launcher launcher(GENERATE(1u, 4u));
  const bool flushes = GENERATE(true, false);
  CommandQueue& queue = launcher.queue();
  std::atomic<unsigned> ran{0};
  const auto note = [&](unsigned bit) { return [&ran, bit] { ran |= 1u << bit; }; };
  submit(queue, note(0), {updates(0, 8)});
  submit(queue, fail, {reads(0, 8), updates(8, 16)});
  submit(queue, note(1), {reads(8, 16), updates(16, 24)});   // sees what should have been written
  submit(queue, note(2), {reads(16, 24), updates(24, 32)});  // and so on
  submit(queue, note(3), {updates(0, 8)});                   // only had to wait for the reader
  submit(queue, note(4), {updates(32, 40)});                 // has nothing to do with it
  queue.submit(host(note(5)));
  submit(queue, note(6), {reads(10, 12)});  // the fence in between changes nothing
  submit(queue, note(7), {writes(8, 16)});  // all new
  submit(queue, note(8), {reads(8, 16)});
  if (flushes) queue.flush();
  check_failed(queue.synchronize());
  CHECK(ran == 0b1'1011'1001u);
  submit(queue, note(9), {reads(16, 24)});  // after the host knows, everything runs
  CHECK(queue.synchronize().ok());
  CHECK((ran & 1u << 9) != 0);
}

TEST_CASE("tasks: a command submitted after the failure it depends on does not run either") {
  Launcher launcher(2);
  bool ran = false;
  std::atomic<bool> is_known{false};
  submit(launcher.queue(), fail, {updates(0, 8)});
  launcher.queue().submit(host([&] {
    is_known = true;
    is_known.notify_all();
  }));
  launcher.queue().flush();
  is_known.wait(false);
  submit(launcher.queue(), [&] { ran = true; }, {reads(0, 8)});
  check_failed(launcher.queue().synchronize());
  CHECK_FALSE(ran);
}

TEST_CASE("tasks: nodes of a graph run when their last predecessor has ended") {
  Launcher launcher(GENERATE(1u, 2u, 8u));
  std::mt19937 random(GENERATE(1u, 2u, 3u));
  constexpr std::size_t kNodes = 500;
  std::vector<std::vector<Dependency>> edges(kNodes);
  std::vector<std::atomic<bool>> ended(kNodes);
  std::atomic<int> wrong{0};
  std::atomic<int> ran{0};
  std::vector<GraphNode> nodes;
  for (std::size_t i = 0; i < kNodes; ++i) {
    for (unsigned e = i == 0 ? 0 : random() % 4; e > 0; --e) edges[i].push_back({random() % i, true});
    nodes.push_back({host([&, i] {
                       for (const Dependency& edge : edges[i]) wrong += !ended[edge.task];
                       ended[i] = true;
                       ++ran;
                     }),
                     edges[i]});
  }
  launcher.queue().submit(host([&] { wrong += ran != 0; }));
  launcher.queue().submit_graph(nodes);
  launcher.queue().submit(host([&] { wrong += ran != kNodes; }));
  launcher.queue().flush();
  CHECK(launcher.queue().synchronize().ok());
  CHECK(wrong == 0);
}

TEST_CASE("tasks: a graph's failure follows its edges") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<unsigned> ran{0};
  const auto note = [&](unsigned bit) { return host([&ran, bit] { ran |= 1u << bit; }); };
  const std::vector<Dependency> after_failure{{0, true}};
  const std::vector<Dependency> later{{0, false}};
  const std::vector<Dependency> far{{1, true}};
  launcher.queue().submit_graph(std::vector<GraphNode>{
      {host(fail), {}}, {note(0), after_failure}, {note(1), later}, {note(2), far}, {note(3), {}}});
  launcher.queue().submit(note(4));
  check_failed(launcher.queue().synchronize());
  CHECK(ran == 0b11010u);
}

TEST_CASE("tasks: a graph that uses what a failed command should have written does not run") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<unsigned> ran{0};
  const auto note = [&](unsigned bit) { return host([&ran, bit] { ran |= 1u << bit; }); };
  const std::vector<Dependency> after_first{{0, false}};
  submit(launcher.queue(), fail, {updates(0, 8)});
  const std::vector<Use> reads_it{reads(0, 8)};
  launcher.queue().submit_graph(std::vector<GraphNode>{{note(0), {}}, {note(1), after_first}}, reads_it);
  const std::vector<Use> reads_other{reads(8, 16)};
  launcher.queue().submit_graph(std::vector<GraphNode>{{note(2), {}}, {note(3), after_first}}, reads_other);
  check_failed(launcher.queue().synchronize());
  CHECK(ran == 0b1100u);
}

TEST_CASE("tasks: what one node of a graph fails to write, later commands do not use") {
  Launcher launcher(GENERATE(1u, 4u));
  std::atomic<unsigned> ran{0};
  const auto note = [&](unsigned bit) { return [&ran, bit] { ran |= 1u << bit; }; };
  const std::vector<Use> uses{reads(0, 8), updates(8, 16)};
  launcher.queue().submit_graph(std::vector<GraphNode>{{host(fail), {}}, {host(note(0)), {}}}, uses);
  submit(launcher.queue(), note(1), {reads(8, 16)});
  submit(launcher.queue(), note(2), {reads(0, 8)});
  submit(launcher.queue(), note(3), {writes(8, 16)});
  check_failed(launcher.queue().synchronize());
  CHECK(ran == 0b1101u);
}

TEST_CASE("tasks: an observer learns what a command took, before anybody knows that it is finished") {
  Launcher launcher(GENERATE(1u, 2u));
  std::vector<CommandTimes> seen;
  const auto submit_observed = [&](std::function<void()> function) {
    const auto command = host(std::move(function));
    command->set_observer([&](const CommandTimes& times) { seen.push_back(times); });
    const std::vector<Use> uses{updates(0, 8)};
    launcher.queue().submit(command, uses);
  };
  submit_observed([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  submit_observed(fail);
  submit_observed([] {});
  check_failed(launcher.queue().synchronize());
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].ended - seen[0].started >= std::chrono::milliseconds(2));
  CHECK(seen[1].started - seen[1].submitted >= std::chrono::milliseconds(2));
  CHECK_FALSE(seen[1].skipped);
  CHECK(seen[2].skipped);
}

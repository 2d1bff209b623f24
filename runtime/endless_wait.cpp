#include "runtime/endless_wait.h"

#include "runtime/support/check.h"
#include "runtime/support/separators.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace weft::runtime {
namespace {

constexpr std::size_t kMaxNamedWaits = 8;
constexpr std::size_t kMaxNamedBlocks = 4;  // of each

// Blocks that wait for the same.
struct Waiters {
  abi::PackState how{};
  abi::Wait wait{};  // of the first
  std::vector<std::uint64_t> first;
  std::uint64_t count = 0;
};

std::string show(const Grid& grid, std::uint64_t block) {
  const Size3 place = grid.block_at(block);
  return fmt::format("({}, {}, {})", place[0], place[1], place[2]);
}

std::string show(std::uint64_t value, abi::CounterType type) {
  const bool is_signed = type == abi::CounterType::i32 || type == abi::CounterType::i64;
  return is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

// "counters[12]", by the argument whose buffer holds the address.
std::string name_of(const std::byte* counter, const abi::KernelInfo& info, const std::byte* arguments) {
  if (counter == nullptr) return "a counter out of range, which reads as 0,";
  for (const abi::ArgumentInfo& argument : std::span(info.arguments, info.argument_count)) {
    if (argument.kind == abi::ArgumentKind::value) continue;
    abi::BufferArgument buffer{};
    std::memcpy(&buffer, arguments + argument.offset_bytes, sizeof buffer);
    const auto offset = static_cast<std::uint64_t>(counter - buffer.data);
    if (counter < buffer.data || offset >= buffer.count * argument.element_bytes) continue;
    return fmt::format("{}[{}]", argument.name, offset / argument.element_bytes);
  }
  return "a counter";
}

std::string place_of(const abi::SiteInfo& site) {
  return site.line == 0 ? "" : fmt::format(" at {}:{}", site.file, site.line);
}

std::vector<Waiters> group(const LiveBlocks& blocks) {
  std::map<std::tuple<abi::PackState, const std::byte*, std::uint64_t, std::uint32_t>, std::size_t> known;
  std::vector<Waiters> groups;
  for (std::uint64_t block = 0; block < blocks.count(); ++block) {
    if (!blocks.is_suspended(block)) continue;
    const abi::PackState how = blocks.suspended_how(block);
    const abi::Wait wait = blocks.wait_of(block);
    const auto [entry, is_new] = known.try_emplace({how, wait.counter, wait.value, wait.site}, groups.size());
    if (is_new) groups.push_back({how, wait, {}, 0});
    Waiters& waiters = groups[entry->second];
    if (waiters.first.size() < kMaxNamedBlocks) waiters.first.push_back(block);
    ++waiters.count;
  }
  return groups;
}

std::string describe(const Waiters& waiters, const abi::KernelInfo& info, const Grid& grid,
                     const std::byte* arguments) {
  std::string text = waiters.count == 1 ? "block" : "blocks";
  for (std::size_t i = 0; i < waiters.first.size(); ++i) {
    text += (i == 0 ? " " : ", ") + show(grid, waiters.first[i]);
  }
  if (waiters.count > waiters.first.size()) {
    text += fmt::format(" and {} more", with_separators(waiters.count - waiters.first.size()));
  }
  const std::string place = place_of(info.sites[waiters.wait.site]);
  const char* const waits = waiters.count == 1 ? "waits" : "wait";
  if (waiters.how == abi::PackState::at_grid_barrier) {
    return fmt::format("{} {} in grid_sync{} for the other blocks", text, waits, place);
  }
  const abi::Wait& wait = waiters.wait;
  return fmt::format("{} {}{} for {} to reach {}; it is {}", text, waits, place, name_of(wait.counter, info, arguments),
                     show(wait.value, wait.type), show(read_counter(wait.counter, wait.type), wait.type));
}

}  // namespace

KernelFault endless_wait_fault(const abi::KernelInfo& info, const Grid& grid, const std::byte* arguments,
                               const LiveBlocks& blocks) {
  const std::vector<Waiters> groups = group(blocks);
  WEFT_CHECK(!groups.empty(), "no block waits");
  std::string message = fmt::format("{} of {} blocks are left, and nothing can wake them",
                                    with_separators(blocks.live()), with_separators(blocks.count()));
  for (std::size_t i = 0; i < groups.size() && i < kMaxNamedWaits; ++i) {
    message += "\n  " + describe(groups[i], info, grid, arguments);
  }
  if (groups.size() > kMaxNamedWaits) {
    message += fmt::format("\n  and {} more waits", with_separators(groups.size() - kMaxNamedWaits));
  }
  const Waiters& first = groups.front();
  KernelFault fault = fault_at(info, info.sites[first.wait.site], grid.block_at(first.first.front()), first.wait.lane);
  if (first.how == abi::PackState::at_grid_barrier) fault.lane = std::nullopt;
  fault.message = std::move(message);
  return fault;
}

}  // namespace weft::runtime

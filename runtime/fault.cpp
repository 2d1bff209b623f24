#include "runtime/fault.h"

#include "runtime/support/separators.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace weft::runtime {
namespace {

const char* what_happened(abi::SiteKind kind) {
  switch (kind) {
    case abi::SiteKind::assertion: return "asserted";
    case abi::SiteKind::unreachable: return "reached unreachable code";
    case abi::SiteKind::out_of_memory: return "ran out of memory";
    case abi::SiteKind::bounds: return "accessed memory out of range";
    case abi::SiteKind::barrier: return "broke the rule of barriers";
    case abi::SiteKind::uninitialised: return "read memory that was never written";
    case abi::SiteKind::wait: return "waits without end";
    case abi::SiteKind::print: break;
  }
  WEFT_UNREACHABLE("site kind {} is no fault", static_cast<std::uint32_t>(kind));
}

std::string show(Size3 place) { return fmt::format("({}, {}, {})", place[0], place[1], place[2]); }

}  // namespace

KernelFault fault_at(const abi::KernelInfo& info, const abi::SiteInfo& site, Size3 block, std::uint32_t lane) {
  KernelFault fault;
  fault.kind = site.kind;
  fault.kernel = info.name;
  fault.message = site.text;
  fault.file = site.file;
  fault.line = site.line;
  fault.column = site.column;
  fault.block = block;
  fault.lane = lane_at(lane, std::to_array(info.block_size));
  return fault;
}

KernelFault out_of_memory_fault(const abi::KernelInfo& info, std::string message, Size3 block, std::uint32_t lane) {
  const std::span sites(info.sites, info.site_count);
  const auto site = std::ranges::find(sites, abi::SiteKind::out_of_memory, &abi::SiteInfo::kind);
  KernelFault fault;
  fault.kind = abi::SiteKind::out_of_memory;
  fault.kernel = info.name;
  fault.message = std::move(message);
  fault.block = block;
  if (site != sites.end()) {
    fault.file = site->file;
    fault.line = site->line;
    fault.column = site->column;
  }
  fault.lane = lane_at(lane, std::to_array(info.block_size));
  return fault;
}

std::string to_string(const KernelFault& fault) {
  std::string text = fmt::format("kernel '{}' {}", fault.kernel, what_happened(fault.kind));
  if (!fault.message.empty()) text += ": " + fault.message;
  text += "\n  at ";
  if (!fault.file.empty()) text += fault.line == 0 ? fault.file + ", " : fmt::format("{}:{}, ", fault.file, fault.line);
  text += "block " + show(fault.block);
  if (fault.lane) text += ", lane " + show(*fault.lane);
  return text + fmt::format("\n  dispatch of {} lanes stopped; the device is still usable",
                            with_separators(fault.dispatch_lanes));
}

}  // namespace weft::runtime

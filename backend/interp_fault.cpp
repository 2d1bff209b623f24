#include "backend/interp_fault.h"

namespace weft::backend {
namespace {

abi::SiteKind to_site_kind(interp::FaultKind kind) {
  switch (kind) {
    case interp::FaultKind::assertion: return abi::SiteKind::assertion;
    case interp::FaultKind::unreachable: return abi::SiteKind::unreachable;
    case interp::FaultKind::bounds: return abi::SiteKind::bounds;
    case interp::FaultKind::barrier: return abi::SiteKind::barrier;
    case interp::FaultKind::uninitialised: return abi::SiteKind::uninitialised;
    case interp::FaultKind::wait: return abi::SiteKind::wait;
  }
  return abi::SiteKind::assertion;
}

}  // namespace

runtime::KernelFault to_kernel_fault(const ir::Module& module, const std::string& kernel, const interp::Fault& fault) {
  runtime::KernelFault report;
  report.kind = to_site_kind(fault.kind);
  report.kernel = kernel;
  report.message = fault.message;
  report.file = module.string(fault.location.file);
  report.line = fault.location.line;
  report.column = fault.location.column;
  report.block = fault.block;
  report.lane = fault.lane;
  return report;
}

}  // namespace weft::backend

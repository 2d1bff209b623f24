#include "backend/errors.h"

#include <fmt/format.h>

#include <new>

namespace weft::backend {
namespace {

KernelFault from_interface(const WeftFault& fault) {
  KernelFault::Details details;
  details.kind = static_cast<KernelFault::Kind>(fault.kind);
  details.kernel = fault.kernel;
  details.message = fault.message;
  details.file = fault.file;
  details.line = fault.line;
  details.column = fault.column;
  details.block = {fault.block[0], fault.block[1], fault.block[2]};
  if (fault.has_lane != 0) details.lane = {fault.lane[0], fault.lane[1], fault.lane[2]};
  details.dispatch_lanes = fault.dispatch_lanes;
  return {fault.text, std::move(details)};
}

WeftResult tell(const WeftErrors* errors, WeftResult result, const char* text) {
  errors->error(errors->user, result, text);
  return result;
}

}  // namespace

ErrorSink::ErrorSink() {
  errors_.user = this;
  errors_.error = [](void* user, WeftResult result, const char* text) {
    auto& sink = *static_cast<ErrorSink*>(user);
    sink.result_ = result;
    sink.text_ = text;
  };
  errors_.fault = [](void* user, const WeftFault* fault) {
    static_cast<ErrorSink*>(user)->fault_ = from_interface(*fault);
  };
}

void ErrorSink::raise(WeftResult result, std::string_view action) const {
  if (fault_) throw KernelFault(*fault_);
  const std::string text = text_.empty() ? fmt::format("{} failed, and the backend does not say why", action) : text_;
  switch (result) {
    case WEFT_ERROR_USAGE: throw UsageError(text);
    case WEFT_ERROR_COMPILE: throw CompileError(text);
    case WEFT_ERROR_MEMORY: throw OutOfMemoryError(text);
    case WEFT_ERROR_CANCELLED: throw DispatchCancelled(text);
    case WEFT_ERROR_DEVICE:
    case WEFT_ERROR_FAULT:
    case WEFT_OK: break;
  }
  throw DeviceError(text);
}

WeftResult report_current_exception(const WeftErrors* errors) noexcept {
  try {
    throw;
  } catch (const KernelFault& fault) {
    return report(errors, fault);
  } catch (const UsageError& error) {
    return tell(errors, WEFT_ERROR_USAGE, error.what());
  } catch (const CompileError& error) {
    return tell(errors, WEFT_ERROR_COMPILE, error.what());
  } catch (const OutOfMemoryError& error) {
    return tell(errors, WEFT_ERROR_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return tell(errors, WEFT_ERROR_MEMORY, "the host is out of memory");
  } catch (const DispatchCancelled& error) {
    return tell(errors, WEFT_ERROR_CANCELLED, error.what());
  } catch (const std::exception& error) {
    return tell(errors, WEFT_ERROR_DEVICE, error.what());
  } catch (...) {
    return tell(errors, WEFT_ERROR_DEVICE, "an exception of unknown type");
  }
}

WeftResult report(const WeftErrors* errors, const KernelFault& fault) {
  const KernelFault::Details& details = fault.details();
  WeftFault out{};
  out.kind = static_cast<std::uint32_t>(details.kind);
  out.line = details.line;
  out.column = details.column;
  out.has_lane = details.lane ? 1 : 0;
  out.text = fault.what();
  out.kernel = details.kernel.c_str();
  out.message = details.message.c_str();
  out.file = details.file.c_str();
  for (std::size_t i = 0; i < 3; ++i) {
    out.block[i] = details.block[i];
    out.lane[i] = details.lane ? (*details.lane)[i] : 0;
  }
  out.dispatch_lanes = details.dispatch_lanes;
  errors->fault(errors->user, &out);
  return WEFT_ERROR_FAULT;
}

}  // namespace weft::backend

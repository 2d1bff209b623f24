// The backend's event.
#pragma once

#include "backend/device_state.h"

#include <weft/backend.h>

#include <memory>

namespace weft::detail {

struct EventHandle {
  explicit EventHandle(std::shared_ptr<DeviceState> owner);
  ~EventHandle() { device->backend.destroy_event(device->handle, handle); }
  EventHandle(const EventHandle&) = delete;
  EventHandle& operator=(const EventHandle&) = delete;

  std::uint64_t value() const { return device->backend.event_value(handle); }

  const std::shared_ptr<DeviceState> device;
  WeftEvent* handle = nullptr;
};

}  // namespace weft::detail

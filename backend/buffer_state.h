// What buffers and views hold. The memory lives as long as the Buffer or a command that uses it; views see when it is
// gone.
#pragma once

#include "backend/device_state.h"

#include <weft/buffer.h>

#include <memory>
#include <mutex>

namespace weft::detail {

// The backend's buffer.
struct BufferMemory {
  BufferMemory(std::shared_ptr<DeviceState> device, std::uint64_t size_bytes);
  ~BufferMemory();
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;

  const std::shared_ptr<DeviceState> device;
  WeftBuffer* const handle;
};

struct BufferState {
  BufferState(std::shared_ptr<BufferMemory> memory, std::string label)
      : device(memory->device), label(std::move(label)), memory_(std::move(memory)) {}

  const std::shared_ptr<DeviceState> device;
  const std::string label;  // "buffer of 100 f32"

  // Throws UsageError if the buffer is gone.
  std::shared_ptr<BufferMemory> use(std::string_view user);
  void close();

 private:
  std::mutex mutex_;  // guards memory_
  std::shared_ptr<BufferMemory> memory_;
};

// A range in use by a command.
struct UsedRange {
  std::shared_ptr<BufferMemory> memory;
  WeftRange range;
};

// Throws UsageError, in the name of `user`, if the range has no buffer or its buffer is gone.
UsedRange use(const BufferRange& range, std::string_view user);

// "100 f32", "4096 bytes".
std::string count_text(std::uint64_t count, const ElementType& type);

}  // namespace weft::detail

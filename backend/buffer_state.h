// What buffers and views hold. The memory lives as long as the Buffer or a command that uses it; views see when it is
// gone.
#pragma once

#include "backend/device_state.h"

#include <weft/buffer.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace weft::detail {

struct BufferState;

// What stands for memory in the commands of a graph's recording, until a launch has the memory.
struct Placeholder {
  std::uint64_t recording = 0;  // its number
  std::uint32_t resource = 0;
};

// The backend's buffer, or a placeholder.
struct BufferMemory {
  BufferMemory(std::shared_ptr<DeviceState> device, std::uint64_t size_bytes);
  // Its handle tells it from others and is no buffer of the backend.
  BufferMemory(std::shared_ptr<DeviceState> device, const Placeholder& placeholder);
  ~BufferMemory();
  BufferMemory(const BufferMemory&) = delete;
  BufferMemory& operator=(const BufferMemory&) = delete;

  const std::shared_ptr<DeviceState> device;
  const std::optional<Placeholder> placeholder;
  WeftBuffer* const handle;
  std::weak_ptr<BufferState> buffer;  // whose memory it is; set before anybody else has it
};

// Throws UsageError, in the name of `user`, for a placeholder, which only commands of its graph may use.
void check_is_no_placeholder(const BufferMemory& memory, std::string_view user);

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

// A buffer of a label for messages over its memory.
BufferRange make_range(std::shared_ptr<BufferMemory> memory, std::string label, std::uint64_t size_bytes);

// "100 f32", "4096 bytes".
std::string count_text(std::uint64_t count, const ElementType& type);

}  // namespace weft::detail

// Buffers, views of them, and the commands that move their contents. Everything is checked here, so that a backend gets
// ranges that lie inside their buffers.
#include "backend/buffer_state.h"

#include "backend/command_state.h"
#include "backend/errors.h"

#include <weft/buffer.h>
#include <weft/error.h>

#include <fmt/format.h>

namespace weft::detail {
namespace {

using backend::ErrorSink;

WeftBuffer* create(const DeviceState& device, std::uint64_t size_bytes) {
  const ErrorSink errors;
  WeftBuffer* const buffer = device.backend.create_buffer(device.handle, size_bytes, errors.interface());
  if (buffer == nullptr) errors.raise(fmt::format("creating a buffer of {} bytes", size_bytes));
  return buffer;
}

std::unique_ptr<CommandState> transfer(WeftCommandKind kind, std::string what, std::uint64_t size_bytes) {
  auto state = std::make_unique<CommandState>();
  state->what = std::move(what);
  state->command.kind = kind;
  state->does_nothing = size_bytes == 0;
  return state;
}

void add_range(CommandState& state, UsedRange used, WeftRange& where) {
  where = used.range;
  state.device = used.memory->device;
  state.memories.push_back(std::move(used.memory));
}

void check_equal_counts(std::string_view what, std::uint64_t count, const BufferRange& range, const ElementType& type) {
  const std::uint64_t expected = range.size_bytes() / type.size_bytes;
  if (count == expected) return;
  throw UsageError(
      fmt::format("{} and a view of {}: both sides must have the same size; take a subview of what is larger", what,
                  count_text(expected, type)));
}

}  // namespace

BufferMemory::BufferMemory(std::shared_ptr<DeviceState> device, std::uint64_t size_bytes)
    : device(std::move(device)), handle(create(*this->device, size_bytes)) {}

BufferMemory::BufferMemory(std::shared_ptr<DeviceState> device, const Placeholder& placeholder)
    : device(std::move(device)), placeholder(placeholder), handle(reinterpret_cast<WeftBuffer*>(this)) {}

BufferMemory::~BufferMemory() {
  if (!placeholder) device->backend.destroy_buffer(device->handle, handle);
}

void check_is_no_placeholder(const BufferMemory& memory, std::string_view user) {
  if (!memory.placeholder) return;
  throw UsageError(fmt::format("{} uses a transient or an input of a graph; only commands of that graph may", user));
}

BufferRange make_range(std::shared_ptr<BufferMemory> memory, std::string label, std::uint64_t size_bytes) {
  BufferMemory& made = *memory;
  auto state = std::make_shared<BufferState>(std::move(memory), std::move(label));
  made.buffer = state;
  return {std::move(state), size_bytes};
}

std::shared_ptr<BufferMemory> BufferState::use(std::string_view user) {
  const std::lock_guard lock(mutex_);
  if (memory_ == nullptr) throw UsageError(fmt::format("{} uses a {} that was destroyed before", user, label));
  return memory_;
}

void BufferState::close() {
  std::shared_ptr<BufferMemory> last;  // goes outside the lock
  const std::lock_guard lock(mutex_);
  last = std::move(memory_);
}

UsedRange use(const BufferRange& range, std::string_view user) {
  if (range.state() == nullptr) {
    throw UsageError(fmt::format("{} uses a buffer that was never created, or was moved from", user));
  }
  UsedRange used;
  used.memory = range.state()->use(user);
  used.range = {used.memory->handle, range.offset_bytes(), range.size_bytes()};
  return used;
}

std::string count_text(std::uint64_t count, const ElementType& type) {
  const std::string text = type_text(type);
  if (text == kByteName) return fmt::format("{} bytes", count);
  if (text.empty()) return fmt::format("{} elements of {} bytes", count, type.size_bytes);
  return fmt::format("{} {}", count, text);
}

BufferRange BufferRange::slice(std::uint64_t first, std::uint64_t count, const ElementType& type) const {
  const std::uint64_t size = size_bytes_ / type.size_bytes;
  if (first > size || count > size - first) {
    throw UsageError(fmt::format("a subview of {} from number {} on does not fit into a view of {}",
                                 count_text(count, type), first, count_text(size, type)));
  }
  BufferRange part = *this;
  part.offset_bytes_ += first * type.size_bytes;
  part.size_bytes_ = count * type.size_bytes;
  return part;
}

Command BufferRange::upload(const void* data, std::uint64_t count, const ElementType& type,
                            std::shared_ptr<const void> owner) const {
  auto state = transfer(WEFT_COMMAND_UPLOAD, fmt::format("upload of {}", count_text(count, type)), size_bytes_);
  add_range(*state, use(*this, state->what), state->command.transfer.target);
  check_equal_counts(state->what, count, *this, type);
  state->command.transfer.host_data = data;
  state->owner = std::move(owner);
  return Command(std::move(state));
}

Command BufferRange::download(void* data, std::uint64_t count, const ElementType& type) const {
  auto state = transfer(WEFT_COMMAND_DOWNLOAD, fmt::format("download to {}", count_text(count, type)), size_bytes_);
  add_range(*state, use(*this, state->what), state->command.transfer.source);
  check_equal_counts(state->what, count, *this, type);
  state->command.transfer.host_target = data;
  return Command(std::move(state));
}

Command BufferRange::copy_from(const BufferRange& source, const ElementType& type) const {
  const std::uint64_t count = source.size_bytes() / type.size_bytes;
  auto state = transfer(WEFT_COMMAND_COPY, fmt::format("copy of {}", count_text(count, type)), size_bytes_);
  add_range(*state, use(*this, state->what), state->command.transfer.target);
  add_range(*state, use(source, state->what), state->command.transfer.source);
  check_same_device(*source.state()->device, "the source of a " + state->what, *state_->device, "its target");
  check_equal_counts(state->what, count, *this, type);
  return Command(std::move(state));
}

Command BufferRange::fill(const void* pattern, const ElementType& type) const {
  const std::uint64_t count = size_bytes_ / type.size_bytes;
  auto state = transfer(WEFT_COMMAND_FILL, fmt::format("fill of {}", count_text(count, type)), size_bytes_);
  add_range(*state, use(*this, state->what), state->command.transfer.target);
  const auto* const bytes = static_cast<const std::byte*>(pattern);
  state->values.assign(bytes, bytes + type.size_bytes);
  state->command.transfer.pattern = state->values.data();
  state->command.transfer.pattern_bytes = type.size_bytes;
  return Command(std::move(state));
}

void BufferRange::close() const {
  if (state_ != nullptr) state_->close();
}

}  // namespace weft::detail

#include "runtime/support/digest.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace weft {

struct Digester::State {
  XXH3_state_t xxh3;
};

std::string Digest::text() const { return fmt::format("{:016x}{:016x}", high, low); }

Digester::Digester() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }

Digester::~Digester() = default;

void Digester::add(std::string_view text) {
  add(text.size());
  if (used_ + text.size() > buffer_.size()) flush();
  if (text.size() > buffer_.size()) {
    XXH3_128bits_update(&state_->xxh3, text.data(), text.size());
    return;
  }
  std::memcpy(buffer_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

Digest Digester::finish() {
  flush();
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return {hash.high64, hash.low64};
}

void Digester::flush() {
  XXH3_128bits_update(&state_->xxh3, buffer_.data(), used_);
  used_ = 0;
}

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace weft

// Where the time of a compilation goes. Each layer opens a scope around what it does; whoever wants to know collects:
//
//   StageTimes times;
//   const CollectStageTimes collect(times);
//   ...                                    // here and below: const StageScope scope(Stage::lower);
//
// Times are the running thread's CPU time, so that they say the same on a busy machine. They exclude scopes inside: the
// sum of all stages is the whole. Without a collector on the thread a scope does nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

enum class Stage : std::uint8_t {
#define WEFT_STAGE(name, meaning) name,
#include "runtime/support/stages.def"
#undef WEFT_STAGE
};

inline constexpr std::array kStageNames = {
#define WEFT_STAGE(name, meaning) std::string_view(#name),
#include "runtime/support/stages.def"
#undef WEFT_STAGE
};
inline constexpr std::size_t kStageCount = kStageNames.size();

struct StageTimes {
  std::array<std::uint64_t, kStageCount> ns{};

  [[nodiscard]] std::uint64_t operator[](Stage stage) const { return ns[static_cast<std::size_t>(stage)]; }
  [[nodiscard]] std::uint64_t total_ns() const;
  // "12.3 ms (parse 0.1, prepare 2.0, ...)": the stages that took part.
  [[nodiscard]] std::string text() const;
};

// Collects what the scopes of this thread measure, until it ends. One inside another takes over meanwhile.
class CollectStageTimes {
 public:
  explicit CollectStageTimes(StageTimes& times);
  ~CollectStageTimes();
  CollectStageTimes(const CollectStageTimes&) = delete;
  CollectStageTimes& operator=(const CollectStageTimes&) = delete;

 private:
  friend class StageScope;
  StageTimes& times_;
  std::uint64_t running_since_ns_ = 0;
  class StageScope* innermost_ = nullptr;
  CollectStageTimes* outer_;
};

class StageScope {
 public:
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;

 private:
  // Adds the time since the last change of scopes to the innermost one.
  static void account(CollectStageTimes& collector);

  Stage stage_;
  CollectStageTimes* collector_;
  StageScope* outer_ = nullptr;
};

}  // namespace weft

// Waiting for something that is about to happen: cheaper than parking while it takes no longer than a wake-up does.
#pragma once

#include <chrono>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weft::runtime {

// About what parking and waking a thread costs: to spin longer never pays.
inline constexpr std::chrono::nanoseconds kSpinTime{20'000};

inline void spin_pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when `condition()` holds or kSpinTime has passed; says whether it held.
template <typename Condition>
bool spin_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 8; ++i) {
      if (condition()) return true;
      spin_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}

}  // namespace weft::runtime

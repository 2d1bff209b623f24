// Handlers of the family warp: each acts on the active lanes of one warp at a time.
#include <algorithm>
#include <array>

#include "codegen/interp/apply.h"
#include "codegen/interp/meaning.h"

namespace weft::interp::handlers {

using namespace ir;

namespace {

constexpr std::uint32_t kMaxWarp = 32;

std::uint32_t size_of_warp(const Context& c) { return c.block.attributes().warp_size; }
std::uint32_t place_in_warp(const Context& c, std::uint32_t lane) { return lane % size_of_warp(c); }

// Calls f(active lanes of a warp) for each warp that has any.
template <class F>
void for_each_warp(const Context& c, F f) {
  Lanes rest = c.lanes;
  while (!rest.empty()) {
    const std::uint32_t warp = rest.front() / size_of_warp(c);
    const auto end = std::ranges::find_if(rest, [&](std::uint32_t lane) { return lane / size_of_warp(c) != warp; });
    const auto count = static_cast<std::size_t>(end - rest.begin());
    f(rest.first(count));
    rest = rest.subspan(count);
  }
}

// Gives every lane of each warp f(lanes of the warp).
template <class F>
void same_for_all(const Context& c, F f) {
  for_each_warp(c, [&](Lanes warp) {
    const std::uint64_t value = f(warp);
    for (const std::uint32_t lane : warp) {
      c.result().at(lane) = value;
    }
  });
}

bool holds(const Context& c, std::uint32_t lane) { return c.operand(0).at(lane) != 0; }

// Component by component: gives every lane of each warp f(the T of each active lane, in order).
template <class T, class F>
void fold_components(const Context& c, F f) {
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for_each_warp(c, [&](Lanes warp) {
      T result = from_bits<T>(c.operand(0).at(warp.front(), w));
      for (const std::uint32_t lane : warp.subspan(1)) {
        result = f(result, from_bits<T>(c.operand(0).at(lane, w)));
      }
      for (const std::uint32_t lane : warp) {
        c.result().at(lane, w) = to_bits(result);
      }
    });
  }
}

// For functions that give the same in every order.
template <class F>
void fold(const Context& c, F f) {
  visit_scalar(
      c.scalar_kind(0), [&]<class T>()
        requires requires(T x) { f(x, x); }
      { fold_components<T>(c, f); });
}

// In a tree: lane i and lane i + n/2, then n/4, down to 1, inactive lanes being `neutral`.
template <class T, class F>
T tree(const Context& c, Lanes warp, std::uint32_t word, T neutral, F f) {
  std::array<T, kMaxWarp> values;
  values.fill(neutral);
  for (const std::uint32_t lane : warp) {
    values[place_in_warp(c, lane)] = from_bits<T>(c.operand(0).at(lane, word));
  }
  for (std::uint32_t half = size_of_warp(c) / 2; half != 0; half /= 2) {
    for (std::uint32_t i = 0; i < half; ++i) {
      values[i] = f(values[i], values[i + half]);
    }
  }
  return values[0];
}

template <Number T>
T neutral_of_sum() {
  return Floating<T> ? meaning::neg(T(0)) : T(0);
}

template <class F>
void fold_in_tree(const Context& c, bool is_sum, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Number T>() {
    const T neutral = is_sum ? neutral_of_sum<T>() : T(1);
    for (std::uint32_t w = 0; w < c.result_words(); ++w) {
      for_each_warp(c, [&](Lanes warp) {
        const T result = tree(c, warp, w, neutral, f);
        for (const std::uint32_t lane : warp) {
          c.result().at(lane, w) = to_bits(result);
        }
      });
    }
  });
}

// Each lane gets the fold, one by one from `first`, of the active lanes before it.
template <class F>
void prefix(const Context& c, int first, F f) {
  visit_scalar(c.scalar_kind(0), [&]<Number T>() {
    for (std::uint32_t w = 0; w < c.result_words(); ++w) {
      for_each_warp(c, [&](Lanes warp) {
        T before = static_cast<T>(first);
        for (const std::uint32_t lane : warp) {
          const T value = from_bits<T>(c.operand(0).at(lane, w));
          c.result().at(lane, w) = to_bits(before);
          before = f(before, value);
        }
      });
    }
  });
}

}  // namespace

void warp_size(const Context& c) {
  same_for_all(c, [&](Lanes) { return size_of_warp(c); });
}

void warp_lane(const Context& c) {
  for (const std::uint32_t lane : c.lanes) {
    c.result().at(lane) = place_in_warp(c, lane);
  }
}

void warp_all(const Context& c) {
  same_for_all(c, [&](Lanes warp) { return std::ranges::all_of(warp, [&](auto lane) { return holds(c, lane); }); });
}

void warp_any(const Context& c) {
  same_for_all(c, [&](Lanes warp) { return std::ranges::any_of(warp, [&](auto lane) { return holds(c, lane); }); });
}

void warp_all_equal(const Context& c) {
  const std::uint32_t words = word_count(c.block.types(), c.operand_type(0));
  visit_scalar(c.scalar_kind(0), [&]<class T>() {
    const auto value = [&](std::uint32_t lane, std::uint32_t w) { return from_bits<T>(c.operand(0).at(lane, w)); };
    same_for_all(c, [&](Lanes warp) {
      bool equal = true;
      for (std::uint32_t w = 0; w < words; ++w) {
        equal &= std::ranges::all_of(warp, [&](auto lane) { return value(lane, w) == value(warp.front(), w); });
      }
      return equal;
    });
  });
}

void warp_ballot(const Context& c) {
  same_for_all(c, [&](Lanes warp) {
    std::uint64_t ballot = 0;
    for (const std::uint32_t lane : warp) {
      ballot |= std::uint64_t{holds(c, lane)} << place_in_warp(c, lane);
    }
    return ballot;
  });
}

void warp_and(const Context& c) { fold(c, WEFT_MEANING(bit_and)); }
void warp_or(const Context& c) { fold(c, WEFT_MEANING(bit_or)); }
void warp_xor(const Context& c) { fold(c, WEFT_MEANING(bit_xor)); }
void warp_min(const Context& c) { fold(c, WEFT_MEANING(min)); }
void warp_max(const Context& c) { fold(c, WEFT_MEANING(max)); }
void warp_sum(const Context& c) { fold_in_tree(c, true, WEFT_MEANING(add)); }
void warp_product(const Context& c) { fold_in_tree(c, false, WEFT_MEANING(mul)); }
void warp_prefix_sum(const Context& c) { prefix(c, 0, WEFT_MEANING(add)); }
void warp_prefix_product(const Context& c) { prefix(c, 1, WEFT_MEANING(mul)); }

void warp_prefix_count(const Context& c) {
  for_each_warp(c, [&](Lanes warp) {
    std::uint64_t count = 0;
    for (const std::uint32_t lane : warp) {
      const bool counts = holds(c, lane);
      c.result().at(lane) = count;
      count += counts;
    }
  });
}

void warp_read(const Context& c) {
  const TypeKind kind = c.scalar_kind(1);
  for_each_warp(c, [&](Lanes warp) {
    const std::uint32_t first = warp.front() - place_in_warp(c, warp.front());
    for (const std::uint32_t lane : warp) {
      const std::uint64_t index = index_of(kind, c.operand(1).at(lane));
      const auto source = static_cast<std::uint32_t>(first + index);
      const bool active = index < size_of_warp(c) && std::ranges::binary_search(warp, source);
      for (std::uint32_t w = 0; w < c.result_words(); ++w) {
        c.result().at(lane, w) = active ? c.operand(0).at(source, w) : 0;
      }
    }
  });
}

void warp_read_first(const Context& c) {
  for (std::uint32_t w = 0; w < c.result_words(); ++w) {
    for_each_warp(c, [&](Lanes warp) {
      for (const std::uint32_t lane : warp) {
        c.result().at(lane, w) = c.operand(0).at(warp.front(), w);
      }
    });
  }
}

void warp_is_first(const Context& c) {
  for_each_warp(c, [&](Lanes warp) {
    for (const std::uint32_t lane : warp) {
      c.result().at(lane) = lane == warp.front();
    }
  });
}

}  // namespace weft::interp::handlers

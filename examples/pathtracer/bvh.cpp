#include "examples/pathtracer/bvh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pathtracer {

namespace {

constexpr std::size_t kBins = 16;
constexpr uint kLeafTriangles = 4;

struct Box {
  float3 low = float3(std::numeric_limits<float>::max());
  float3 high = float3(-std::numeric_limits<float>::max());

  void add(float3 p) {
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], p[d]);
      high[d] = std::max(high[d], p[d]);
    }
  }
  void add(const Box& b) {
    add(b.low);
    add(b.high);
  }
  [[nodiscard]] float half_area() const {
    const float3 e = high - low;
    return e.x < 0 ? 0 : e.x * e.y + e.y * e.z + e.z * e.x;
  }
};

Box box_of(const Triangle& t) {
  Box box;
  box.add(t.corner);
  box.add(t.corner + t.edge1);
  box.add(t.corner + t.edge2);
  return box;
}

float center_of(const Triangle& t, std::size_t axis) {
  const Box box = box_of(t);
  return 0.5F * (box.low[axis] + box.high[axis]);
}

class Builder {
 public:
  explicit Builder(std::vector<Triangle>& triangles) : triangles_(triangles) {}

  std::vector<Node> run() {
    nodes_.resize(1);
    split(0, 0, static_cast<uint>(triangles_.size()), 1);
    return std::move(nodes_);
  }

 private:
  // Where a split would be, as a bin of an axis; no axis for none.
  struct Split {
    std::size_t axis = 3;
    std::size_t bin = 0;
    float cost = std::numeric_limits<float>::max();
  };

  void split(uint node, uint begin, uint end, uint depth) {
    Box box;
    Box centers;
    for (uint i = begin; i < end; ++i) {
      box.add(box_of(triangles_[i]));
      centers.add({center_of(triangles_[i], 0), center_of(triangles_[i], 1), center_of(triangles_[i], 2)});
    }
    nodes_[node] = {box.low, begin, box.high, end - begin};
    if (end - begin <= kLeafTriangles || depth >= kMaxBvhDepth) {
      return;
    }
    const Split best = find_split(begin, end, centers);
    uint middle = begin;
    // In the lower half of the depth the halves are made equal, so that what is left always fits.
    if (best.axis < 3 && depth < kMaxBvhDepth / 2) {
      const auto goes_left = [&](const Triangle& t) { return bin_of(t, best.axis, centers) <= best.bin; };
      const auto at = std::partition(triangles_.begin() + begin, triangles_.begin() + end, goes_left);
      middle = static_cast<uint>(at - triangles_.begin());
    }
    if (middle == begin || middle == end) {
      middle = begin + (end - begin) / 2;
    }
    const auto first = static_cast<uint>(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    nodes_[node].first = first;
    nodes_[node].count = 0;
    split(first, begin, middle, depth + 1);
    split(first + 1, middle, end, depth + 1);
  }

  static std::size_t bin_of(const Triangle& t, std::size_t axis, const Box& centers) {
    const float extent = centers.high[axis] - centers.low[axis];
    const float at = (center_of(t, axis) - centers.low[axis]) / extent;
    return std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0F, at) * static_cast<float>(kBins)));
  }

  Split find_split(uint begin, uint end, const Box& centers) const {
    Split best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(centers.high[axis] > centers.low[axis])) {
        continue;
      }
      std::array<Box, kBins> boxes;
      std::array<uint, kBins> counts{};
      for (uint i = begin; i < end; ++i) {
        const std::size_t bin = bin_of(triangles_[i], axis, centers);
        boxes[bin].add(box_of(triangles_[i]));
        ++counts[bin];
      }
      for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
        const float cost = cost_of(boxes, counts, bin);
        if (cost < best.cost) {
          best = {axis, bin, cost};
        }
      }
    }
    return best;
  }

  static float cost_of(const std::array<Box, kBins>& boxes, const std::array<uint, kBins>& counts, std::size_t bin) {
    Box left;
    Box right;
    uint left_count = 0;
    uint right_count = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
      if (counts[i] > 0) {
        (i <= bin ? left : right).add(boxes[i]);
        (i <= bin ? left_count : right_count) += counts[i];
      }
    }
    return left.half_area() * static_cast<float>(left_count) + right.half_area() * static_cast<float>(right_count);
  }

  std::vector<Triangle>& triangles_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<Node> build_bvh(Scene& scene) { return Builder(scene.triangles).run(); }

void collect_lights(Scene& scene) {
  for (std::size_t i = 0; i < scene.triangles.size(); ++i) {
    const Triangle& t = scene.triangles[i];
    const float3 e = scene.materials[t.material].emission;
    if (e.x > 0 || e.y > 0 || e.z > 0) {
      const float3 n = {t.edge1.y * t.edge2.z - t.edge1.z * t.edge2.y, t.edge1.z * t.edge2.x - t.edge1.x * t.edge2.z,
                        t.edge1.x * t.edge2.y - t.edge1.y * t.edge2.x};
      scene.lights.push_back({static_cast<uint>(i), 0.5F * std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z), e});
    }
  }
}

}  // namespace pathtracer

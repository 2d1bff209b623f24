// Sets of lanes of a block: ascending lists, from a pool that reuses them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace weft::interp {

using Lanes = std::span<const std::uint32_t>;

// A list on loan from the pool.
class LaneList;

class LanePool {
 public:
  [[nodiscard]] LaneList take();

 private:
  friend class LaneList;
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>> free_;
};

class LaneList {
 public:
  LaneList(LanePool& pool, std::unique_ptr<std::vector<std::uint32_t>> lanes) : pool_(pool), lanes_(std::move(lanes)) {}
  ~LaneList() { pool_.free_.push_back(std::move(lanes_)); }
  LaneList(const LaneList&) = delete;
  LaneList& operator=(const LaneList&) = delete;

  [[nodiscard]] Lanes lanes() const { return *lanes_; }
  [[nodiscard]] bool empty() const { return lanes_->empty(); }
  void add(std::uint32_t lane) { lanes_->push_back(lane); }
  void assign(Lanes lanes) { lanes_->assign(lanes.begin(), lanes.end()); }
  template <class Predicate>
  void keep_if(Predicate predicate) {
    std::erase_if(*lanes_, [&](std::uint32_t lane) { return !predicate(lane); });
  }

 private:
  LanePool& pool_;
  std::unique_ptr<std::vector<std::uint32_t>> lanes_;
};

inline LaneList LanePool::take() {
  if (free_.empty()) {
    return {*this, std::make_unique<std::vector<std::uint32_t>>()};
  }
  std::unique_ptr<std::vector<std::uint32_t>> lanes = std::move(free_.back());
  free_.pop_back();
  lanes->clear();
  return {*this, std::move(lanes)};
}

}  // namespace weft::interp

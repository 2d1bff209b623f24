// The factorisation on a Weft device, executed in one of several ways. All compute the same sums; in reproducible mode
// in the same order, so that they give the same bits.
#pragma once

#include <weft/weft.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "examples/multifrontal/factors.h"
#include "examples/multifrontal/memory.h"

namespace multifrontal {

enum class Execution {
  levels,  // a dispatch for each level of the tree of tasks
  graph,   // a command graph: a task starts when its last child has been added to it
  fused,   // a kernel for each segment of the tree, with dependency counters in it; large fronts in between
};

// What factors the large fronts, in every execution.
enum class LargeFronts {
  blocks,  // many blocks of kernels: the same sums as one block makes
  blas,    // a BLAS on the host, on copies
};

struct DeviceOptions {
  Execution execution = Execution::levels;
  LargeFronts large_fronts = LargeFronts::blas;
  bool reproducible = false;  // children are added in their order, not as they come
};

// Bytes of contributions and scratch.
struct MemoryReport {
  std::uint64_t private_slots = 0;  // a slot of its own for each piece
  std::uint64_t aliased = 0;        // shared as the execution's order allows; what it takes
  std::uint64_t serial = 0;         // shared as if tasks ran one after the other
  std::uint64_t host = 0;           // besides: copies of large fronts for the BLAS
};

// What is compiled and allocated once; factors any matrix of the analysed structure.
class DeviceFactorisation {
 public:
  virtual ~DeviceFactorisation() = default;
  // The values of a matrix of that structure; the time that it took is kept.
  virtual Factors factor(const SymmetricMatrix& matrix) = 0;
  virtual MemoryReport memory() const = 0;
  // Wall-clock seconds of the last factorisation, without the transfer of the factors to the host.
  virtual double seconds() const = 0;
};

std::unique_ptr<DeviceFactorisation> make_device_factorisation(const weft::Device& device, const Analysis& analysis,
                                                               const DeviceOptions& options);

}  // namespace multifrontal

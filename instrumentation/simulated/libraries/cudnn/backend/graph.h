#pragma once

#include <map>
#include <optional>

#include "instrumentation/simulated/libraries/cudnn/backend/descriptor.h"
#include "instrumentation/simulated/libraries/cudnn/convolution/convolution.h"

namespace warpwalk::simulated::libraries {

/// A graph that the stand-in can compute: a convolution, after which tensors can be added and a relu taken. Tensors are
/// the program's numbers, which a variant pack gives addresses.
struct GraphConvolution {
  Convolution convolution;
  std::int64_t x = 0, w = 0, y = 0;
  std::array<std::optional<std::int64_t>, 2> addends;
};

/// The convolution that a finalized operation graph describes; none if it is another graph.
std::optional<GraphConvolution> convolution_of(const BackendContents& graph);

/// The indices of the engines for a convolution, the fastest first: 0 has tensor cores, 1 has not.
std::vector<std::int64_t> engines_for(const Convolution& convolution);

}  // namespace warpwalk::simulated::libraries

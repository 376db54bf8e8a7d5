#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/dispatcher.h"

namespace warpwalk::ops {

struct Node;
/// From a node to the node whose gradient its output adds to.
struct Edge {
  std::shared_ptr<Node> node;  ///< null: no gradient is wanted there
};

/// A tensor that a backward needs, with the version it had. Using it after a change in place throws OpError, as PyTorch
/// does, and says which op saved it and at which version.
class SavedTensor {
 public:
  SavedTensor() = default;
  explicit SavedTensor(const Tensor& tensor);
  /// `node`: for the message.
  Tensor use(const Node& node) const;

 private:
  Tensor tensor_;
  std::uint32_t version_ = 0;
};

/// One step of the tape: how the gradient of an op's result becomes those of its inputs.
struct Node {
  std::string name;           ///< "MmBackward0", PyTorch's names
  std::int64_t sequence = 0;  ///< of the forward op: later ones go first on the way back
  std::vector<Edge> next;     ///< one for each input
  /// The gradient of the result -> one for each input (no tensor where none is wanted). Calls ops.
  std::function<std::vector<Tensor>(Dispatcher&, const Node&, const Tensor&)> apply;
  std::vector<SavedTensor> saved;
};

struct AutogradMeta {
  bool requires_grad = false;         ///< of a leaf, set by a person
  Tensor grad;                        ///< of a leaf, after backward
  std::shared_ptr<Node> function;     ///< made this tensor; null: a leaf
  std::shared_ptr<Node> accumulator;  ///< of a leaf: AccumulateGrad, made once
};

bool requires_grad(const Tensor& tensor);
void set_requires_grad(Tensor& tensor);
/// Of a leaf; no tensor before backward.
Tensor grad_of(const Tensor& tensor);

/// Walks the tape from `root` back to the leaves and adds to their gradients. `gradient`: of root, none for a tensor of
/// one element (then 1). Nodes run by sequence number, the latest first, once all gradients that come into them are
/// summed. Throws OpError (nothing to go back to, a saved tensor changed in place, shapes).
void backward(Dispatcher& dispatcher, const Tensor& root, const Tensor& gradient = {});

/// A gradient of a broadcast result summed down to the input's sizes.
Tensor summed_to(Dispatcher& dispatcher, const Tensor& gradient, const Sizes& sizes);

}  // namespace warpwalk::ops

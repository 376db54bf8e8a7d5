#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

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
  /// Keeps the elements only: a result that is saved by its own node holds that node, and neither would ever go.
  explicit SavedTensor(const Tensor& tensor);
  /// `node`: for the message.
  Tensor use(const Node& node) const;

 private:
  Tensor tensor_;
  std::uint32_t version_ = 0;
};

/// How the gradient of an op's result becomes those of its inputs: one for each of Node::next (no tensor if none is
/// wanted). Calls ops. Sizes and types may still be those of the result: the engine sums and casts.
using Backward = std::function<std::vector<Tensor>(Dispatcher&, const Node&, const Tensor&)>;

/// One step of the tape.
struct Node {
  std::string name;            ///< "MmBackward0", PyTorch's names
  std::int64_t sequence = -1;  ///< of the forward op: later ones go first on the way back; -1: AccumulateGrad, at once
  std::vector<Edge> next;      ///< one for each input
  Backward apply;
  std::vector<SavedTensor> saved;  ///< released once the node has run
  bool done = false;               ///< the node has run, and its saved tensors are released
  Tensor leaf;                     ///< AccumulateGrad only (without apply): the tensor that receives the gradient
  /// The sizes of the forward op's result, and so of the gradient that the node receives.
  Sizes sizes;
  DType dtype = DType::f32;
};

struct AutogradMeta {
  bool requires_grad = false;       ///< of a leaf, set by a person
  Tensor grad;                      ///< of a leaf, after backward
  std::shared_ptr<Node> function;   ///< made this tensor; null: a leaf
  std::weak_ptr<Node> accumulator;  ///< of a leaf: AccumulateGrad, one while the tape leads there
  /// Of a view: whose elements it shares, and what had made those when the view was taken. A later change in place of
  /// the base puts another node there, which this view's own history does not know of.
  Tensor base;
  std::shared_ptr<Node> base_function;
};

bool requires_grad(const Tensor& tensor);
/// Throws OpError for integers, which cannot have gradients, and for results of ops.
void set_requires_grad(Tensor& tensor);
/// The gradient of a leaf; undefined before backward.
Tensor grad_of(const Tensor& tensor);

/// Disables recording while it exists (torch.no_grad).
class NoGrad {
 public:
  explicit NoGrad(Dispatcher& dispatcher) : dispatcher_(dispatcher), before_(dispatcher.grad_enabled()) {
    dispatcher.set_grad_enabled(false);
  }
  ~NoGrad() { dispatcher_.set_grad_enabled(before_); }
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  Dispatcher& dispatcher_;
  bool before_;
};

/// The node that receives the gradient of this tensor: the one that made it, or the AccumulateGrad of a leaf. Throws
/// OpError for a view whose base was changed in place since, as its history is not known here.
Edge edge_of(const Tensor& tensor);

/// Walks the tape from `root` back to the leaves and adds to their gradients. `gradient`: of root, none for a tensor of
/// one element (then 1). Nodes run by sequence number, the latest first, once all gradients that come into them are
/// summed; what they had saved goes with them, so that the way back can be taken once. Throws OpError (nothing to go
/// back to, a saved tensor changed in place, shapes).
void backward(Dispatcher& dispatcher, const Tensor& root, const Tensor& gradient = {});

/// A gradient of a broadcast result summed down to the input's sizes.
Tensor summed_to(Dispatcher& dispatcher, const Tensor& gradient, const Sizes& sizes);

/// Autograd's description of one op. The formulas are those of PyTorch's tools/autograd/derivatives.yaml.
struct Derivative {
  std::string_view node;            ///< "MmBackward0"
  std::string_view keeps;           ///< what the node saves, as shown to people; empty: nothing
  std::vector<std::size_t> inputs;  ///< arguments with a gradient, one row of Node::next each (numbers have none)
  /// Called before the op runs: saves what the formula needs into node.saved, and returns the formula.
  Backward (*record)(const Call& call, Node& node) = nullptr;
  bool saves_result = false;  ///< the result is saved too, after the op has run, as the last of node.saved
  enum class Kind : std::uint8_t { plain, view, in_place } kind = Kind::plain;
  /// In place: the gradient of the other input needs what self was before.
  bool needs_old_self = false;
};

/// One gradient for each of Derivative::inputs.
using Gradients = std::vector<Tensor>;

/// A gradient is wanted for this input.
inline bool wanted(const Node& node, std::size_t input) { return node.next[input].node != nullptr; }
/// Saves an argument if it is a tensor and needed. Otherwise adds an empty entry, so that positions stay the same.
void save(Node& node, const Call& call, std::size_t argument, bool needed);

}  // namespace warpwalk::ops

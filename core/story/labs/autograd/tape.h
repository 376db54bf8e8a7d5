#pragma once

// An expression on small tensors, run by the op library of core/ops on the cpu: the tape that its autograd records, and
// the way back, node by node. Everything is in double.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ops/expression/expression.h"

namespace warpwalk::story {

/// The elements of a small tensor.
struct TapeTensor {
  ops::Sizes sizes;
  std::vector<double> values;  ///< row-major
  bool operator==(const TapeTensor&) const = default;
};

/// A tensor that a node saved for its backward.
struct TapeSaved {
  std::string argument;  ///< "self", or "result"
  std::string tensor;    ///< whose it is: "a", "t0"; empty: it has no name
  TapeTensor value;
  std::uint32_t version = 0;  ///< when it was saved
};

/// The target of a gradient: one row of a node's next functions.
struct TapeEdge {
  std::string argument;            ///< of the forward op: "self"
  std::optional<std::size_t> to;   ///< a node of the tape; none: no gradient is wanted
  std::optional<TapeTensor> sent;  ///< the gradient, once the node has run; summed to the receiver's sizes
  bool summed = false;             ///< the op's own gradient was larger, since the argument was broadcast
};

/// A node of the tape: of an op, or the AccumulateGrad of a leaf.
struct TapeNode {
  std::string name;            ///< "MmBackward0", "AccumulateGrad"
  std::int64_t sequence = -1;  ///< the forward op's; -1: AccumulateGrad
  std::string op;              ///< "aten::mm"; empty: AccumulateGrad
  std::string tensor;          ///< "t0", or the leaf "a"
  std::string call;            ///< "mm(a, b)"
  TapeTensor forward;          ///< the op's result, or the leaf
  std::vector<TapeEdge> next;
  std::vector<TapeSaved> saved;
  std::size_t column = 0;              ///< longest way from a leaf
  std::optional<std::size_t> turn;     ///< when it ran on the way back, from 0
  std::optional<TapeTensor> gradient;  ///< that came in, summed over all ways
  bool is_leaf() const { return sequence < 0; }
};

/// A write in place between the forward pass and the backward pass: TENSOR.mul_(2).
struct TapeWrite {
  std::string tensor;    ///< "a", "t0"; empty: none
  bool no_grad = false;  ///< under torch.no_grad(), as an optimizer writes
};

/// The settings of the computation.
struct TapePlan {
  std::vector<TapeTensor> values;     ///< of the inputs; empty: tape_input()
  std::optional<std::string> frozen;  ///< a leaf that does not require a gradient
  bool no_grad = false;               ///< the forward pass runs under torch.no_grad()
  bool detached = false;              ///< the way back starts at result.detach()
  bool one_element = false;           ///< the first gradient is 1 at one element of the result, else ones
  std::size_t element = 0;            ///< that element
  TapeWrite write;
  int times = 1;  ///< forward and backward so often, without setting .grad to None between
};

/// A tensor of the program as Python would describe it.
struct TapeVariable {
  std::string name;  ///< "a", "t0"
  std::string call;  ///< "mm(a, b)"; empty: a leaf that a person made
  bool requires_grad = false;
  bool is_leaf = true;
  std::string grad_fn;              ///< after the forward pass: "MmBackward0"; empty: None
  std::string grad_fn_at_backward;  ///< another one if a write in place was recorded
  TapeTensor value;                 ///< before the write
  std::optional<TapeTensor> grad;   ///< .grad at the end; none: None
  std::uint32_t version = 0;        ///< at backward
};

/// Everything that happened.
struct Tape {
  std::vector<TapeVariable> variables;  ///< inputs, then results of ops in order
  std::vector<TapeNode> nodes;          ///< by sequence, then the leaves in the order of the expression
  std::optional<std::size_t> root;      ///< none: nothing is recorded
  TapeTensor result;
  TapeTensor seed;                 ///< the first gradient
  std::vector<std::size_t> order;  ///< nodes in the order in which they ran (of the last time)
  /// Why the write was refused, or the way back stopped; empty: it did not.
  std::string refused;
  bool refused_at_write = false;
  std::optional<std::size_t> stopped_at;  ///< the node that needed a changed tensor
  std::optional<std::size_t> stopped_by;  ///< its saved tensor
  std::uint32_t changed_version = 0;      ///< that tensor's version at backward

  const TapeVariable* find(std::string_view name) const;
  /// The op node that made this tensor; none for a leaf.
  std::optional<std::size_t> node_of(std::string_view tensor) const;
};

/// The limits of the lab.
struct TapeLimits {
  static constexpr std::size_t names = 4, elements = 36, nodes = 16;
  static constexpr int times = 3;
};

/// An expression with the sizes that were found for its names.
struct TapeProgram {
  ops::Expression expression;
  std::vector<ops::Variable> inputs;  ///< f64
};

/// An expression that the lab cannot play.
struct TapeFault {
  /// names, elements, nodes: more than TapeLimits allow; empty: it cannot be read, no sizes fit, or the library refuses
  /// it, as error.message and error.hint say.
  std::string key;
  ops::ExpressionError error;  ///< with the place in the text
};

/// Parses an expression and finds small sizes for its names: the first that fit, of 2x3, 3x2, 2x2, 3, 2, 3x3 and
/// scalar.
std::variant<TapeProgram, TapeFault> tape_program(std::string_view text);

/// The elements of input number `index` of a program: tenths from -1.9 to 1.9, never 0.
TapeTensor tape_input(std::size_t index, const ops::Sizes& sizes);

/// Runs a program forward and back. Never throws: what the library refuses is in Tape::refused.
Tape run_tape(const TapeProgram& program, const TapePlan& plan);

/// The derivative of one argument of a node's op.
struct TapeDerivative {
  /// d output / d argument: a row for each element of the output, a column for each of the argument.
  std::vector<std::vector<double>> jacobian;
  TapeTensor by_autograd;     ///< the node's vector-Jacobian product with `gradient`
  TapeTensor by_differences;  ///< the same by central differences, step 1e-5
  bool kink = false;          ///< somewhere the differences to both sides disagree: there is no derivative
};

/// Both for argument number `edge` of a node; `gradient` has the sizes of its output. None if no gradient is wanted
/// there, or the op is not known.
std::optional<TapeDerivative> tape_derivative(const TapeProgram& program, const TapePlan& plan, std::size_t node,
                                              std::size_t edge, const TapeTensor& gradient);

/// The gradients of the inputs by central differences of sum(seed × result), in order.
std::vector<TapeTensor> differences_of(const TapeProgram& program, const TapeTensor& seed);

/// PyTorch's text for a way back that stopped at a changed tensor; empty if it did not.
std::string pytorch_refusal(const Tape& tape);

}  // namespace warpwalk::story

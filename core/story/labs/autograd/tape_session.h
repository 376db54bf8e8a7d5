#pragma once

// The op library with tensors of a program, and an observer that remembers the ops: what tape.cpp is computed with.
#include <map>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/story/labs/autograd/tape.h"

namespace warpwalk::story {

/// An op of the forward pass that autograd has a derivative for.
struct TapeOp {
  std::string op;
  std::vector<ops::Argument> arguments;
  ops::Tensor result;
  std::shared_ptr<ops::Node> node;  ///< none: not recorded
  std::vector<std::uint32_t> saved_versions;
  std::string tensor;  ///< "t0"
};

/// Remembers the ops while it listens, and which AccumulateGrad ran.
class TapeObserver : public ops::Observer {
 public:
  bool listening = false;
  std::vector<TapeOp> done;
  std::vector<std::pair<std::string, std::int64_t>> ran;  ///< the nodes that the engine ran: name, sequence number

  void op_begins(const ops::Call& call) override;
  void op_ends(const ops::Tensor& result) override;
  void region_begins(std::string_view name, std::int64_t sequence) override;

 private:
  struct Frame {
    bool derived = false;  ///< the outermost op with a derivative
    TapeOp op;
  };
  std::vector<Frame> open_;
  std::size_t derived_ = 0;  ///< open ops with a derivative
};

class TapeSession {
 public:
  explicit TapeSession(const TapeProgram& program);

  /// Leaves with the inputs' elements, or with these values. They require gradients, but for the frozen one.
  void make_leaves(const std::optional<std::string>& frozen, const std::vector<TapeTensor>& values = {});
  /// Computes the expression; the ops are in ops() afterwards. Throws OpError.
  ops::Tensor forward(bool no_grad);

  ops::Dispatcher& dispatcher() { return dispatcher_; }
  TapeObserver& observer() { return observer_; }
  const std::vector<TapeOp>& ops() const { return observer_.done; }
  std::vector<ops::Tensor>& leaves() { return leaves_; }
  const TapeProgram& program() const { return program_; }
  ops::Tensor make(const TapeTensor& tensor);
  static TapeTensor read(const ops::Tensor& tensor);
  /// "a" or "t0"; empty for a tensor that has no name.
  std::string name_of(const ops::Tensor& tensor) const;

 private:
  const TapeProgram& program_;
  ops::CpuMemory memory_;
  TapeObserver observer_;
  ops::Dispatcher dispatcher_{&observer_};
  std::vector<ops::Tensor> leaves_;
};

/// The names of an op's arguments, from its schema: "self", "mat2".
std::vector<std::string> argument_names(std::string_view schema);

}  // namespace warpwalk::story

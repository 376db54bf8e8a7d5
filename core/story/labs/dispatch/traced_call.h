#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::story {

/// The mode that is active in the caller's thread.
enum class CallMode : unsigned char { usual, no_grad, inference, autocast, vmap, grad, python };

/// Everything that decides the way of a call.
struct CallSetting {
  std::string_view op;  ///< "aten::relu"
  ops::DeviceKind device = ops::DeviceKind::cuda;
  bool second_on_cpu = false;  ///< all tensors but the first are on the CPU
  ops::TensorLayout layout = ops::TensorLayout::strided;
  ops::DType dtype = ops::DType::f32;
  bool requires_grad = true;
  CallMode mode = CallMode::usual;
};

/// The dispatcher at one key of one op.
struct Hop {
  std::size_t op = 0;  ///< row of TracedCall::ops
  std::string key, function, effect;
  std::vector<std::string> keys;  ///< still set, highest first
  bool instance = false;          ///< the choice by element type, at the backend's key
};

struct CalledOp {
  std::string name;
  int depth = 0;
};

/// A part of the call, drawn as a bar over the parts that it encloses: an op, a function of the table, an instance for
/// an element type, or a launch.
struct DispatchedFrame {
  enum class Kind : unsigned char { op, wrapper, composite, kernel, instance, launch };
  Kind kind = Kind::op;
  std::string label;
  int depth = 0;
  std::int64_t begin = 0, end = 0;  ///< places in the order of events
  std::string function;             ///< registered at the key; empty for ops, instances and launches
};

struct PlannedCall {
  std::string entry, why;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
};

/// A call of warpwalk's own dispatcher, with everything that it reported.
struct TracedCall {
  std::vector<CalledOp> ops;
  std::vector<Hop> hops;
  std::vector<DispatchedFrame> frames;
  std::int64_t events = 0;
  std::vector<PlannedCall> launches;  ///< planned for the GPU, not executed
  std::string error;                  ///< the message if the call failed
  std::string dtype;                  ///< of the result
  std::string node;                   ///< that autograd put on the tape for the result; empty: none
};

/// Calls the op with small tensors (4 x 4) and the settings of the thread. On the CPU it is computed; for the GPU its
/// launches are planned. Modes that the dispatcher here does not have (vmap, grad, python) change nothing.
TracedCall trace_call(const CallSetting& setting);

/// A dispatcher with all ops, backends, autograd and autocast, as trace_call uses it.
class CompleteDispatcher {
 public:
  /// `planned` is called with each launch.
  explicit CompleteDispatcher(ops::Observer* observer = nullptr, std::function<void(const PlannedCall&)> planned = {});
  ~CompleteDispatcher();
  CompleteDispatcher(const CompleteDispatcher&) = delete;
  CompleteDispatcher& operator=(const CompleteDispatcher&) = delete;

  ops::Dispatcher& dispatcher();
  ops::Memory& memory(ops::DeviceKind device);
  const std::vector<PlannedCall>& launches() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwalk::story

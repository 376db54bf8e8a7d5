#include "core/story/labs/dispatch/traced_call.h"

#include <optional>

#include <fmt/format.h>

#include "core/ops/cpu/memory.h"
#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/run/catalogue/gpu_functions.h"
#include "core/run/expression/sim_memory.h"

namespace warpwalk::story {
namespace {

using ops::DeviceKind;
using ops::Dispatcher;
using ops::KeySet;
using ops::Tensor;

constexpr std::uint64_t gpu_bytes = std::uint64_t{1} << 30;

/// Plans launches and reports each to a callback.
struct PlanningLauncher : run::Launcher {
  std::vector<PlannedCall> launches;
  std::function<void(const PlannedCall&)> planned;

  void launch(const run::PlannedLaunch& launch, std::span<const Tensor>) override {
    launches.push_back({launch.entry, launch.why, launch.grid, launch.block});
    if (planned) planned(launches.back());
  }
};

/// Turns what the dispatcher reports into ops, hops and nested frames.
class Recorder : public ops::Observer {
 public:
  explicit Recorder(TracedCall& to) : to_(to) {}
  bool on = false;

  void op_begins(const ops::Call& call) override {
    if (!on) return;
    to_.ops.push_back({std::string(call.name()), static_cast<int>(open_ops_.size())});
    open_ops_.push_back({to_.ops.size() - 1, frames_.size()});
    open(DispatchedFrame::Kind::op, std::string(call.name()));
  }
  void op_ends(const Tensor&) override {
    if (!on) return;
    close_to(open_ops_.back().frames);
    open_ops_.pop_back();
  }
  void step(const trace::DispatchStep& step) override {
    if (!on) return;
    Hop hop{open_ops_.back().row, step.key, step.function, step.effect, step.key_set};
    // After its kernel, an op reports the instance that the kernel chose by the element type.
    for (const Hop& other : to_.hops) hop.instance |= other.op == hop.op && other.effect == "kernel";
    to_.hops.push_back(hop);
    ++to_.events;
    if (step.effect == "fallthrough") return;
    const DispatchedFrame::Kind kind = hop.instance                  ? DispatchedFrame::Kind::instance
                                       : step.effect == "composite"  ? DispatchedFrame::Kind::composite
                                       : step.effect == "redispatch" ? DispatchedFrame::Kind::wrapper
                                                                     : DispatchedFrame::Kind::kernel;
    open(kind, hop.instance ? step.function : step.key, hop.instance ? "" : step.function);
  }
  void launched(const PlannedCall& launch) {
    if (!on) return;
    open(DispatchedFrame::Kind::launch, fmt::format("{}<<<{}, {}>>>", launch.entry, launch.grid[0] * launch.grid[1],
                                                    launch.block[0] * launch.block[1]));
    close_to(frames_.size() - 1);
  }

 private:
  struct OpenOp {
    std::size_t row, frames;
  };
  void open(DispatchedFrame::Kind kind, std::string label, std::string function = {}) {
    const int depth = static_cast<int>(frames_.size());
    frames_.push_back(to_.frames.size());
    to_.frames.push_back({kind, std::move(label), depth, to_.events++, 0, std::move(function)});
  }
  void close_to(std::size_t left) {
    ++to_.events;
    for (; frames_.size() > left; frames_.pop_back()) to_.frames[frames_.back()].end = to_.events;
  }

  TracedCall& to_;
  std::vector<OpenOp> open_ops_;
  std::vector<std::size_t> frames_;  // rows of TracedCall::frames that are open
};

/// Elements that all types can hold, below and above zero.
Tensor made(ops::Memory& memory, const CallSetting& setting, const ops::Sizes& sizes, int seed) {
  const std::int64_t count = ops::count_of(sizes);
  const std::size_t width = ops::bytes_of(setting.dtype);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count) * width);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t value = (i * 5 + seed) % 7 - 3;
    const std::uint64_t bits = ops::is_float(setting.dtype) ? ops::float_bits(setting.dtype, static_cast<double>(value))
                                                            : static_cast<std::uint64_t>(value);
    for (std::size_t b = 0; b < width; ++b)
      bytes[static_cast<std::size_t>(i) * width + b] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
  const Tensor dense = ops::tensor_from(memory, setting.dtype, sizes, bytes);
  if (setting.layout == ops::TensorLayout::strided) return dense;
  return {dense.storage(), dense.dtype(), dense.geometry(), setting.layout};
}

std::vector<ops::Argument> arguments_of(const CallSetting& setting, CompleteDispatcher& with) {
  const DeviceKind other = setting.second_on_cpu ? DeviceKind::cpu : setting.device;
  const auto tensor = [&](const ops::Sizes& sizes, int seed, DeviceKind device) -> ops::Argument {
    Tensor one = made(with.memory(device), setting, sizes, seed);
    if (setting.requires_grad && ops::is_float(setting.dtype)) ops::set_requires_grad(one);
    return one;
  };
  if (setting.op == "aten::zeros") return {ops::Sizes{2, 3}, setting.dtype, static_cast<std::int64_t>(setting.device)};
  std::vector<ops::Argument> arguments = {tensor({4, 4}, 0, setting.device)};
  if (setting.op == "aten::add.Tensor" || setting.op == "aten::mm" || setting.op == "aten::matmul" ||
      setting.op == "aten::linear")
    arguments.push_back(tensor({4, 4}, 3, other));
  if (setting.op == "aten::linear") arguments.push_back(tensor({4}, 1, other));
  return arguments;
}

}  // namespace

struct CompleteDispatcher::Impl {
  ops::CpuMemory cpu;
  run::SimMemory gpu{gpu_bytes, nullptr};
  PlanningLauncher launcher;
  Dispatcher dispatcher;

  Impl(ops::Observer* observer, std::function<void(const PlannedCall&)> planned) : dispatcher(observer) {
    launcher.planned = std::move(planned);
    dispatcher.set_memory(cpu);
    dispatcher.set_memory(gpu);
    ops::register_library(dispatcher);
    ops::register_cpu(dispatcher);
    run::register_gpu(dispatcher, launcher);
    ops::register_autograd(dispatcher);
    ops::register_autocast(dispatcher, ops::DType::bf16);
  }
};

CompleteDispatcher::CompleteDispatcher(ops::Observer* observer, std::function<void(const PlannedCall&)> planned)
    : impl_(std::make_unique<Impl>(observer, std::move(planned))) {}
CompleteDispatcher::~CompleteDispatcher() = default;
Dispatcher& CompleteDispatcher::dispatcher() { return impl_->dispatcher; }
ops::Memory& CompleteDispatcher::memory(DeviceKind device) { return impl_->dispatcher.memory(device); }
const std::vector<PlannedCall>& CompleteDispatcher::launches() const { return impl_->launcher.launches; }

TracedCall trace_call(const CallSetting& setting) {
  TracedCall traced;
  Recorder recorder(traced);
  CompleteDispatcher with(&recorder, [&](const PlannedCall& launch) { recorder.launched(launch); });
  Dispatcher& dispatcher = with.dispatcher();
  try {
    std::vector<ops::Argument> arguments = arguments_of(setting, with);
    std::optional<Dispatcher::Guard> guard;
    std::optional<ops::NoGrad> no_grad;
    if (setting.mode == CallMode::no_grad || setting.mode == CallMode::inference) no_grad.emplace(dispatcher);
    if (setting.mode == CallMode::inference)
      guard.emplace(dispatcher, KeySet(), ops::autograd_keys() | KeySet(ops::Key::ADInplaceOrView));
    if (setting.mode == CallMode::autocast)
      guard.emplace(dispatcher,
                    KeySet(setting.device == DeviceKind::cuda ? ops::Key::AutocastCUDA : ops::Key::AutocastCPU),
                    KeySet());
    recorder.on = true;
    const Tensor result = dispatcher.call(setting.op, std::move(arguments));
    traced.dtype = ops::name_of(result.dtype());
    if (result.autograd() != nullptr && result.autograd()->function != nullptr)
      traced.node = result.autograd()->function->name;
  } catch (const ops::OpError& error) {
    traced.error = error.what();
  }
  recorder.on = false;
  traced.launches = with.launches();
  return traced;
}

}  // namespace warpwalk::story

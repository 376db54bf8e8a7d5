#include "core/story/labs/autograd/tape_session.h"

#include <algorithm>
#include <cstring>

#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::story {

void TapeObserver::op_begins(const ops::Call& call) {
  Frame frame;
  const ops::OpDefinition* const definition = listening ? ops::find_definition(call.name()) : nullptr;
  frame.derived = definition != nullptr && definition->derivative && derived_ == 0;
  if (frame.derived) {
    ++derived_;
    frame.op.op = call.name();
    frame.op.arguments = call.arguments;
  }
  open_.push_back(std::move(frame));
}

void TapeObserver::op_ends(const ops::Tensor& result) {
  Frame frame = std::move(open_.back());
  open_.pop_back();
  if (!frame.derived) return;
  --derived_;
  if (!result.defined()) return;
  frame.op.result = result;
  if (result.autograd() != nullptr) frame.op.node = result.autograd()->function;
  // An op without an input that requires a gradient leaves no node of its own.
  const bool known = std::ranges::any_of(done, [&](const TapeOp& op) { return op.node == frame.op.node; });
  if (known) frame.op.node = nullptr;
  if (frame.op.node != nullptr)
    for (const ops::SavedTensor& saved : frame.op.node->saved) {
      const ops::Tensor tensor = saved.use(*frame.op.node);
      frame.op.saved_versions.push_back(tensor.defined() ? tensor.version() : 0);
    }
  done.push_back(std::move(frame.op));
}

void TapeObserver::region_begins(std::string_view name, std::int64_t sequence) {
  constexpr std::string_view evaluates = "autograd::engine::evaluate_function: ";
  if (name.starts_with(evaluates)) ran.emplace_back(name.substr(evaluates.size()), sequence);
}

TapeSession::TapeSession(const TapeProgram& program) : program_(program), memory_(nullptr, std::uint64_t{1} << 24) {
  ops::register_library(dispatcher_);
  ops::register_cpu(dispatcher_);
  ops::register_autograd(dispatcher_);
  dispatcher_.set_memory(memory_);
}

ops::Tensor TapeSession::make(const TapeTensor& tensor) {
  std::vector<std::uint8_t> bytes(tensor.values.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), tensor.values.data(), bytes.size());
  return ops::tensor_from(memory_, ops::DType::f64, tensor.sizes, bytes);
}

TapeTensor TapeSession::read(const ops::Tensor& tensor) { return {tensor.sizes(), ops::values_of(tensor)}; }

void TapeSession::make_leaves(const std::optional<std::string>& frozen, const std::vector<TapeTensor>& values) {
  leaves_.clear();
  for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
    ops::Tensor leaf = make(values.empty() ? tape_input(i, program_.inputs[i].sizes) : values[i]);
    if (program_.inputs[i].name != frozen) ops::set_requires_grad(leaf);
    leaves_.push_back(std::move(leaf));
  }
}

ops::Tensor TapeSession::forward(bool no_grad) {
  observer_.done.clear();
  observer_.listening = true;
  std::optional<ops::NoGrad> off;
  if (no_grad) off.emplace(dispatcher_);
  ops::Tensor result = ops::evaluate(program_.expression, dispatcher_, leaves_);
  observer_.listening = false;
  for (std::size_t i = 0; i < observer_.done.size(); ++i) observer_.done[i].tensor = "t" + std::to_string(i);
  return result;
}

std::string TapeSession::name_of(const ops::Tensor& tensor) const {
  const auto find = [&](const auto& same) -> std::string {
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (same(leaves_[i])) return program_.inputs[i].name;
    for (const TapeOp& op : observer_.done)
      if (same(op.result)) return op.tensor;
    return {};
  };
  if (std::string name = find([&](const ops::Tensor& other) { return other.same_as(tensor); }); !name.empty())
    return name;
  // A saved tensor is another view of the same elements.
  return find([&](const ops::Tensor& other) {
    return other.storage() == tensor.storage() && other.geometry() == tensor.geometry();
  });
}

std::vector<std::string> argument_names(std::string_view schema) {
  std::vector<std::string> names;
  const std::size_t open = schema.find('('), arrow = schema.rfind(") ->");
  if (open == std::string_view::npos || arrow == std::string_view::npos) return names;
  std::string_view rest = schema.substr(open + 1, arrow - open - 1);
  while (!rest.empty()) {
    // Commas in brackets do not end an argument: int[2] x=[0, 1].
    std::size_t end = 0;
    for (int depth = 0; end < rest.size() && (depth > 0 || rest[end] != ','); ++end)
      depth += (rest[end] == '[' || rest[end] == '(') - (rest[end] == ']' || rest[end] == ')');
    std::string_view one = rest.substr(0, end);
    one = one.substr(0, one.find('='));
    one = one.substr(std::min(one.size(), one.find_last_of(' ') + 1));
    if (one != "*" && !one.empty()) names.emplace_back(one);
    rest.remove_prefix(std::min(rest.size(), end + 1));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
  }
  return names;
}

}  // namespace warpwalk::story

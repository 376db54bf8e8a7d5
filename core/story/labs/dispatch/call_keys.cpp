#include "core/story/labs/dispatch/call_keys.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

KeyBits all_of(std::initializer_list<std::string_view> keys) {
  KeyBits bits;
  for (const std::string_view key : keys) bits = bits | KeyBits::of(key);
  return bits;
}

/// The bit of a functionality that exists for each backend, without a backend.
KeyBits functionality(std::string_view name) {
  for (int bit = KeyBits::backends; bit < KeyBits::all; ++bit)
    if (bit_name(bit) == name) return KeyBits::from_raw(std::uint64_t{1} << bit);
  return {};
}

constexpr std::string_view autocast_prefix = "Autocast";

/// The keys of autocast of all backends (default_excluded_set).
KeyBits autocast_bits() {
  KeyBits bits;
  for (int bit = KeyBits::backends; bit < KeyBits::all; ++bit)
    if (bit_name(bit).starts_with(autocast_prefix)) bits = bits | KeyBits::from_raw(std::uint64_t{1} << bit);
  return bits;
}

}  // namespace

KeyBits tensor_key_bits(ops::DeviceKind device, ops::TensorLayout layout, CallMode mode) {
  const bool cuda = device == ops::DeviceKind::cuda;
  const std::string backend = cuda ? "CUDA" : "CPU";
  const std::string_view prefix = layout == ops::TensorLayout::sparse_coo   ? "Sparse"
                                  : layout == ops::TensorLayout::sparse_csr ? "SparseCsr"
                                                                            : "";
  KeyBits keys = all_of({std::string(prefix) + backend, "ADInplaceOrView", "Autograd" + backend, "Autocast" + backend});
  // Inside a transform, tensors are wrapped; the wrapper has the keys of the tensor inside, and one more.
  if (mode == CallMode::vmap) keys = keys | KeyBits::of("FuncTorchBatched");
  if (mode == CallMode::grad) keys = keys | KeyBits::of("FuncTorchGradWrapper");
  return keys;
}

KeyBits thread_includes(CallMode mode) {
  if (mode == CallMode::inference) return KeyBits::of("BackendSelect");
  KeyBits bits = all_of({"BackendSelect", "ADInplaceOrView"});
  if (mode == CallMode::vmap || mode == CallMode::grad)
    bits = bits | all_of({"FuncTorchDynamicLayerFrontMode", "FuncTorchDynamicLayerBackMode"});
  if (mode == CallMode::python) bits = bits | all_of({"Python", "PythonTLSSnapshot"});
  return bits;
}

KeyBits thread_excludes(CallMode mode, ops::DeviceKind device) {
  KeyBits bits = autocast_bits();
  if (mode == CallMode::autocast)
    bits = bits.without(KeyBits::of(device == ops::DeviceKind::cuda ? "AutocastCUDA" : "AutocastCPU"));
  if (mode == CallMode::inference)
    bits = bits | functionality("AutogradFunctionality") | all_of({"AutogradOther", "AutogradNestedTensor"});
  return bits;
}

CallKeys call_keys(const LabOp& op, const CallSetting& setting) {
  CallKeys keys;
  const auto tensor = [&](std::string name, bool first) {
    const ops::DeviceKind device = !first && setting.second_on_cpu ? ops::DeviceKind::cpu : setting.device;
    keys.tensors.push_back({std::move(name), tensor_key_bits(device, setting.layout, setting.mode)});
  };
  if (op.op != "aten::zeros") tensor("a", true);
  const bool two = op.op == "aten::add.Tensor" || op.op == "aten::mm" || op.op == "aten::matmul";
  if (two || op.op == "aten::linear") tensor("b", false);
  if (op.op == "aten::linear") tensor("c", false);
  keys.includes = thread_includes(setting.mode);
  keys.excludes = thread_excludes(setting.mode, setting.device);
  keys.set = keys.includes;
  for (const CallKeys::Tensor& one : keys.tensors) keys.set = keys.set | one.keys;
  keys.set = keys.set.without(keys.excludes);
  return keys;
}

int row_place(std::string_view key) {
  for (std::size_t k = 0; k < ops::key_count; ++k)
    if (ops::name_of(static_cast<ops::Key>(k)) == key) return static_cast<int>(k);
  return -1;
}

std::string first_called(const LabOp& op, const CallKeys& keys) {
  const std::vector<std::string> all = keys.set.keys();
  for (const std::string& key : all) {
    const int place = row_place(key);
    if (place < 0) return key;  // of a mode: it has a function for every op
    if (entry_at(op, static_cast<std::size_t>(place)) != TableEntry::fallthrough) return key;
  }
  return {};
}

}  // namespace warpwalk::story

#include "core/story/labs/dispatch/key_bits.h"

#include <array>
#include <bit>

namespace warpwalk::story {
namespace {

/// In the order of C10_FORALL_BACKEND_COMPONENTS and enum DispatchKey (c10/core/DispatchKey.h, PyTorch 2.11).
constexpr std::array<std::string_view, KeyBits::all> key_names = {
    "CPU", "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "MTIA", "MAIA", "PrivateUse1", "PrivateUse2",
    "PrivateUse3", "Meta",
    // Functionalities
    "Dense", "FPGA", "Vulkan", "Metal", "Quantized", "CustomRNGKeyId", "MkldnnCPU", "Sparse", "SparseCsr",
    "NestedTensor", "BackendSelect", "Python", "Fake", "FuncTorchDynamicLayerBackMode", "Functionalize", "Named",
    "Conjugate", "Negative", "ZeroTensor", "ADInplaceOrView", "AutogradOther", "AutogradFunctionality",
    "AutogradNestedTensor", "Tracer", "AutocastCPU", "AutocastMTIA", "AutocastMAIA", "AutocastXPU", "AutocastIPU",
    "AutocastHPU", "AutocastXLA", "AutocastMPS", "AutocastCUDA", "AutocastPrivateUse1", "FuncTorchBatched",
    "BatchedNestedTensor", "FuncTorchVmapMode", "Batched", "VmapMode", "FuncTorchGradWrapper", "DeferredInit",
    "PythonTLSSnapshot", "FuncTorchDynamicLayerFrontMode", "TESTING_ONLY_GenericWrapper", "TESTING_ONLY_GenericMode",
    "PreDispatch", "PythonDispatcher", ""};

/// The beginning of the keys of a functionality that has one for each backend; null for the others.
const char* prefix_of(std::string_view functionality) {
  if (functionality == "Dense") return "";
  if (functionality == "AutogradFunctionality") return "Autograd";
  if (functionality == "Quantized") return "Quantized";
  if (functionality == "Sparse") return "Sparse";
  if (functionality == "SparseCsr") return "SparseCsr";
  if (functionality == "NestedTensor") return "NestedTensor";
  return nullptr;
}

constexpr std::uint64_t one(int bit) { return std::uint64_t{1} << bit; }

}  // namespace

std::string_view bit_name(int bit) { return key_names[static_cast<std::size_t>(bit)]; }

bool is_per_backend(int bit) { return bit >= KeyBits::backends && prefix_of(bit_name(bit)) != nullptr; }

KeyBits KeyBits::of(std::string_view key) {
  for (int bit = backends; bit < all; ++bit)
    if (bit_name(bit) == key && !is_per_backend(bit)) return from_raw(one(bit));
  for (int bit = backends; bit < all; ++bit) {
    if (!is_per_backend(bit)) continue;
    const std::string_view prefix = prefix_of(bit_name(bit));
    if (!key.starts_with(prefix)) continue;
    for (int backend = 0; backend < backends; ++backend)
      if (bit_name(backend) == key.substr(prefix.size())) return from_raw(one(bit) | one(backend));
  }
  return {};
}

int KeyBits::highest() const {
  const int top = static_cast<int>(std::bit_width(raw_)) - 1;
  return top >= backends ? top : -1;
}

std::string KeyBits::key_at(int bit) const {
  const std::string_view name = bit_name(bit);
  if (!is_per_backend(bit)) return std::string(name);
  const int backend = static_cast<int>(std::bit_width(raw_ & (one(backends) - 1))) - 1;
  const std::string prefix = prefix_of(name);
  return backend < 0 ? std::string(name) : prefix + std::string(bit_name(backend));
}

std::vector<std::string> KeyBits::keys() const {
  std::vector<std::string> out;
  for (int bit = all - 1; bit >= backends; --bit)
    if (has(bit)) out.push_back(key_at(bit));
  return out;
}

}  // namespace warpwalk::story

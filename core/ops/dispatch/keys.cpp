#include "core/ops/dispatch/keys.h"

#include <bit>

#include "core/base/enum_names.h"

namespace warpwalk::ops {

std::string_view name_of(Key key) { return base::enum_name(key); }

Key KeySet::highest() const { return static_cast<Key>(std::bit_width(bits_) - 1); }

KeySet KeySet::below(Key key) const { return from(bits_ & (KeySet(key).bits_ - 1)); }

std::vector<std::string> KeySet::names() const {
  std::vector<std::string> out;
  for (KeySet rest = *this; !rest.empty(); rest = rest.below(rest.highest())) out.emplace_back(name_of(rest.highest()));
  return out;
}

KeySet keys_of(DeviceKind device, TensorLayout layout) {
  const bool cuda = device == DeviceKind::cuda;
  KeySet keys(Key::ADInplaceOrView);
  keys = keys | KeySet(cuda ? Key::AutogradCUDA : Key::AutogradCPU);
  switch (layout) {
    case TensorLayout::strided: return keys | KeySet(cuda ? Key::CUDA : Key::CPU);
    case TensorLayout::sparse_coo: return keys | KeySet(cuda ? Key::SparseCUDA : Key::SparseCPU);
    case TensorLayout::sparse_csr: return keys | KeySet(cuda ? Key::SparseCsrCUDA : Key::SparseCsrCPU);
  }
  return keys;
}

KeySet keys_of(const Tensor& tensor) { return keys_of(tensor.device(), tensor.layout()); }

KeySet backend_keys() {
  return KeySet(Key::CPU) | KeySet(Key::CUDA) | KeySet(Key::SparseCPU) | KeySet(Key::SparseCUDA) |
         KeySet(Key::SparseCsrCPU) | KeySet(Key::SparseCsrCUDA);
}
KeySet autograd_keys() { return KeySet(Key::AutogradCPU) | KeySet(Key::AutogradCUDA); }
KeySet autocast_keys() { return KeySet(Key::AutocastCPU) | KeySet(Key::AutocastCUDA); }

}  // namespace warpwalk::ops

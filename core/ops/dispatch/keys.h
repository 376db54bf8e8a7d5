#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/tensor/tensor.h"

namespace warpwalk::ops {

/// Dispatch keys, lowest priority first; names and order are those of PyTorch's c10/core/DispatchKey.h, of which these
/// are the ones that a dense or sparse tensor on a CPU or GPU can meet.
enum class Key : std::uint8_t {
  CPU,
  CUDA,
  SparseCPU,
  SparseCUDA,
  SparseCsrCPU,
  SparseCsrCUDA,
  BackendSelect,
  ADInplaceOrView,
  AutogradCPU,
  AutogradCUDA,
  AutocastCPU,
  AutocastCUDA,
};
constexpr std::size_t key_count = static_cast<std::size_t>(Key::AutocastCUDA) + 1;
std::string_view name_of(Key key);

/// A set of keys; the highest decides.
class KeySet {
 public:
  constexpr KeySet() = default;
  constexpr explicit KeySet(Key key) : bits_(std::uint32_t{1} << static_cast<unsigned>(key)) {}
  constexpr bool has(Key key) const { return (bits_ >> static_cast<unsigned>(key) & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr KeySet operator|(KeySet other) const { return from(bits_ | other.bits_); }
  constexpr KeySet operator-(KeySet other) const { return from(bits_ & ~other.bits_); }
  constexpr bool operator==(const KeySet&) const = default;
  Key highest() const;                     ///< of a set that is not empty
  KeySet below(Key key) const;             ///< only the keys lower than this
  std::vector<std::string> names() const;  ///< the highest first

 private:
  static constexpr KeySet from(std::uint32_t bits) {
    KeySet set;
    set.bits_ = bits;
    return set;
  }
  std::uint32_t bits_ = 0;
};

/// The keys of a tensor: the backend key of its device and layout, and the autograd and ADInplaceOrView keys of its
/// device, whether or not it requires a gradient (as in PyTorch outside inference mode).
KeySet keys_of(DeviceKind device, TensorLayout layout);
KeySet keys_of(const Tensor& tensor);
/// All backend keys; all autograd keys; all autocast keys.
KeySet backend_keys();
KeySet autograd_keys();
KeySet autocast_keys();

}  // namespace warpwalk::ops

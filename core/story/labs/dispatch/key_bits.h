#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// PyTorch's set of dispatch keys (c10/core/DispatchKeySet.h): 64 bits. The low bits are backends, the others
/// functionalities, which are ordered: the highest one decides. Some functionalities exist for each backend: "Autograd"
/// with the bit of CUDA is the key AutogradCUDA.
class KeyBits {
 public:
  static constexpr int backends = 16;  ///< number of backend bits, the lowest ones
  static constexpr int all = 64;

  constexpr KeyBits() = default;
  static constexpr KeyBits from_raw(std::uint64_t raw) {
    KeyBits bits;
    bits.raw_ = raw;
    return bits;
  }
  /// The bits of a key ("AutogradCUDA", "ADInplaceOrView"); none if there is no such key.
  static KeyBits of(std::string_view key);

  constexpr std::uint64_t raw() const { return raw_; }
  constexpr bool has(int bit) const { return (raw_ >> bit & 1) != 0; }
  constexpr KeyBits operator|(KeyBits other) const { return from_raw(raw_ | other.raw_); }
  /// Takes functionalities away. Backend bits stay, because other functionalities may need them.
  constexpr KeyBits without(KeyBits other) const {
    constexpr std::uint64_t low = (std::uint64_t{1} << backends) - 1;
    return from_raw(raw_ & (low | ~other.raw_));
  }
  constexpr bool operator==(const KeyBits&) const = default;

  /// The bit of the highest functionality; -1 if there is none.
  int highest() const;
  /// The key of a functionality's bit in this set: with the highest backend if the functionality exists per backend.
  std::string key_at(int bit) const;
  /// The keys that the dispatcher would try, the highest first. A functionality counts once, with the highest backend.
  std::vector<std::string> keys() const;

 private:
  std::uint64_t raw_ = 0;
};

/// The name of a bit: "CUDA" for a backend, "Autograd" for a functionality. Empty for a bit that is not used.
std::string_view bit_name(int bit);
/// Whether a functionality has a key for each backend.
bool is_per_backend(int bit);

}  // namespace warpwalk::story

#pragma once

// cuDNN as the tests call it: its numbers, tensors in any of its types, and descriptors.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "called_library.h"

namespace warpwalk::libraries_test {

enum DnnType : int { dnn_f32 = 0, dnn_f64 = 1, dnn_f16 = 2, dnn_bf16 = 9 };

inline const CalledLibrary& cudnn() {
  static const CalledLibrary& library = *new CalledLibrary{"libcudnn.so.9"};
  return library;
}

inline void* dnn_handle() {
  static void* const handle = [] {
    void* made = nullptr;
    if (cudnn().call("cudnnCreate", &made) != 0) throw std::runtime_error("cudnnCreate failed");
    return made;
  }();
  return handle;
}

inline std::size_t dnn_bytes(DnnType type) { return type == dnn_f64 ? 8 : type == dnn_f32 ? 4 : 2; }

/// How much numbers of a type differ from each other, relative to one.
inline double dnn_tolerance(DnnType type) {
  return type == dnn_f64 ? 1e-11 : type == dnn_f32 ? 2e-5 : type == dnn_f16 ? 2e-3 : 1.6e-2;
}

/// Writes a number in a type, and reads it. Numbers of 16 bits are rounded to the nearest.
inline void put_number(std::uint8_t* to, DnnType type, double value) {
  const auto number = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, 4);
  if (type == dnn_f64) std::memcpy(to, &value, 8);
  if (type == dnn_f32) std::memcpy(to, &number, 4);
  if (type == dnn_bf16) bits = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16, std::memcpy(to, &bits, 2);
  if (type != dnn_f16) return;
  const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
  bits = static_cast<std::uint32_t>(std::lrint(std::ldexp(std::abs(value), 10 - exponent)));
  bits += static_cast<std::uint32_t>(exponent + 14) << 10;  // the leading one counts into the exponent
  if (std::signbit(value)) bits |= 0x8000U;
  std::memcpy(to, &bits, 2);
}
inline double get_number(const std::uint8_t* from, DnnType type) {
  double value = 0;
  float number = 0;
  std::uint16_t half = 0;
  if (type == dnn_f64) std::memcpy(&value, from, 8);
  if (type == dnn_f32) std::memcpy(&number, from, 4), value = number;
  if (type == dnn_bf16) {
    std::memcpy(&half, from, 2);
    const std::uint32_t bits = static_cast<std::uint32_t>(half) << 16;
    std::memcpy(&number, &bits, 4);
    value = number;
  }
  if (type == dnn_f16) {
    std::memcpy(&half, from, 2);
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    value = exponent == 0    ? std::ldexp(fraction, -24)
            : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                             : std::ldexp(fraction + 1024, exponent - 25);
    if ((half & 0x8000) != 0) value = -value;
  }
  return value;
}

/// Numbers in device memory in one of the types, with their values on the host, rounded to the type.
class DnnArray {
 public:
  DnnArray(DnnType type, const std::vector<double>& values) : type_(type), device_(bytes_of(type, values)) {
    read_again();
  }
  void* get() const { return device_.get(); }
  double operator[](std::size_t i) const { return values_[i]; }
  const std::vector<double>& values() const { return values_; }
  std::size_t bytes() const { return values_.size() * dnn_bytes(type_); }
  /// Takes over what kernels have written.
  void read_again() {
    const std::vector<std::uint8_t> bytes = device_.values();
    values_.resize(bytes.size() / dnn_bytes(type_));
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = get_number(&bytes[i * dnn_bytes(type_)], type_);
  }

 private:
  static std::vector<std::uint8_t> bytes_of(DnnType type, const std::vector<double>& values) {
    std::vector<std::uint8_t> bytes(values.size() * dnn_bytes(type));
    for (std::size_t i = 0; i < values.size(); ++i) put_number(&bytes[i * dnn_bytes(type)], type, values[i]);
    return bytes;
  }
  DnnType type_;
  OnDevice<std::uint8_t> device_;
  std::vector<double> values_;
};

inline std::vector<double> dnn_noise(std::size_t count, std::uint64_t seed, double scale = 1) {
  Noise noise(seed);
  std::vector<double> values(count);
  for (double& value : values) value = scale * noise.next();
  return values;
}

/// A descriptor by the name of its kind: cudnnCreate<kind>Descriptor makes it.
class DnnDescriptor {
 public:
  explicit DnnDescriptor(const std::string& kind) : kind_(kind) {
    cudnn().call(("cudnnCreate" + kind_ + "Descriptor").c_str(), &at_);
  }
  DnnDescriptor(const DnnDescriptor&) = delete;
  DnnDescriptor& operator=(const DnnDescriptor&) = delete;
  ~DnnDescriptor() { cudnn().call(("cudnnDestroy" + kind_ + "Descriptor").c_str(), at_); }
  void* get() const { return at_; }

 private:
  std::string kind_;
  void* at_ = nullptr;
};

/// A tensor descriptor with strides, or without gaps in the order of the axes.
class DnnTensor : public DnnDescriptor {
 public:
  DnnTensor(DnnType type, const std::vector<int>& extents, std::vector<int> strides = {}) : DnnDescriptor("Tensor") {
    if (strides.empty()) {
      strides.assign(extents.size(), 1);
      for (std::size_t axis = extents.size() - 1; axis-- > 0;) strides[axis] = strides[axis + 1] * extents[axis + 1];
    }
    const int status = cudnn().call("cudnnSetTensorNdDescriptor", get(), static_cast<int>(type),
                                    static_cast<int>(extents.size()), extents.data(), strides.data());
    if (status != 0) throw std::runtime_error("cudnnSetTensorNdDescriptor failed");
  }
};

/// The largest difference of two lists, relative to the largest number expected.
inline double relative_difference(const std::vector<double>& found, const std::vector<double>& expected) {
  double largest = 1e-30, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    const double off = std::abs(found[i] - expected[i]);
    difference = off > difference || std::isnan(off) ? off : difference;
    if (std::isnan(off)) return off;
  }
  return difference / largest;
}

}  // namespace warpwalk::libraries_test

#pragma once

// This folder has tensors: storage, strides, types, promotion. core/ops/cpu computes with them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/geometry.h"
#include "core/ops/tensor/memory.h"

namespace warpwalk::ops {

/// A piece of a device's memory that tensors share; freed with the last of them.
class Storage {
 public:
  Storage(Memory& memory, std::uint64_t bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  Memory& memory() const { return memory_; }
  std::uint64_t address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Counts the changes in place, of all views together: what autograd's guard looks at.
  std::uint32_t version() const { return version_; }
  void changed_in_place() { ++version_; }

 private:
  Memory& memory_;
  std::uint64_t address_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint32_t version_ = 0;
};

/// The memory layout of a tensor. Only strided tensors hold elements; the others show their dispatch keys and the
/// dispatcher's answer.
enum class TensorLayout : std::uint8_t { strided, sparse_coo, sparse_csr };

struct AutogradMeta;  // autograd.h

/// A view on a storage: sizes, strides, offset and element type. Copies are the same tensor (they share autograd's
/// data, too), as in Python.
class Tensor {
 public:
  Tensor() = default;  ///< no tensor
  Tensor(std::shared_ptr<Storage> storage, DType dtype, Geometry geometry, TensorLayout layout = TensorLayout::strided);

  bool defined() const { return impl_ != nullptr; }
  DType dtype() const;
  const Geometry& geometry() const;
  const Sizes& sizes() const { return geometry().sizes; }
  const Sizes& strides() const { return geometry().strides; }
  std::int64_t count() const { return geometry().count(); }
  TensorLayout layout() const;
  DeviceKind device() const;
  const std::shared_ptr<Storage>& storage() const;
  /// The address of element (0, 0, ...): the storage's address + offset * element bytes.
  std::uint64_t address() const;
  std::uint32_t version() const { return storage()->version(); }

  /// Another tensor on the same storage, without autograd's data.
  Tensor with(Geometry geometry) const;
  /// Null until autograd has something to keep: a leaf that requires a gradient, or the result of a recorded op.
  const std::shared_ptr<AutogradMeta>& autograd() const;
  void set_autograd(std::shared_ptr<AutogradMeta> meta);
  /// The same object (not: equal elements).
  bool same_as(const Tensor& other) const { return impl_ == other.impl_; }

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// The elements in row-major order of the indices, as doubles (i64 beyond 2^53 is rounded). Copies from the device.
std::vector<double> values_of(const Tensor& tensor);
/// The same as raw little-endian elements.
std::vector<std::uint8_t> bytes_of(const Tensor& tensor);
/// A new contiguous tensor with these raw elements.
Tensor tensor_from(Memory& memory, DType dtype, const Sizes& sizes, std::span<const std::uint8_t> bytes);

}  // namespace warpwalk::ops

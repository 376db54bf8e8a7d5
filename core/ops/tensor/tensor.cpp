#include "core/ops/tensor/tensor.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::ops {

Storage::Storage(Memory& memory, std::uint64_t bytes)
    : memory_(memory), address_(memory.allocate(bytes)), bytes_(bytes) {}

Storage::~Storage() {
  if (bytes_ > 0) memory_.free(address_);
}

struct Tensor::Impl {
  std::shared_ptr<Storage> storage;
  DType dtype;
  Geometry geometry;
  TensorLayout layout;
  std::shared_ptr<AutogradMeta> autograd;
};

namespace {

void check(const Geometry& g, DType dtype, const Storage& storage) {
  const auto negative = [](std::int64_t value) { return value < 0; };
  if (g.dims() > max_dims)
    throw OpError(fmt::format("a tensor of {} has {} dimensions: at most {} are supported", shape_text(g.sizes),
                              g.dims(), max_dims));
  if (g.strides.size() != g.dims() || g.offset < 0 || std::ranges::any_of(g.sizes, negative) ||
      std::ranges::any_of(g.strides, negative))
    throw OpError(fmt::format(
        "a tensor of sizes [{}], strides [{}], offset {}: each size needs one stride, and none may be negative",
        fmt::join(g.sizes, ", "), fmt::join(g.strides, ", "), g.offset));
  if (g.count() > 0 && static_cast<std::uint64_t>(g.last()) >= storage.bytes() / bytes_of(dtype))
    throw OpError(fmt::format("a tensor of {} {} reaches element {}, but its storage has {} elements",
                              shape_text(g.sizes), name_of(dtype), g.last(), storage.bytes() / bytes_of(dtype)));
}

}  // namespace

Tensor::Tensor(std::shared_ptr<Storage> storage, DType dtype, Geometry geometry, TensorLayout layout) {
  if (layout == TensorLayout::strided) check(geometry, dtype, *storage);
  impl_ = std::make_shared<Impl>(Impl{std::move(storage), dtype, std::move(geometry), layout, nullptr});
}

DType Tensor::dtype() const { return impl_->dtype; }
const Geometry& Tensor::geometry() const { return impl_->geometry; }
TensorLayout Tensor::layout() const { return impl_->layout; }
DeviceKind Tensor::device() const { return impl_->storage->memory().device(); }
const std::shared_ptr<Storage>& Tensor::storage() const { return impl_->storage; }

std::uint64_t Tensor::address() const {
  return impl_->storage->address() + static_cast<std::uint64_t>(impl_->geometry.offset) * bytes_of(impl_->dtype);
}

Tensor Tensor::with(Geometry geometry) const {
  return {impl_->storage, impl_->dtype, std::move(geometry), impl_->layout};
}

const std::shared_ptr<AutogradMeta>& Tensor::autograd() const { return impl_->autograd; }
void Tensor::set_autograd(std::shared_ptr<AutogradMeta> meta) { impl_->autograd = std::move(meta); }

}  // namespace warpwalk::ops

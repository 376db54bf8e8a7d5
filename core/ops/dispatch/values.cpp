#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/element_walk.h"
#include "core/ops/tensor/error.h"
#include "core/ops/tensor/tensor.h"

namespace warpwalk::ops {
namespace {

double value_of(DType dtype, const std::uint8_t* element) {
  const std::uint64_t bits = load_bits(dtype, element);
  if (is_float(dtype)) return float_value(dtype, bits);
  if (!is_signed(dtype)) return static_cast<double>(bits);
  const int unused = 64 - 8 * static_cast<int>(bytes_of(dtype));
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

std::vector<std::uint8_t> bytes_of(const Tensor& tensor) {
  const Geometry& g = tensor.geometry();
  const std::size_t width = bytes_of(tensor.dtype());
  std::vector<std::uint8_t> held(static_cast<std::size_t>(g.last() - g.offset + 1) * width);
  if (held.empty()) return held;
  tensor.storage()->memory().read(tensor.address(), held);
  if (g.contiguous()) return held;
  std::vector<std::uint8_t> gathered(static_cast<std::size_t>(g.count()) * width);
  std::uint8_t* next = gathered.data();
  ElementWalk<1>(g.sizes, {&g.strides}).rows([&](const auto& offsets, const auto& strides, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i, next += width)
      std::memcpy(next, held.data() + static_cast<std::size_t>(offsets[0] + i * strides[0]) * width, width);
  });
  return gathered;
}

std::vector<double> values_of(const Tensor& tensor) {
  const std::vector<std::uint8_t> bytes = bytes_of(tensor);
  const std::size_t width = bytes_of(tensor.dtype());
  std::vector<double> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(tensor.dtype(), bytes.data() + i * width);
  return values;
}

Tensor tensor_from(Memory& memory, DType dtype, const Sizes& sizes, std::span<const std::uint8_t> bytes) {
  Geometry geometry = contiguous_geometry(sizes);
  const auto count = static_cast<std::uint64_t>(geometry.count());
  if (bytes.size() % bytes_of(dtype) != 0 || bytes.size() / bytes_of(dtype) != count)
    throw OpError(fmt::format("a tensor of {} {} cannot be made from {} bytes: it has {} elements of {} bytes",
                              shape_text(sizes), name_of(dtype), bytes.size(), count, bytes_of(dtype)));
  auto storage = std::make_shared<Storage>(memory, bytes.size());
  if (!bytes.empty()) memory.write(storage->address(), bytes);
  return {std::move(storage), dtype, std::move(geometry)};
}

}  // namespace warpwalk::ops

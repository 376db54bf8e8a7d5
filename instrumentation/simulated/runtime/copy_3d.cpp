// Three-dimensional copies, of linear memory and arrays, and batches of copies.
#include <algorithm>
#include <limits>

#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/copy_batch.h"

namespace warpwalk::simulated {
namespace {

/// Fills one side from an array or a pitched pointer, of which one must be given. `element` receives the bytes of an
/// element of an array.
Error fill_side(Gpu& gpu, const void* array, const PitchedPointer& rows, const Position& at, CopySide& side,
                std::uint64_t& element) {
  if ((array == nullptr) == (rows.at == nullptr)) return Error::invalid_value;
  side.at = {at.x, at.y, at.z};
  if (array == nullptr) {
    side.address = reinterpret_cast<std::uint64_t>(rows.at);
    side.pitch = rows.pitch;
    side.height = rows.height;
    return Error::success;
  }
  side.array = gpu.textures.find(array);
  if (side.array == nullptr) return Error::invalid_resource_handle;
  element = side.array->element_bytes();
  side.at[0] *= element;
  return Error::success;
}

Error copy_3d(const char* name, const Copy3D* parameters, const void* stream, bool waits) {
  return runtime_call(name, [&](Gpu& gpu) {
    if (parameters == nullptr) return Error::invalid_value;
    Copy copy;
    if (const Error wrong = copy_of(gpu, *parameters, copy); wrong != Error::success) return wrong;
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.copy(copy, found, waits); });
  });
}

Error copy_3d_peer(const char* name, const Copy3DPeer* peer, const void* stream, bool waits) {
  return runtime_call(name, [&](Gpu&) {
    if (peer == nullptr) return Error::invalid_value;
    if (peer->from_device != 0 || peer->to_device != 0) return Error::invalid_device;
    constexpr int within_device = 3;
    const Copy3D parameters{peer->from_array, peer->from_position, peer->from,   peer->to_array, peer->to_position,
                            peer->to,         peer->extent,        within_device};
    return copy_3d(name, &parameters, stream, waits);
  });
}

/// One side of a cudaMemcpy3DBatchOp as one of a cudaMemcpy3DParms. Rows are counted in elements there.
void put_operand(const CopyOperand& operand, const Extent& extent, const void*& array, Position& at,
                 PitchedPointer& rows) {
  array = nullptr;
  at = {};
  rows = {};
  if (operand.type == CopyOperand::array_operand) {
    array = operand.array.array;
    at = operand.array.offset;
    return;
  }
  rows.at = operand.pointer.at;
  rows.width = operand.pointer.row != 0 ? operand.pointer.row : extent.width;
  rows.height = operand.pointer.rows != 0 ? operand.pointer.rows : extent.height;
  rows.pitch = rows.width;
}

Error copy_of_operation(Gpu& gpu, const Copy3DOperation& operation, Copy& copy) {
  constexpr int automatic = 4, last_order = 3;
  for (const CopyOperand* const operand : {&operation.from, &operation.to})
    if (operand->type != CopyOperand::pointer_operand && operand->type != CopyOperand::array_operand)
      return Error::invalid_value;
  if (operation.source_order < 1 || operation.source_order > last_order) return Error::invalid_value;
  Copy3D parameters{};
  put_operand(operation.from, operation.extent, parameters.from_array, parameters.from_position, parameters.from);
  put_operand(operation.to, operation.extent, parameters.to_array, parameters.to_position, parameters.to);
  parameters.extent = operation.extent;
  parameters.kind = automatic;
  if (const Error wrong = copy_of(gpu, parameters, copy); wrong != Error::success) return wrong;
  // Rows of linear memory are given in elements of the array on the other side.
  const Array* const array = copy.from.array != nullptr ? copy.from.array : copy.to.array;
  if (array == nullptr) return Error::success;
  if (copy.from.array == nullptr) copy.from.pitch *= array->element_bytes();
  if (copy.to.array == nullptr) copy.to.pitch *= array->element_bytes();
  return Error::success;
}

void blame(std::size_t* failed, std::size_t number) {
  if (failed != nullptr) *failed = number;
}

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

}  // namespace

Error copy_of(Gpu& gpu, const Copy3D& parameters, Copy& copy) {
  std::uint64_t from_element = 0, to_element = 0;
  copy.extent = {parameters.extent.width, parameters.extent.height, parameters.extent.depth};
  copy.kind = static_cast<CopyKind>(parameters.kind);
  Error error =
      fill_side(gpu, parameters.from_array, parameters.from, parameters.from_position, copy.from, from_element);
  if (error == Error::success)
    error = fill_side(gpu, parameters.to_array, parameters.to, parameters.to_position, copy.to, to_element);
  if (error != Error::success) return error;
  if (from_element != 0 && to_element != 0 && from_element != to_element) return Error::invalid_value;
  copy.extent[0] *= std::max<std::uint64_t>({from_element, to_element, 1});
  return Error::success;
}

Error copy_batch(const CopyBatch& batch, std::size_t* failed, const void* stream) {
  return runtime_call("cudaMemcpyBatchAsync", [&](Gpu& gpu) {
    constexpr int last_order = 3;
    blame(failed, nobody);
    if (batch.to == nullptr || batch.from == nullptr || batch.bytes == nullptr || batch.count == 0 ||
        batch.attributes == nullptr || batch.first == nullptr || batch.attribute_count == 0 ||
        batch.attribute_count > batch.count || batch.first[0] != 0)
      return Error::invalid_value;
    // The default streams are not allowed.
    if (stream == nullptr || stream == reinterpret_cast<const void*>(1)) return Error::invalid_value;
    for (std::size_t i = 0; i < batch.attribute_count; ++i)
      if (batch.attributes[i].source_order < 1 || batch.attributes[i].source_order > last_order)
        return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (found.capture != nullptr) return check_not_captured(found);
      for (std::size_t i = 0; i < batch.count; ++i) {
        Copy copy;
        copy.to.address = reinterpret_cast<std::uint64_t>(batch.to[i]);
        copy.from.address = reinterpret_cast<std::uint64_t>(batch.from[i]);
        copy.extent = {batch.bytes[i], 1, 1};
        if (const Error error = gpu.copy(copy, found, false); error != Error::success) {
          blame(failed, i);
          return error;
        }
      }
      return Error::success;
    });
  });
}

Error copy_3d_batch(const Copy3DOperation* operations, std::size_t count, unsigned long long flags, std::size_t* failed,
                    const void* stream) {
  return runtime_call("cudaMemcpy3DBatchAsync", [&](Gpu& gpu) {
    blame(failed, nobody);
    if (operations == nullptr || count == 0 || flags != 0) return Error::invalid_value;
    if (stream == nullptr || stream == reinterpret_cast<const void*>(1)) return Error::invalid_value;
    return with_stream(gpu, stream, [&](Stream& found) {
      if (found.capture != nullptr) return check_not_captured(found);
      for (std::size_t i = 0; i < count; ++i) {
        Copy copy;
        Error error = copy_of_operation(gpu, operations[i], copy);
        if (error == Error::success) error = gpu.copy(copy, found, false);
        if (error == Error::success) continue;
        blame(failed, i);
        return error;
      }
      return Error::success;
    });
  });
}

extern "C" {

Error cudaMemcpy3D(const Copy3D* parameters) { return copy_3d("cudaMemcpy3D", parameters, nullptr, true); }

Error cudaMemcpy3D_ptds(const Copy3D* parameters) {
  return copy_3d("cudaMemcpy3D", parameters, per_thread_stream, true);
}

Error cudaMemcpy3DAsync(const Copy3D* parameters, const void* stream) {
  return copy_3d("cudaMemcpy3DAsync", parameters, stream, false);
}

Error cudaMemcpy3DAsync_ptsz(const Copy3D* parameters, const void* stream) {
  return cudaMemcpy3DAsync(parameters, of_thread(stream));
}

Error cudaMemcpy3DPeer(const Copy3DPeer* parameters) {
  return copy_3d_peer("cudaMemcpy3DPeer", parameters, nullptr, true);
}

Error cudaMemcpy3DPeer_ptds(const Copy3DPeer* parameters) {
  return copy_3d_peer("cudaMemcpy3DPeer", parameters, per_thread_stream, true);
}

Error cudaMemcpy3DPeerAsync(const Copy3DPeer* parameters, const void* stream) {
  return copy_3d_peer("cudaMemcpy3DPeerAsync", parameters, stream, false);
}

Error cudaMemcpy3DPeerAsync_ptsz(const Copy3DPeer* parameters, const void* stream) {
  return cudaMemcpy3DPeerAsync(parameters, of_thread(stream));
}

}  // extern "C"

}  // namespace warpwalk::simulated

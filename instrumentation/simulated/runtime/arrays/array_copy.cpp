// Copies to and from arrays. cudaMemcpy3D and the functions beside it also take arrays.

#include <algorithm>

#include "instrumentation/simulated/runtime/arrays/array.h"
#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {
namespace {

/// A copy of rows, of which at least one side is an array.
struct RowsCopy {
  CopySide from, to;
  std::size_t width, height;
  int kind;
};

CopySide linear_side(const void* at, std::size_t pitch = 0) {
  CopySide side;
  side.address = reinterpret_cast<std::uint64_t>(at);
  side.pitch = pitch;
  return side;
}

Error copy_rows(Gpu& gpu, const RowsCopy& rows, const void* stream, bool waits) {
  if (waits)
    if (const Error wrong = gpu.graphs.check_unsafe(); wrong != Error::success) return wrong;
  return with_stream(gpu, stream, [&](Stream& own) {
    const Copy copy{rows.from, rows.to, {rows.width, rows.height, 1}, static_cast<CopyKind>(rows.kind)};
    return gpu.copy(copy, own, waits);
  });
}

/// Bytes that are left in the row of a side.
std::uint64_t rest_of_row(const CopySide& side, std::uint64_t count) {
  return side.array == nullptr ? count : side.array->row_bytes() - std::min(side.array->row_bytes(), side.at[0]);
}

void advance(CopySide& side, std::uint64_t bytes) {
  if (side.array == nullptr) {
    side.address += bytes;
    return;
  }
  const std::uint64_t at = side.at[0] + bytes;
  side.at[1] += at / side.array->row_bytes();
  side.at[0] = at % side.array->row_bytes();
}

/// Copies consecutive bytes, which go on in the next row of an array.
Error copy_bytes(Gpu& gpu, CopySide from, CopySide to, std::size_t count, int kind, const void* stream, bool waits) {
  if ((from.array == nullptr && from.address == 0) || (to.array == nullptr && to.address == 0))
    return Error::invalid_value;
  while (count != 0) {
    std::uint64_t width = std::min({count, rest_of_row(from, count), rest_of_row(to, count)});
    if (width == 0) return Error::invalid_value;
    // As many whole rows as both sides have.
    const bool whole = (from.array == nullptr || width == from.array->row_bytes()) &&
                       (to.array == nullptr || width == to.array->row_bytes());
    const std::uint64_t height = whole ? count / width : 1;
    const Error error = copy_rows(gpu, {from, to, width, height, kind}, stream, waits);
    if (error != Error::success) return error;
    advance(from, width * height);
    advance(to, width * height);
    count -= width * height;
  }
  return Error::success;
}

}  // namespace

extern "C" {

Error cudaMemcpy2DToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                               std::size_t width, std::size_t height, int kind, const void* stream) {
  return runtime_call("cudaMemcpy2DToArrayAsync", [&](Gpu& gpu) {
    return copy_rows(gpu, {linear_side(from, pitch), array_side(gpu, to, x, y), width, height, kind}, stream, false);
  });
}

Error cudaMemcpy2DToArrayAsync_ptsz(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                    std::size_t width, std::size_t height, int kind, const void* stream) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, of_thread(stream));
}

Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
                                 std::size_t width, std::size_t height, int kind, const void* stream) {
  return runtime_call("cudaMemcpy2DFromArrayAsync", [&](Gpu& gpu) {
    return copy_rows(gpu, {array_side(gpu, from, x, y), linear_side(to, pitch), width, height, kind}, stream, false);
  });
}

Error cudaMemcpy2DFromArrayAsync_ptsz(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
                                      std::size_t width, std::size_t height, int kind, const void* stream) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, of_thread(stream));
}

Error cudaMemcpyToArrayAsync(void* to, std::size_t x, std::size_t y, const void* from, std::size_t count, int kind,
                             const void* stream) {
  return runtime_call("cudaMemcpyToArrayAsync", [&](Gpu& gpu) {
    return copy_bytes(gpu, linear_side(from), array_side(gpu, to, x, y), count, kind, stream, false);
  });
}

Error cudaMemcpyToArrayAsync_ptsz(void* to, std::size_t x, std::size_t y, const void* from, std::size_t count, int kind,
                                  const void* stream) {
  return cudaMemcpyToArrayAsync(to, x, y, from, count, kind, of_thread(stream));
}

Error cudaMemcpyFromArrayAsync(void* to, const void* from, std::size_t x, std::size_t y, std::size_t count, int kind,
                               const void* stream) {
  return runtime_call("cudaMemcpyFromArrayAsync", [&](Gpu& gpu) {
    return copy_bytes(gpu, array_side(gpu, from, x, y), linear_side(to), count, kind, stream, false);
  });
}

Error cudaMemcpyFromArrayAsync_ptsz(void* to, const void* from, std::size_t x, std::size_t y, std::size_t count,
                                    int kind, const void* stream) {
  return cudaMemcpyFromArrayAsync(to, from, x, y, count, kind, of_thread(stream));
}

Error cudaMemcpy2DToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                          std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DToArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {linear_side(from, pitch), array_side(gpu, to, x, y), width, height, kind}, nullptr, true);
  });
}

Error cudaMemcpy2DToArray_ptds(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                               std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DToArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {linear_side(from, pitch), array_side(gpu, to, x, y), width, height, kind}, per_thread_stream,
                     true);
  });
}

Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
                            std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DFromArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {array_side(gpu, from, x, y), linear_side(to, pitch), width, height, kind}, nullptr, true);
  });
}

Error cudaMemcpy2DFromArray_ptds(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
                                 std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DFromArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {array_side(gpu, from, x, y), linear_side(to, pitch), width, height, kind}, per_thread_stream,
                     true);
  });
}

Error cudaMemcpy2DArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x,
                               std::size_t from_y, std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DArrayToArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {array_side(gpu, from, from_x, from_y), array_side(gpu, to, to_x, to_y), width, height, kind},
                     nullptr, true);
  });
}

Error cudaMemcpy2DArrayToArray_ptds(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x,
                                    std::size_t from_y, std::size_t width, std::size_t height, int kind) {
  return runtime_call("cudaMemcpy2DArrayToArray", [&](Gpu& gpu) {
    return copy_rows(gpu, {array_side(gpu, from, from_x, from_y), array_side(gpu, to, to_x, to_y), width, height, kind},
                     per_thread_stream, true);
  });
}

Error cudaMemcpyToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyToArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, linear_side(from), array_side(gpu, to, x, y), count, kind, nullptr, true);
  });
}

Error cudaMemcpyToArray_ptds(void* to, std::size_t x, std::size_t y, const void* from, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyToArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, linear_side(from), array_side(gpu, to, x, y), count, kind, per_thread_stream, true);
  });
}

Error cudaMemcpyFromArray(void* to, const void* from, std::size_t x, std::size_t y, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyFromArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, array_side(gpu, from, x, y), linear_side(to), count, kind, nullptr, true);
  });
}

Error cudaMemcpyFromArray_ptds(void* to, const void* from, std::size_t x, std::size_t y, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyFromArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, array_side(gpu, from, x, y), linear_side(to), count, kind, per_thread_stream, true);
  });
}

Error cudaMemcpyArrayToArray(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x,
                             std::size_t from_y, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyArrayToArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, array_side(gpu, from, from_x, from_y), array_side(gpu, to, to_x, to_y), count, kind, nullptr,
                      true);
  });
}

Error cudaMemcpyArrayToArray_ptds(void* to, std::size_t to_x, std::size_t to_y, const void* from, std::size_t from_x,
                                  std::size_t from_y, std::size_t count, int kind) {
  return runtime_call("cudaMemcpyArrayToArray", [&](Gpu& gpu) {
    return copy_bytes(gpu, array_side(gpu, from, from_x, from_y), array_side(gpu, to, to_x, to_y), count, kind,
                      per_thread_stream, true);
  });
}

}  // extern "C"
}  // namespace warpwalk::simulated

// Memsets.
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {
namespace {

/// Fills `width` values per row.
CUresult fill_rows(const char* name, CUstream stream, CUdeviceptr address, std::size_t pitch, std::uint32_t value,
                   std::uint32_t value_bytes, std::size_t width, std::size_t height) {
  return call_for_work(name, stream, [&](Gpu& gpu, Stream& found) {
    if (address % value_bytes != 0) return Error::invalid_value;
    return gpu.fill({address, pitch, value, value_bytes, width, height}, found, false);
  });
}

CUresult fill_row(const char* name, CUstream stream, CUdeviceptr address, std::uint32_t value,
                  std::uint32_t value_bytes, std::size_t count) {
  return fill_rows(name, stream, address, 0, value, value_bytes, count, 1);
}

}  // namespace

extern "C" {

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, std::size_t count) {
  return fill_row("cuMemsetD8_v2", legacy_stream(), address, value, 1, count);
}
CUresult cuMemsetD8_v2_ptds(CUdeviceptr address, unsigned char value, std::size_t count) {
  return fill_row("cuMemsetD8_v2", own_stream(), address, value, 1, count);
}

CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD8Async", stream, address, value, 1, count);
}
CUresult cuMemsetD8Async_ptsz(CUdeviceptr address, unsigned char value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD8Async", per_thread(stream), address, value, 1, count);
}

CUresult cuMemsetD2D8_v2(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                         std::size_t height) {
  return fill_rows("cuMemsetD2D8_v2", legacy_stream(), address, pitch, value, 1, width, height);
}
CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                              std::size_t height) {
  return fill_rows("cuMemsetD2D8_v2", own_stream(), address, pitch, value, 1, width, height);
}

CUresult cuMemsetD2D8Async(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                           std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D8Async", stream, address, pitch, value, 1, width, height);
}
CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr address, std::size_t pitch, unsigned char value, std::size_t width,
                                std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D8Async", per_thread(stream), address, pitch, value, 1, width, height);
}

CUresult cuMemsetD16_v2(CUdeviceptr address, unsigned short value, std::size_t count) {
  return fill_row("cuMemsetD16_v2", legacy_stream(), address, value, 2, count);
}
CUresult cuMemsetD16_v2_ptds(CUdeviceptr address, unsigned short value, std::size_t count) {
  return fill_row("cuMemsetD16_v2", own_stream(), address, value, 2, count);
}

CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD16Async", stream, address, value, 2, count);
}
CUresult cuMemsetD16Async_ptsz(CUdeviceptr address, unsigned short value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD16Async", per_thread(stream), address, value, 2, count);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                          std::size_t height) {
  return fill_rows("cuMemsetD2D16_v2", legacy_stream(), address, pitch, value, 2, width, height);
}
CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                               std::size_t height) {
  return fill_rows("cuMemsetD2D16_v2", own_stream(), address, pitch, value, 2, width, height);
}

CUresult cuMemsetD2D16Async(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D16Async", stream, address, pitch, value, 2, width, height);
}
CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr address, std::size_t pitch, unsigned short value, std::size_t width,
                                 std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D16Async", per_thread(stream), address, pitch, value, 2, width, height);
}

CUresult cuMemsetD32_v2(CUdeviceptr address, unsigned value, std::size_t count) {
  return fill_row("cuMemsetD32_v2", legacy_stream(), address, value, 4, count);
}
CUresult cuMemsetD32_v2_ptds(CUdeviceptr address, unsigned value, std::size_t count) {
  return fill_row("cuMemsetD32_v2", own_stream(), address, value, 4, count);
}

CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD32Async", stream, address, value, 4, count);
}
CUresult cuMemsetD32Async_ptsz(CUdeviceptr address, unsigned value, std::size_t count, CUstream stream) {
  return fill_row("cuMemsetD32Async", per_thread(stream), address, value, 4, count);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                          std::size_t height) {
  return fill_rows("cuMemsetD2D32_v2", legacy_stream(), address, pitch, value, 4, width, height);
}
CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                               std::size_t height) {
  return fill_rows("cuMemsetD2D32_v2", own_stream(), address, pitch, value, 4, width, height);
}

CUresult cuMemsetD2D32Async(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D32Async", stream, address, pitch, value, 4, width, height);
}
CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr address, std::size_t pitch, unsigned value, std::size_t width,
                                 std::size_t height, CUstream stream) {
  return fill_rows("cuMemsetD2D32Async", per_thread(stream), address, pitch, value, 4, width, height);
}

}  // extern "C"
}  // namespace warpwalk::simulated

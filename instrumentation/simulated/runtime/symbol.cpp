// Variables of the program: copies to and from them, addresses and sizes.
#include "instrumentation/simulated/device/copy.h"
#include "instrumentation/simulated/runtime/call.h"
#include "instrumentation/simulated/runtime/registry.h"
#include "instrumentation/simulated/runtime/types.h"

namespace warpwalk::simulated {
namespace {

/// A part of a variable.
struct VariablePart {
  const void* symbol;
  std::size_t bytes, offset;
};

Error address_of(Gpu& gpu, const VariablePart& part, std::uint64_t& address) {
  ModuleVariable* variable = nullptr;
  if (const Error wrong = registry().find(gpu, part.symbol, variable); wrong != Error::success) return wrong;
  if (part.offset > variable->memory->bytes || part.bytes > variable->memory->bytes - part.offset) {
    if (gpu.checks != nullptr) gpu.checks->refused_part(*variable->memory, part.offset, part.bytes);
    return Error::invalid_value;
  }
  address = variable->memory->address + part.offset;
  return Error::success;
}

enum class Way : std::uint8_t { to_symbol, from_symbol };

Error copy_symbol(const char* name, Way way, const VariablePart& part, const void* other, int kind, const void* stream,
                  bool waits) {
  return runtime_call(name, [&](Gpu& gpu) {
    const auto asked = static_cast<CopyKind>(kind);
    const CopyKind host = way == Way::to_symbol ? CopyKind::host_to_device : CopyKind::device_to_host;
    if (asked != host && asked != CopyKind::device_to_device && asked != CopyKind::automatic)
      return Error::invalid_memcpy_direction;
    Copy copy;
    CopySide& symbol_side = way == Way::to_symbol ? copy.to : copy.from;
    if (const Error wrong = address_of(gpu, part, symbol_side.address); wrong != Error::success) return wrong;
    (way == Way::to_symbol ? copy.from : copy.to).address = reinterpret_cast<std::uint64_t>(other);
    copy.extent = {part.bytes, 1, 1};
    copy.kind = asked;
    return with_stream(gpu, stream, [&](Stream& found) { return gpu.copy(copy, found, waits); });
  });
}

}  // namespace

extern "C" {

Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
  return copy_symbol("cudaMemcpyToSymbol", Way::to_symbol, {symbol, bytes, offset}, from, kind, nullptr, true);
}

Error cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind) {
  return copy_symbol("cudaMemcpyToSymbol", Way::to_symbol, {symbol, bytes, offset}, from, kind, per_thread_stream,
                     true);
}

Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  return copy_symbol("cudaMemcpyFromSymbol", Way::from_symbol, {symbol, bytes, offset}, to, kind, nullptr, true);
}

Error cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
  return copy_symbol("cudaMemcpyFromSymbol", Way::from_symbol, {symbol, bytes, offset}, to, kind, per_thread_stream,
                     true);
}

Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                              const void* stream) {
  return copy_symbol("cudaMemcpyToSymbolAsync", Way::to_symbol, {symbol, bytes, offset}, from, kind, stream, false);
}

Error cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                   int kind, const void* stream) {
  return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, of_thread(stream));
}

Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                                const void* stream) {
  return copy_symbol("cudaMemcpyFromSymbolAsync", Way::from_symbol, {symbol, bytes, offset}, to, kind, stream, false);
}

Error cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                                     const void* stream) {
  return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, of_thread(stream));
}

Error cudaGetSymbolAddress(void** at, const void* symbol) {
  return runtime_call("cudaGetSymbolAddress", [&](Gpu& gpu) {
    std::uint64_t address = 0;
    if (at == nullptr) return Error::invalid_value;
    const Error error = address_of(gpu, {symbol, 0, 0}, address);
    if (error == Error::success) *at = reinterpret_cast<void*>(address);
    return error;
  });
}

Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return runtime_call("cudaGetSymbolSize", [&](Gpu& gpu) {
    ModuleVariable* variable = nullptr;
    if (bytes == nullptr) return Error::invalid_value;
    const Error error = registry().find(gpu, symbol, variable);
    if (error == Error::success) *bytes = variable->memory->bytes;
    return error;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpwalk::ops {

/// The device whose memory holds a tensor. The backend decides whether cuda is a real GPU or the simulated one.
enum class DeviceKind : std::uint8_t { cpu, cuda };
constexpr std::string_view name_of(DeviceKind device) { return device == DeviceKind::cpu ? "cpu" : "cuda"; }

/// The memory of one device. Addresses are the device's own; of the cpu and of the simulated GPU they are numbers that
/// are the same in every run.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual DeviceKind device() const = 0;
  /// Allocates bytes and returns their address (0 for 0 bytes). Throws OpError if out of memory.
  virtual std::uint64_t allocate(std::uint64_t bytes) = 0;
  virtual void free(std::uint64_t address) = 0;
  /// Copies from and to the device, after all work that was started on it. The range is within one allocation.
  virtual void read(std::uint64_t address, std::span<std::uint8_t> out) = 0;
  virtual void write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  /// The bytes at an address if this process can access them directly (cpu), else null.
  virtual std::uint8_t* host(std::uint64_t address) = 0;
};

}  // namespace warpwalk::ops

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpwalk::ops {

/// Whose memory a tensor lives in. What stands behind cuda, a real GPU or the simulated one, is the backend's business.
enum class DeviceKind : std::uint8_t { cpu, cuda };
std::string_view name_of(DeviceKind device);

/// The memory of one device. Addresses are the device's own; of the cpu and of the simulated GPU they are numbers that
/// are the same in every run.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual DeviceKind device() const = 0;
  /// Address of so many bytes (0 bytes: address 0, nothing is held). Throws OpError when there is no room.
  virtual std::uint64_t allocate(std::uint64_t bytes) = 0;
  virtual void free(std::uint64_t address) = 0;
  /// Copies from and to the device, after all work that was started on it. The range lies within one allocation.
  virtual void read(std::uint64_t address, std::span<std::uint8_t> out) = 0;
  virtual void write(std::uint64_t address, std::span<const std::uint8_t> bytes) = 0;
  /// The bytes at an address where this process can reach them directly (cpu), else null.
  virtual std::uint8_t* host(std::uint64_t address) = 0;
};

}  // namespace warpwalk::ops

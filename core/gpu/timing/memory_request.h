#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// A request of an SM to the memory behind its L1, for one line of 128 bytes.
struct MemoryRequest {
  enum class Kind : std::uint8_t { load, store, atomic, fetch, constant };

  double time = 0;         ///< cycle in which it leaves the SM
  std::uint64_t line = 0;  ///< address / 128
  std::uint32_t id = 0;    ///< comes back with the response; 0: no response is needed
  std::uint16_t sm = 0;
  Kind kind = Kind::load;
  bool confirms = false;     ///< the response has no data: stores, and atomics without a result
  std::uint8_t sectors = 0;  ///< a bit for each sector
  std::uint8_t repeats = 0;  ///< atomics: further passes for lanes with the same address
  std::uint32_t words = 0;   ///< stores: a bit for each 4-byte word that is written
  bool partial = false;      ///< stores: some sectors are not written as a whole
  bool floating = false;     ///< atomics: on floating-point numbers
};

/// The level of memory that had the data of a request.
enum class DataSource : std::uint8_t {
  l2,      ///< in the SM's own partition of L2
  l2_far,  ///< in the other partition
  memory,  ///< in HBM, or on its way to this partition because another request had asked for it
};

/// The answer: data of a load or an atomic, or the confirmation of a store.
struct MemoryResponse {
  double time = 0;  ///< cycle in which it reaches the SM
  std::uint32_t id = 0;
  DataSource source = DataSource::l2;
};

/// Sectors of a line, from their mask.
inline int sector_count(std::uint8_t sectors) {
  constexpr std::uint64_t counts = 0x4332322132212110;  // a hexadecimal digit for each of the 16 masks
  return static_cast<int>(counts >> 4 * sectors & 15);
}

/// The cycle in which something that happens at this time is seen.
inline std::int64_t cycle_of(double time) {
  // As std::ceil(), which is a call on processors without an instruction for it.
  const auto whole = static_cast<std::int64_t>(time);
  return whole + (static_cast<double>(whole) < time ? 1 : 0);
}

}  // namespace warpwalk::gpu

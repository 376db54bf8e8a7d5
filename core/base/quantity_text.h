#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::base {

/// With this many decimals and separated thousands: "1,593.9".
std::string decimal_text(double value, int decimals);
/// 1234567 -> "1,234,567".
std::string with_thousands(std::int64_t value);
/// Nanoseconds as ns, µs (to 10,000 µs, so that the parts of one op share a unit), ms or s.
std::string time_text(double nanoseconds);
/// Bytes of shared memory: "19,840 B", or a whole number of KiB, the unit of its limits: "64 KiB".
std::string shared_bytes_text(std::int64_t bytes);
/// Bytes as B, kB, MB, GB (powers of 1000, as PyTorch's summaries and data sheets count).
std::string bytes_text(double bytes);
/// "12.3 %", or "< 0.1 %" for what is not nothing but would be shown as such.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace warpwalk::base

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
/// Bytes as B, KiB, MiB, GiB or TiB (powers of 1024) with one decimal, or none if it is a whole number: "2 KiB",
/// "1.4 GiB". All sizes that a person reads are in these units; rates are decimal, as in data sheets: "4.8 TB/s".
std::string bytes_text(double bytes);
/// Bytes of shared memory, exactly: "19,840 B", or a whole number of KiB, the unit of its limits: "64 KiB".
std::string shared_bytes_text(std::int64_t bytes);
/// "12.3 %", or "< 0.1 %" for what is not nothing but would be shown as such.
std::string share_text(std::int64_t part, std::int64_t whole);

}  // namespace warpwalk::base

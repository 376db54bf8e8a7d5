#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::pages {

/// A point in time, ns since the trace's start, with the decimals that tell points `resolution` ns apart from each
/// other: "22.524 ms" with 1,000. At least one decimal, except of ns.
std::string point_text(std::int64_t ns, std::int64_t resolution);

/// A duration, ns, with three significant digits: "1.25 µs", "12.5 µs", "125 µs", "1.25 ms". Below 1,000 ns it is
/// exact.
std::string duration_digits(std::int64_t ns);

}  // namespace warpwalk::pages

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/analysis/kernels/kernel_table.h"

namespace warpwalk::analysis {

/// The table as CSV (RFC 4180, but with "\n" at the ends of lines): a line of column names, then a line per row. Times
/// are nanoseconds, rates are per second, all with full precision; an empty field was not recorded or is not known.
/// `rows`: which rows of the table, in which order (ordered_rows()).
std::string kernel_table_csv(const Trace& trace, const KernelTable& table, std::span<const std::uint32_t> rows);
/// All rows, the longest total first.
std::string kernel_table_csv(const Trace& trace, const KernelTable& table);

}  // namespace warpwalk::analysis

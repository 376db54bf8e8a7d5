#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/ncu/report.h"
#include "core/trace/problem.h"

namespace warpwalk::trace::test {

/// The report tests/trace/data/ncu/four_kernels.ncu-rep.gz, decompressed: four launches of an H200, made by
/// make_ncu_report.py from a report of ncu 2025.3.1.
std::string ncu_sample();
/// Reads a report; what was lost is added to `problems`.
ncu::Report read_ncu_sample(std::string_view bytes, Problems& problems);

/// A CSV file of tests/trace/data/ncu, as ncu --import prints it: `--page raw` or `--page source`.
std::vector<std::vector<std::string>> ncu_csv(std::string_view name);
/// The rows of raw.csv as launches: the value of each metric in its base unit (ns, bytes). Values that are no numbers
/// are left out.
std::vector<std::map<std::string, double>> ncu_raw_values();

}  // namespace warpwalk::trace::test

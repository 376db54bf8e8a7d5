#pragma once

#include <cstdio>
#include <string>

#include "tests/validate/comparison.h"
#include "tests/validate/statistics.h"

namespace warpwalk::validate {

// Printed to stdout.

void print_header();
void print_row(const Comparison& row);
/// The shares of the stall reasons of at least 1 %.
void print_stalls(const Comparison& row);
/// Each instruction with its warp-cycles by reason, in percent of all.
void print_code(const Simulated& simulated);
void print_summary(const Summary& summary);

/// The columns of the CSV file and the line of a row, without line breaks. `set` names the rows' folder; `code` is sass
/// or ptx.
std::string csv_header();
std::string csv_line(const Comparison& row, const std::string& set, const std::string& code);

}  // namespace warpwalk::validate

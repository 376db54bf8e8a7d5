#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// Loads of memory that kernels only read, measured on one GPU.
struct ReadOnlyTimes {
  /// A load of a chain in which each address needs the value before.
  struct Load {
    std::string memory;  ///< "constant", "shared" or "global", in L1
    int addresses = 1;   ///< different ones among the 32 lanes, side by side
    double cycles = 0;
  };
  /// An image of 1 GiB, read once.
  struct Image {
    std::string memory;  ///< "plain" or "texture"
    std::string along;   ///< what the lanes of a warp lie along: "row" or "column"
    double gb_per_second = 0;
  };
  std::vector<Load> loads;
  std::vector<Image> images;

  /// Cycles of a load; none if it was not measured.
  std::optional<double> cycles(std::string_view memory, int addresses) const;
  /// GB/s of an image; none if it was not measured.
  std::optional<double> rate(std::string_view memory, std::string_view along) const;
};

/// Reads a file of assets/devices (ID_read_only.csv), which tests/cuda/microbench/read_only.cu writes. On failure,
/// returns a one-line message without the file's name.
base::Result<ReadOnlyTimes> parse_read_only_times(std::string_view text);

}  // namespace warpwalk::records

#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "instrumentation/simulated/libraries/cufft/abi.h"

namespace warpwalk::simulated::libraries {

/// The data types of input and output of a cufftType; nothing for other numbers.
inline std::optional<std::pair<FftData, FftData>> data_of(FftType type) {
  switch (type) {
    case FftType::c2c: return {{FftData::c32, FftData::c32}};
    case FftType::r2c: return {{FftData::r32, FftData::c32}};
    case FftType::c2r: return {{FftData::c32, FftData::r32}};
    case FftType::z2z: return {{FftData::c64, FftData::c64}};
    case FftType::d2z: return {{FftData::r64, FftData::c64}};
    case FftType::z2d: return {{FftData::c64, FftData::r64}};
  }
  return std::nullopt;
}

/// The layout of one side, as cufftMakePlanMany takes it: `embed` may be null, which means the basic layout.
template <class Integer>
struct FftSideArguments {
  const Integer* embed;
  Integer stride, distance;
};

/// The request of the functions that take all parameters. Nothing if the rank is not 1 to 3 or there are no sizes.
template <class Integer>
std::optional<FftRequest> many_request(int rank, const Integer* n, const FftSideArguments<Integer>& in, FftData in_data,
                                       const FftSideArguments<Integer>& out, FftData out_data, Integer batch) {
  if (rank < 1 || rank > 3 || n == nullptr) return std::nullopt;
  FftRequest request;
  request.rank = rank;
  std::copy_n(n, rank, request.n.begin());
  request.batch = batch;
  const auto side = [rank](const FftSideArguments<Integer>& arguments, FftData data) {
    FftSide made;
    made.basic = arguments.embed == nullptr;
    if (!made.basic) {
      std::copy_n(arguments.embed, rank, made.embed.begin());
      made.stride = arguments.stride, made.dist = arguments.distance;
    }
    made.data = data;
    return made;
  };
  request.in = side(in, in_data), request.out = side(out, out_data);
  return request;
}

/// The request of the functions that take the sizes of one to three dimensions.
inline FftRequest simple_request(int rank, std::array<long long, 3> n, std::pair<FftData, FftData> data, int batch) {
  FftRequest request;
  request.rank = rank, request.n = n, request.batch = batch;
  request.in.data = data.first, request.out.data = data.second;
  return request;
}

}  // namespace warpwalk::simulated::libraries

// How a transform of one to three dimensions becomes launches: dimension by dimension, each in passes over all
// elements.
#include "instrumentation/simulated/libraries/cufft/steps.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "instrumentation/simulated/libraries/cufft/factors.h"
#include "instrumentation/simulated/libraries/cufft/tables.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::cufft::Layout;

/// An array of the transform, with its steps from element to element in three dimensions.
struct FftArray {
  FftBuffer buffer = FftBuffer::input;
  std::array<long long, 3> step{};
  long long batch = 0;
  int numbers = stand_in::cufft::complex_numbers, storage = stand_in::cufft::stored_as_computed;
};

/// A line's end of one or more passes.
struct FftEnd {
  FftBuffer buffer;
  Layout layout;
};

int storage_of(FftData data) {
  switch (data) {
    case FftData::r16:
    case FftData::c16: return stand_in::cufft::stored_as_half;
    case FftData::r16b:
    case FftData::c16b: return stand_in::cufft::stored_as_bfloat16;
    default: return stand_in::cufft::stored_as_computed;
  }
}

class FftPlanner {
 public:
  FftPlanner(const FftRequest& request, bool inverse, bool in_place);
  std::optional<FftSteps> plan();

 private:
  FftArray array_of(FftBuffer buffer, const FftSide& side, int numbers, bool padded) const;
  FftArray contiguous(FftBuffer buffer, const std::array<long long, 3>& extents) const;
  /// Transforms along one dimension.
  void along(std::size_t dimension, const FftArray& from, const FftArray& to);
  void direct(FftEnd from, const FftEnd& to, unsigned total, bool inverse);
  void bluestein(const FftEnd& from, const FftEnd& to, unsigned n);
  /// An end in the work area: lines of `total` elements, one after another.
  FftEnd work(FftBuffer buffer, unsigned total);
  void need(FftBuffer buffer, long long elements);
  const void* table(const void* of) {
    if (of == nullptr) failed_ = true;
    return of;
  }

  const FftRequest& request_;
  const bool inverse_, in_place_, wide_;
  std::array<long long, 3> n_{1, 1, 1};  ///< with leading ones
  std::array<long long, 3> extents_{};   ///< of the arrays that are transformed now
  unsigned outer_ = 1, inner_ = 1;       ///< extents of the other dimensions
  long long transforms_ = 1;             ///< batches * outer * inner
  FftSteps made_;
  bool failed_ = false;
};

FftPlanner::FftPlanner(const FftRequest& request, bool inverse, bool in_place)
    : request_(request), inverse_(inverse), in_place_(in_place), wide_(fft_is_wide(request.in.data)) {
  std::copy_n(request.n.begin(), request.rank, n_.end() - request.rank);
}

FftArray FftPlanner::array_of(FftBuffer buffer, const FftSide& side, int numbers, bool padded) const {
  FftArray array;
  if (side.basic) {
    std::array<long long, 3> extents = n_;
    if (numbers == stand_in::cufft::half_spectrum) extents[2] = n_[2] / 2 + 1;
    if (padded) extents[2] = 2 * (n_[2] / 2 + 1);
    array = contiguous(buffer, extents);
  } else {
    array.buffer = buffer;
    array.step[2] = side.stride;
    for (int i = 1; i < request_.rank; ++i) {
      const auto at = static_cast<std::size_t>(i), rank = static_cast<std::size_t>(request_.rank);
      array.step[2 - at] = array.step[3 - at] * side.embed[rank - at];
    }
    array.batch = side.dist;
  }
  array.numbers = numbers;
  array.storage = storage_of(side.data);
  return array;
}

FftArray FftPlanner::contiguous(FftBuffer buffer, const std::array<long long, 3>& extents) const {
  FftArray array;
  array.buffer = buffer;
  array.step = {extents[1] * extents[2], extents[2], 1};
  array.batch = extents[0] * array.step[0];
  return array;
}

void FftPlanner::need(FftBuffer buffer, long long elements) {
  std::size_t& bytes = made_.bytes[static_cast<std::size_t>(buffer)];
  bytes = std::max(bytes, static_cast<std::size_t>(elements) * (wide_ ? 16 : 8));
}

FftEnd FftPlanner::work(FftBuffer buffer, unsigned total) {
  need(buffer, transforms_ * total);
  const long long length = total;
  return {buffer, {nullptr, outer_ * inner_ * length, inner_ * length, length, 1, 0, 0}};
}

void FftPlanner::direct(FftEnd from, const FftEnd& to, unsigned total, bool inverse) {
  // Both halves of a block's shared memory together have at most 32 KiB.
  const std::vector<unsigned> lengths = pass_lengths(total, wide_ ? 1024 : 2048);
  unsigned done = 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const FftBuffer other = from.buffer == FftBuffer::first ? FftBuffer::second : FftBuffer::first;
    const FftEnd target = i + 1 == lengths.size() ? to : work(other, total);
    FftStep step;
    step.in = from.buffer, step.out = target.buffer;
    stand_in::cufft::Pass& pass = step.pass;
    pass.in = from.layout, pass.out = target.layout;
    pass.outer = outer_, pass.inner = inner_;
    pass.length = lengths[i], pass.columns = total / lengths[i], pass.done = done;
    const long long lines = transforms_ * pass.columns;
    if (lines > INT32_MAX) failed_ = true;
    pass.lines = static_cast<unsigned>(lines);
    constexpr unsigned elements_of_block = 1024;
    pass.lines_per_block = static_cast<unsigned>(
        std::min<long long>(std::clamp(elements_of_block / pass.length, 1U, stand_in::cufft::most_lines), lines));
    pass.inverse = inverse ? 1 : 0;
    const bool rows_across_in =
        inner_ > 1 && pass.in.inner<pass.in.element, rows_across_out = inner_> 1 && pass.out.inner < pass.out.element;
    pass.load_across = pass.columns > 1 || rows_across_in ? 1 : 0;
    pass.store_across = done > 1 || rows_across_out ? 1 : 0;
    pass.factors = packed_radices(pass.length);
    step.table = table(FftTables::shared().roots(pass.length, wide_));
    made_.steps.push_back(step);
    done *= pass.length;
    from = target;
  }
}

void FftPlanner::bluestein(const FftEnd& from, const FftEnd& to, unsigned n) {
  const std::uint64_t least = 2 * std::uint64_t{n} - 1;
  if (least > std::uint64_t{1} << 31) {
    failed_ = true;
    return;
  }
  FftStep step;
  step.chirped = {static_cast<unsigned>(transforms_),          outer_,          inner_, n,
                  static_cast<unsigned>(std::bit_ceil(least)), inverse_ ? 1 : 0};
  const unsigned padded = step.chirped.padded;
  const FftEnd first = work(FftBuffer::first, padded), second = work(FftBuffer::second, padded);
  step.kind = FftStep::Kind::chirp_in;
  step.in = from.buffer, step.out = first.buffer;
  step.pass.in = from.layout, step.pass.out = first.layout;
  step.table = table(FftTables::shared().chirp(n, wide_));
  made_.steps.push_back(step);

  // Each pass goes from one of the two buffers to the other.
  const bool odd = pass_lengths(padded, wide_ ? 1024 : 2048).size() % 2 == 1;
  const FftEnd& spectrum = odd ? second : first;
  direct(first, spectrum, padded, false);
  FftStep product = step;
  product.kind = FftStep::Kind::multiply;
  product.in = product.out = spectrum.buffer;
  product.table = table(FftTables::shared().filter(n, padded, wide_));
  made_.steps.push_back(product);
  direct(spectrum, first, padded, true);

  step.kind = FftStep::Kind::chirp_out;
  step.in = first.buffer, step.out = to.buffer;
  step.pass.in = first.layout, step.pass.out = to.layout;
  made_.steps.push_back(step);
}

void FftPlanner::along(std::size_t dimension, const FftArray& from, const FftArray& to) {
  const std::size_t outer = dimension == 0 ? 1 : 0, inner = dimension == 2 ? 1 : 2;
  outer_ = static_cast<unsigned>(extents_[outer]), inner_ = static_cast<unsigned>(extents_[inner]);
  transforms_ = request_.batch * extents_[outer] * extents_[inner];
  if (transforms_ > INT32_MAX) {
    failed_ = true;
    return;
  }
  const auto end = [&](const FftArray& array) {
    return FftEnd{array.buffer,
                  {nullptr, array.batch, array.step[outer], array.step[inner], array.step[dimension], array.numbers,
                   array.storage}};
  };
  const auto n = static_cast<unsigned>(n_[dimension]);
  if (n > 1 && prime_factors(n).front() > largest_direct_prime)
    bluestein(end(from), end(to), n);
  else
    direct(end(from), end(to), n, inverse_);
}

std::optional<FftSteps> FftPlanner::plan() {
  using stand_in::cufft::complex_numbers, stand_in::cufft::half_spectrum, stand_in::cufft::real_numbers;
  const bool from_real = !fft_is_complex(request_.in.data), to_real = !fft_is_complex(request_.out.data);
  const FftArray input = array_of(FftBuffer::input, request_.in,
                                  from_real ? real_numbers
                                  : to_real ? half_spectrum
                                            : complex_numbers,
                                  from_real && in_place_),
                 output = array_of(FftBuffer::output, request_.out,
                                   to_real     ? real_numbers
                                   : from_real ? half_spectrum
                                               : complex_numbers,
                                   to_real && in_place_);
  // The extents of the array with complex numbers, along whose other dimensions ordinary transforms go.
  extents_ = n_;
  if (from_real || to_real) extents_[2] = n_[2] / 2 + 1;
  std::vector<std::size_t> others;
  for (const std::size_t dimension : {std::size_t{1}, std::size_t{0}})
    if (n_[dimension] > 1) others.push_back(dimension);

  FftArray last = input;
  if (to_real) {
    FftArray spectrum = contiguous(FftBuffer::spectrum, extents_);
    for (const std::size_t dimension : others) {
      last.numbers = complex_numbers;
      need(FftBuffer::spectrum, request_.batch * extents_[0] * extents_[1] * extents_[2]);
      along(dimension, last, spectrum);
      last = spectrum;
    }
    last.numbers = half_spectrum;
  }
  along(2, last, output);
  if (!to_real) {
    FftArray in_place = output;
    in_place.numbers = complex_numbers;
    for (const std::size_t dimension : others) along(dimension, in_place, in_place);
  }
  if (failed_) return std::nullopt;
  return std::move(made_);
}

}  // namespace

std::size_t fft_element_bytes(FftData data) {
  switch (data) {
    case FftData::r16:
    case FftData::r16b: return 2;
    case FftData::r32:
    case FftData::c16:
    case FftData::c16b: return 4;
    case FftData::c64: return 16;
    default: return 8;
  }
}

bool fft_is_complex(FftData data) {
  return data == FftData::c32 || data == FftData::c64 || data == FftData::c16 || data == FftData::c16b;
}

bool fft_is_wide(FftData data) { return data == FftData::r64 || data == FftData::c64; }

std::optional<FftSteps> plan_steps(const FftRequest& request, bool inverse, bool in_place) {
  return FftPlanner(request, inverse, in_place).plan();
}

}  // namespace warpwalk::simulated::libraries

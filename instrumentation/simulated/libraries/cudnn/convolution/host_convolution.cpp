#include "instrumentation/simulated/libraries/cudnn/convolution/host_convolution.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "instrumentation/simulated/libraries/cudnn/convolution/host_numbers.h"
#include "instrumentation/simulated/libraries/cudnn/convolution/host_strips.h"

namespace warpwalk::simulated::libraries {
namespace {

using stand_in::cudnn::Addend;
using stand_in::cudnn::ConvolutionShape;
using stand_in::cudnn::Epilogue;
using stand_in::cudnn::Extent;
using stand_in::cudnn::Strides;

/// Rows that a host thread computes at a time, and the part of the inner dimension that it copies for them.
constexpr std::size_t host_rows = 128, host_depth = 1024;

struct HostPosition {
  long long n, d, h, w;
};

HostPosition host_position(long long index, const Extent& extent) {
  const long long h = index / extent.w, d = h / extent.h;
  return {d / extent.d, d % extent.d, h % extent.h, index % extent.w};
}

long long host_offset(const HostPosition& at, const Strides& strides) {
  return at.n * strides.n + at.d * strides.d + at.h * strides.h + at.w * strides.w;
}

long long host_volume(const Extent& extent) { return static_cast<long long>(extent.d) * extent.h * extent.w; }

/// Elements from the first to the last of a tensor.
long long reach_of(long long images, long long channels, const Extent& extent, const Strides& strides) {
  return host_offset({images - 1, extent.d - 1, extent.h - 1, extent.w - 1}, strides) + (channels - 1) * strides.c + 1;
}

/// One launch. The rows and columns are those of the kernels; for the gradient of the filter they are exchanged: a row
/// per tap and input channel, a column per output channel.
template <class Number>
class HostConvolution {
 public:
  using Storage = typename Number::Storage;
  using Sum = typename Number::Sum;

  explicit HostConvolution(const Convolution& convolution) : convolution_(convolution), shape_(convolution_.shape) {
    const long long taps = host_volume(shape_.filter), outputs = shape_.images * host_volume(shape_.output);
    switch (convolution.result) {
      case ConvolutionResult::y:
        rows_ = outputs, columns_ = shape_.output_channels, inner_ = taps * shape_.input_channels;
        break;
      case ConvolutionResult::dx:
        rows_ = shape_.images * host_volume(shape_.input), columns_ = shape_.input_channels;
        inner_ = taps * shape_.output_channels;
        break;
      case ConvolutionResult::dw:
        rows_ = taps * shape_.input_channels, columns_ = shape_.output_channels, inner_ = outputs;
        break;
    }
  }

  bool run(HostRun& host) {
    if (!find(host)) return false;
    const std::size_t panels = (static_cast<std::size_t>(rows_) + host_rows - 1) / host_rows;
    host.parallel(panels * static_cast<std::size_t>(shape_.groups), [&](std::size_t task) {
      compute(static_cast<long long>(task % panels * host_rows), static_cast<int>(task / panels));
    });
    return true;
  }

 private:
  /// Finds the tensors in the host's memory.
  bool find(HostRun& host) {
    const auto address = [](const void* at) { return reinterpret_cast<std::uint64_t>(at); };
    const long long groups = shape_.groups;
    const std::uint64_t x_bytes =
        reach_of(shape_.images, groups * shape_.input_channels, shape_.input, shape_.x) * sizeof(Storage);
    const std::uint64_t y_bytes =
        reach_of(shape_.images, groups * shape_.output_channels, shape_.output, shape_.y) * sizeof(Storage);
    const std::uint64_t w_bytes =
        reach_of(groups * shape_.output_channels, shape_.input_channels, shape_.filter, shape_.w) * sizeof(Storage);
    const auto input = [&](const void* at, std::uint64_t bytes) {
      return reinterpret_cast<const Storage*>(host.input(address(at), bytes));
    };
    const auto output = [&](const void* at, std::uint64_t bytes) {
      return reinterpret_cast<Storage*>(host.output(address(at), bytes, stored_as(), tolerance()));
    };
    const ConvolutionResult result = convolution_.result;
    if (result != ConvolutionResult::dx && (x_ = input(convolution_.x, x_bytes)) == nullptr) return false;
    if (result != ConvolutionResult::dw && (w_ = input(convolution_.w, w_bytes)) == nullptr) return false;
    if (result != ConvolutionResult::y && (y_ = input(convolution_.y, y_bytes)) == nullptr) return false;
    for (int i = 0; i < 2; ++i) {
      const Addend& addend = convolution_.epilogue.addends[i];
      if (result != ConvolutionResult::y || addend.tensor == nullptr) continue;
      const long long reach = reach_of(shape_.images, groups * shape_.output_channels, shape_.output, addend.strides);
      if ((addends_[i] = input(addend.tensor, reach * sizeof(Storage))) == nullptr) return false;
    }
    to_ = result == ConvolutionResult::y    ? output(convolution_.y, y_bytes)
          : result == ConvolutionResult::dx ? output(convolution_.x, x_bytes)
                                            : output(convolution_.w, w_bytes);
    return to_ != nullptr;
  }

  StoredAs stored_as() const {
    switch (convolution_.type) {
      case DataType::f32: return StoredAs::f32;
      case DataType::f64: return StoredAs::f64;
      case DataType::f16: return StoredAs::f16;
      case DataType::bf16: return StoredAs::bf16;
    }
    return StoredAs::bytes;
  }
  /// Long sums in another order differ by some units of the last place; half precision rounds them.
  double tolerance() const {
    switch (convolution_.type) {
      case DataType::f32: return convolution_.tensor_cores ? 5e-4 : 1e-4;
      case DataType::f64: return 1e-11;
      case DataType::f16: return 2e-3;
      case DataType::bf16: return 1.6e-2;
    }
    return 0;
  }

  /// Computes `host_rows` rows of a group, and all its columns.
  void compute(long long first_row, int group) const {
    const std::size_t rows = static_cast<std::size_t>(std::min<long long>(host_rows, rows_ - first_row));
    const auto columns = static_cast<std::size_t>(columns_);
    HostStrips<Sum> left, right;
    std::vector<Sum> sums((rows + strip_rows - 1) / strip_rows * strip_rows *
                          ((columns + strip_columns - 1) / strip_columns * strip_columns));
    for (long long k = 0; k < inner_; k += host_depth) {
      const long long depth = std::min<long long>(host_depth, inner_ - k);
      left.reset(strip_rows, rows, static_cast<std::size_t>(depth));
      right.reset(strip_columns, columns, static_cast<std::size_t>(depth));
      for (std::size_t i = 0; i < rows; ++i)
        copy_row(first_row + static_cast<long long>(i), group, k, depth, left.row(i));
      for (std::size_t j = 0; j < columns; ++j) copy_column(static_cast<long long>(j), group, k, depth, right.row(j));
      multiply_strips(left, right, sums);
    }
    const std::size_t padded = (rows + strip_rows - 1) / strip_rows * strip_rows;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        store(first_row + static_cast<long long>(i), group, static_cast<long long>(j), sums[j * padded + i]);
  }

  /// Copies elements `from` to `from + count` of a row of the left matrix, `strip_rows` apart. Zeros are there already.
  void copy_row(long long row, int group, long long from, long long count, Sum* into) const {
    if (convolution_.result == ConvolutionResult::dw) return copy_tap(row, group, from, count, into);
    const bool forward = convolution_.result == ConvolutionResult::y;
    const long long channels = forward ? shape_.input_channels : shape_.output_channels;
    const HostPosition at = host_position(row, forward ? shape_.output : shape_.input);
    const Strides& strides = forward ? shape_.x : shape_.y;
    const Storage* const group_at = (forward ? x_ : y_) + group * channels * strides.c;
    for (long long k = from; k < from + count;) {
      const long long tap = k / channels, channel = k - tap * channels;
      const long long run = std::min(channels - channel, from + count - k);
      HostPosition read = at;
      if (forward ? reads(at, tap, read) : reached(at, tap, read)) {
        const Storage* element = group_at + host_offset(read, strides) + channel * strides.c;
        Sum* to = into + (k - from) * static_cast<long long>(strip_rows);
        for (long long i = 0; i < run; ++i, element += strides.c, to += strip_rows) *to = Number::load(*element);
      }
      k += run;
    }
  }

  /// A row of the gradient of the filter: what a tap reads of an input channel, for each position of the output.
  void copy_tap(long long row, int group, long long from, long long count, Sum* into) const {
    const long long tap = row / shape_.input_channels, channel = row - tap * shape_.input_channels;
    const Storage* const channel_at =
        x_ + (static_cast<long long>(group) * shape_.input_channels + channel) * shape_.x.c;
    const long long tap_w = host_position(tap, shape_.filter).w * shape_.dilation.w - shape_.padding.w;
    for (long long k = from; k < from + count;) {
      // For a line of the output, the tap reads a line of the input.
      const HostPosition at = host_position(k, shape_.output);
      const long long run = std::min<long long>(shape_.output.w - at.w, from + count - k);
      HostPosition line{};
      reads({at.n, at.d, at.h, 0}, tap, line);
      if (line.d >= 0 && line.d < shape_.input.d && line.h >= 0 && line.h < shape_.input.h) {
        const Storage* const line_at = channel_at + line.n * shape_.x.n + line.d * shape_.x.d + line.h * shape_.x.h;
        Sum* to = into + (k - from) * static_cast<long long>(strip_rows);
        for (long long i = 0; i < run; ++i, to += strip_rows) {
          const long long w = tap_w + (at.w + i) * shape_.stride.w;
          if (w >= 0 && w < shape_.input.w) *to = Number::load(line_at[w * shape_.x.w]);
        }
      }
      k += run;
    }
  }

  /// The same for a column of the right matrix, `strip_columns` apart.
  void copy_column(long long column, int group, long long from, long long count, Sum* into) const {
    const long long output = static_cast<long long>(group) * shape_.output_channels;
    if (convolution_.result == ConvolutionResult::dw) {
      const Storage* const channel_at = y_ + (output + column) * shape_.y.c;
      for (long long k = from; k < from + count;) {
        const HostPosition at = host_position(k, shape_.output);
        const long long run = std::min<long long>(shape_.output.w - at.w, from + count - k);
        const Storage* element = channel_at + host_offset(at, shape_.y);
        for (long long i = 0; i < run; ++i, element += shape_.y.w, into += strip_columns)
          *into = Number::load(*element);
        k += run;
      }
      return;
    }
    const bool forward = convolution_.result == ConvolutionResult::y;
    const long long channels = forward ? shape_.input_channels : shape_.output_channels;
    const long long step = forward ? shape_.w.c : shape_.w.n;
    const Storage* const column_at = w_ + output * shape_.w.n + column * (forward ? shape_.w.n : shape_.w.c);
    for (long long k = from; k < from + count;) {
      const long long tap = k / channels, channel = k - tap * channels;
      const long long run = std::min(channels - channel, from + count - k);
      const Storage* element = column_at + host_offset(host_position(tap, shape_.filter), shape_.w) + channel * step;
      for (long long i = 0; i < run; ++i, element += step, into += strip_columns) *into = Number::load(*element);
      k += run;
    }
  }

  /// Finds the position of the input that a tap reads for a position of the output. False if it reads padding.
  bool reads(const HostPosition& at, long long tap, HostPosition& read) const {
    const HostPosition t = host_position(tap, shape_.filter);
    read = {at.n, at.d * shape_.stride.d - shape_.padding.d + t.d * shape_.dilation.d,
            at.h * shape_.stride.h - shape_.padding.h + t.h * shape_.dilation.h,
            at.w * shape_.stride.w - shape_.padding.w + t.w * shape_.dilation.w};
    return is_in(read, shape_.input);
  }

  /// The position of the output for which a tap has read a position of the input. False if there is none.
  bool reached(const HostPosition& at, long long tap, HostPosition& output) const {
    const HostPosition t = host_position(tap, shape_.filter);
    const long long d = at.d + shape_.padding.d - t.d * shape_.dilation.d;
    const long long h = at.h + shape_.padding.h - t.h * shape_.dilation.h;
    const long long w = at.w + shape_.padding.w - t.w * shape_.dilation.w;
    if (d % shape_.stride.d != 0 || h % shape_.stride.h != 0 || w % shape_.stride.w != 0) return false;
    output = {at.n, d / shape_.stride.d, h / shape_.stride.h, w / shape_.stride.w};
    return is_in(output, shape_.output);
  }

  static bool is_in(const HostPosition& at, const Extent& extent) {
    return at.d >= 0 && at.d < extent.d && at.h >= 0 && at.h < extent.h && at.w >= 0 && at.w < extent.w;
  }

  void store(long long row, int group, long long column, Sum sum) const {
    const Epilogue& epilogue = convolution_.epilogue;
    const long long output = static_cast<long long>(group) * shape_.output_channels + column;
    Sum value = static_cast<Sum>(epilogue.alpha) * sum;
    Storage* to = to_;
    if (convolution_.result == ConvolutionResult::y) {
      const HostPosition at = host_position(row, shape_.output);
      to += host_offset(at, shape_.y) + output * shape_.y.c;
      if (epilogue.beta != 0) value += static_cast<Sum>(epilogue.beta) * loaded(*to);
      for (int i = 0; i < 2; ++i) {
        const Addend& addend = epilogue.addends[i];
        if (addends_[i] != nullptr)
          value += static_cast<Sum>(addend.scale) *
                   loaded(addends_[i][host_offset(at, addend.strides) + output * addend.strides.c]);
      }
      if (epilogue.relu) value = value < 0 ? Sum(0) : value;
      if (epilogue.relu && epilogue.upper != 0) value = std::min(value, static_cast<Sum>(epilogue.upper));
      *to = Number::store(value);
      return;
    }
    if (convolution_.result == ConvolutionResult::dx) {
      to += host_offset(host_position(row, shape_.input), shape_.x) +
            (static_cast<long long>(group) * shape_.input_channels + column) * shape_.x.c;
    } else {
      const long long tap = row / shape_.input_channels;
      HostPosition t = host_position(tap, shape_.filter);
      t.n = output;
      to += host_offset(t, shape_.w) + (row - tap * shape_.input_channels) * shape_.w.c;
    }
    if (epilogue.beta != 0) value += static_cast<Sum>(epilogue.beta) * loaded(*to);
    *to = Number::store(value);
  }

  /// A number that is not multiplied, which tensor cores do not round.
  static Sum loaded(Storage stored) {
    if constexpr (std::is_same_v<Number, HostTf32>) return stored;
    return Number::load(stored);
  }

  const Convolution convolution_;
  const ConvolutionShape& shape_;
  long long rows_ = 0, columns_ = 0, inner_ = 0;
  const Storage* x_ = nullptr;
  const Storage* w_ = nullptr;
  const Storage* y_ = nullptr;
  const Storage* addends_[2] = {};
  Storage* to_ = nullptr;
};

template <class Number>
std::function<bool(HostRun&)> host_run(const Convolution& convolution) {
  return [convolution](HostRun& host) { return HostConvolution<Number>(convolution).run(host); };
}

}  // namespace

std::shared_ptr<const HostComputation> host_convolution(const Convolution& convolution) {
  const auto computation = std::make_shared<HostComputation>();
  switch (convolution.type) {
    case DataType::f32:
      computation->run = convolution.tensor_cores ? host_run<HostTf32>(convolution) : host_run<HostF32>(convolution);
      break;
    case DataType::f64: computation->run = host_run<HostF64>(convolution); break;
    case DataType::f16: computation->run = host_run<HostF16>(convolution); break;
    case DataType::bf16: computation->run = host_run<HostBf16>(convolution); break;
  }
  return computation;
}

}  // namespace warpwalk::simulated::libraries

#include "core/analysis/kernels/helper_kernel.h"

#include <algorithm>
#include <array>

namespace warpwalk::analysis {
namespace {

using Words = std::string_view;

// cuDNN, cuBLAS and CUTLASS, MIOpen and Composable Kernel, PyTorch.
constexpr std::array helper_words = {
    Words("nchwtonhwc"),
    Words("nhwctonchw"),
    Words("nchw2cnhw"),
    Words("cnhw2nchw"),
    Words("batched_transpose"),
    Words("transpose_readwrite"),
    Words("im2col"),
    Words("col2im"),
    Words("vol2col"),
    Words("col2vol"),
    Words("tensortransform"),
    Words("subtensorop"),
    Words("scaletensor"),
    Words("scalepackedtensor"),
    Words("computeoffsets"),
    Words("boffsets"),
    Words("splitkoffsets"),
    Words("reduce_wgrad"),
    Words("splitkreduce"),
    Words("reducesplitk"),
    Words("splitk_reduce"),
    Words("reduction_cnn"),
    Words("forwarddata"),
    Words("forwardfilter"),
    Words("forwardoutput"),
    Words("wgraddata"),
    Words("wgraddelta"),
    Words("wgradoutput"),
    Words("winogradtiles"),
    Words("fft2d_r2c"),
    Words("fft2d_c2r"),
    Words("fft1d_r2c"),
    Words("fft1d_c2r"),
    Words("flip_filter"),
    Words("elementwise"),
    Words("copy_kernel"),
    Words("fillfunctor"),
    Words("memset"),
    Words("zero_"),
};
constexpr std::array fast_words = {Words("winograd"), Words("fft2d_"), Words("fft1d_"), Words("gcgemm")};

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <std::size_t n>
bool has_any_word(Words name, const std::array<Words, n>& words) {
  return std::ranges::any_of(words, [&](Words word) {
    return std::search(name.begin(), name.end(), word.begin(), word.end(),
                       [](char a, char b) { return lower_letter(a) == b; }) != name.end();
  });
}

}  // namespace

bool is_helper_kernel(std::string_view kernel_name) { return has_any_word(kernel_name, helper_words); }
bool is_fast_convolution_kernel(std::string_view kernel_name) { return has_any_word(kernel_name, fast_words); }

}  // namespace warpwalk::analysis

#include "core/analysis/kernels/tensor_cores.h"

#include <array>
#include <string>

#include "core/analysis/names/stand_in.h"
#include "core/base/enum_names.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::analysis {
namespace {

using Words = std::string_view;

constexpr std::array core_words = {Words("simt"),   Words("ffma"), Words("dfma"),  Words("sgemm_"),
                                   Words("dgemm_"), Words("gemv"), Words("scudnn")};
// The last ones are AMD's matrix cores: their instruction, and its tiles in the names of Tensile (rocBLAS, hipBLASLt).
constexpr std::array tensor_words = {Words("tensorop"), Words("hmma"),  Words("imma"), Words("dmma"),
                                     Words("qmma"),     Words("wgmma"), Words("gmma"), Words("xmma"),
                                     Words("wmma"),     Words("nvjet"), Words("mfma"), Words("mi16x16x"),
                                     Words("mi32x32x"), Words("mi4x4x")};
constexpr std::array attention_words = {Words("flash_fwd"), Words("flash_bwd")};
// Names with one of these may have a product in them, whatever else they say.
constexpr std::array product_words = {Words("gemm"), Words("conv"), Words("attention"), Words("fmha"),
                                      Words("triton_tem")};
constexpr std::array plain_words = {
    Words("elementwise"),        Words("reduce_"),     Words("softmax"),       Words("layer_norm"), Words("catarray"),
    Words("fillfunctor"),        Words("copy_kernel"), Words("distribution_"), Words("dropout"),    Words("indexing"),
    Words("multi_tensor_apply"), Words("triton_poi"),  Words("triton_red"),    Words("triton_per")};
// The shapes m × n × k of tensor core instructions, as names of kernels write them.
constexpr std::array instruction_shapes = {Words("16816"), Words("16832"), Words("16864"), Words("1688"),
                                           Words("8816"),  Words("8832"),  Words("884")};

bool is_lower_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// "s16816" in "ampere_bf16_s16816gemm_...": a letter for the type, then the shape. The letter begins a word.
Words instruction_in(Words name) {
  for (const Words shape : instruction_shapes)
    for (std::size_t at = name.find(shape); at != Words::npos; at = name.find(shape, at + 1)) {
      if (at == 0 || Words("shidqb").find(name[at - 1]) == Words::npos) continue;
      if (at >= 2 && is_lower_letter_or_digit(name[at - 2])) continue;
      if (at + shape.size() < name.size() && trace::is_digit(name[at + shape.size()])) continue;
      return name.substr(at - 1, shape.size() + 1);
    }
  return {};
}

// "_tensor16x8x16" in the names of cuDNN.
Words tensor_tile_in(Words name) {
  for (std::size_t at = name.find("tensor"); at != Words::npos; at = name.find("tensor", at + 1)) {
    const std::size_t after = at + 6;
    if (after < name.size() && trace::is_digit(name[after])) return name.substr(at, 6);
  }
  return {};
}

template <std::size_t n>
Words first_of(Words name, const std::array<Words, n>& words) {
  for (const Words word : words)
    if (name.find(word) != Words::npos) return word;
  return {};
}

// The same, but no letter may stand before the word: "dmma" is not in "addmmActivation".
template <std::size_t n>
Words first_begun(Words name, const std::array<Words, n>& words) {
  for (const Words word : words)
    for (std::size_t at = name.find(word); at != Words::npos; at = name.find(word, at + 1))
      if (at == 0 || name[at - 1] < 'a' || name[at - 1] > 'z') return word;
  return {};
}

// The same text in static storage, for words that are parts of a name.
Words kept_word(Words found) {
  static constexpr std::array all = {Words("s16816"), Words("h16816"), Words("i16832"), Words("i16864"),
                                     Words("s1688"),  Words("h1688"),  Words("s884"),   Words("h884"),
                                     Words("d884"),   Words("i8816"),  Words("tensor")};
  for (const Words word : all)
    if (word == found) return word;
  for (const Words shape : instruction_shapes)
    if (found.ends_with(shape)) return shape;
  return {};
}

}  // namespace

std::string_view name_of(TensorCoreUse use) { return base::enum_name(use); }

TensorCoreName tensor_core_use(std::string_view kernel_name) {
  std::string name(kernel_name);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (const StandInUnit unit = unit_of_stand_in(name); unit.product)
    return {unit.tensor ? TensorCoreUse::yes : TensorCoreUse::no, "stand_in"};
  if (const Words word = first_of(name, core_words); !word.empty()) return {TensorCoreUse::no, word};
  if (const Words word = first_begun(name, tensor_words); !word.empty()) return {TensorCoreUse::yes, word};
  if (const Words word = tensor_tile_in(name); !word.empty()) return {TensorCoreUse::yes, kept_word(word)};
  if (const Words word = instruction_in(name); !word.empty()) return {TensorCoreUse::yes, kept_word(word)};
  if (const Words word = first_of(name, attention_words); !word.empty()) return {TensorCoreUse::yes, word};
  if (!first_of(name, product_words).empty()) return {};
  if (const Words word = first_of(name, plain_words); !word.empty()) return {TensorCoreUse::no, word};
  return {};
}

std::string_view name_of(MathUnit unit) { return base::enum_name(unit); }

MathUnit unit_of(MathType type, TensorCoreUse use) {
  const bool tensor = use != TensorCoreUse::no;
  switch (type) {
    case MathType::f64: return tensor ? MathUnit::f64_tensor : MathUnit::f64;
    case MathType::f32: return tensor ? MathUnit::tf32_tensor : MathUnit::f32;
    case MathType::f16: return tensor ? MathUnit::f16_tensor : MathUnit::f16;
    case MathType::f8: return MathUnit::f8_tensor;
    case MathType::unknown: break;
  }
  return MathUnit::none;
}

}  // namespace warpwalk::analysis

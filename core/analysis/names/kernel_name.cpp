#include "core/analysis/names/kernel_name.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include <cxxabi.h>
#include <fmt/format.h>

#include "core/analysis/names/stand_in.h"

namespace warpwalk::analysis {
namespace {

// Longer names are kept whole and not decoded: no compiler makes such a name, and no screen shows it.
constexpr std::size_t longest_decoded = 1 << 14;

bool digit(char c) { return c >= '0' && c <= '9'; }

// Returns the number if the whole text is one.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || !digit(text[0]) || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

// Reads "128x64x8" after `word`; empty unless there are exactly `count` numbers.
std::vector<std::int64_t> sizes_in(std::string_view text, std::string_view word, std::size_t count) {
  if (!text.starts_with(word)) return {};
  text.remove_prefix(word.size());
  std::vector<std::int64_t> out;
  while (true) {
    const std::size_t cross = text.find('x');
    const std::optional<std::int64_t> number = number_in(text.substr(0, cross));
    if (!number || *number <= 0 || *number > 1 << 20) return {};
    out.push_back(*number);
    if (cross == std::string_view::npos) break;
    text.remove_prefix(cross + 1);
  }
  return out.size() == count ? out : std::vector<std::int64_t>{};
}

std::string crossed(const std::vector<std::int64_t>& sizes) {
  std::string out;
  for (const std::int64_t size : sizes) out += fmt::format("{}{}", out.empty() ? "" : " × ", size);
  return out;
}

// Collects the decoded parts; the text between them becomes parts without a meaning.
class Parts {
 public:
  explicit Parts(std::string_view name) : name_(name) {}
  void add(std::size_t at, std::size_t size, std::string meaning, std::string value = {}) {
    parts_.push_back({at, std::string(name_.substr(at, size)), std::move(meaning), std::move(value)});
  }
  std::vector<NamePart> finish() {
    std::stable_sort(parts_.begin(), parts_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    std::vector<NamePart> out;
    std::size_t reached = 0;
    for (NamePart& part : parts_) {
      if (part.at < reached) continue;  // inside a part that is already there
      gap(out, reached, part.at);
      reached = part.at + part.text.size();
      out.push_back(std::move(part));
    }
    gap(out, reached, name_.size());
    return out;
  }

 private:
  void gap(std::vector<NamePart>& out, std::size_t from, std::size_t to) const {
    if (to > from) out.push_back({from, std::string(name_.substr(from, to - from)), {}, {}});
  }
  std::string_view name_;
  std::vector<NamePart> parts_;
};

struct Word {
  std::string_view text;
  std::string_view meaning;
};

template <std::size_t n>
std::string_view meaning_in(const Word (&words)[n], std::string_view text) {
  for (const Word& word : words)
    if (word.text == text) return word.meaning;
  return {};
}

// C++ types and PyTorch's names for them.
constexpr Word types[] = {{"float", "float32"},
                          {"double", "float64"},
                          {"c10::Half", "float16"},
                          {"__half", "float16"},
                          {"half", "float16"},
                          {"c10::BFloat16", "bfloat16"},
                          {"__nv_bfloat16", "bfloat16"},
                          {"bfloat16", "bfloat16"},
                          {"long", "int64"},
                          {"int", "int32"},
                          {"short", "int16"},
                          {"signed char", "int8"},
                          {"unsigned char", "uint8"},
                          {"bool", "bool"},
                          {"c10::complex<float>", "complex64"},
                          {"c10::complex<double>", "complex128"}};

// The first letters of a BLAS routine's name say which numbers it multiplies.
constexpr Word precisions[] = {
    {"sgemm", "float32"}, {"dgemm", "float64"}, {"hgemm", "float16"}, {"cgemm", "complex64"}, {"zgemm", "complex128"}};

constexpr std::string_view element_types[] = {"bf16", "tf32", "f64", "f32", "f16", "e4m3",
                                              "e5m2", "s32",  "s8",  "i32", "i8",  "u8"};

// "f32f32" -> "f32"; "bf16bf16" -> "bf16". Empty if it is not a list of types.
std::string element_list(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* const type = std::find_if(std::begin(element_types), std::end(element_types),
                                          [&](std::string_view t) { return text.starts_with(t); });
    if (type == std::end(element_types)) return {};
    if (out.find(*type) == std::string::npos) out += (out.empty() ? "" : ", ") + std::string(*type);
    text.remove_prefix(type->size());
  }
  return out;
}

// sm80 or 80 -> 8.0; sm103 -> 10.3.
std::string capability(std::string_view digits) {
  if (digits.size() < 2 || digits.size() > 3 || !number_in(digits)) return {};
  return fmt::format("{}.{}", digits.substr(0, digits.size() - 1), digits.back());
}

bool transposition(std::string_view t) {
  return t.size() == 2 && (t[0] == 'n' || t[0] == 't') && (t[1] == 'n' || t[1] == 't');
}

// Words between underscores in cuBLAS's and CUTLASS's matrix-product names that have only one meaning.
constexpr Word gemm_words[] = {{"gemm", "gemm"},         {"cublas", "cublas"},   {"ffma", "ffma"},    {"simt", "simt"},
                               {"tensorop", "tensorop"}, {"cutlass", "cutlass"}, {"splitK", "splitk"}};
constexpr Word generations[] = {
    {"maxwell", "Maxwell"}, {"volta", "Volta"}, {"turing", "Turing"}, {"ampere", "Ampere"}, {"hopper", "Hopper"}};

// Reads a name made of words and underscores, starting at `at`.
void read_gemm(std::string_view text, std::size_t at, Parts& parts, KernelName& out) {
  std::string_view before;
  bool tile_read = false;
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find('_', i), text.size());
    const std::string_view word = text.substr(i, end - i);
    const auto add = [&](std::string_view meaning, std::string value = {}) {
      parts.add(at + i, word.size(), std::string(meaning), std::move(value));
    };
    if (const std::string_view meaning = meaning_in(gemm_words, word); !meaning.empty()) {
      add(meaning);
    } else if (const std::string_view name = meaning_in(generations, word); !name.empty()) {
      add("generation", std::string(name));
    } else if (const std::string_view precision = meaning_in(precisions, word); !precision.empty()) {
      add("precision", std::string(precision));
    } else if (word.starts_with("sm") && !capability(word.substr(2)).empty()) {
      add("sm", capability(word.substr(2)));
    } else if (before == "cutlass" && !capability(word).empty()) {
      add("sm", capability(word));
    } else if (const auto whole = sizes_in(word, "tilesize", 3); !whole.empty()) {
      add("tile", crossed(whole));
      out.tile = Tile{whole[0], whole[1], whole[2]};
    } else if (const auto tile = sizes_in(word, "", 2); !tile.empty()) {
      // The first pair is the tile of the result, the second its step along k and the stages of the pipeline.
      if (!tile_read) {
        add("tile", crossed(tile));
        out.tile = Tile{tile[0], tile[1], 0};
      } else if (out.tile->k == 0 && meaning_in(precisions, before).empty()) {
        add("step_stages", fmt::format("{}, {}", tile[0], tile[1]));
        out.tile->k = tile[0];
      }
      tile_read = true;
    } else if (word.starts_with("stage") && number_in(word.substr(5))) {
      add("stages", std::string(word.substr(5)));
    } else if (const auto warps = sizes_in(word, "warpsize", 3); !warps.empty()) {
      add("warps", crossed(warps));
      out.warps = warps[0] * warps[1] * warps[2];
    } else if (const auto groups = sizes_in(word, "warpgroupsize", 3); !groups.empty()) {
      add("warp_groups", crossed(groups));
    } else if (word.ends_with("16816gemm") || word.ends_with("1688gemm")) {
      add("tensor", word.ends_with("16816gemm") ? "16 × 8 × 16" : "16 × 8 × 8");
    } else if (const auto shape = sizes_in(word, "tensor", 3); !shape.empty()) {
      add("tensor", crossed(shape));
    } else if (transposition(word) && word.data() != text.data()) {
      add(fmt::format("transposes_{}", word));
    } else if (const std::string list = element_list(word); !list.empty()) {
      add("elements", list);
    } else if ((word.starts_with("aligna") || word.starts_with("alignc")) && number_in(word.substr(6))) {
      add(word[5] == 'a' ? "align_in" : "align_out", std::string(word.substr(6)));
    } else if (word.starts_with("align") && number_in(word.substr(5))) {
      add("align", std::string(word.substr(5)));
    }
    before = word;
    i = end + 1;
  }
}

bool is_gemm(std::string_view function) {
  return function.find("gemm") != std::string_view::npos && function.find('_') != std::string_view::npos;
}

// triton_poi_fused_add_relu_0: the kind of loop, and the ops that were fused into the kernel.
void read_triton(std::string_view text, std::size_t at, Parts& parts) {
  parts.add(at, 6, "triton");
  constexpr Word kinds[] = {{"poi", "triton_poi"}, {"red", "triton_red"}, {"per", "triton_per"}, {"tem", "triton_tem"}};
  std::size_t i = 7;
  if (const std::string_view kind = meaning_in(kinds, text.substr(i, 3)); !kind.empty()) {
    parts.add(at + i, 3, std::string(kind));
    i += 4;
  }
  if (text.size() <= i || !text.substr(i).starts_with("fused_")) return;
  i += 6;
  std::size_t end = text.size();
  while (end > i && digit(text[end - 1])) --end;
  if (end > i && text[end - 1] == '_') --end;
  if (end <= i) return;
  std::string ops(text.substr(i, end - i));
  parts.add(at + i, end - i, "fused", std::move(ops));
}

// Families whose template arguments have a published meaning (PyTorch's aten/src/ATen/native/cuda), by position. An
// empty meaning is not decoded; "type" is a type.
struct Family {
  std::string_view function;
  std::string_view meaning;
  std::initializer_list<std::string_view> arguments;
};
const Family families[] = {
    {"vectorized_elementwise_kernel", "vectorized", {"vector", "functor", "pointers"}},
    {"unrolled_elementwise_kernel", "unrolled", {"functor", "pointers"}},
    {"elementwise_kernel", "elementwise", {"threads", "elements_thread", "functor"}},
    {"reduce_kernel", "reduce", {"most_threads", "outputs", "functor"}},
    {"multi_tensor_apply_kernel", "multi_tensor", {"", "functor"}},
    {"softmax_warp_forward", "softmax", {"type", "type", "type", "row", "log", ""}},
    {"softmax_warp_backward", "softmax_back", {"type", "type", "type", "row", "log", ""}},
    {"nll_loss_forward_reduce_cuda_kernel_2d", "nll", {"type", "type", "type"}},
    {"nll_loss_backward_reduce_cuda_kernel_2d", "nll_back", {"type", "type"}},
    {"splitKreduce_kernel", "splitk", {}},
    {"nchwToNhwcKernel", "to_channels_last", {}},
    {"nhwcToNchwKernel", "to_channels_first", {}},
};

constexpr Word scopes[] = {{"at::native::", "pytorch"}, {"cublasLt::", "cublaslt"},
                           {"cutlass::", "cutlass"},    {"cudnn::", "cudnn"},
                           {"c10::", "pytorch"},        {"(anonymous namespace)::", "file"}};

void read_scope(std::string_view name, std::size_t begin, std::size_t end, Parts& parts) {
  while (begin < end) {
    const std::string_view rest = name.substr(begin, end - begin);
    const auto* const known =
        std::find_if(std::begin(scopes), std::end(scopes), [&](const Word& w) { return rest.starts_with(w.text); });
    if (known != std::end(scopes)) {
      parts.add(begin, known->text.size(), std::string(known->meaning));
      begin += known->text.size();
      continue;
    }
    const std::size_t next = rest.find("::");
    if (next == std::string_view::npos) return;
    if (const std::string_view library = rest.starts_with("stand_in::") ? stood_in_library(rest) : "";
        !library.empty()) {
      const std::size_t after = rest.find("::", next + 2);
      parts.add(begin, after == std::string_view::npos ? rest.size() : after + 2, "stand_in", std::string(library));
      return;
    }
    begin += next + 2;
  }
}

void read_arguments(std::string_view name, const SplitName& split, const Family* family, Parts& parts,
                    KernelName& out) {
  for (std::size_t a = 0; a < split.template_arguments.size(); ++a) {
    const auto [from, to] = split.template_arguments[a];
    const std::string_view text = name.substr(from, to - from);
    const auto add = [&, from = from](std::string_view meaning, std::string value = {}) {
      parts.add(from, text.size(), std::string(meaning), std::move(value));
    };
    const std::string_view meant =
        family != nullptr && a < family->arguments.size() ? *(family->arguments.begin() + a) : std::string_view();
    const std::optional<std::int64_t> number = number_in(text);
    if (const std::string_view type = meaning_in(types, text); !type.empty()) {
      add("type", std::string(type));
    } else if (meant == "vector" && number) {
      add(meant, fmt::to_string(*number));
      out.vector_width = *number;
    } else if ((meant == "threads" || meant == "elements_thread" || meant == "most_threads" || meant == "outputs") &&
               number) {
      add(meant, fmt::to_string(*number));
    } else if (meant == "row" && number && *number < 31) {
      add(meant, fmt::to_string(std::int64_t{1} << *number));
    } else if (meant == "log" && (text == "true" || text == "false")) {
      add(text == "true" ? "log_softmax" : "plain_softmax");
    } else if (meant == "functor") {
      add(meant);
    } else if (text.starts_with("std::array<char*, ")) {
      const std::size_t start = std::string_view("std::array<char*, ").size();
      std::size_t end = start;
      while (end < text.size() && digit(text[end])) ++end;
      if (end > start) add("pointers", std::string(text.substr(start, end - start)));
    } else if (const std::size_t lists = text.find("TensorListMetadata<");
               family != nullptr && family->meaning == "multi_tensor" && lists != std::string_view::npos) {
      const std::size_t start = lists + std::string_view("TensorListMetadata<").size();
      std::size_t end = start;
      while (end < text.size() && digit(text[end])) ++end;
      if (end > start) add("lists", std::string(text.substr(start, end - start)));
    }
  }
}

// Reads "Memcpy HtoD (Pinned -> Device)" and "Memset (Device)": CUPTI's names of copies and fills.
bool read_transfer(std::string_view name, Parts& parts) {
  constexpr Word directions[] = {{"HtoD", "htod"}, {"DtoH", "dtoh"}, {"DtoD", "dtod"}, {"PtoP", "ptop"}};
  constexpr Word places[] = {{"Pinned", "pinned"}, {"Pageable", "pageable"}, {"Device", "device"}};
  if (!name.starts_with("Memcpy ") && !name.starts_with("Memset")) return false;
  parts.add(0, 6, name[3] == 'c' ? "memcpy" : "memset");
  for (std::size_t i = 6; i < name.size();) {
    if (!(name[i] >= 'A' && name[i] <= 'Z') && !(name[i] >= 'a' && name[i] <= 'z')) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < name.size() && ((name[end] >= 'A' && name[end] <= 'Z') || (name[end] >= 'a' && name[end] <= 'z')))
      ++end;
    const std::string_view word = name.substr(i, end - i);
    if (const std::string_view direction = meaning_in(directions, word); !direction.empty())
      parts.add(i, word.size(), std::string(direction));
    if (const std::string_view place = meaning_in(places, word); !place.empty())
      parts.add(i, word.size(), std::string(place));
    i = end;
  }
  return true;
}

}  // namespace

std::size_t KernelName::decoded() const {
  return static_cast<std::size_t>(
      std::count_if(parts.begin(), parts.end(), [](const NamePart& part) { return !part.meaning.empty(); }));
}

std::string plain_kernel_name(std::string_view name) {
  if (!name.starts_with("_Z") || name.size() > longest_decoded) return std::string(name);
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &failed), std::free);
  return failed == 0 ? std::string(plain.get()) : std::string(name);
}

KernelName read_kernel_name(std::string_view recorded) {
  const std::string plain = plain_kernel_name(recorded);
  const std::string_view name = plain;
  KernelName out;
  Parts parts(name);
  if (name.size() > longest_decoded) {
    out.function = std::string(name);
    out.parts = parts.finish();
    return out;
  }
  if (read_transfer(name, parts)) {
    out.function = std::string(name);
    out.parts = parts.finish();
    return out;
  }
  const SplitName split = split_kernel_name(name);
  out.balanced = split.balanced;
  out.scope = std::string(name.substr(split.scope, split.function - split.scope));
  const std::string_view function = name.substr(split.function, split.function_end - split.function);
  out.function = std::string(function);
  for (const auto& [from, to] : split.template_arguments)
    out.template_arguments.emplace_back(name.substr(from, to - from));
  for (const auto& [from, to] : split.call_arguments) out.call_arguments.emplace_back(name.substr(from, to - from));
  if (!split.balanced) {  // the brackets do not match, so nothing inside them can be read
    out.parts = parts.finish();
    return out;
  }

  if (name.starts_with("void ")) parts.add(0, 4, "void");
  read_scope(name, split.scope, split.function, parts);
  const auto* const family =
      std::find_if(std::begin(families), std::end(families), [&](const Family& f) { return f.function == function; });
  const bool known = family != std::end(families);
  if (known) {
    parts.add(split.function, function.size(), std::string(family->meaning));
  } else if (function.starts_with("triton_")) {
    read_triton(function, split.function, parts);
  } else if (is_gemm(function)) {
    read_gemm(function, split.function, parts, out);
  } else if (out.scope.find("cutlass::") != std::string::npos && split.template_arguments.size() == 1) {
    // A wrapper around the kernel whose name is its template argument.
    const auto [from, to] = split.template_arguments[0];
    const std::string_view inner = name.substr(from, to - from);
    parts.add(split.function, function.size(), "wrapper");
    if (is_gemm(inner)) read_gemm(inner, from, parts, out);
  }
  read_arguments(name, split, known ? family : nullptr, parts, out);
  if (!split.call_arguments.empty())
    parts.add(split.call, name.size() - split.call, "call", fmt::to_string(split.call_arguments.size()));
  out.parts = parts.finish();
  return out;
}

}  // namespace warpwalk::analysis

#include "core/run/kernel_lab/source_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/ops/tensor/dtype.h"
#include "core/platform/read_file.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/compiled_launch.h"
#include "core/run/launch/json_fields.h"
#include "core/run/launch/module_names.h"

namespace warpwalk::run {
namespace {

constexpr std::size_t max_listed_files = 64;
constexpr std::string_view made_up = "# Made up from the parameters: set the grid, the sizes and the contents.\n";

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The source with comments replaced by spaces.
std::string without_comments(std::string_view source) {
  std::string out(source);
  for (std::size_t at = 0; at + 1 < out.size();) {
    const bool line = out[at] == '/' && out[at + 1] == '/', block = out[at] == '/' && out[at + 1] == '*';
    if (!line && !block) {
      ++at;
      continue;
    }
    const std::size_t close = line ? out.find('\n', at) : out.find("*/", at + 2);
    const std::size_t end = close == std::string::npos ? out.size() : line ? close : close + 2;
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(at), out.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    at = end;
  }
  return out;
}

/// The index behind the bracket that closes the one at `open`.
std::size_t behind_brackets(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

struct Signature {
  std::string_view name, parameters;
};

/// The first __global__ function, or the first with this entry name:
/// `__global__ void __launch_bounds__(256) name(parameters)`.
std::optional<Signature> first_kernel(std::string_view source, std::string_view entry = {}) {
  constexpr std::string_view word = "__global__";
  for (std::size_t at = source.find(word); at != std::string_view::npos; at = source.find(word, at)) {
    at += word.size();
    while (at < source.size()) {
      const std::size_t open = source.find('(', at);
      if (open == std::string_view::npos) return {};
      std::size_t end = open;
      while (end > at && std::isspace(static_cast<unsigned char>(source[end - 1])) != 0) --end;
      std::size_t begin = end;
      while (begin > at && is_identifier(source[begin - 1])) --begin;
      const std::string_view name = source.substr(begin, end - begin);
      const std::size_t after = behind_brackets(source, open);
      at = after;
      if (name.starts_with("__")) continue;
      if (entry.empty() || entry == name || is_plain_name_of(name, entry))
        return Signature{name, source.substr(open + 1, after - open - 2)};
      break;
    }
  }
  return {};
}

std::vector<std::string_view> identifiers_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_identifier(text[end])) ++end;
    if (end > at) words.push_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

/// The element type that a parameter's words name; nullopt for a struct or a type of the program.
std::optional<ops::DType> dtype_in(const std::vector<std::string_view>& words) {
  using ops::DType;
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  static constexpr std::array<std::pair<std::string_view, DType>, 16> names = {{{"double", DType::f64},
                                                                                {"float", DType::f32},
                                                                                {"half", DType::f16},
                                                                                {"__half", DType::f16},
                                                                                {"__nv_bfloat16", DType::bf16},
                                                                                {"nv_bfloat16", DType::bf16},
                                                                                {"size_t", DType::u64},
                                                                                {"uint64_t", DType::u64},
                                                                                {"int64_t", DType::i64},
                                                                                {"uint32_t", DType::u32},
                                                                                {"int32_t", DType::i32},
                                                                                {"uint16_t", DType::u16},
                                                                                {"int16_t", DType::i16},
                                                                                {"uint8_t", DType::u8},
                                                                                {"int8_t", DType::i8},
                                                                                {"bool", DType::u8}}};
  for (const auto& [name, dtype] : names)
    if (has(name)) return dtype;
  const bool is_unsigned = has("unsigned");
  if (has("char")) return is_unsigned ? DType::u8 : DType::i8;
  if (has("short")) return is_unsigned ? DType::u16 : DType::i16;
  if (has("long")) return is_unsigned ? DType::u64 : DType::i64;
  if (has("int") || is_unsigned) return is_unsigned ? DType::u32 : DType::i32;
  return {};
}

std::string buffer_line(std::string_view name, ops::DType dtype, std::size_t number) {
  return fmt::format("{}: {}[1024] random {}\n", name, ops::name_of(dtype), number);
}
std::string scalar_line(std::string_view name, ops::DType dtype) {
  return fmt::format("{}: {} {}\n", name, ops::name_of(dtype), ops::is_float(dtype) || bytes_of(dtype) == 1 ? 1 : 1024);
}
std::string struct_line(std::string_view name, std::size_t bytes) {
  return fmt::format("{}: bytes {}\n", name, std::string(2 * bytes, '0'));
}

std::string launch_of(std::string_view kernel, const std::string& arguments) {
  return fmt::format("{}kernel {}\ngrid 4\nblock 256\n{}", made_up, kernel, arguments);
}

/// The parts between the commas that are outside of all brackets.
std::vector<std::string_view> split_parameters(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '<' || c == '(' || c == '[' ? 1 : c == '>' || c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth > 0) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<DeclaredParameter> parameters_of(const Signature& kernel) {
  std::vector<DeclaredParameter> parameters;
  for (const std::string_view parameter : split_parameters(kernel.parameters)) {
    // "float x[32]", "int n = 5"
    const std::vector<std::string_view> words = identifiers_in(parameter.substr(0, parameter.find_first_of("[=")));
    if (words.empty() || words.back() == "void") continue;
    parameters.push_back(
        {std::string(words.back()), parameter.find_first_of("*[") != std::string_view::npos, dtype_in(words)});
  }
  return parameters;
}

std::string launch_for_cuda(std::string_view source) {
  const std::string code = without_comments(source);
  const auto kernel = first_kernel(code);
  if (!kernel) return {};
  std::string arguments;
  std::size_t number = 0;
  for (const DeclaredParameter& parameter : parameters_of(*kernel)) {
    ++number;
    if (parameter.pointer)
      arguments += buffer_line(parameter.name, parameter.dtype.value_or(ops::DType::f32), number);
    else if (parameter.dtype)
      arguments += scalar_line(parameter.name, *parameter.dtype);
    else
      arguments += struct_line(parameter.name, 4);
  }
  return launch_of(kernel->name, arguments);
}

std::string launch_for_ptx(std::string_view source) {
  const auto parsed = ptx::parse(source);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  if (module == nullptr) return {};
  const auto entry = std::ranges::find_if(module->functions, [](const ptx::Function& one) { return one.is_entry; });
  if (entry == module->functions.end()) return {};
  std::string arguments;
  for (std::size_t i = 0; i < entry->parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry->parameters[i];
    const std::string name = fmt::format("p{}", i);
    const bool plain = parameter.type != ptx::Type::b8;
    if (plain && parameter.type == ptx::Type::f32)
      arguments += scalar_line(name, ops::DType::f32);
    else if (plain && parameter.type == ptx::Type::f64)
      arguments += scalar_line(name, ops::DType::f64);
    else if (plain && parameter.bytes == 8)
      arguments += buffer_line(name, ops::DType::f32, i + 1);
    else if (plain && parameter.bytes == 4)
      arguments += scalar_line(name, ops::DType::i32);
    else
      arguments += struct_line(name, parameter.bytes);
  }
  return launch_of(entry->name, arguments);
}

/// The draft of a launch file beside the source, if it is about this source.
std::optional<KernelDraft> draft_beside(const std::filesystem::path& file, DraftLanguage language) {
  std::filesystem::path launch = file;
  launch.replace_extension(".json");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(launch, ignored)) return {};
  auto draft = open_draft(launch);
  if (!draft || draft->language != language || draft->name != file.stem().string()) return {};
  return std::move(*draft);
}

}  // namespace

std::string launch_for(std::string_view source, DraftLanguage language) {
  return language == DraftLanguage::cuda ? launch_for_cuda(source) : launch_for_ptx(source);
}

std::vector<DeclaredParameter> declared_parameters(std::string_view source, DraftLanguage language,
                                                   std::string_view entry) {
  std::vector<DeclaredParameter> parameters;
  if (language == DraftLanguage::cuda) {
    const std::string code = without_comments(source);
    const auto kernel = first_kernel(code, entry);
    return kernel ? parameters_of(*kernel) : parameters;
  }
  const auto parsed = ptx::parse(source);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  if (module == nullptr) return parameters;
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry || function.name != entry) continue;
    for (const ptx::Parameter& parameter : function.parameters)
      parameters.push_back({{},
                            false,
                            parameter.type == ptx::Type::f32   ? std::optional(ops::DType::f32)
                            : parameter.type == ptx::Type::f64 ? std::optional(ops::DType::f64)
                                                               : std::nullopt});
  }
  return parameters;
}

std::string declared_name(std::string_view cuda_source, std::string_view entry) {
  const std::string code = without_comments(cuda_source);
  const auto kernel = first_kernel(code, entry);
  return kernel ? std::string(kernel->name) : std::string();
}

bool has_main(std::string_view cuda_source) {
  const std::string code = without_comments(cuda_source);
  constexpr std::string_view word = "main";
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + word.size())) {
    // "int main(...) {" or "auto main() -> int {"; a call has no type before it, a declaration no body behind it.
    std::size_t before = at;
    while (before > 0 && std::isspace(static_cast<unsigned char>(code[before - 1])) != 0) --before;
    const bool typed = before < at && before > 0 && is_identifier(code[before - 1]);
    const std::size_t open = code.find_first_not_of(" \t\r\n", at + word.size());
    if (!typed || open == std::string::npos || code[open] != '(') continue;
    const std::size_t next = code.find_first_of("{;", behind_brackets(code, open));
    if (next != std::string::npos && code[next] == '{') return true;
  }
  return false;
}

bool is_for_lab(const std::filesystem::path& file) {
  return file.extension() == ".cu" || file.extension() == ".ptx" || is_launch_file(file) || is_compiled_kernel(file);
}

bool is_launch_file(const std::filesystem::path& file) {
  if (file.extension() != ".json") return false;
  const auto text = platform::read_text_file(file, max_draft_bytes);
  if (!text) return false;
  rapidjson::Document root;
  return parse_json(text->text, root) && root.IsObject() && root.HasMember("kernel") && root.HasMember("grid");
}

base::Result<KernelDraft> open_source_file(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (!is_launch_file(file) && is_compiled_kernel(file)) return draft_of_compiled(file);
  if (extension == ".json") return open_draft(file);
  if (extension != ".cu" && extension != ".ptx")
    return base::Error{fmt::format("{}: is neither CUDA C++ (.cu), PTX (.ptx) nor a compiled kernel", file.string())};
  const DraftLanguage language = extension == ".cu" ? DraftLanguage::cuda : DraftLanguage::ptx;
  if (auto draft = draft_beside(file, language)) return std::move(*draft);
  auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  if (text->text.size() > max_draft_bytes)
    return base::Error{fmt::format("{}: has {}; the Kernel lab takes at most {}", file.string(),
                                   base::bytes_text(static_cast<double>(text->text.size())),
                                   base::bytes_text(static_cast<double>(max_draft_bytes)))};
  KernelDraft draft;
  draft.language = language;
  draft.name = file.stem().string();
  draft.source = std::move(text->text);
  draft.launch = launch_for(draft.source, language);
  if (draft.launch.empty() && language == DraftLanguage::cuda)
    return base::Error{fmt::format("{}: has no __global__ function; the Kernel lab runs kernels", file.string())};
  // PTX with an error opens, so that the lab can mark it.
  if (draft.launch.empty()) draft.launch = launch_of("kernel", "");
  return draft;
}

std::vector<std::filesystem::path> source_files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error); !error && at != std::filesystem::directory_iterator();
       at.increment(error)) {
    const std::filesystem::path& file = at->path();
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    std::filesystem::path source = file;
    const bool beside = std::filesystem::exists(source.replace_extension(".cu"), ignored) ||
                        std::filesystem::exists(source.replace_extension(".ptx"), ignored);
    if (file.extension() == ".cu" || file.extension() == ".ptx" || (!beside && is_launch_file(file)))
      files.push_back(file);
  }
  std::ranges::sort(files);
  if (files.size() > max_listed_files) files.resize(max_listed_files);
  return files;
}

}  // namespace warpwalk::run

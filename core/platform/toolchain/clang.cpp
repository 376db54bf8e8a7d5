#include "core/platform/toolchain/clang.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/platform/child_program.h"
#include "core/platform/executable_path.h"
#include "core/platform/find_program.h"
#include "core/platform/toolchain/source_in_folder.h"

namespace warpwalk::platform {
namespace {

constexpr int oldest = 14, newest = 22;

int number_of(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::optional<Clang> ask(const std::filesystem::path& program) {
  const auto printed = run_child({program.string(), "--version"});
  if (!printed || !printed->good()) return {};
  constexpr std::string_view before = "clang version ";
  const std::size_t at = printed->output.find(before);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(printed->output).substr(at + before.size());
  Clang clang{program, std::string(rest.substr(0, rest.find_first_not_of("0123456789."))), 0};
  clang.major = number_of(clang.version);
  return clang.major >= oldest ? std::optional(std::move(clang)) : std::nullopt;
}

bool has_nvptx(const Clang& clang) {
  const auto printed = run_child({clang.program.string(), "--print-targets"});
  return printed && printed->output.find("nvptx64") != std::string::npos;
}

/// What each version of clang knows (its release notes): the last architecture, with the suffix of what only these GPUs
/// have where it knows that, and the last version of PTX.
struct Known {
  int major;
  int capability;
  bool own;  ///< sm_90a
  const char* ptx;
};
constexpr Known known[] = {{14, 86, false, "ptx75"}, {15, 86, false, "ptx75"}, {16, 90, false, "ptx78"},
                           {17, 90, false, "ptx81"}, {18, 90, true, "ptx83"},  {19, 90, true, "ptx85"},
                           {20, 90, true, "ptx86"},  {21, 90, true, "ptx86"}};
constexpr int capabilities[] = {70, 72, 75, 80, 86, 87, 89, 90};

/// The identifier between the first two quotes.
std::string_view quoted(std::string_view line) {
  const std::size_t open = line.find('\'');
  const std::size_t close = open == std::string_view::npos ? open : line.find('\'', open + 1);
  return close == std::string_view::npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

bool is_of_cuda(std::string_view name) {
  constexpr std::array prefixes = {"__",     "tex", "surf", "cuda", "cub", "thrust", "nv", "cg::", "cooperative_groups",
                                   "curand", "mma", "wmma"};
  const bool of_driver = name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
  return of_driver || std::ranges::any_of(prefixes, [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::optional<Clang> find_clang(std::string_view program) {
  if (!program.empty()) {
    auto clang = ask(program.find('/') == std::string_view::npos ? find_program(program).value_or(program)
                                                                 : std::filesystem::path(program));
    return clang && has_nvptx(*clang) ? clang : std::nullopt;
  }
  std::vector<Clang> found;
  for (const char* const name : {"clang", "clang++"})
    if (const auto file = find_program(name))
      if (auto clang = ask(*file)) found.push_back(std::move(*clang));
  for (int major = newest; major >= oldest; --major)
    if (const auto file = find_program(fmt::format("clang-{}", major)))
      if (auto clang = ask(*file)) {
        found.push_back(std::move(*clang));
        break;
      }
  std::ranges::stable_sort(found, std::ranges::greater{}, &Clang::major);
  const auto usable = std::ranges::find_if(found, has_nvptx);
  return usable == found.end() ? std::nullopt : std::optional(std::move(*usable));
}

ClangTarget clang_target(int clang_major, std::string_view compute_capability) {
  std::string digits;
  for (const char c : compute_capability)
    if (c != '.') digits += c;
  const int wanted = number_of(digits);
  const Known* row = std::begin(known);
  for (const Known& one : known)
    if (one.major <= clang_major) row = &one;
  int best = capabilities[0];
  for (const int one : capabilities)
    if (one <= wanted && one <= row->capability) best = one;
  return {fmt::format("sm_{}{}", best, best == 90 && wanted == 90 && row->own ? "a" : ""), row->ptx};
}

std::vector<std::string> undefined_argument_options(int clang_major) {
  return {"-Xclang", clang_major == 14 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis"};
}

std::optional<std::filesystem::path> find_cuda_headers() {
  std::error_code ignored;
  std::vector<std::filesystem::path> folders;
  if (const char* const assets = std::getenv("WARPWALK_ASSETS"); assets != nullptr && *assets != '\0')
    folders.push_back(std::filesystem::path(assets) / "cuda");
  // Relative to build/release, PREFIX/bin, the folder of a copied tree, or that of a test.
  for (const char* const relative :
       {"../../assets", "../share/warpwalk", "assets", "../assets", "../../../assets", "../../../../assets"})
    folders.push_back((executable_path().parent_path() / relative / "cuda").lexically_normal());
  const auto found = std::ranges::find_if(folders, [&](const std::filesystem::path& folder) {
    return std::filesystem::is_regular_file(folder / "warpwalk/device.h", ignored);
  });
  return found == folders.end() ? std::nullopt : std::optional(*found);
}

std::string explain_missing_names(std::string_view log) {
  std::string out;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    const std::string_view name = quoted(line);
    const bool missing = line.find("undeclared identifier") != std::string_view::npos ||
                         line.find("file not found") != std::string_view::npos ||
                         line.find("no member named") != std::string_view::npos ||
                         line.find("no template named") != std::string_view::npos ||
                         line.find("unknown type name") != std::string_view::npos;
    constexpr std::string_view error = "error: ";
    const std::size_t at = line.find(error);
    if (at != std::string_view::npos && missing &&
        (is_of_cuda(name) || line.find("namespace 'cooperative_groups'") != std::string_view::npos ||
         line.find("namespace 'nvcuda") != std::string_view::npos ||
         line.find("namespace 'cuda'") != std::string_view::npos))
      out += fmt::format("{}`{}`: not in warpwalk's own CUDA header; install NVRTC (libnvrtc.so) or nvcc to compile it",
                         line.substr(0, at + error.size()), name);
    else
      out += line;
    out += '\n';
  }
  return out;
}

std::vector<std::string> device_debug_options(KeptSource kept) {
  switch (kept) {
    case KeptSource::lines: return {"-O3", "-gline-tables-only"};
    case KeptSource::variables: return {"-O3", "-g", "--cuda-noopt-device-debug"};
    case KeptSource::unoptimized: break;
  }
  return {"-O0", "-g"};
}

std::optional<CompileResult> compile_with_clang(const CudaSource& cuda, std::string_view program) {
  const auto clang = find_clang(program);
  if (!clang) return {};
  const auto failed = [&](std::string_view why) { return CudaFailure{fmt::format("{}: {}", cuda.name, why), ""}; };
  const auto headers = find_cuda_headers();
  if (!headers) return failed("warpwalk's CUDA headers (assets/cuda) were not found; set WARPWALK_ASSETS");
  const SourceInFolder files(cuda);
  if (!files.written()) return failed("the temporary folder cannot be written");
  const ClangTarget target = clang_target(clang->major, cuda.compute_capability);
  std::vector<std::string> words = {clang->program.string(),
                                    "-x",
                                    "cuda",
                                    files.source(),
                                    "--cuda-device-only",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "--cuda-path=/nonexistent",
                                    "--cuda-gpu-arch=" + target.architecture,
                                    "-Xclang",
                                    "-target-feature",
                                    "-Xclang",
                                    "+" + target.ptx_feature,
                                    "-S",
                                    "-std=c++17",
                                    "-fno-caret-diagnostics",
                                    "-fno-color-diagnostics",
                                    "-DWARPWALK_TYPED",
                                    "-isystem",
                                    headers->string(),
                                    "-include",
                                    "warpwalk/device.h",
                                    "-I" + (cuda.folder.empty() ? std::string(".") : cuda.folder.string()),
                                    "-o",
                                    files.output()};
  for (const auto& more : {undefined_argument_options(clang->major), device_debug_options(cuda.kept)})
    words.insert(words.end(), more.begin(), more.end());
  const auto run = run_child(std::move(words));
  if (!run) return failed(fmt::format("{} cannot be started", clang->program.string()));
  if (!run->good()) {
    CudaFailure failure{"", explain_missing_names(files.with_name(run->output))};
    failure.line = first_error_line(failure.log);
    if (failure.line.empty()) failure.line = fmt::format("{}: {}", cuda.name, silent_failure("clang", *run));
    return failure;
  }
  CompiledCuda compiled;
  compiled.source = cuda.text;
  compiled.ptx = files.read_output();
  if (compiled.ptx.empty()) return failed("clang produced no PTX");
  compiled.compiler = "clang " + clang->version;
  compiled.note = fmt::format("compiled to PTX for {} by {} with warpwalk's own CUDA header, not by NVIDIA's compiler",
                              target.architecture, compiled.compiler);
  return compiled;
}

}  // namespace warpwalk::platform

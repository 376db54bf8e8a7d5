#include "core/run/kernel_lab/compiled_launch.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/quantity_text.h"
#include "core/compiled/lines/inlined_calls.h"
#include "core/compiled/lines/kernel_lines.h"
#include "core/compiled/triton_files.h"
#include "core/compiled/triton_launch.h"
#include "core/ops/tensor/dtype.h"
#include "core/platform/read_file.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/sass/elf/cubin.h"

namespace warpwalk::run {
namespace {

namespace fs = std::filesystem;

/// What is made up where nothing is given: buffers are larger than what a block of the usual kernels reaches with sizes
/// and strides of 64.
constexpr int made_up_elements = 65536, made_up_number = 64;

/// A parameter of a kernel, as far as its files say.
struct KnownParameter {
  std::string name;
  std::uint32_t bytes = 0;
  bool pointer = false;
  std::optional<ops::DType> dtype;  ///< nullopt: not known
  std::uint64_t scratch_bytes = 0;  ///< per block, of memory that Triton allocates itself
  bool is_scratch = false;
};

bool is_number(std::string_view text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' || text[0] == '.');
}

/// A name that a launch text can have.
std::string launch_name(std::string_view name) {
  std::string plain(name);
  std::ranges::replace_if(
      plain, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  return plain;
}

/// Names of files are those of the person's folder, not of the launch file's, which is a temporary one.
std::string with_absolute_file(std::string words) {
  constexpr std::string_view file = " file ";
  if (const std::size_t at = words.find(file); at != std::string::npos)
    words = words.substr(0, at + file.size()) + fs::absolute(words.substr(at + file.size())).string();
  return words;
}

/// The words of an argument behind its name: "f32[1000] random 1", "i32 1000".
std::string argument_words(const KnownParameter& one, const std::string& given, std::size_t number) {
  if (!one.dtype || !is_number(given)) return with_absolute_file(given);
  const std::string_view dtype = ops::name_of(*one.dtype);
  if (!one.pointer) return fmt::format("{} {}", dtype, given);
  const std::size_t space = std::min(given.find(' '), given.size());
  std::string contents = given.substr(space);
  if (contents.empty()) contents = ops::is_float(*one.dtype) ? fmt::format(" random {}", number) : " 0";
  return with_absolute_file(fmt::format("{}[{}]{}", dtype, given.substr(0, space), contents));
}

std::string made_up_words(const KnownParameter& one, std::size_t number) {
  if (one.dtype)
    return argument_words(one,
                          std::to_string(one.pointer                 ? made_up_elements
                                         : ops::is_float(*one.dtype) ? 1
                                                                     : made_up_number),
                          number);
  if (one.bytes == 8) return fmt::format("f32[{}] random {}", made_up_elements, number);
  if (one.bytes == 4) return fmt::format("i32 {}", made_up_number);
  return fmt::format("bytes {}", std::string(2 * std::size_t{one.bytes}, '0'));
}

/// The option that gives what is missing.
std::string option_of(const KnownParameter& one) {
  if (!one.dtype)
    return fmt::format("--arg {}={}", one.name,
                       one.bytes == 8   ? "f32[ELEMENTS]"
                       : one.bytes == 4 ? "i32 NUMBER"
                                        : "bytes HEX");
  return fmt::format("--arg {}={}", one.name,
                     one.pointer ? fmt::format("ELEMENTS ({})", ops::name_of(*one.dtype)) : "NUMBER");
}

/// The blocks of "4 x 2"; 0: not a grid.
std::uint64_t blocks_in(std::string_view grid) {
  std::uint64_t blocks = 1, part = 0;
  bool any = false;
  for (const char c : grid) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      part = std::min<std::uint64_t>(part * 10 + static_cast<std::uint64_t>(c - '0'), UINT32_MAX);
      any = true;
    } else if (c == 'x') {
      blocks = std::min<std::uint64_t>(blocks * part, UINT32_MAX), part = 0;
    } else if (c != ' ') {
      return 0;
    }
  }
  return any ? std::min<std::uint64_t>(blocks * part, UINT32_MAX) : 0;
}

/// A kernel of a cubin, with the bytes that it views.
struct KernelCode {
  std::string bytes;
  sass::Cubin cubin;
  const sass::CubinFunction* kernel = nullptr;
};

base::Result<void> read_code(const fs::path& file, const std::string& wanted, KernelCode& code) {
  auto read = platform::read_compressed_file(file);
  if (!read) return base::Error{read.error()};
  code.bytes = std::move(read->text);
  auto cubin = sass::parse_cubin(code.bytes);
  if (!cubin) return base::Error{fmt::format("{}: {}", file.string(), cubin.error())};
  code.cubin = std::move(*cubin);
  std::vector<std::string_view> names;
  for (const sass::CubinFunction& one : code.cubin.functions)
    if (one.is_entry && (wanted.empty() || one.name == wanted)) {
      names.push_back(one.name);
      code.kernel = &one;
    }
  if (names.size() == 1) return {};
  if (!names.empty())
    return base::Error{
        fmt::format("{}: has {} kernels; choose one with --kernel: {}", file.string(), names.size(),
                    fmt::join(names.begin(), names.begin() + std::min<std::ptrdiff_t>(std::ssize(names), 8), ", "))};
  return base::Error{fmt::format("{}: has no kernel{}", file.string(), wanted.empty() ? "" : " " + wanted)};
}

/// The parameters as Triton's metadata name them, checked against the machine code's.
base::Result<std::vector<KnownParameter>> known_parameters(const compiled::TritonLaunch& triton,
                                                           const sass::CubinFunction& kernel) {
  std::vector<KnownParameter> known;
  for (const compiled::TritonParameter& one : triton.parameters) {
    const auto dtype = ops::dtype_of(one.dtype);
    if (!dtype)
      return base::Error{
          fmt::format("parameter {} is {}, which Triton makes when it launches; record the launch instead: "
                      "warpwalk record --inside {} -- PROGRAM",
                      one.name, one.type, triton.kernel.name)};
    known.push_back({launch_name(one.name), 8, one.pointer, *dtype, 0, false});
  }
  const std::size_t described = known.size();
  for (std::size_t i = described; i < kernel.parameters.size() && i < described + 2; ++i)
    known.push_back({i == described ? "global_scratch" : "profile_scratch", 8, true, ops::DType::u8,
                     i == described ? triton.scratch_bytes : 0, true});
  if (known.size() != kernel.parameters.size())
    return base::Error{
        fmt::format("the machine code has {} parameters, the TTIR {}", kernel.parameters.size(), described)};
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::uint32_t bytes = known[i].pointer ? 8 : static_cast<std::uint32_t>(ops::bytes_of(*known[i].dtype));
    if (kernel.parameters[i].bytes != bytes)
      return base::Error{fmt::format("parameter {} has {} bytes in the machine code and {} in the TTIR", known[i].name,
                                     kernel.parameters[i].bytes, bytes)};
    known[i].bytes = bytes;
  }
  return known;
}

}  // namespace

bool is_compiled_kernel(const fs::path& file) {
  return file.extension() == ".cubin" || compiled::is_triton_entry(file);
}

base::Result<CompiledLaunch> launch_of_compiled(const fs::path& file, const GivenLaunch& given) {
  CompiledLaunch launch;
  launch.cubin = file;
  std::optional<compiled::TritonLaunch> triton;
  if (compiled::is_triton_entry(file)) {
    auto read = compiled::read_triton_launch(file);
    if (!read) return base::Error{read.error()};
    triton = std::move(*read);
    const auto& files = triton->kernel.files;
    if (!files.contains("cubin")) return base::Error{fmt::format("{}: there is no cubin in its folder", file.string())};
    launch.cubin = files.at("cubin");
    if (files.contains("ptx")) launch.ptx = files.at("ptx");
  }
  KernelCode code;
  if (auto done = read_code(launch.cubin, triton ? triton->kernel.name : given.kernel, code); !done)
    return base::Error{done.error()};
  const sass::CubinFunction& kernel = *code.kernel;

  std::vector<KnownParameter> parameters;
  if (triton) {
    auto known = known_parameters(*triton, kernel);
    if (!known) return base::Error{fmt::format("{}: {}", file.string(), known.error())};
    parameters = std::move(*known);
  } else {
    for (const sass::CubinParameter& one : kernel.parameters)
      parameters.push_back({fmt::format("p{}", one.ordinal), one.bytes, false, {}, 0, false});
  }

  const std::string grid = given.grid.empty() ? "1" : given.grid;
  const std::uint64_t blocks = blocks_in(grid);
  if (given.grid.empty()) launch.missing.emplace_back("--grid BLOCKS");
  if (blocks == 0) return base::Error{fmt::format("--grid {}: write a number of blocks, as 4 or 4x2", given.grid)};
  launch.text = fmt::format("kernel {}\ngrid {}\n", kernel.name, grid);
  if (const auto& block = kernel.required_block) {
    launch.text += fmt::format("block {} x {} x {}\n", (*block)[0], (*block)[1], (*block)[2]);
  } else if (triton) {
    launch.text += fmt::format("block {}\n", triton->kernel.warps * 32);
  } else {
    if (given.block.empty()) launch.missing.emplace_back("--block THREADS");
    launch.text += fmt::format("block {}\n", given.block.empty() ? "128" : given.block);
  }
  if (kernel.cluster && (*kernel.cluster)[0] * (*kernel.cluster)[1] * (*kernel.cluster)[2] > 1)
    launch.text +=
        fmt::format("cluster {} x {} x {}\n", (*kernel.cluster)[0], (*kernel.cluster)[1], (*kernel.cluster)[2]);
  else if (triton && triton->kernel.ctas > 1)
    launch.text += fmt::format("cluster {}\n", triton->kernel.ctas);
  if (triton && triton->kernel.shared_bytes > 0) launch.text += fmt::format("shared {}\n", triton->kernel.shared_bytes);

  std::set<std::string, std::less<>> used;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const KnownParameter& one = parameters[i];
    const auto words = given.arguments.find(one.name);
    if (words != given.arguments.end()) {
      used.insert(one.name);
      launch.text += fmt::format("{}: {}\n", one.name, argument_words(one, words->second, i + 1));
    } else if (one.is_scratch) {
      launch.text += one.scratch_bytes == 0 ? fmt::format("{}: u64 0\n", one.name)
                                            : fmt::format("{}: u8[{}]\n", one.name, one.scratch_bytes * blocks);
      continue;
    } else {
      launch.missing.push_back(option_of(one));
      launch.text += fmt::format("{}: {}\n", one.name, made_up_words(one, i + 1));
    }
    names.push_back(one.name);
    // The addresses in a struct: "p0.8".
    for (const auto& [name, value] : given.arguments)
      if (name.starts_with(one.name + ".")) {
        used.insert(name);
        launch.text += fmt::format("{}: {}\n", name, with_absolute_file(value));
      }
  }
  for (const auto& [name, value] : given.arguments)
    if (!used.contains(name))
      return base::Error{fmt::format("--arg {}: {} has no such parameter; it has {}", name, kernel.name,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
  return launch;
}

void add_python_source(const fs::path& entry, LoadedLaunch& launch) {
  if (!compiled::is_triton_entry(entry)) return;
  const auto triton = compiled::read_triton_launch(entry);
  if (!triton) return;
  const auto ttir = triton->kernel.files.find("ttir");
  const auto text = ttir == triton->kernel.files.end() ? base::Error{""} : platform::read_text_file(ttir->second);
  const compiled::PythonLine place = text ? compiled::triton_place(text->text) : triton->kernel.triton;
  if (auto python = compiled::read_kernel_python(place, triton->kernel.name)) {
    launch.source = std::move(*python);
    launch.source_file = place.file;
  }
}

base::Result<KernelDraft> draft_of_compiled(const fs::path& file) {
  auto launch = launch_of_compiled(file, {});
  if (!launch) return base::Error{launch.error()};
  if (launch->ptx.empty()) launch->ptx = fs::path(launch->cubin).replace_extension(".ptx");
  auto ptx = platform::read_text_file(launch->ptx);
  if (!ptx)
    return base::Error{
        fmt::format("{}: the Kernel lab shows PTX, and {} is not there; warpwalk simulate runs machine "
                    "code alone",
                    file.string(), launch->ptx.filename().string())};
  if (ptx->text.size() > max_draft_bytes)
    return base::Error{fmt::format("{}: has {}; the Kernel lab takes at most {}", launch->ptx.string(),
                                   base::bytes_text(static_cast<double>(ptx->text.size())),
                                   base::bytes_text(static_cast<double>(max_draft_bytes)))};
  auto cubin = platform::read_compressed_file(launch->cubin);
  if (!cubin) return base::Error{cubin.error()};
  KernelDraft draft;
  draft.language = DraftLanguage::ptx;
  draft.name = launch->ptx.stem().string();
  draft.source = std::move(ptx->text);
  draft.launch = "# Made up from the files: set grid, sizes and contents.\n" + launch->text;
  draft.precompiled = {draft.source, draft.source, compiled::with_inlined_calls(cubin->text, launch->cubin),
                       "from cubin"};
  return draft;
}

}  // namespace warpwalk::run

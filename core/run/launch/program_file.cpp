#include "core/run/launch/program_file.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

struct ProgramKind {
  std::string_view extension, what, remedy;  // {} in `remedy`: the file
};

constexpr std::string_view launch_file =
    "name it in a launch file and run warpwalk simulate LAUNCH.json (docs/simulate.md)";

constexpr std::array<ProgramKind, 5> program_kinds = {{
    {".py", "a Python program", "record it: warpwalk record -o walk.json.gz -- python3 {}"},
    {".cu", "CUDA C++", launch_file},
    {".cuh", "CUDA C++", launch_file},
    {".ptx", "PTX", launch_file},
    {".cubin", "machine code", launch_file},
}};

}  // namespace

std::optional<std::string> program_file(const std::filesystem::path& file) {
  const std::string extension = file.extension().string(), name = file.string();
  for (const ProgramKind& kind : program_kinds)
    if (extension == kind.extension)
      return fmt::format("{}: this is {}, not a trace; {}", name, kind.what,
                         fmt::format(fmt::runtime(kind.remedy), name));
  return {};
}

}  // namespace warpwalk::run

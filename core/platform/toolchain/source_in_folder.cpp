#include "core/platform/toolchain/source_in_folder.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::platform {

SourceInFolder::SourceInFolder(const CudaSource& cuda) : name_(cuda.name) {
  std::string file = std::filesystem::path(cuda.name).filename().string();
  if (!file.ends_with(".cu")) file += ".cu";
  if (folder_.path().empty()) return;
  file_ = folder_.path() / file;
  std::ofstream out(file_, std::ios::binary);
  out << cuda.text;
  written_ = out.flush().good();
}

std::string SourceInFolder::read_output() const {
  std::ostringstream bytes;
  bytes << std::ifstream(output(), std::ios::binary).rdbuf();
  return with_name(std::move(bytes).str());
}

std::string SourceInFolder::with_name(std::string printed) const {
  const std::string path = source();
  for (std::size_t at = printed.find(path); at != std::string::npos; at = printed.find(path, at + name_.size()))
    printed.replace(at, path.size(), name_);
  return printed;
}

std::string silent_failure(std::string_view compiler, const ChildRun& run) {
  constexpr int of_shell = 128;  // a driver whose child was ended by a signal may return this plus its number
  const int signal = run.signal != 0 ? run.signal : std::max(run.exit_status - of_shell, 0);
  if (signal == 0) return fmt::format("{} failed without a message; it may need more memory", compiler);
  return fmt::format("{} was ended by signal {}; the source may need more memory or time than it may use", compiler,
                     signal);
}

}  // namespace warpwalk::platform

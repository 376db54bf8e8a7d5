#include "instrumentation/recording_names.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace warpwalk::instrumentation {
namespace {

constexpr std::string_view partial_ending = ".partial";

// The position of the file extension.
std::size_t extension_position(std::string_view name) {
  for (const std::string_view ending : {".json.gz", ".json", ".gz"})
    if (name.size() > ending.size() && name.ends_with(ending)) return name.size() - ending.size();
  return name.size();
}

// True if `name` is the name of `output` for a further process.
bool is_process_output(std::string_view name, std::string_view output) {
  const std::size_t stem = extension_position(output);
  const std::string_view ending = output.substr(stem);
  if (name.size() <= output.size() + 1 || !name.starts_with(output.substr(0, stem)) || name[stem] != '.' ||
      !name.ends_with(ending))
    return false;
  const std::string_view pid = name.substr(stem + 1, name.size() - output.size() - 1);
  return pid.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::filesystem::path process_output_path(const std::filesystem::path& output, int pid) {
  std::string name = output.filename().string();
  name.insert(extension_position(name), "." + std::to_string(pid));
  return output.parent_path() / name;
}

std::filesystem::path partial_path(const std::filesystem::path& output) {
  std::filesystem::path partial = output;
  partial += partial_ending;
  return partial;
}

std::vector<Partial> find_partials(const std::filesystem::path& output) {
  std::vector<Partial> found;
  std::error_code error;
  if (std::filesystem::exists(partial_path(output), error)) found.push_back({partial_path(output), output});
  std::vector<Partial> others;
  const std::filesystem::path folder = output.has_parent_path() ? output.parent_path() : ".";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (!name.ends_with(partial_ending)) continue;
    name.resize(name.size() - partial_ending.size());
    if (is_process_output(name, output.filename().string())) others.push_back({entry.path(), folder / name});
  }
  std::sort(others.begin(), others.end(), [](const Partial& a, const Partial& b) { return a.file < b.file; });
  found.insert(found.end(), others.begin(), others.end());
  return found;
}

bool is_being_written(const std::filesystem::path& partial) {
  const int file = open(partial.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  // On file systems without locks, flock fails with another error; the file then counts as not being written.
  const bool busy = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return busy;
}

}  // namespace warpwalk::instrumentation

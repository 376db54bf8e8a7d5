#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/read/read_trace.h"

namespace warpwalk::trace::test {

/// The text of a trace file with these elements of traceEvents.
std::string with_events(const std::vector<std::string>& events);
/// A slice on CPU thread 1/1: category, name, start and duration in us, members of args.
std::string slice(std::string_view category, std::string_view name, double ts, double dur, std::string_view args = "",
                  int pid = 1, int tid = 1);
/// The slices "first" and "second" of many test files.
inline const std::string first_slice = slice("cpu_op", "first", 1, 10);
inline const std::string second_slice = slice("cpu_op", "second", 20, 10);
std::string gzipped(std::string_view text);

const Problem* find_problem(const ReadResult& result, ProblemKind kind);
/// Slice names in row order.
std::vector<std::string> names_of(const Trace& trace);
SliceId find_slice(const Trace& trace, std::string_view name);

/// A temporary folder. The destructor deletes it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::filesystem::path& file, std::string_view bytes);
std::string read_file(const std::filesystem::path& file);

}  // namespace warpwalk::trace::test

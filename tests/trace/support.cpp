#include "tests/trace/support.h"

#include <atomic>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

namespace warpwalk::trace::test {

std::string with_events(const std::vector<std::string>& events) {
  std::string text = "{\n\"schemaVersion\": 1,\n\"baseTimeNanoseconds\": 1000,\n\"traceEvents\": [\n";
  for (std::size_t i = 0; i < events.size(); ++i) text += (i == 0 ? "" : ",\n") + events[i];
  return text + "\n]\n}\n";
}

std::string slice(std::string_view category, std::string_view name, double ts, double dur, std::string_view args,
                  int pid, int tid) {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
      category, name, pid, tid, ts, dur, args);
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const Problem* find_problem(const ReadResult& result, ProblemKind kind) {
  for (const Problem& problem : result.problems.rows())
    if (problem.kind == kind) return &problem;
  return nullptr;
}

std::vector<std::string> names_of(const Trace& trace) {
  std::vector<std::string> names;
  for (SliceId s = 0; s < trace.slices.size(); ++s) names.emplace_back(trace.name(s));
  return names;
}

SliceId find_slice(const Trace& trace, std::string_view name) {
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == name) return s;
  return no_slice;
}

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> count = 0;
  path_ = std::filesystem::temp_directory_path() / fmt::format("warpwalk-trace-{}-{}", getpid(), count++);
  std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace warpwalk::trace::test

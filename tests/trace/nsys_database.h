#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/trace/nsys/read_nsys.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

struct sqlite3;

namespace warpwalk::trace::test {

/// A globalTid of Nsight Systems on machine 1; with thread 0, a globalPid.
constexpr std::int64_t global_id(std::int64_t process, std::int64_t thread = 0) {
  return std::int64_t{1} << 56 | process << 24 | thread;
}

/// Makes databases with the tables and columns that Nsight Systems 2024.6 exports (schema 3.16).
class NsysDatabase {
 public:
  NsysDatabase();

  /// Runs statements. A mistake in them fails the test.
  void run(const std::string& sql);
  /// Adds a text to StringIds, unless it is there, and returns its number.
  std::int64_t text(const std::string& text);

  /// Rows of one thread or stream; times in ns.
  void call(std::int64_t global_tid, std::int64_t start, std::int64_t end, const std::string& name,
            std::int64_t correlation);
  void kernel(std::int64_t global_pid, int device, int stream, std::int64_t start, std::int64_t end,
              const std::string& name, std::int64_t correlation);
  void range(int type, std::int64_t global_tid, std::int64_t start, std::int64_t end, const std::string& name);
  /// The id and the name of a GPU.
  void gpu(int id, const std::string& name);

  /// The database as a file has it.
  std::string bytes() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::int64_t> texts_;
};

struct NsysRead {
  Trace trace;
  Problems problems;
  nsys::Result result;

  SliceId find(std::string_view name) const;
  /// The name of a slice's launch, or "none".
  std::string_view launch(std::string_view name) const;
  std::string_view parent(std::string_view name) const;
  std::string problem(ProblemKind kind) const;
};
NsysRead read_database(const std::string& bytes, const nsys::Options& options = {});
NsysRead read_database(const NsysDatabase& database, const nsys::Options& options = {});

/// Two processes, each with a thread, a GPU and the same correlations; an op with a kernel in the first.
NsysDatabase two_processes();

}  // namespace warpwalk::trace::test

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct QueryOptions {
  std::filesystem::path file;  ///< -: stdin
  std::string statement;       ///< SQL, or .tables, .schema or .schema TABLE
  bool csv = false;
  bool json = false;
  bool schema = false;
  std::filesystem::path export_to;  ///< a database to write; empty: none
  std::uint64_t memory_cap_bytes = 0;
};

/// Registers `warpwalk query`.
Verb add_query(CLI::App& app);

/// Answers an SQL statement about a trace, or writes the trace as a database. Returns the exit status.
int query_trace(const QueryOptions& options);

}  // namespace warpwalk::verbs

#pragma once

#include <filesystem>
#include <functional>

#include <sqlite3.h>

#include "app/query/database.h"
#include "app/query/source.h"
#include "core/base/result.h"

namespace warpwalk::query {

/// A connection to SQLite and what its virtual tables read.
struct DatabaseState {
  explicit DatabaseState(const trace::Trace& trace) : source(trace) {}
  DatabaseState(const DatabaseState&) = delete;
  DatabaseState& operator=(const DatabaseState&) = delete;
  ~DatabaseState() { sqlite3_close_v2(connection); }

  Source source;
  sqlite3* connection = nullptr;
  std::function<bool()> stop;
};

struct Database::State : DatabaseState {
  using DatabaseState::DatabaseState;
};

/// Database::write().
base::Result<void> write_database(DatabaseState& state, const std::filesystem::path& file);

}  // namespace warpwalk::query

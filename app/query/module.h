#pragma once

#include "app/query/source.h"
#include "core/base/result.h"

struct sqlite3;

namespace warpwalk::query {

/// Makes all tables known to a connection, as virtual tables that read the source, which must outlive it.
base::Result<void> add_tables(sqlite3* connection, Source& source);

}  // namespace warpwalk::query

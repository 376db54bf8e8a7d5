#pragma once

#include <memory>

#include "app/query/database.h"

namespace warpwalk::verbs {

enum class QueryFormat : unsigned char { table, csv, json };

/// Prints the result of a statement on stdout.
class QueryOutput : public query::Rows {
 public:
  /// Prints what is still held back, and what ends the format.
  virtual void finish() = 0;
  /// Prints what is still held back: an error follows.
  virtual void abandon() {}
};

/// `terminal`: whether stdout is one. Control characters are then replaced, and a table's long texts are shortened;
/// elsewhere values are printed as they are.
std::unique_ptr<QueryOutput> make_query_output(QueryFormat format, bool terminal);

/// One value: as in a table ("1234.568", "x'00ff'"), in a line of CSV (RFC 4180, numbers with all digits), and as JSON.
std::string table_cell(const query::Value& value, bool shortened);
std::string csv_cell(const query::Value& value);
std::string json_value(const query::Value& value);
/// Names for the members of a JSON object: a name that occurs again gets a number: "id", "id_2".
std::vector<std::string> distinct_names(std::vector<std::string> names);

}  // namespace warpwalk::verbs

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/inject/nvtx_abi.h"
#include "instrumentation/rows.h"

namespace warpwalk::instrumentation {

/// A field of a payload. The texts are valid as long as the PayloadSchemas that decoded it, and the payload.
struct PayloadField {
  std::string_view key;
  PayloadRow::Kind kind = PayloadRow::unsigned_number;
  std::uint64_t value = 0;  ///< see PayloadRow
  std::string_view text;
};

struct Payload {
  std::string_view message;  ///< the event's text, if a field has it
  std::vector<PayloadField> fields;
};

/// The schemas that a program registers, and the decoding of its payloads by them. Thread-safe. Numbers, names of
/// enumerations and strings are decoded; other fields (arrays, nested schemas) and unions are left out.
class PayloadSchemas {
 public:
  /// Returns the schema's number within the domain; 0 if it is none.
  std::uint64_t add(const void* domain, const nvtx::Schema* schema);
  std::uint64_t add_enum(const void* domain, const nvtx::Enum* values);
  /// Never reads beyond the size that the program states. A payload of an unknown schema has no fields.
  Payload decode(const void* domain, const nvtx::PayloadData* payloads, std::size_t count) const;
  /// Called around a fork, so that the child does not inherit a lock held by a thread that it does not have.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  struct Field {
    std::string name;
    std::uint64_t flags = 0, type = 0, length = 0;
    std::size_t offset = 0;
  };
  struct Layout {
    std::vector<Field> fields;
    std::size_t size = 0;  // 0: not stated
  };
  struct Values {
    std::size_t size = 0;
    std::map<std::uint64_t, std::string> names;
  };
  using Key = std::pair<const void*, std::uint64_t>;  // domain and number

  Layout layout_of(const void* domain, const nvtx::Schema& schema) const;
  /// Bytes of a field, or of one element of it if it is an array; a pointer is one element.
  std::size_t element_size(const void* domain, const nvtx::SchemaField& field) const;
  std::size_t size_of(const void* domain, const nvtx::SchemaField& field) const;
  std::uint64_t next_number(std::uint64_t given) { return given != 0 ? given : ++last_number_; }
  void decode(const void* domain, const Field& field, const unsigned char* bytes, std::size_t size,
              Payload& payload) const;

  mutable std::mutex mutex_;
  std::deque<Layout> layouts_;  // kept, because decoded fields have views of their names
  std::deque<Values> values_;
  std::map<Key, const Layout*> schemas_;
  std::map<Key, const Values*> enums_;
  std::uint64_t last_number_ = nvtx::dynamic_schemas;
};

}  // namespace warpwalk::instrumentation

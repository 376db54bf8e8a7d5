#include "core/trace/metadata_entry.h"

#include "core/base/exact_json.h"

namespace warpwalk::trace {

std::optional<rapidjson::Document> metadata_entry(const Trace& trace, std::string_view name) {
  for (const auto& [key, json] : trace.metadata) {
    if (trace.text(key) != name) continue;
    rapidjson::Document entry;
    if (!base::parse_exact(trace.text(json), entry, base::Encoding::as_is).IsError() && entry.IsObject()) return entry;
  }
  return {};
}

}  // namespace warpwalk::trace

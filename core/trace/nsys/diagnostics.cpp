// What Nsight Systems itself reported while it recorded.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/trace/nsys/import.h"

namespace warpwalk::trace::nsys {
namespace {

// Without its table of names: 1 information, 2 warning, 3 error.
constexpr std::int64_t least_severity = 2;

// The messages are of all subjects; those about CUDA say why GPU work is missing.
bool is_about_cuda(std::string_view text) {
  return std::ranges::any_of(std::array{"CUDA", "CUPTI", "driver", "GPU"},
                             [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

std::vector<std::string> cuda_diagnostics(const Database& database) {
  constexpr std::array<std::string_view, 2> columns = {"severity", "text"};
  std::vector<std::string> found;
  Statement rows = select(database, "DIAGNOSTIC_EVENT", columns);
  while (rows && rows.next()) {
    const auto text = rows.text(1);
    if (!text || rows.integer(0) < least_severity || !is_about_cuda(*text)) continue;
    std::string line = base::one_line(std::string(*text));
    if (std::ranges::find(found, line) == found.end()) found.push_back(std::move(line));
  }
  return found;
}

void read_diagnostics(Import& in) {
  const std::vector<std::string> all = cuda_diagnostics(in.database());
  if (all.empty()) return;
  if (in.problems().count(ProblemKind::incomplete_recording, 0, all.size()))
    in.problems().rows().back().message = fmt::format("Nsight Systems reported: {}", all.front());
}

}  // namespace warpwalk::trace::nsys

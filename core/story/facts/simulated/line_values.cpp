#include "core/story/facts/simulated/line_values.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/story/facts/launch/input_values.h"

namespace warpwalk::story {
namespace {

std::string_view last_name(std::string_view text) {
  text = stripped(text);
  std::size_t begin = text.size();
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_'))
    --begin;
  return text.substr(begin);
}

}  // namespace

std::string_view stripped(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (blank(text.back()) || text.back() == ';')) text.remove_suffix(1);
  return text;
}

std::optional<SumNames> sum_names(std::string_view line) {
  // The last "+=" before a product: the line may have a loop's step, too.
  const std::size_t adds = line.rfind("+=", line.find(" * ")),
                    end = line.find(';', adds == std::string_view::npos ? 0 : adds);
  if (adds == std::string_view::npos || line.find(" * ") == std::string_view::npos) return {};
  const std::string_view product = line.substr(adds + 2, end == std::string_view::npos ? end : end - adds - 2);
  const std::size_t times = product.find(" * ");
  for (const char* const other : {" + ", " - ", "="})
    if (product.find(other) != std::string_view::npos) return {};
  if (times == std::string_view::npos || product.find(" * ", times + 1) != std::string_view::npos) return {};
  SumNames names{std::string(last_name(line.substr(0, adds))), std::string(stripped(product.substr(0, times))),
                 std::string(stripped(product.substr(times + 3)))};
  if (names.sum.empty() || names.a.empty() || names.b.empty()) return {};
  return names;
}

void add_values(const Narration& narration, CodePicture::Column& source, const std::vector<PartialSum>& sums,
                std::size_t k) {
  if (k >= sums.size() || source.window.focus >= source.window.lines.size()) return;
  CodeLine& line = source.window.lines[source.window.focus];
  const auto names = line.lit ? sum_names(line.text) : std::nullopt;
  if (!names) return;
  source.note = narration.text("origin", trace::name_of(Origin::simulated));
  line.values = {
      fmt::format("{} {} → {}", names->sum, k == 0 ? "0" : short_number(sums[k - 1].sum), short_number(sums[k].sum)),
      fmt::format("{} {}", names->a, short_number(sums[k].a)), fmt::format("{} {}", names->b, short_number(sums[k].b))};
}

void add_values_at(const SceneInput& input, CodePicture::Column& source, const gpu::WarpPlace& warp,
                   std::int64_t cycle) {
  const HistoryView& history = input.history;
  if (history.trail == nullptr || !history.own() || history.trail->warp != warp) return;
  const auto number = followed_number(input.trace, input.walk, input.controls);
  if (!number) return;
  const std::vector<PartialSum> sums = partial_sums(*number, *history.trail);
  std::size_t made = 0;
  while (made < sums.size() && sums[made].cycle >= 0 && sums[made].cycle <= cycle) ++made;
  if (made > 0) add_values(input.narration, source, sums, made - 1);
}

}  // namespace warpwalk::story

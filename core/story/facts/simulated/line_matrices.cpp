#include "core/story/facts/simulated/line_matrices.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/simulated/followed_number.h"

namespace warpwalk::story {
namespace {

using From = OpeningLine::From;

constexpr std::size_t shown_corner = 4;  // rows and columns: few enough to be read, and the picture may show fewer

// The upper left corner of a matrix; a vector is one row.
OpeningMatrix matrix_of(const analysis::Tensor& tensor, std::string name) {
  OpeningMatrix matrix;
  matrix.name = std::move(name);
  matrix.size = analysis::sizes_text(tensor.sizes);
  return matrix;
}

// Fills the corner with text(row, column), moved so that the marked row and column are in it.
template <class Text>
void fill_corner(std::int64_t rows, std::int64_t columns, std::optional<std::int64_t> row,
                 std::optional<std::int64_t> column, Text text, OpeningMatrix& matrix) {
  const auto limit = static_cast<std::int64_t>(shown_corner);
  const auto place = [&](std::optional<std::int64_t> at, std::int64_t count, std::int64_t& first,
                         std::optional<std::size_t>& marked) {
    if (!at) return;
    first = *at < limit ? 0 : std::min(*at - 1, count - std::min(limit, count));
    marked = static_cast<std::size_t>(*at - first);
  };
  place(row, rows, matrix.first_row, matrix.row);
  place(column, columns, matrix.first_column, matrix.column);
  for (std::int64_t r = matrix.first_row; r < std::min(rows, matrix.first_row + limit); ++r) {
    std::vector<std::string>& line = matrix.corner.emplace_back();
    for (std::int64_t c = matrix.first_column; c < std::min(columns, matrix.first_column + limit); ++c)
      line.push_back(text(r, c));
  }
  matrix.more_rows = rows > matrix.first_row + limit;
  matrix.more_columns = columns > matrix.first_column + limit;
}

void fill_values(const InputValues& values, std::optional<std::int64_t> row, std::optional<std::int64_t> column,
                 OpeningMatrix& matrix) {
  const std::int64_t rows = values.geometry.dims() == 1 ? 1 : values.geometry.sizes.front();
  fill_corner(
      rows, values.geometry.sizes.back(), row, column,
      [&](std::int64_t r, std::int64_t c) { return element_text(values.at(r, c)); }, matrix);
}

// Whether these are the tensors of the op in the line, in its order: the op that launches may be another one.
bool same_tensors(const std::vector<analysis::Tensor>& tensors, const std::vector<InputValues>& values) {
  return tensors.size() == values.size() &&
         std::ranges::equal(tensors, values, {}, &analysis::Tensor::sizes,
                            [](const InputValues& one) { return one.geometry.sizes; });
}

}  // namespace

void add_line_matrices(const SceneInput& input, const OpeningLine& line, const std::string& element,
                       OpeningPicture& picture) {
  const Trace& trace = input.trace;
  const SliceId op = input.walk.ops.empty() ? input.walk.op : input.walk.ops.front();
  if (line.from == From::launch || op == no_slice || kernel_detail(trace, input.walk) == nullptr) return;
  const std::vector<analysis::Tensor> tensors = analysis::tensors_of(trace, op);
  const std::optional<analysis::Tensor> result = analysis::output_of(trace.name(op), tensors);
  if (tensors.empty() || tensors.size() > 2 || !result) return;
  if (!std::ranges::all_of(tensors,
                           [](const analysis::Tensor& one) { return one.sizes.size() == 1 || one.sizes.size() == 2; }))
    return;
  const std::vector<InputValues> values = input_values(trace, input.walk);
  const bool known = same_tensors(tensors, values);
  std::string sign;
  for (const LineToken& token : line.tokens)
    if (const std::size_t at = token.text.find_first_not_of(' ');
        token.followed && at != std::string::npos && at + 1 == token.text.size())
      sign = token.text.substr(at);
  // In a line of two ops, the second one's input is the first one's result.
  const bool second = line.second == op;
  const auto number = followed_number(trace, input.walk, input.controls);
  const bool product = number && number->product && tensors.size() == 2;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::string name(1, static_cast<char>('a' + i));
    if (second) name = input.narration.text("boardroom.word", "first_result");
    OpeningMatrix& matrix = picture.matrices.emplace_back(matrix_of(tensors[i], std::move(name)));
    if (i > 0) matrix.sign = sign.empty() ? "," : sign;
    if (!known) continue;
    const bool of_element = number && tensors[i].sizes == number->result.sizes && !product;
    fill_values(values[i], of_element || (product && i == 0) ? std::optional(number->at.row) : std::nullopt,
                of_element || (product && i == 1) ? std::optional(number->at.column) : std::nullopt, matrix);
  }
  OpeningMatrix& matrix = picture.matrices.emplace_back(matrix_of(*result, line.result));
  if (second || line.from == From::typed) matrix.name = input.narration.text("boardroom.word", "result");
  matrix.sign = tensors.size() == 2 ? "=" : "→";
  matrix.tone = Tone::work;
  if (known && number && number->result.sizes == result->sizes) {
    const auto unknown = [&](std::int64_t r, std::int64_t c) {
      return r == number->at.row && c == number->at.column ? element : std::string("·");
    };
    fill_corner(result->sizes[0], result->sizes[1], number->at.row, number->at.column, unknown, matrix);
  }
  if (known && any_recorded_element(values))
    picture.numbers = input.narration.text("boardroom.word", "numbers_inside");
  else if (known)
    picture.numbers =
        input.narration.text("boardroom.word", values.front().recorded ? "numbers_recorded" : "numbers_simulated",
                             {{"seed", values.size() > 1 ? fmt::format("{}, {}", values[0].seed, values[1].seed)
                                                         : std::to_string(values[0].seed)}});
  else
    picture.numbers = input.narration.text("boardroom.word", "numbers_unknown");
  for (OpeningMatrix& one : picture.matrices)
    if (one.first_row > 0 || one.first_column > 0)
      one.size = input.narration.text(
          "boardroom.word", "from",
          {{"size", one.size}, {"row", std::to_string(one.first_row)}, {"column", std::to_string(one.first_column)}});
}

}  // namespace warpwalk::story

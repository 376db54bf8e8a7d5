#include "core/story/facts/simulated/line_matrices.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/analysis/memory/tensor_layout.h"
#include "core/analysis/slices.h"
#include "core/story/facts/launch/input_values.h"
#include "core/story/facts/launch/typed_inputs.h"
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
  const ops::Sizes& sizes = values.geometry.sizes;
  fill_corner(
      sizes.size() < 2 ? 1 : sizes[sizes.size() - 2], sizes.empty() ? 1 : sizes.back(), row, column,
      [&](std::int64_t r, std::int64_t c) { return element_text(values, r, c); }, matrix);
}

// Whether these are the tensors of the op in the line, in its order: the op that launches may be another one.
bool same_tensors(const std::vector<analysis::Tensor>& tensors, const std::vector<InputValues>& values) {
  return tensors.size() == values.size() &&
         std::ranges::equal(tensors, values, {}, &analysis::Tensor::sizes,
                            [](const InputValues& one) { return one.geometry.sizes; });
}

// The sign of the followed op in the line, "@"; empty if it is written as a function.
std::string sign_in(const OpeningLine& line) {
  for (const LineToken& token : line.tokens)
    if (const std::size_t at = token.text.find_first_not_of(' ');
        token.followed && at != std::string::npos && at + 1 == token.text.size())
      return token.text.substr(at);
  return {};
}

// Where a corner does not begin at the first row and column, its size says so.
void tell_places(const SceneInput& input, OpeningPicture& picture) {
  for (OpeningMatrix& one : picture.matrices)
    if (one.first_row > 0 || one.first_column > 0)
      one.size = input.narration.text(
          "boardroom.word", "from",
          {{"size", one.size}, {"row", std::to_string(one.first_row)}, {"column", std::to_string(one.first_column)}});
}

// A typed line of several ops, or of other tensors than one or two matrices: all tensors that it names, what the
// followed op makes of them, and the line's result.
class TypedMatrices {
 public:
  TypedMatrices(const SceneInput& input, const OpeningLine& line, const TypedRun& run, SliceId op,
                const std::string& element)
      : input_(input),
        line_(line),
        run_(run),
        op_(op),
        element_(element),
        tensors_(analysis::tensors_of(input.trace, op)),
        number_(followed_number(input.trace, input.walk, input.controls)) {
    const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
    if (record == nullptr) return;
    for (const trace::KernelArgument& argument : record->arguments) {
      if (argument.kind != trace::KernelArgument::Kind::pointer) continue;
      if (operands_.size() == tensors_.size()) break;
      const auto at = std::ranges::find(run.inputs, argument.allocation, &TypedInput::allocation);
      operands_.push_back(argument.allocation == trace::no_record || at == run.inputs.end()
                              ? std::nullopt
                              : std::optional(static_cast<std::size_t>(at - run.inputs.begin())));
    }
  }

  void add_to(OpeningPicture& picture) const {
    const bool last = is_last();
    const std::string sign = last && run_.inputs.size() == 2 && takes_inputs_in_order() ? sign_in(line_) : "";
    for (std::size_t i = 0; i < std::min(run_.inputs.size(), most_inputs); ++i) {
      const TypedInput& one = run_.inputs[i];
      OpeningMatrix& matrix = picture.matrices.emplace_back(box(one.name, one.values.geometry.sizes));
      if (i > 0) matrix.sign = sign.empty() ? "," : sign;
      if (one.known) fill_values(one.values, marked_row(i), marked_column(i), matrix);
    }
    const auto result_corner = [&](const ops::Sizes& sizes, OpeningMatrix& matrix) {
      if (sizes.size() < 2 || !number_ || number_->result.sizes != sizes) return;
      fill_corner(
          sizes[0], sizes[1], number_->at.row, number_->at.column,
          [&](std::int64_t r, std::int64_t c) {
            return r == number_->at.row && c == number_->at.column ? element_ : std::string("·");
          },
          matrix);
    };
    if (!last && number_) {
      OpeningMatrix& made = picture.matrices.emplace_back(box(name_of_op(), number_->result.sizes));
      made.sign = "→";
      made.tone = Tone::work;
      result_corner(number_->result.sizes, made);
    }
    OpeningMatrix& result =
        picture.matrices.emplace_back(box(input_.narration.text("boardroom.word", "result"), run_.result));
    result.sign = sign.empty() ? "→" : "=";
    result.tone = Tone::work;
    if (last)
      result_corner(run_.result, result);
    else if (run_.result.size() > 1)
      fill_corner(
          run_.result[run_.result.size() - 2], run_.result.back(), {}, {},
          [](std::int64_t, std::int64_t) { return std::string("·"); }, result);
    picture.numbers = numbers_text();
  }

 private:
  static constexpr std::size_t most_inputs = 6;

  OpeningMatrix box(std::string name, const ops::Sizes& sizes) const {
    OpeningMatrix matrix;
    matrix.name = std::move(name);
    matrix.size = sizes.empty() ? input_.narration.text("boardroom.word", "scalar") : analysis::sizes_text(sizes);
    return matrix;
  }

  // Whether no op of the line comes after the followed one: its result is the line's.
  bool is_last() const {
    const auto& slices = input_.trace.slices;
    const SliceId frame = input_.walk.frames.empty() ? no_slice : input_.walk.frames.back();
    for (const SliceId other : input_.trace.op_order) {
      if (slices.track[other] != slices.track[op_] || slices.start[other] <= slices.start[op_]) continue;
      if (frame != no_slice && slices.start[other] >= slices.start[frame] + slices.duration[frame]) continue;
      if (analysis::has_depth(input_.trace, other, 0)) return false;
    }
    return true;
  }

  // Whether the operand is an input of the line as it is, not a view of it such as a.T.
  bool is_whole_input(std::size_t operand) const {
    return operands_[operand] && !is_transposed(operand) &&
           tensors_[operand].sizes == run_.inputs[*operands_[operand]].values.geometry.sizes;
  }

  bool takes_inputs_in_order() const {
    if (operands_.size() != run_.inputs.size()) return false;
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (!is_whole_input(i) || *operands_[i] != i) return false;
    return true;
  }

  // "a @ b", else "matmul".
  std::string name_of_op() const {
    bool as_named = operands_.size() == tensors_.size();
    for (std::size_t i = 0; as_named && i < operands_.size(); ++i)
      as_named = is_whole_input(i) && run_.inputs[*operands_[i]].name == std::string(1, static_cast<char>('a' + i));
    if (as_named) return line_.result;
    const std::string_view name = input_.trace.name(op_);
    return std::string(name.starts_with("aten::") ? name.substr(6) : name);
  }

  // The op reads the input with its dimensions exchanged, as a.T.
  bool is_transposed(std::size_t operand) const {
    if (operand >= tensors_.size() || !operands_[operand]) return false;
    const analysis::Tensor& tensor = tensors_[operand];
    return tensor.sizes.size() == 2 && tensor.strides && tensor.strides->front() == 1 && tensor.strides->back() > 1;
  }

  // The row and the column of an input that the followed number comes from.
  std::optional<std::int64_t> marked(std::size_t i, bool row) const {
    if (!number_) return {};
    if (number_->product) {
      if (operands_.size() < 2) return {};
      if (operands_[0] == i) return row != is_transposed(0) ? std::optional(number_->at.row) : std::nullopt;
      if (operands_[1] == i) return row == is_transposed(1) ? std::optional(number_->at.column) : std::nullopt;
      return {};
    }
    const bool of_op = std::ranges::find(operands_, std::optional(i)) != operands_.end();
    if (!of_op || run_.inputs[i].values.geometry.sizes != number_->result.sizes) return {};
    return row ? number_->at.row : number_->at.column;
  }
  std::optional<std::int64_t> marked_row(std::size_t i) const { return marked(i, true); }
  std::optional<std::int64_t> marked_column(std::size_t i) const { return marked(i, false); }

  std::string numbers_text() const {
    std::string seeds;
    bool given = false;
    for (const TypedInput& one : run_.inputs) {
      if (one.values.bytes.empty() && one.known)
        seeds.append(seeds.empty() ? "" : ", ").append(std::to_string(one.values.seed));
      else
        given = true;
    }
    return input_.narration.text("boardroom.word", given ? "numbers_given" : "numbers_typed", {{"seed", seeds}});
  }

  const SceneInput& input_;
  const OpeningLine& line_;
  const TypedRun& run_;
  const SliceId op_;
  const std::string& element_;
  const std::vector<analysis::Tensor> tensors_;
  const std::optional<FollowedNumber> number_;
  std::vector<std::optional<std::size_t>> operands_;  // of the followed kernel: inputs of the line, if they are
};

// Whether the followed op's tensors are those that the line names, one or two matrices or vectors.
bool are_operands(const TypedRun& run, const std::vector<analysis::Tensor>& tensors) {
  return tensors.size() <= 2 && std::ranges::equal(tensors, run.inputs, [](const auto& tensor, const auto& named) {
           const ops::Sizes& sizes = named.values.geometry.sizes;
           return tensor.sizes == sizes && (sizes.size() == 1 || sizes.size() == 2) && named.known &&
                  ops::is_float(named.values.dtype);
         });
}

}  // namespace

void add_line_matrices(const SceneInput& input, const OpeningLine& line, const std::string& element,
                       OpeningPicture& picture) {
  const Trace& trace = input.trace;
  const SliceId op = input.walk.ops.empty() ? input.walk.op : input.walk.ops.front();
  if (line.from == From::launch || op == no_slice || kernel_detail(trace, input.walk) == nullptr) return;
  const std::vector<analysis::Tensor> tensors = analysis::tensors_of(trace, op);
  const std::optional<analysis::Tensor> result = analysis::output_of(trace.name(op), tensors);
  const auto run = line.from == From::typed ? typed_run(trace) : std::nullopt;
  const std::vector<InputValues> values = input_values(trace, input.walk);
  const bool known = same_tensors(tensors, values);
  if (run && (!result || !known || !are_operands(*run, tensors))) {
    TypedMatrices(input, line, *run, op, element).add_to(picture);
    return tell_places(input, picture);
  }
  if (tensors.empty() || tensors.size() > 2 || !result) return;
  if (!std::ranges::all_of(tensors,
                           [](const analysis::Tensor& one) { return one.sizes.size() == 1 || one.sizes.size() == 2; }))
    return;
  const std::string sign = sign_in(line);
  // In a line of two ops, the second one's input is the first one's result.
  const bool second = line.second == op;
  const auto number = followed_number(trace, input.walk, input.controls);
  const bool product = number && number->product && tensors.size() == 2;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::string name = run ? run->inputs[i].name : std::string(1, static_cast<char>('a' + i));
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
  tell_places(input, picture);
}

OpeningMatrix* marked_result(OpeningPicture& picture) {
  const auto at = std::ranges::find_if(picture.matrices, [](const OpeningMatrix& one) {
    return one.tone == Tone::work && one.row && one.column && !one.corner.empty();
  });
  return at == picture.matrices.end() ? nullptr : &*at;
}

}  // namespace warpwalk::story

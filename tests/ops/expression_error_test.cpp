// Error messages for expressions: the position, what is wrong, what would be valid.
#include <string>

#include <gtest/gtest.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/expression/expression.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::ops {
namespace {

std::vector<Variable> inputs() {
  return {{"a", DType::f32, {256, 128}},  {"b", DType::f32, {100, 64}},
          {"bt", DType::f32, {64, 128}},  {"c", DType::f64, {128, 4}},
          {"v", DType::f32, {256}},       {"s", DType::f32, {}},
          {"i", DType::i64, {3}},         {"x3", DType::f32, {2, 3, 4}},
          {"u", DType::u8, {3}},          {"long", DType::f32, {1 << 20, 1}},
          {"weights", DType::f32, {4, 4}}};
}

ExpressionError expression_error(const std::string& text) {
  const auto parsed = Expression::parse(text);
  if (const auto* const error = std::get_if<ExpressionError>(&parsed)) return *error;
  const auto result = check(std::get<Expression>(parsed), inputs());
  if (const auto* const error = std::get_if<ExpressionError>(&result)) return *error;
  return {0, 0, "no error", {}};
}

/// The functions that help lists.
std::string known() {
  std::string names;
  for (const ExpressionFunction& function : all_functions())
    names += (names.empty() ? "" : " ") + std::string(function.name);
  return names;
}

struct ErrorCase {
  std::string text, marked, message, hint;
};

class ExpressionErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(ExpressionErrors, SayWhereWhatAndWhatWouldFit) {
  const ErrorCase& c = GetParam();
  const ExpressionError error = expression_error(c.text);
  EXPECT_EQ(error.message, c.message) << c.text;
  EXPECT_EQ(error.hint, c.hint) << c.text;
  EXPECT_EQ(error.position < c.text.size() ? c.text.substr(error.position, error.length) : "", c.marked);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ExpressionErrors,
    testing::Values(
        ErrorCase{"a @ b", "@",
                  "a is 256x128, b is 100x64: the columns of a (128) and the rows of b (100) must be equal",
                  "b needs 128 rows: --shape b=128x64"},
        ErrorCase{"relu(a @ bt)", "@",
                  "a is 256x128, bt is 64x128: the columns of a (128) and the rows of bt (64) must be equal",
                  "bt needs 128 rows: --shape bt=128x128; or a @ bt.T"},
        ErrorCase{
            "a @ (bt + 1)", "@",
            "a is 256x128, (bt + 1) is 64x128: the columns of a (128) and the rows of (bt + 1) (64) must be equal",
            "a needs 64 columns: --shape a=256x64; or a @ (bt + 1).T"},
        ErrorCase{"a @ a", "@",
                  "a is 256x128, a is 256x128: the columns of a (128) and the rows of a (256) must be equal",
                  "a @ a.T would fit"},
        ErrorCase{"a @ v", "@",
                  "a is 256x128, v is 256: the columns of a (128) and the elements of v (256) must be equal",
                  "v needs 128 elements: --shape v=128; or a.T @ v"},
        ErrorCase{
            "a + b", "+",
            "a is 256x128, b is 100x64: dimension -1 (counted from the last) is 128 and 64; the sizes must be equal, "
            "or one must be 1",
            "--shape b=256x128 would fit"},
        ErrorCase{
            "a - v", "-",
            "a is 256x128, v is 256: dimension -1 (counted from the last) is 128 and 256; the sizes must be equal, or "
            "one must be 1",
            "v[:, None], a column, would fit"},
        ErrorCase{
            "a * a.T", "*",
            "a is 256x128, a.T is 128x256: dimension -1 (counted from the last) is 128 and 256; the sizes must be "
            "equal, or one must be 1",
            "a on the right would fit"},
        ErrorCase{
            "x3 @ x3[:, :, :1, None].T", "@",
            "x3 is 2x3x4, x3[:, :, :1, None].T is 1x1x3x2: the columns of x3 (4) and the rows of x3[:, :, :1, None].T "
            "(3) must be equal",
            "x3 needs 3 columns: --shape x3=2x3x3"},
        ErrorCase{"a @ s", "@", "@ multiplies matrices and vectors; s has no dimensions", "write * for a scalar"},
        ErrorCase{"a @ 2", "@", "@ multiplies matrices; 2 is a number", "write * for a number"},
        ErrorCase{"a @ c", "@", "a is f32, c is f64: @ needs the same type on both sides", "--dtype c=f32 would fit"},
        ErrorCase{"i @ v", "@", "i is i64, v is f32: @ needs the same type on both sides", "--dtype i=f32 would fit"},
        ErrorCase{"u + 1", "u", "u is of type u8", "tensors are of type f16 bf16 f32 f64 i32 i64"},
        ErrorCase{"sum(a, 2)", "2", "a has 2 dimensions: there is no dimension 2", "dimensions go from -2 to 1"},
        ErrorCase{"s.sum(1)", "1", "s has no dimensions: there is no dimension 1", "0 (or -1) is the only one"},
        ErrorCase{"x3.t()", "t", "t() swaps two dimensions; x3 has 3 dimensions", ".T reverses all of them"},
        ErrorCase{"v[300]", "300", "dimension 0 has 256 elements: there is no element 300",
                  "indices go from -256 to 255"},
        ErrorCase{"a[0, 0, 0]", "[0, 0, 0]", "a has 2 dimensions, but 3 are indexed", "leave out the last index"},
        ErrorCase{"s[0]", "[0]", "s has no dimensions, but 1 are indexed", "leave the index out"},
        ErrorCase{"s[None,None,None,None,None,None,None,None,None]", "[None,None,None,None,None,None,None,None,None]",
                  "the result has 9 dimensions, more than 8", "leave out a None"},
        ErrorCase{"long * long.T * long[None] * i[:, None, None]", "*",
                  "the result is 3x1048576x1048576: more than 2^40 elements", "give smaller shapes"}));

INSTANTIATE_TEST_SUITE_P(
    Names, ExpressionErrors,
    testing::Values(
        ErrorCase{"q @ a", "q", "q has no shape",
                  "give it one (--shape q=256x128), or use a name that has one: a b bt c v s i x3 u long weights"},
        ErrorCase{"wieghts + 1", "wieghts", "wieghts has no shape",
                  "did you mean weights? Names with a shape: a b bt c v s i x3 u long weights"},
        ErrorCase{"A", "A", "A has no shape", "did you mean a? Names with a shape: a b bt c v s i x3 u long weights"},
        ErrorCase{"rleu(a)", "rleu", "there is no function called rleu", "did you mean relu? Known: " + known()},
        ErrorCase{"nn.ReLU(a)", "ReLU", "there is no function called ReLU", "did you mean relu? Known: " + known()},
        ErrorCase{"torch.matmul(a, b)", "matmul", "there is no function called matmul", "write a @ b"},
        ErrorCase{"conv2d(a)", "conv2d", "there is no function called conv2d",
                  "known: " + known() + "; for a product write * or @"},
        ErrorCase{"relu + 1", "relu", "relu is a function: its brackets are missing", "write relu(a)"},
        ErrorCase{"a.relu", "relu", "relu is a function: its brackets are missing", "write relu(a) or a.relu()"},
        ErrorCase{"a.T()", "T", "T is not a function", "leave out the brackets: a.T"},
        ErrorCase{"torch.2", ".2", "an operator is missing between torch and .2",
                  "* multiplies elements, @ multiplies matrices"},
        ErrorCase{"a if b else c", "if", "if is a Python keyword that expressions do not support",
                  "use names, numbers, + - * / @ **, functions and indices"},
        ErrorCase{"a + None", "None", "None is not a value to compute with", "use None in an index: a[:, None]"}));

INSTANTIATE_TEST_SUITE_P(
    Words, ExpressionErrors,
    testing::Values(
        ErrorCase{"", "", "the expression is empty", "write one: relu(a @ b)"},
        ErrorCase{" \t", " ", "the expression is empty", "write one: relu(a @ b)"},
        ErrorCase{"relu a", "relu", "relu is a function: the brackets around its argument are missing",
                  "write relu(a)"},
        ErrorCase{"relu(a", "(", "this ( is never closed", "a ) is missing"},
        ErrorCase{"a[0", "[", "this [ is never closed", "a ] is missing"},
        ErrorCase{"(a))", ")", "this ) closes nothing", "leave it out, or put a ( before it"},
        ErrorCase{"(a]", "]", "] cannot close the ( before it", "write )"},
        ErrorCase{"()", "()", "the brackets are empty", "write an expression between them"},
        ErrorCase{"a[]", "[]", "the brackets are empty", "write a[0] or a[1:3]"},
        ErrorCase{"a @@ b", "@@", "@ appears twice", "write one @ for the matrix product: a @ b"},
        ErrorCase{"a @ @ b", "@", "a value is missing between @ and @",
                  "put a name, a number or an expression in brackets there"},
        ErrorCase{
            "a ** b", "**",
            "a is 256x128, b is 100x64: dimension -1 (counted from the last) is 128 and 64; the sizes must be equal, "
            "or one must be 1",
            "--shape b=256x128 would fit"},
        ErrorCase{"i ** -1", "-1", "an integer to a negative power is not an integer",
                  "write the exponent as a float: -1.0 for -1"},
        ErrorCase{"a * 0 ** -1", "**", "0 to a negative power divides by zero", "put a number other than 0 before **"},
        ErrorCase{"a * (-8) ** 0.5", "**", "a negative number to a fractional power is complex",
                  "complex numbers are not supported"},
        ErrorCase{"a * 10 ** 19", "**", "the result does not fit a 64-bit integer",
                  "write one of the numbers as a float: 2.0 for 2"},
        ErrorCase{"a^2", "^", "^ is not supported here", "write a ** 2 for a square, a.T for the transpose"},
        ErrorCase{"a'", "'", "' is not allowed here: expressions have no strings", "the transpose of a is a.T"},
        ErrorCase{"a b", "b", "an operator is missing between a and b", "* multiplies elements, @ multiplies matrices"},
        ErrorCase{"(a)(b)", "(", "an operator is missing between ) and (",
                  "* multiplies elements, @ multiplies matrices"},
        ErrorCase{"2a", "2a", "the number 2 and a name run together", "for a product write 2 * a"},
        ErrorCase{"a +", "+", "nothing follows +", "put a name, a number or an expression in brackets after it"},
        ErrorCase{"* a", "*", "there is nothing before *", "put a name or a number before it"},
        ErrorCase{"c = a", "=", "= assigns a name to a value, but an expression is only the value",
                  "leave out the name and the ="},
        ErrorCase{"a, b", ",", "a comma can only separate function arguments and indices",
                  "write one expression without the comma"},
        ErrorCase{"a < b", "<", "comparisons are not supported here", "relu(a) keeps the values greater than 0"},
        ErrorCase{"a & b", "&", "& is not supported here", "use + - * / @ ** ( ) [ ]"},
        ErrorCase{"a # b", "#", "# is not allowed here", "use names, numbers and + - * / @ ** ( ) [ ] : , ."},
        ErrorCase{"a[::-1]", "::-1", "the step of a slice is -1", "the step must be 1 or more"},
        ErrorCase{"a[1.5]", "1.5", "an index must be an integer, not 1.5", "leave out the decimal point"},
        ErrorCase{"a[v]", "v", "an index must be a number, not a tensor", "write it as a number, such as 0 or -1"},
        ErrorCase{"a[..., 0, ...]", "[..., 0, ...]", "... appears twice in an index",
                  "write it once, for all dimensions that are not named"},
        ErrorCase{"relu(a, 0)", "0", "relu takes one tensor and nothing else", "write relu(a)"},
        ErrorCase{"relu()", "relu", "relu() needs an argument", "write relu(a)"},
        ErrorCase{"sum(2)", "2", "2 is a number, but a tensor is needed here", "name a tensor"},
        ErrorCase{"sum(a, axis=0)", "axis", "sum has no argument called axis",
                  "write sum(a), sum(a, dim) or sum(a, dim, keepdim)"},
        ErrorCase{"sum(a, 0, dim=0)", "0", "dim is given twice", "give it once"},
        ErrorCase{"sum(a, 0, 1)", "1", "keepdim must be True or False", "write sum(a, 0, True)"},
        ErrorCase{"sum(a, keepdim=True)", "keepdim", "keepdim needs a dimension", "write dim=0, keepdim=True"},
        ErrorCase{"sum(a, 0, True, 1)", "1", "sum takes at most three arguments",
                  "write sum(a), sum(a, dim) or sum(a, dim, keepdim)"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, ExpressionErrors,
    testing::Values(
        ErrorCase{"max(a, 1)", "1",
                  "max over a dimension returns two tensors, values and indices, but an expression has one result",
                  "write amax(a, dim) for the values"},
        ErrorCase{"softmax(a)", "softmax", "softmax needs dim", "write softmax(a, dim)"},
        ErrorCase{"a.softmax(2)", "2", "a has 2 dimensions: there is no dimension 2", "dimensions go from -2 to 1"},
        ErrorCase{"gelu(a, approximate='fast')", "'fast'", "approximate must be 'none' or 'tanh'",
                  "write gelu(a) or gelu(a, approximate='tanh')"},
        ErrorCase{"gelu(i)", "gelu", "i is i64: only f16, bf16, f32 and f64 tensors are accepted",
                  "give it a floating-point type: --dtype f32"},
        ErrorCase{"layer_norm(a, 4)", "4", "normalized_shape must be a list of sizes",
                  "write [4], or [2, 4] for two dimensions"},
        ErrorCase{"F.layer_norm(a, [4])", "[4]", "a is 256x128: normalized_shape must equal its last sizes",
                  "write [128]"},
        ErrorCase{"linear(a, c)", "c", "c is 128x4, the input is 256x128: their last sizes must be equal",
                  "a weight is outputs x inputs"},
        ErrorCase{"maximum(a)", "maximum", "maximum needs other", "write maximum(a, b)"},
        ErrorCase{"maximum(a, 2)", "2", "2 is a number, but a tensor is needed here", "name a tensor"},
        ErrorCase{"maximum(a, b)", "b",
                  "b is 100x64 and the first argument is 256x128: they cannot be broadcast to common sizes",
                  "counted from the last dimension, the sizes must be equal, or one must be 1"},
        ErrorCase{"torch.nn.functional.sum(a)", "sum", "torch.nn.functional has no sum", "write torch.sum(a)"},
        ErrorCase{"a + 'tanh'", "'tanh'", "'tanh' is a string, not a value to compute with",
                  "strings can only be function arguments: gelu(a, approximate='tanh')"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, ExpressionErrors,
    testing::Values(
        ErrorCase{"2 * 3", "2 * 3", "the expression has only numbers and no tensor", "name a tensor: 2 * a"},
        ErrorCase{"2 @ 3", "@", "@ multiplies matrices, not numbers", "write * for numbers"},
        ErrorCase{"a * (1 / 0)", "/", "division by zero", "put a number other than 0 after /"},
        ErrorCase{"a + 9223372036854775808", "9223372036854775808", "9223372036854775808 does not fit a 64-bit integer",
                  "write 9223372036854775808.0 for a float"},
        ErrorCase{"9223372036854775807 * 2 * a", "*", "the result does not fit a 64-bit integer",
                  "write one of the numbers as a float: 2.0 for 2"},
        ErrorCase{"a * 1e999", "1e999", "1e999 is out of range for a double", "doubles go from 5e-324 to 1.7e308"},
        ErrorCase{"a * 007", "007", "007 begins with 0, which Python does not allow", "write 7"}));

INSTANTIATE_TEST_SUITE_P(
    Characters, ExpressionErrors,
    testing::Values(ErrorCase{"a × b", "×", "× is not an operator here", "write * for elements, @ for matrices"},
                    ErrorCase{"aᵀ", "ᵀ", "ᵀ is not an operator here", "write .T"},
                    ErrorCase{"a − b", "−", "− is not an operator here", "write -"},
                    ErrorCase{"a\u00a0@ b", "\u00a0", "the text contains a special space (U+00A0)",
                              "use an ordinary space"},
                    ErrorCase{"α + 1", "α", "the character U+03B1 is not allowed here",
                              "names consist of the letters a-z and A-Z, digits and _"},
                    ErrorCase{"a \U0001F600", "\U0001F600", "the character U+1F600 is not allowed here",
                              "names consist of the letters a-z and A-Z, digits and _"},
                    ErrorCase{"a \xff", "\xff", "the byte 0xff is not valid UTF-8",
                              "type the expression again with names, numbers and + - * / @ ** ( ) [ ]"},
                    ErrorCase{"a \xed\xa0\x80", "\xed", "the byte 0xed is not valid UTF-8",
                              "type the expression again with names, numbers and + - * / @ ** ( ) [ ]"},
                    ErrorCase{std::string("a\0b", 3), std::string(1, '\0'), "the character U+0000 is not allowed here",
                              "names consist of the letters a-z and A-Z, digits and _"}));

TEST(ExpressionError, MarksThePlaceUnderTheText) {
  EXPECT_EQ(expression_error("relu(a @ b)").text("relu(a @ b)"),
            "relu(a @ b)\n"
            "       ^\n"
            "a is 256x128, b is 100x64: the columns of a (128) and the rows of b (100) must be equal\n"
            "b needs 128 rows: --shape b=128x64");
  EXPECT_EQ(expression_error("wieghts").text("wieghts").substr(0, 16), "wieghts\n^~~~~~~\n");
  EXPECT_EQ((ExpressionError{2, 1, "m", ""}.text("a\nb")), "a b\n  ^\nm") << "one line, and no empty hint";
  EXPECT_EQ((ExpressionError{3, 1, "m", ""}.text("é b")), "é b\n  ^\nm") << "columns are characters, not bytes";
  EXPECT_EQ((ExpressionError{4, 1, "m", ""}.text("\xff\u202e b")), "?? b\n  ^\nm") << "nothing that tears the line";
  EXPECT_EQ((ExpressionError{9, 5, "m", ""}.text("a")), "a\n ^\nm") << "behind the end";
}

TEST(ExpressionError, ShowsAPieceOfALongText) {
  const std::string text = std::string(500, '(') + "a" + std::string(500, ')');
  const std::string shown = ExpressionError{500, 400, "m", ""}.text(text);
  EXPECT_EQ(shown, "..." + std::string(60, '(') + "a" + std::string(43, ')') + "...\n" + std::string(63, ' ') + "^" +
                       std::string(43, '~') + "\nm");
}

TEST(Expression, TooLongOrTooDeepIsRefused) {
  const auto good = [](const std::string& text) { return std::holds_alternative<Expression>(Expression::parse(text)); };
  const auto nested = [](int times, const std::string& open, const std::string& close) {
    std::string text = "a";
    for (int i = 0; i < times; ++i) text = open + text + close;
    return text;
  };
  for (const auto& [open, close] : {std::pair{"(", ")"}, std::pair{"-", ""}, std::pair{"relu(", ")"},
                                    std::pair{"", ".T"}, std::pair{"", "+a"}, std::pair{"", "[0]"}}) {
    EXPECT_TRUE(good(nested(199, open, close))) << open << close;
    EXPECT_FALSE(good(nested(201, open, close))) << open << close;
    EXPECT_EQ(expression_error(nested(1500, open, close)).message, "more than 200 operations or brackets are nested");
  }
  EXPECT_TRUE(good(std::string(9999, ' ') + "a"));
  EXPECT_EQ(expression_error(std::string(10000, ' ') + "a").message, "the expression has 10001 characters");
}

// The time would double with each power if exponents were checked twice.
TEST(Expression, NestedPowersOfIntegersAreCheckedInLinearTime) {
  std::string text = "i";
  for (int i = 0; i < 150; ++i) text += " ** i";
  const auto result = check(std::get<Expression>(Expression::parse(text)), {{"i", DType::i32, {2, 3}}});
  EXPECT_TRUE(std::holds_alternative<Variable>(result));
}

TEST(Expression, WithoutAnyShapeTheHintSaysHow) {
  const auto result = check(std::get<Expression>(Expression::parse("a")), {});
  EXPECT_EQ(std::get<ExpressionError>(result).hint, "give it one: --shape a=256x128");
}

}  // namespace
}  // namespace warpwalk::ops

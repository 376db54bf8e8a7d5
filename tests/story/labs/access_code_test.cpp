// The code that labs show beside their pictures: its expressions, evaluated as C does, give the addresses and the
// paths.
#include "core/story/labs/warp/access_code.h"

#include <cctype>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpwalk::story::testing {
namespace {

// An expression of C over integers: numbers, variables, parentheses and the operators that the labs use.
class Expression {
 public:
  Expression(std::string_view text, const std::map<std::string, std::int64_t>& variables)
      : text_(text), variables_(variables) {}
  std::int64_t value() {
    const std::int64_t all = exclusive();
    EXPECT_EQ(at_, text_.size()) << text_;
    return all;
  }

 private:
  std::string_view ahead() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return std::string_view(text_).substr(at_);
  }
  bool take(std::string_view sign) {
    if (!ahead().starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  std::int64_t exclusive() {
    std::int64_t left = equal();
    while (take("^")) left ^= equal();
    return left;
  }
  std::int64_t equal() {
    const std::int64_t left = sum();
    if (take("==")) return left == sum() ? 1 : 0;
    if (take("<")) return left < sum() ? 1 : 0;
    return left;
  }
  std::int64_t sum() {
    std::int64_t left = product();
    while (true) {
      if (take("+"))
        left += product();
      else if (take("-"))
        left -= product();
      else
        return left;
    }
  }
  std::int64_t product() {
    std::int64_t left = one();
    while (true) {
      if (take("*"))
        left *= one();
      else if (take("/"))
        left /= one();
      else if (take("%"))
        left %= one();
      else
        return left;
    }
  }
  std::int64_t one() {
    if (take("(")) {
      const std::int64_t inner = exclusive();
      EXPECT_TRUE(take(")")) << text_;
      return inner;
    }
    std::string word;
    for (const char c : ahead()) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) break;
      word += c;
    }
    at_ += word.size();
    EXPECT_FALSE(word.empty()) << text_ << " at " << at_;
    if (word.empty()) return 0;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) return std::stoll(word);
    return variables_.at(word);
  }

  std::string text_;
  const std::map<std::string, std::int64_t>& variables_;
  std::size_t at_ = 0;
};

std::int64_t evaluated(std::string_view text, std::int64_t lane) {
  return Expression(text, {{"lane", lane}, {"warp", 0}}).value();
}

// The part of the line between two texts.
std::string between(const std::string& line, std::string_view before, std::string_view after) {
  const std::size_t from = line.find(before) + before.size(), to = line.rfind(after);
  EXPECT_TRUE(line.find(before) != std::string::npos && to != std::string::npos && from <= to) << line;
  return line.substr(from, to - from);
}

TEST(AccessCode, TheIndexIsTheElementOfEachLane) {
  for (const LaneOrder order :
       {LaneOrder::in_order, LaneOrder::reversed, LaneOrder::swapped, LaneOrder::shuffled, LaneOrder::broadcast})
    for (const std::int64_t stride : {0, 1, 2, 33})
      for (const std::int64_t offset : {0, 5}) {
        const GlobalAccess access = {.stride = stride, .offset = offset, .order = order};
        const LabCode code = access_code(access);
        const std::string index = between(code.lines.at(code.lit.at(0) - 1), "int i = ", ";");
        for (std::int64_t lane = 0; lane < 32; ++lane) EXPECT_EQ(evaluated(index, lane), access.element(lane)) << index;
        EXPECT_EQ(code.lines.at(code.lit[0]), "float value = a[i];");
      }
}

TEST(AccessCode, StructuresLieAsTheirDeclarationSays) {
  GlobalAccess access = {.layout = DataLayout::structures, .fields = 3};
  LabCode code = access_code(access);
  EXPECT_EQ(code.lines.front(), "struct Point { float x, y, z; };  Point* p;");
  EXPECT_EQ(code.lines.back(), "float value = p[i].x;");
  struct Point {
    float x, y, z;
  };
  EXPECT_EQ(access.element_bytes(), static_cast<std::int64_t>(sizeof(Point)));
  EXPECT_EQ(global_pattern(access).at[5], 5 * sizeof(Point));
  EXPECT_EQ(address_text(access, 5), "12 * 5 = 60");
  access.layout = DataLayout::fields;
  code = access_code(access);
  EXPECT_EQ(code.lines.front(), "struct { float *x, *y, *z; } p;");
  EXPECT_EQ(code.lines.back(), "float value = p.x[i];");
  EXPECT_EQ(global_pattern(access).at[5], 5 * sizeof(float));
  EXPECT_EQ(access_code({.bytes = 16}).lines.back(), "float4 value = a[i];");
}

TEST(TileCode, ItsIndicesGiveTheOffsetsOfTheTile) {
  for (const TileWalk walk : {TileWalk::row, TileWalk::column, TileWalk::diagonal, TileWalk::pairs, TileWalk::element})
    for (const bool swizzled : {false, true})
      for (const std::int64_t padding : {0, 1})
        for (const std::int64_t which : {0, 3, 31}) {
          const TileLayout layout = {4, padding, swizzled};
          const LabCode code = tile_code(layout, walk, which);
          EXPECT_EQ(code.lines.front(), fmt::format("__shared__ float tile[32][{}];", 32 + padding));
          const std::string row = between(code.lines.at(2), "tile[", "]["),
                            column = between(code.lines.at(2), "][", "];");
          const LanePattern pattern = tile_pattern(layout, walk, which);
          for (std::int64_t lane = 0; lane < 32; ++lane)
            EXPECT_EQ(static_cast<std::uint64_t>(4 * (evaluated(row, lane) * (32 + padding) + evaluated(column, lane))),
                      pattern.at[static_cast<std::size_t>(lane)])
                << code.lines[2] << " lane " << lane;
        }
  const TileLayout swizzled = {4, 1, true};
  const std::string address = address_text(swizzled, 5, 3);
  EXPECT_EQ(address, "(5 * 33 + (3 ^ 5)) * 4 = 684");
  EXPECT_EQ(evaluated(address.substr(0, address.find(" =")), 0), 684);
}

TEST(MaskCode, ALaneLightsThePathThatItsConditionTakes) {
  using Shape = MaskProgram::Shape;
  using Condition = MaskProgram::Condition;
  for (const Condition condition : {Condition::first_lanes, Condition::every_nth, Condition::by_warp})
    for (const int split : {1, 5, 16, 32})
      for (int lane = 0; lane < 32; ++lane) {
        const LabCode branch = mask_code({Shape::two_sided, condition, split, 8}, lane);
        const bool taken = evaluated(between(branch.lines.at(1), "if (", ")"), lane) != 0;
        EXPECT_EQ(branch.lit, (std::vector<std::size_t>{1, taken ? 2u : 4u})) << branch.lines[1] << " lane " << lane;
        if (condition == Condition::by_warp) continue;
        const LabCode cases = mask_code({Shape::cases, condition, split, 8}, lane);
        const std::int64_t own = evaluated(between(cases.lines.at(1), "switch (", ") {"), lane);
        EXPECT_EQ(cases.lines.at(cases.lit.at(1)).find(fmt::format("  case {}:", own)), 0u);
        const MaskProgram loop = {Shape::loop, condition, split, 8};
        EXPECT_EQ(evaluated(between(mask_code(loop, lane).lines.at(1), "int trips = ", ";"), lane), way_of(loop, lane));
        EXPECT_EQ(condition_text(loop, lane).substr(condition_text(loop, lane).rfind(' ') + 1),
                  fmt::to_string(way_of(loop, lane)));
      }
  EXPECT_EQ(condition_text({Shape::one_sided, Condition::first_lanes, 16, 8}, 20), "20 < 16");
  EXPECT_EQ(condition_text({Shape::cases, Condition::every_nth, 8, 8}, 20), "20 % 8 = 4");
}

}  // namespace
}  // namespace warpwalk::story::testing

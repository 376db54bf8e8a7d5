#include "core/base/result.h"

#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{"is odd"};
  return number / 2;
}

Result<std::string> half_as_text(int number) {
  const Result<int> made = half(number);
  if (!made) return Error{std::to_string(number) + ": " + made.error()};
  return std::to_string(*made);
}

Result<void> check_even(int number) {
  if (number % 2 != 0) return Error{"is odd"};
  return {};
}

TEST(Result, IsAValueOrAnError) {
  ASSERT_TRUE(half(6));
  EXPECT_EQ(*half(6), 3);
  ASSERT_FALSE(half(5));
  EXPECT_EQ(half(5).error(), "is odd");
}

TEST(Result, ATextIsNoError) {
  ASSERT_TRUE(half_as_text(6));
  EXPECT_EQ(*half_as_text(6), "3");
  EXPECT_EQ(half_as_text(6)->size(), 1u);
  ASSERT_FALSE(half_as_text(5));
  EXPECT_EQ(half_as_text(5).error(), "5: is odd");
}

TEST(Result, OfNothing) {
  EXPECT_TRUE(check_even(6));
  ASSERT_FALSE(check_even(5));
  EXPECT_EQ(check_even(5).error(), "is odd");
}

TEST(Result, ItsValueCanBeMovedChangedAndConverted) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(1);
  **made = 2;
  const std::unique_ptr<int> taken = *std::move(made);
  EXPECT_EQ(*taken, 2);
  Result<std::vector<int>> list = std::vector<int>{1};
  list->push_back(2);
  EXPECT_EQ(*list, (std::vector<int>{1, 2}));
  const Result<std::shared_ptr<const int>> shared = std::make_shared<int>(3);
  EXPECT_EQ(**shared, 3);
  static_assert(!std::is_convertible_v<std::string, Result<int>>);
  static_assert(!std::is_convertible_v<Result<int>, bool>);
}

TEST(Result, WhatItDoesNotHoldIsRefused) {
  const auto value_of_error = [] { return *half(5); };
  const auto error_of_value = [] { return half(6).error(); };
  const auto error_of_success = [] { return check_even(6).error(); };
  EXPECT_THROW(value_of_error(), std::bad_variant_access);
  EXPECT_THROW(error_of_value(), std::bad_variant_access);
  EXPECT_THROW(error_of_success(), std::bad_optional_access);
}

}  // namespace
}  // namespace warpwalk::base

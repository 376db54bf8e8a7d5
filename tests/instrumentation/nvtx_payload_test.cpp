// Payloads that NVTX programs attach to ranges, decoded by the schemas that they register.
#include "instrumentation/inject/nvtx_payload.h"

#include <bit>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

const int a_domain = 0, other_domain = 0;
constexpr std::uint64_t reduce_number = nvtx::static_schemas + 5, operation_number = nvtx::static_schemas + 24;

// NCCL's payload of ncclAllReduce.
struct AllReduce {
  std::uint64_t communicator;
  std::size_t bytes;
  int operation;
};

nvtx::SchemaField field(std::uint64_t type, const char* name, std::uint64_t offset = 0, std::uint64_t flags = 0,
                        std::uint64_t length = 0) {
  return {flags, type, name, nullptr, length, offset, nullptr, nullptr};
}

std::uint64_t add(PayloadSchemas& schemas, const std::vector<nvtx::SchemaField>& fields, std::uint64_t number = 0,
                  std::size_t size = 0) {
  nvtx::Schema schema{};
  schema.given = nvtx::schema_fields_given | nvtx::schema_count_given | (number != 0 ? nvtx::schema_id_given : 0) |
                 (size != 0 ? nvtx::schema_size_given : 0);
  schema.fields = fields.data(), schema.field_count = fields.size(), schema.id = number, schema.size = size;
  return schemas.add(&a_domain, &schema);
}

void add_operations(PayloadSchemas& schemas) {
  const nvtx::EnumValue values[] = {{"Sum", 0, 0}, {"Product", 1, 0}, {"Max", 2, 0}};
  nvtx::Enum operations{};
  operations.given = nvtx::enum_values_given | nvtx::enum_count_given | nvtx::enum_size_given | nvtx::enum_id_given;
  operations.values = values, operations.value_count = 3, operations.size = sizeof(int),
  operations.id = operation_number;
  EXPECT_EQ(schemas.add_enum(&a_domain, &operations), operation_number);
}

// "key=value" of each field.
std::vector<std::string> decoded(const PayloadSchemas& schemas, std::uint64_t schema, const void* payload,
                                 std::size_t size, const void* domain = &a_domain) {
  const nvtx::PayloadData data = {schema, size, payload};
  std::vector<std::string> out;
  for (const PayloadField& one : schemas.decode(domain, &data, 1).fields) {
    std::string text = std::string(one.key) + "=";
    if (one.kind == PayloadRow::words) text += one.text;
    if (one.kind == PayloadRow::unsigned_number) text += std::to_string(one.value);
    if (one.kind == PayloadRow::signed_number) text += std::to_string(static_cast<std::int64_t>(one.value));
    if (one.kind == PayloadRow::real_number) text += std::to_string(std::bit_cast<double>(one.value));
    out.push_back(text);
  }
  return out;
}

using Fields = std::vector<std::string>;

TEST(NvtxPayload, ACollectiveOfNccl) {
  PayloadSchemas schemas;
  // The schema may come before the enumeration that it refers to.
  EXPECT_EQ(add(schemas,
                {field(nvtx::type_uint64, "NCCL communicator ID"),
                 field(nvtx::type_size, "Message size [bytes]", offsetof(AllReduce, bytes)),
                 field(operation_number, "Reduction operation", offsetof(AllReduce, operation))},
                reduce_number, sizeof(AllReduce)),
            reduce_number);
  add_operations(schemas);
  const AllReduce payload = {0xfedcba9876543210, 4199424, 2};
  const Fields expected = {"NCCL communicator ID=18364758544493064720", "Message size [bytes]=4199424",
                           "Reduction operation=Max"};
  EXPECT_EQ(decoded(schemas, reduce_number, &payload, sizeof payload), expected);
  EXPECT_EQ(decoded(schemas, reduce_number, &payload, std::numeric_limits<std::size_t>::max()), expected)
      << "the schema has the size";
  const AllReduce own_operation = {1, 2, 77};
  EXPECT_EQ(decoded(schemas, reduce_number, &own_operation, sizeof payload).back(), "Reduction operation=77");
  EXPECT_EQ(decoded(schemas, reduce_number, &payload, sizeof payload, &other_domain), Fields{})
      << "numbers are those of a domain";
}

TEST(NvtxPayload, FieldsWithoutOffsetsFollowEachOtherAsInAStruct) {
  struct Mixed {
    signed char small;
    double real;
    short number;
    char name[6];
    float narrow;
    const char* text;
    int last;
  };
  PayloadSchemas schemas;
  const std::uint64_t number = add(
      schemas, {field(nvtx::type_int8, "small"), field(nvtx::type_double, "real"), field(nvtx::type_short, "number"),
                field(nvtx::type_string, "name", 0, 0, 6), field(nvtx::type_float, "narrow"),
                field(nvtx::type_string, "text", 0, nvtx::field_is_pointer), field(nvtx::type_int32, "last")});
  EXPECT_GT(number, nvtx::dynamic_schemas);
  const Mixed payload = {-3, 2.5, -1234, "abcde", 0.5f, "outside", -7};
  EXPECT_EQ(decoded(schemas, number, &payload, sizeof payload),
            (Fields{"small=-3", "real=2.500000", "number=-1234", "name=abcde", "narrow=0.500000", "text=outside",
                    "last=-7"}));
}

TEST(NvtxPayload, WhatCannotBeDecodedIsLeftOut) {
  PayloadSchemas schemas;
  const std::uint64_t number =
      add(schemas, {field(nvtx::type_int, "before"), field(nvtx::type_int, "array", 4, nvtx::field_is_fixed_array, 3),
                    field(nvtx::type_int, "after the array"), field(12345678, "of an unknown type", 20),
                    field(nvtx::type_int, "nobody knows where"), field(nvtx::type_int, "with an offset", 28)});
  const int payload[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(decoded(schemas, number, payload, sizeof payload),
            (Fields{"before=1", "after the array=5", "with an offset=8"}));
  EXPECT_EQ(decoded(schemas, number, payload, 20), (Fields{"before=1", "after the array=5"})) << "no byte beyond";
  EXPECT_EQ(decoded(schemas, number, payload, 18), Fields{"before=1"});
  EXPECT_EQ(decoded(schemas, number, nullptr, 18), Fields{});
  EXPECT_EQ(decoded(schemas, number + 1, payload, sizeof payload), Fields{}) << "an unknown schema";
  EXPECT_EQ(schemas.add(&a_domain, nullptr), 0u);
  const nvtx::Schema empty{};
  EXPECT_EQ(schemas.add(&a_domain, &empty), 0u);
}

TEST(NvtxPayload, PointersAndArraysAreAlignedAsInAStruct) {
  struct Pointing {
    int before;
    const int* numbers;
    char small;
    int operations[3];
    int last;
  };
  PayloadSchemas schemas;
  add_operations(schemas);
  const std::uint64_t number =
      add(schemas,
          {field(nvtx::type_int, "before"), field(nvtx::type_int, "numbers", 0, nvtx::field_is_pointer),
           field(nvtx::type_char, "small"), field(operation_number, "operations", 0, nvtx::field_is_fixed_array, 3),
           field(nvtx::type_int, "last")});
  const Pointing payload = {1, &payload.before, 2, {0, 1, 2}, 3};
  EXPECT_EQ(decoded(schemas, number, &payload, sizeof payload), (Fields{"before=1", "small=2", "last=3"}));
}

TEST(NvtxPayload, TextsBehindPointersEndWhereTheSchemaSays) {
  struct Texts {
    const char* fixed;
    const char* counted;
    const void* handle;
  };
  PayloadSchemas schemas;
  constexpr std::uint64_t length_in_another_field = 3 << 4;
  const std::uint64_t number =
      add(schemas, {field(nvtx::type_string, "fixed", 0, nvtx::field_is_pointer | nvtx::field_is_fixed_array, 3),
                    field(nvtx::type_string, "counted", 0, nvtx::field_is_pointer | length_in_another_field, 0),
                    field(nvtx::type_registered_string, "address of a handle", 0, nvtx::field_is_pointer)});
  const char no_end[3] = {'a', 'b', 'c'};
  const void* const handle = nullptr;
  const Texts payload = {no_end, no_end, &handle};
  EXPECT_EQ(decoded(schemas, number, &payload, sizeof payload), Fields{"fixed=abc"});
}

TEST(NvtxPayload, SchemasThatMakeNoSense) {
  PayloadSchemas schemas;
  const nvtx::EnumValue values[] = {{"Sum", 0, 0}};
  nvtx::Enum empty{};
  empty.given = nvtx::enum_values_given | nvtx::enum_count_given | nvtx::enum_size_given | nvtx::enum_id_given;
  empty.values = values, empty.value_count = 1, empty.size = 0, empty.id = operation_number;
  EXPECT_EQ(schemas.add_enum(&a_domain, &empty), 0u) << "values of no size";
  const int payload[2] = {1, 2};
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max() - 2;
  const std::uint64_t number =
      add(schemas, {field(nvtx::type_int, "first"), field(operation_number, "empty", 0, nvtx::field_is_fixed_array, 4),
                    field(nvtx::type_int8, "far away", huge), field(nvtx::type_int, "after the end of memory")});
  EXPECT_EQ(decoded(schemas, number, payload, sizeof payload), Fields{"first=1"});
  // All fields of a union are at its beginning; which one is there is not known.
  const std::vector<nvtx::SchemaField> fields = {field(nvtx::type_int, "a"), field(nvtx::type_int, "b")};
  nvtx::Schema one_of{};
  one_of.given = nvtx::schema_type_given | nvtx::schema_fields_given | nvtx::schema_count_given;
  one_of.type = nvtx::union_schema, one_of.fields = fields.data(), one_of.field_count = fields.size();
  const std::uint64_t unknown = schemas.add(&a_domain, &one_of);
  EXPECT_GT(unknown, nvtx::dynamic_schemas);
  EXPECT_EQ(decoded(schemas, unknown, payload, sizeof payload), Fields{});
}

TEST(NvtxPayload, ValuesWithoutASchemaAndMessages) {
  PayloadSchemas schemas;
  const std::uint32_t value = 40;
  EXPECT_EQ(decoded(schemas, nvtx::type_uint32, &value, sizeof value), Fields{"payload=40"});
  EXPECT_EQ(decoded(schemas, nvtx::type_uint32, &value, 2), Fields{}) << "too short";
  EXPECT_EQ(decoded(schemas, nvtx::type_string, "words", 6), Fields{"payload=words"});
  const std::string registered = "the name";  // nvtx_tool.cpp gives the program pointers to such strings
  struct Named {
    const void* name;
    int value;
  } const payload = {&registered, 3};
  const std::uint64_t number = add(
      schemas, {field(nvtx::type_registered_string, "m", 0, nvtx::field_is_message), field(nvtx::type_int, "value")});
  const nvtx::PayloadData data = {number, sizeof payload, &payload};
  EXPECT_EQ(schemas.decode(&a_domain, &data, 1).message, "the name");
  EXPECT_EQ(decoded(schemas, number, &payload, sizeof payload), Fields{"value=3"});
}

}  // namespace
}  // namespace warpwalk::instrumentation

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::ops {

/// Element types. Tensors use f16, bf16, f32, f64, i32 and i64; launch files can use all of them.
enum class DType : std::uint8_t { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

inline constexpr std::array all_dtypes = {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8,  DType::i16,
                                          DType::i32, DType::i64,  DType::u8,  DType::u16, DType::u32, DType::u64};
/// For messages that list them.
inline constexpr std::string_view dtype_names = "f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64";

std::string_view name_of(DType dtype);
std::optional<DType> dtype_of(std::string_view name);
/// Of one element.
std::size_t bytes_of(DType dtype);
bool is_float(DType dtype);
bool is_signed(DType dtype);  ///< i8 to i64

/// The bits of a floating-point value of this type, rounded to nearest, ties to even; too large becomes infinity.
std::uint64_t float_bits(DType dtype, double value);
/// The value of a floating-point type's bits, exactly.
double float_value(DType dtype, std::uint64_t bits);

/// The bits of the element at this address, in the low bytes.
std::uint64_t load_bits(DType dtype, const std::uint8_t* element);
/// An element for people: the shortest decimal that reads back, "nan", "-inf".
std::string text_of(DType dtype, std::uint64_t bits);

}  // namespace warpwalk::ops

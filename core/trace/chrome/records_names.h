#pragma once

#include <string_view>

#include "core/trace/records.h"

namespace warpwalk::trace {

constexpr std::string_view name_of(KernelArgument::Kind kind) {
  return kind == KernelArgument::Kind::scalar ? "scalar" : "pointer";
}

constexpr std::string_view name_of(InitialBuffer::Kind kind) {
  switch (kind) {
    case InitialBuffer::Kind::fill: return "fill";
    case InitialBuffer::Kind::iota: return "iota";
    case InitialBuffer::Kind::random: return "random";
    case InitialBuffer::Kind::bytes: return "bytes";
    case InitialBuffer::Kind::digest: return "digest";
    case InitialBuffer::Kind::produced: return "produced";
  }
  return "";
}

constexpr std::string_view name_of(MemoryRange::Content content) {
  switch (content) {
    case MemoryRange::Content::bytes: return "bytes";
    case MemoryRange::Content::seed: return "seed";
    case MemoryRange::Content::unwritten: return "unwritten";
  }
  return "";
}

/// Bytes per element, or 0 if the name is not a dtype of the launch file.
constexpr std::size_t dtype_bytes(std::string_view dtype) {
  if (dtype == "i8" || dtype == "u8") return 1;
  if (dtype == "f16" || dtype == "bf16" || dtype == "i16" || dtype == "u16") return 2;
  if (dtype == "f32" || dtype == "i32" || dtype == "u32") return 4;
  if (dtype == "f64" || dtype == "i64" || dtype == "u64") return 8;
  return 0;
}

}  // namespace warpwalk::trace

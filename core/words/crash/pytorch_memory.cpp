#include "core/words/crash/pytorch_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/base/exact_json.h"
#include "core/base/quantity_text.h"
#include "core/platform/read_file.h"
#include "core/words/crash/crash_names.h"

namespace warpwalk::words {
namespace {

std::uint64_t number(const rapidjson::Value& object, const char* key) {
  const auto member = object.FindMember(key);
  return member != object.MemberEnd() && member->value.IsUint64() ? member->value.GetUint64() : 0;
}

std::string text_of(const rapidjson::Value& object, const char* key) {
  const auto member = object.FindMember(key);
  return member != object.MemberEnd() && member->value.IsString() ? member->value.GetString() : "";
}

/// The objects of a list; none if it is missing.
std::vector<const rapidjson::Value*> objects(const rapidjson::Value& object, const char* key) {
  std::vector<const rapidjson::Value*> found;
  const auto member = object.FindMember(key);
  if (member == object.MemberEnd() || !member->value.IsArray()) return found;
  for (const rapidjson::Value& one : member->value.GetArray())
    if (one.IsObject()) found.push_back(&one);
  return found;
}

std::vector<std::int64_t> numbers(const rapidjson::Value& object, const char* key) {
  std::vector<std::int64_t> found;
  const auto member = object.FindMember(key);
  if (member == object.MemberEnd() || !member->value.IsArray()) return found;
  for (const rapidjson::Value& one : member->value.GetArray()) found.push_back(one.IsInt64() ? one.GetInt64() : 0);
  return found;
}

/// The strides of a tensor without gaps, the last dimension innermost.
std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;)
    if (__builtin_mul_overflow(strides[i], shape[i], &strides[i - 1])) return {};
  return strides;
}

}  // namespace

std::uint64_t DumpTensor::span_bytes() const {
  std::uint64_t last = 0;  // element
  for (std::size_t i = 0; i < std::min(shape.size(), strides.size()); ++i) {
    if (shape[i] <= 0) return 0;
    std::uint64_t along = 0;
    if (strides[i] < 0 ||
        __builtin_mul_overflow(static_cast<std::uint64_t>(shape[i] - 1), static_cast<std::uint64_t>(strides[i]),
                               &along) ||
        __builtin_add_overflow(last, along, &last))
      return 0;
  }
  std::uint64_t bytes = 0;
  return last == UINT64_MAX || __builtin_mul_overflow(last + 1, element_bytes, &bytes) ? 0 : bytes;
}

base::Result<PytorchMemory> read_pytorch_memory(const std::filesystem::path& file) {
  const auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  rapidjson::Document document;
  if (base::parse_exact(text->text, document).IsError() || !document.IsObject())
    return base::Error{fmt::format("{}: does not hold PyTorch's segments of memory and tensors", file.string())};
  PytorchMemory found;
  for (const rapidjson::Value* const segment : objects(document, "segments")) {
    std::uint64_t at = number(*segment, "address");
    for (const rapidjson::Value* const block : objects(*segment, "blocks")) {
      found.blocks.push_back({at, number(*block, "bytes"), number(*block, "wanted"), text_of(*block, "state")});
      at += found.blocks.back().bytes;
    }
  }
  for (const rapidjson::Value* const tensor : objects(document, "tensors"))
    found.tensors.push_back({number(*tensor, "address"), text_of(*tensor, "name"), text_of(*tensor, "dtype"),
                             numbers(*tensor, "shape"), numbers(*tensor, "strides"), number(*tensor, "bytes")});
  std::ranges::sort(found.blocks, {}, &AllocatorBlock::address);
  std::ranges::stable_sort(found.tensors, {},
                           [](const DumpTensor& tensor) { return std::pair(tensor.address, tensor.name.empty()); });
  return found;
}

const AllocatorBlock* block_at(const PytorchMemory& memory, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(memory.blocks, address, {}, &AllocatorBlock::address);
  if (after == memory.blocks.begin()) return nullptr;
  const AllocatorBlock& block = *std::prev(after);
  return address - block.address < block.bytes ? &block : nullptr;
}

const DumpTensor* tensor_at(const PytorchMemory& memory, std::uint64_t address) {
  const DumpTensor* best = nullptr;
  for (const DumpTensor& tensor : memory.tensors) {
    if (tensor.address == address) return &tensor;
    const std::uint64_t bytes = tensor.span_bytes();
    if (address > tensor.address && address - tensor.address < bytes && (best == nullptr || bytes < best->span_bytes()))
      best = &tensor;
  }
  return best;
}

std::string block_text(const AllocatorBlock& block) {
  const auto bytes = [](std::uint64_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); };
  const bool in_use = block.state == "active_allocated";
  return fmt::format("a block of PyTorch's allocator, {} B at {}, {}", bytes(in_use ? block.wanted : block.bytes),
                     address_text(block.address),
                     in_use                      ? "in use"
                     : block.state == "inactive" ? "free"
                                                 : "freed, while a stream still uses it");
}

std::string tensor_text(const DumpTensor& tensor) {
  return fmt::format("{}{} [{}]{}", tensor.name.empty() ? "" : "`" + tensor.name + "`, ", tensor.dtype,
                     fmt::join(tensor.shape, ", "),
                     tensor.strides == contiguous_strides(tensor.shape)
                         ? ""
                         : fmt::format(", strides [{}]", fmt::join(tensor.strides, ", ")));
}

}  // namespace warpwalk::words

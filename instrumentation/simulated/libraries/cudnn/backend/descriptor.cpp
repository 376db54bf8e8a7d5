#include "instrumentation/simulated/libraries/cudnn/backend/descriptor.h"

#include <algorithm>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/descriptors.h"

namespace warpwalk::simulated::libraries {
namespace {

bool is_valid(AttributeType type) {
  return static_cast<int>(type) >= 0 && static_cast<int>(type) < static_cast<int>(AttributeType::count);
}

}  // namespace

std::size_t bytes_of(AttributeType type) {
  switch (static_cast<int>(type)) {
    case 2:             // CUDNN_TYPE_BOOLEAN
    case 24: return 1;  // CUDNN_TYPE_CHAR
    case 0:             // handles, int64, double, pointers
    case 3:
    case 5:
    case 6: return 8;
    case 26: return 16;  // CUDNN_TYPE_FRACTION
    default: return is_valid(type) ? 4 : 0;
  }
}

void BackendContents::set_numbers(Attribute name, AttributeType type, const std::vector<std::int64_t>& numbers) {
  Value& value = values[name];
  const std::size_t size = bytes_of(type);
  value = {type, static_cast<std::int64_t>(numbers.size()), std::vector<std::uint8_t>(numbers.size() * size), {}};
  // x86-64 and AArch64 have the low bytes first.
  for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(value.bytes.data() + i * size, &numbers[i], size);
}

void BackendContents::set_contents(Attribute name, std::vector<std::shared_ptr<const BackendContents>> contents) {
  const auto count = static_cast<std::int64_t>(contents.size());
  values[name] = {AttributeType::descriptor, count, {}, std::move(contents)};
}

double BackendContents::number(Attribute name, double otherwise) const {
  const auto found = values.find(name);
  if (found == values.end()) return otherwise;
  return found->second.type == AttributeType::f64 ? one<double>(name, otherwise)
                                                  : one<float>(name, static_cast<float>(otherwise));
}

const BackendContents* BackendContents::descriptor(Attribute name) const {
  const auto found = values.find(name);
  return found == values.end() || found->second.contents.empty() ? nullptr : found->second.contents[0].get();
}

extern "C" {

DnnStatus cudnnBackendCreateDescriptor(BackendKind kind, BackendDescriptor** descriptor) {
  if (static_cast<int>(kind) < 0 || kind >= BackendKind::count) return DnnStatus::not_supported;
  const DnnStatus status = create_descriptor(descriptor);
  if (status != DnnStatus::success) return status;
  (*descriptor)->contents = std::make_shared<BackendContents>();
  (*descriptor)->contents->kind = kind;
  return DnnStatus::success;
}

DnnStatus cudnnBackendDestroyDescriptor(BackendDescriptor* descriptor) { return destroy_descriptor(descriptor); }

DnnStatus cudnnBackendSetAttribute(BackendDescriptor* descriptor, Attribute name, AttributeType type,
                                   std::int64_t count, const void* elements) {
  if (descriptor == nullptr || (elements == nullptr && count > 0)) return DnnStatus::bad_param_null_pointer;
  if (descriptor->finalized) return DnnStatus::not_initialized;
  if (!is_valid(type)) return DnnStatus::bad_param_attribute_type;
  if (count < 0) return DnnStatus::bad_param;
  BackendContents::Value value{type, count, {}, {}};
  if (type == AttributeType::descriptor) {
    const auto* const others = static_cast<const BackendDescriptor* const*>(elements);
    for (std::int64_t i = 0; i < count; ++i) {
      if (others[i] == nullptr) return DnnStatus::bad_param_null_pointer;
      if (!others[i]->finalized) return DnnStatus::bad_param_not_finalized;
      value.contents.push_back(others[i]->contents);
    }
  } else {
    const auto* const bytes = static_cast<const std::uint8_t*>(elements);
    value.bytes.assign(bytes, bytes + static_cast<std::size_t>(count) * bytes_of(type));
  }
  descriptor->contents->values[name] = std::move(value);
  return DnnStatus::success;
}

DnnStatus cudnnBackendFinalize(BackendDescriptor* descriptor) {
  if (descriptor == nullptr) return DnnStatus::bad_param_null_pointer;
  if (descriptor->finalized) return DnnStatus::success;
  return guarded<DnnStatus>("cudnnBackendFinalize", DnnStatus::host_allocation_failed, [&] {
    const DnnStatus status = finalize_contents(*descriptor->contents);
    descriptor->finalized = status == DnnStatus::success;
    return status;
  });
}

DnnStatus cudnnBackendGetAttribute(const BackendDescriptor* descriptor, Attribute name, AttributeType type,
                                   std::int64_t requested, std::int64_t* count, void* elements) {
  if (descriptor == nullptr) return DnnStatus::bad_param_null_pointer;
  if (!descriptor->finalized) return DnnStatus::bad_param_not_finalized;
  const auto found = descriptor->contents->values.find(name);
  if (found == descriptor->contents->values.end()) return DnnStatus::not_supported;
  const BackendContents::Value& value = found->second;
  if (value.type != type) return DnnStatus::bad_param_attribute_type;
  if (count != nullptr) *count = value.count;
  if (elements == nullptr) return DnnStatus::success;
  const std::int64_t given = std::clamp<std::int64_t>(requested, 0, value.count);
  if (type != AttributeType::descriptor) {
    if (given > 0) std::memcpy(elements, value.bytes.data(), static_cast<std::size_t>(given) * bytes_of(type));
    return DnnStatus::success;
  }
  // The program has made descriptors for the results.
  auto* const into = static_cast<BackendDescriptor* const*>(elements);
  for (std::int64_t i = 0; i < given; ++i) {
    if (into[i] == nullptr) return DnnStatus::bad_param_null_pointer;
    if (into[i]->contents->kind != value.contents[i]->kind) return DnnStatus::bad_param;
    // A copy of its own: a descriptor that the program holds can be set and finalized again.
    into[i]->contents = std::make_shared<BackendContents>(*value.contents[i]);
    into[i]->finalized = true;
  }
  return DnnStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries

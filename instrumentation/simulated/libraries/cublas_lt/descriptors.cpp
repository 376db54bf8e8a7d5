// Descriptors of matrices, of the operation and of preferences, and their attributes.
#include "instrumentation/simulated/libraries/cublas_lt/descriptors.h"

#include <cstring>
#include <memory>

#include "instrumentation/simulated/libraries/cublas_products/product_launch.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Value>
AttributeField attribute_field(Value& value) {
  return {&value, sizeof value};
}

/// cublasLtMatrixLayoutAttribute_t
AttributeField layout_field(MatrixLayout& layout, int attribute) {
  switch (attribute) {
    case 0: return attribute_field(layout.type);
    case 1: return attribute_field(layout.order);
    case 2: return attribute_field(layout.rows);
    case 3: return attribute_field(layout.columns);
    case 4: return attribute_field(layout.leading);
    case 5: return attribute_field(layout.batches);
    case 6: return attribute_field(layout.batch_stride);
    case 8: return attribute_field(layout.batch_mode);
    default: return {};
  }
}

/// cublasLtMatmulDescAttributes_t
AttributeField operation_field(MatmulDescription& of, int attribute) {
  switch (attribute) {
    case 0: return attribute_field(of.compute);
    case 1: return attribute_field(of.scale_type);
    case 2: return attribute_field(of.pointer_mode);
    case 3: return attribute_field(of.a_operation);
    case 4: return attribute_field(of.b_operation);
    case 5: return attribute_field(of.c_operation);
    case 6: return attribute_field(of.fill_mode);
    case 7: return attribute_field(of.epilogue);
    case 8: return attribute_field(of.bias);
    case 10: return attribute_field(of.bias_batch);
    case 11: return attribute_field(of.auxiliary);
    case 12: return attribute_field(of.auxiliary_leading);
    case 13: return attribute_field(of.auxiliary_batch);
    case 14: return attribute_field(of.alpha_batch);
    case 15: return attribute_field(of.sm_count);
    case 17: return attribute_field(of.a_scale);
    case 18: return attribute_field(of.b_scale);
    case 19: return attribute_field(of.c_scale);
    case 20: return attribute_field(of.d_scale);
    case 21: return attribute_field(of.d_largest);
    case 22: return attribute_field(of.auxiliary_type);
    case 23: return attribute_field(of.auxiliary_scale);
    case 24: return attribute_field(of.auxiliary_largest);
    case 25: return attribute_field(of.fast_accumulation);
    case 26: return attribute_field(of.bias_type);
    case 31: return attribute_field(of.a_mode);
    case 32: return attribute_field(of.b_mode);
    case 33: return attribute_field(of.c_mode);
    case 34: return attribute_field(of.d_mode);
    case 35: return attribute_field(of.auxiliary_mode);
    default: return {};
  }
}

/// cublasLtMatmulPreferenceAttributes_t
AttributeField preference_field(MatmulPreference& of, int attribute) {
  switch (attribute) {
    case 0: return attribute_field(of.search_mode);
    case 1: return attribute_field(of.workspace_bytes);
    case 3: return attribute_field(of.reduction_mask);
    case 5:
    case 6:
    case 7:
    case 8: return attribute_field(of.alignment[static_cast<std::size_t>(attribute - 5)]);
    case 9: return attribute_field(of.most_waves);
    case 12: return attribute_field(of.implementation_mask);
    default: return {};
  }
}

/// Makes a descriptor that the program destroys.
template <class Description>
BlasStatus give_description(Description** to, const Description& value) {
  if (to == nullptr) return BlasStatus::invalid_value;
  *to = std::make_unique<Description>(value).release();
  return BlasStatus::success;
}

template <class Description>
BlasStatus destroy_description(Description* description) {
  const std::unique_ptr<Description> owned(description);
  return BlasStatus::success;
}

/// Fills in a descriptor in memory of the program, which has `bytes`.
template <class Description>
BlasStatus fill_description(Description* to, std::size_t bytes, const Description& value) {
  if (to == nullptr || bytes < sizeof value) return BlasStatus::invalid_value;
  *to = value;
  return BlasStatus::success;
}

MatrixLayout new_layout(int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  MatrixLayout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.leading = leading;
  return layout;
}

MatmulDescription new_operation(ComputeType compute, int scale_type) {
  MatmulDescription operation;
  operation.compute = compute;
  operation.scale_type = scale_type;
  return operation;
}

}  // namespace

BlasStatus set_attribute(const AttributeField& field, const void* from, std::size_t bytes) {
  if (field.at == nullptr || from == nullptr || bytes != field.bytes) return BlasStatus::invalid_value;
  std::memcpy(field.at, from, bytes);
  return BlasStatus::success;
}

BlasStatus get_attribute(const AttributeField& field, void* to, std::size_t bytes, std::size_t* written) {
  if (field.at == nullptr || (to == nullptr && written == nullptr)) return BlasStatus::invalid_value;
  if (written != nullptr) *written = field.bytes;
  if (bytes == 0) return written != nullptr ? BlasStatus::success : BlasStatus::invalid_value;
  if (to == nullptr || bytes != field.bytes) return BlasStatus::invalid_value;
  std::memcpy(to, field.at, bytes);
  return BlasStatus::success;
}

extern "C" {

BlasStatus cublasLtMatrixLayoutCreate(MatrixLayout** layout, int type, std::uint64_t rows, std::uint64_t columns,
                                      std::int64_t leading) {
  return give_description(layout, new_layout(type, rows, columns, leading));
}
BlasStatus cublasLtMatrixLayoutInit_internal(MatrixLayout* layout, std::size_t bytes, int type, std::uint64_t rows,
                                             std::uint64_t columns, std::int64_t leading) {
  return fill_description(layout, bytes, new_layout(type, rows, columns, leading));
}
BlasStatus cublasLtMatrixLayoutDestroy(MatrixLayout* layout) { return destroy_description(layout); }
BlasStatus cublasLtMatrixLayoutSetAttribute(MatrixLayout* layout, int attribute, const void* from, std::size_t bytes) {
  if (layout == nullptr) return BlasStatus::invalid_value;
  return set_attribute(layout_field(*layout, attribute), from, bytes);
}
BlasStatus cublasLtMatrixLayoutGetAttribute(MatrixLayout* layout, int attribute, void* to, std::size_t bytes,
                                            std::size_t* written) {
  if (layout == nullptr) return BlasStatus::invalid_value;
  return get_attribute(layout_field(*layout, attribute), to, bytes, written);
}

BlasStatus cublasLtMatmulDescCreate(MatmulDescription** operation, ComputeType compute, int scale_type) {
  return give_description(operation, new_operation(compute, scale_type));
}
BlasStatus cublasLtMatmulDescInit_internal(MatmulDescription* operation, std::size_t bytes, ComputeType compute,
                                           int scale_type) {
  return fill_description(operation, bytes, new_operation(compute, scale_type));
}
BlasStatus cublasLtMatmulDescDestroy(MatmulDescription* operation) { return destroy_description(operation); }
BlasStatus cublasLtMatmulDescSetAttribute(MatmulDescription* operation, int attribute, const void* from,
                                          std::size_t bytes) {
  if (operation == nullptr) return BlasStatus::invalid_value;
  return set_attribute(operation_field(*operation, attribute), from, bytes);
}
BlasStatus cublasLtMatmulDescGetAttribute(MatmulDescription* operation, int attribute, void* to, std::size_t bytes,
                                          std::size_t* written) {
  if (operation == nullptr) return BlasStatus::invalid_value;
  return get_attribute(operation_field(*operation, attribute), to, bytes, written);
}

BlasStatus cublasLtMatmulPreferenceCreate(MatmulPreference** preference) { return give_description(preference, {}); }
BlasStatus cublasLtMatmulPreferenceInit_internal(MatmulPreference* preference, std::size_t bytes) {
  return fill_description(preference, bytes, {});
}
BlasStatus cublasLtMatmulPreferenceDestroy(MatmulPreference* preference) { return destroy_description(preference); }
BlasStatus cublasLtMatmulPreferenceSetAttribute(MatmulPreference* preference, int attribute, const void* from,
                                                std::size_t bytes) {
  if (preference == nullptr) return BlasStatus::invalid_value;
  return set_attribute(preference_field(*preference, attribute), from, bytes);
}
BlasStatus cublasLtMatmulPreferenceGetAttribute(MatmulPreference* preference, int attribute, void* to,
                                                std::size_t bytes, std::size_t* written) {
  if (preference == nullptr) return BlasStatus::invalid_value;
  return get_attribute(preference_field(*preference, attribute), to, bytes, written);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries

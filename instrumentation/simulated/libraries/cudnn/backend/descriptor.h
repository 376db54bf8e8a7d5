#pragma once

// Descriptors of cuDNN's graph interface: attributes by number, which a program sets, finalizes and reads.

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "instrumentation/simulated/libraries/cudnn/abi.h"

namespace warpwalk::simulated::libraries {

/// cudnnBackendDescriptorType_t: those that the stand-in looks into.
enum class BackendKind : int {
  pointwise = 0,
  convolution = 1,
  engine = 2,
  engine_configuration = 3,
  heuristics = 4,
  execution_plan = 5,
  convolution_forward = 10,
  convolution_backward_filter = 11,
  convolution_backward_data = 12,
  pointwise_operation = 13,
  operation_graph = 15,
  variant_pack = 16,
  tensor = 17,
  count = 44,
};

/// cudnnBackendAttributeName_t: likewise.
enum class Attribute : int {
  pointwise_mode = 0,
  pointwise_lower_clip = 3,
  pointwise_upper_clip = 4,
  pointwise_lower_slope = 5,
  convolution_type = 100,
  convolution_mode = 101,
  convolution_dilations = 102,
  convolution_strides = 103,
  convolution_post_paddings = 104,
  convolution_pre_paddings = 105,
  heuristics_mode = 200,
  heuristics_graph = 201,
  heuristics_results = 202,
  configuration_engine = 300,
  configuration_intermediate = 301,
  configuration_knobs = 302,
  configuration_workspace = 303,
  configuration_shared_memory = 304,
  plan_configuration = 401,
  plan_workspace = 402,
  plan_json = 405,
  forward_alpha = 700,
  forward_beta = 701,
  forward_settings = 702,
  forward_w = 703,
  forward_x = 704,
  forward_y = 705,
  backward_data_alpha = 706,
  backward_data_beta = 707,
  backward_data_settings = 708,
  backward_data_w = 709,
  backward_data_dx = 710,
  backward_data_dy = 711,
  backward_filter_alpha = 712,
  backward_filter_beta = 713,
  backward_filter_settings = 714,
  backward_filter_dw = 715,
  backward_filter_x = 716,
  backward_filter_dy = 717,
  pointwise_settings = 750,
  pointwise_x = 751,
  pointwise_b = 752,
  pointwise_y = 753,
  pointwise_alpha1 = 754,
  pointwise_alpha2 = 755,
  graph_operations = 801,
  graph_engine_count = 802,
  tensor_type = 901,
  tensor_extents = 902,
  tensor_strides = 903,
  tensor_identifier = 906,
  tensor_is_virtual = 907,
  tensor_is_by_value = 908,
  pack_identifiers = 1000,
  pack_pointers = 1001,
  engine_graph = 1300,
  engine_index = 1301,
  engine_knobs = 1302,
  engine_numerical_notes = 1303,
  engine_layouts = 1304,
  engine_behavior_notes = 1305,
};

/// cudnnBackendAttributeType_t: those that the stand-in makes itself, or that are not plain bytes.
enum class AttributeType : int {
  handle = 0,
  int64 = 3,
  f32 = 4,
  f64 = 5,
  numerical_note = 11,
  descriptor = 15,
  count = 31
};

/// Bytes of an element of an attribute. 0 for a type that does not exist.
std::size_t bytes_of(AttributeType type);

/// The contents of a descriptor. A finalized one never changes, so others share it: a plan outlives its graph.
struct BackendContents {
  struct Value {
    AttributeType type = AttributeType::int64;
    std::int64_t count = 0;
    std::vector<std::uint8_t> bytes;                               ///< of all types but descriptors
    std::vector<std::shared_ptr<const BackendContents>> contents;  ///< of descriptors
  };

  BackendKind kind = BackendKind::tensor;
  std::map<Attribute, Value> values;

  /// Replaces or adds an attribute that the stand-in answers.
  void set_numbers(Attribute name, AttributeType type, const std::vector<std::int64_t>& numbers);
  void set_contents(Attribute name, std::vector<std::shared_ptr<const BackendContents>> contents);

  /// The elements of an attribute; none if it is not set or has another size.
  template <class Element>
  std::vector<Element> all(Attribute name) const {
    const auto found = values.find(name);
    if (found == values.end() || found->second.bytes.size() != found->second.count * sizeof(Element)) return {};
    std::vector<Element> elements(static_cast<std::size_t>(found->second.count));
    if (!elements.empty()) std::memcpy(elements.data(), found->second.bytes.data(), found->second.bytes.size());
    return elements;
  }
  /// The first element, or `otherwise`.
  template <class Element>
  Element one(Attribute name, Element otherwise) const {
    const std::vector<Element> elements = all<Element>(name);
    return elements.empty() ? otherwise : elements[0];
  }
  /// A float or double attribute.
  double number(Attribute name, double otherwise) const;
  /// The descriptor that an attribute has; null if there is none.
  const BackendContents* descriptor(Attribute name) const;
};

/// What a cudnnBackendDescriptor_t points to.
struct BackendDescriptor {
  std::shared_ptr<BackendContents> contents;
  bool finalized = false;
};

/// Completes a descriptor that the program has finished: checks it, and sets the attributes that the stand-in answers.
DnnStatus finalize_contents(BackendContents& contents);

}  // namespace warpwalk::simulated::libraries

// Compares cupti_abi.h and nvtx_abi.h with NVIDIA's headers, if they are installed.
#include <gtest/gtest.h>

#include "instrumentation/cupti_abi.h"
#include "instrumentation/inject/nvtx_abi.h"

#if __has_include(<cupti.h>) && __has_include(<cuda.h>)
#include <cupti.h>

namespace warpwalk::instrumentation::cupti {
namespace {

// True if our member has the same offset and size as NVIDIA's.
template <class Ours, class Theirs>
constexpr bool same(std::size_t our_offset, std::size_t their_offset) {
  return our_offset == their_offset && sizeof(Ours) == sizeof(Theirs);
}

TEST(CuptiAbi, IsThatOfNvidiasHeaders) {
#define SAME(ours, mine, theirs, its)                                                                           \
  EXPECT_TRUE((same<decltype(ours::mine), decltype(theirs::its)>(offsetof(ours, mine), offsetof(theirs, its)))) \
      << #theirs "." #its
  SAME(Kernel, registers, CUpti_ActivityKernel10, registersPerThread);
  SAME(Kernel, start, CUpti_ActivityKernel10, start);
  SAME(Kernel, end, CUpti_ActivityKernel10, end);
  SAME(Kernel, device, CUpti_ActivityKernel10, deviceId);
  SAME(Kernel, context, CUpti_ActivityKernel10, contextId);
  SAME(Kernel, stream, CUpti_ActivityKernel10, streamId);
  EXPECT_EQ(offsetof(Kernel, grid), offsetof(CUpti_ActivityKernel10, gridX));
  EXPECT_EQ(offsetof(Kernel, block), offsetof(CUpti_ActivityKernel10, blockX));
  SAME(Kernel, static_shared, CUpti_ActivityKernel10, staticSharedMemory);
  SAME(Kernel, dynamic_shared, CUpti_ActivityKernel10, dynamicSharedMemory);
  SAME(Kernel, local_per_thread, CUpti_ActivityKernel10, localMemoryPerThread);
  SAME(Kernel, correlation, CUpti_ActivityKernel10, correlationId);
  SAME(Kernel, name, CUpti_ActivityKernel10, name);
  SAME(Kernel, queued, CUpti_ActivityKernel10, queued);
  SAME(Kernel, submitted, CUpti_ActivityKernel10, submitted);
  SAME(Kernel, graph_node, CUpti_ActivityKernel10, graphNodeId);
  SAME(Kernel, graph, CUpti_ActivityKernel10, graphId);
  EXPECT_EQ(offsetof(Kernel, cluster), offsetof(CUpti_ActivityKernel10, clusterX));
  EXPECT_EQ(offsetof(CUpti_ActivityKernel9, clusterZ), offsetof(CUpti_ActivityKernel10, clusterZ));
  EXPECT_EQ(offsetof(CUpti_ActivityKernel9, graphId), offsetof(CUpti_ActivityKernel10, graphId));

  SAME(Api, cbid, CUpti_ActivityAPI, cbid);
  SAME(Api, start, CUpti_ActivityAPI, start);
  SAME(Api, end, CUpti_ActivityAPI, end);
  SAME(Api, thread, CUpti_ActivityAPI, threadId);
  SAME(Api, correlation, CUpti_ActivityAPI, correlationId);
  SAME(Api, result, CUpti_ActivityAPI, returnValue);

  SAME(Memcpy, copy_kind, CUpti_ActivityMemcpy6, copyKind);
  SAME(Memcpy, from, CUpti_ActivityMemcpy6, srcKind);
  SAME(Memcpy, to, CUpti_ActivityMemcpy6, dstKind);
  SAME(Memcpy, flags, CUpti_ActivityMemcpy6, flags);
  SAME(Memcpy, bytes, CUpti_ActivityMemcpy6, bytes);
  SAME(Memcpy, start, CUpti_ActivityMemcpy6, start);
  SAME(Memcpy, end, CUpti_ActivityMemcpy6, end);
  SAME(Memcpy, device, CUpti_ActivityMemcpy6, deviceId);
  SAME(Memcpy, context, CUpti_ActivityMemcpy6, contextId);
  SAME(Memcpy, stream, CUpti_ActivityMemcpy6, streamId);
  SAME(Memcpy, correlation, CUpti_ActivityMemcpy6, correlationId);
  SAME(Memcpy, graph_node, CUpti_ActivityMemcpy6, graphNodeId);
  SAME(Memcpy, graph, CUpti_ActivityMemcpy6, graphId);

  SAME(MemcpyPeer, bytes, CUpti_ActivityMemcpyPtoP4, bytes);
  SAME(MemcpyPeer, device, CUpti_ActivityMemcpyPtoP4, deviceId);
  SAME(MemcpyPeer, from_device, CUpti_ActivityMemcpyPtoP4, srcDeviceId);
  SAME(MemcpyPeer, to_device, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
  SAME(MemcpyPeer, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
  SAME(MemcpyPeer, graph_node, CUpti_ActivityMemcpyPtoP4, graphNodeId);
  SAME(MemcpyPeer, graph, CUpti_ActivityMemcpyPtoP4, graphId);

  SAME(Memset, value, CUpti_ActivityMemset4, value);
  SAME(Memset, bytes, CUpti_ActivityMemset4, bytes);
  SAME(Memset, start, CUpti_ActivityMemset4, start);
  SAME(Memset, device, CUpti_ActivityMemset4, deviceId);
  SAME(Memset, correlation, CUpti_ActivityMemset4, correlationId);
  SAME(Memset, flags, CUpti_ActivityMemset4, flags);
  SAME(Memset, memory, CUpti_ActivityMemset4, memoryKind);
  SAME(Memset, graph_node, CUpti_ActivityMemset4, graphNodeId);
  SAME(Memset, graph, CUpti_ActivityMemset4, graphId);

  SAME(Synchronization, start, CUpti_ActivitySynchronization2, start);
  SAME(Synchronization, correlation, CUpti_ActivitySynchronization2, correlationId);
  SAME(Synchronization, context, CUpti_ActivitySynchronization2, contextId);
  SAME(Synchronization, stream, CUpti_ActivitySynchronization2, streamId);
  SAME(Synchronization, event, CUpti_ActivitySynchronization2, cudaEventId);

  SAME(Overhead, overhead_kind, CUpti_ActivityOverhead3, overheadKind);
  SAME(Overhead, object_kind, CUpti_ActivityOverhead3, objectKind);
  SAME(Overhead, object, CUpti_ActivityOverhead3, objectId);
  SAME(Overhead, start, CUpti_ActivityOverhead3, start);
  SAME(Overhead, end, CUpti_ActivityOverhead3, end);

  SAME(ExternalCorrelation, external_id, CUpti_ActivityExternalCorrelation, externalId);
  SAME(ExternalCorrelation, correlation, CUpti_ActivityExternalCorrelation, correlationId);

  SAME(Memory, operation, CUpti_ActivityMemory4, memoryOperationType);
  SAME(Memory, memory_kind, CUpti_ActivityMemory4, memoryKind);
  SAME(Memory, address, CUpti_ActivityMemory4, address);
  SAME(Memory, bytes, CUpti_ActivityMemory4, bytes);
  SAME(Memory, timestamp, CUpti_ActivityMemory4, timestamp);
  SAME(Memory, device, CUpti_ActivityMemory4, deviceId);
  SAME(Memory, stream, CUpti_ActivityMemory4, streamId);
  EXPECT_EQ(offsetof(Memory, pool_type), offsetof(CUpti_ActivityMemory4, memoryPoolConfig));
  EXPECT_EQ(offsetof(Memory, pool_address), offsetof(CUpti_ActivityMemory4, memoryPoolConfig.address));
  EXPECT_EQ(offsetof(Memory, pool_size_or_process), offsetof(CUpti_ActivityMemory4, memoryPoolConfig.pool));
  EXPECT_EQ(offsetof(Memory, pool_used), offsetof(CUpti_ActivityMemory4, memoryPoolConfig.utilizedSize));

  SAME(MemoryPool, operation, CUpti_ActivityMemoryPool3, memoryPoolOperationType);
  SAME(MemoryPool, device, CUpti_ActivityMemoryPool3, deviceId);
  SAME(MemoryPool, address, CUpti_ActivityMemoryPool3, address);
  SAME(MemoryPool, size, CUpti_ActivityMemoryPool3, size);
  SAME(MemoryPool, timestamp, CUpti_ActivityMemoryPool3, timestamp);
  SAME(MemoryPool, used, CUpti_ActivityMemoryPool3, utilizedSize);

  SAME(Device, memory_bytes, CUpti_ActivityDevice5, globalMemorySize);
  SAME(Device, warp_size, CUpti_ActivityDevice5, numThreadsPerWarp);
  SAME(Device, sms, CUpti_ActivityDevice5, numMultiprocessors);
  SAME(Device, max_warps_per_sm, CUpti_ActivityDevice5, maxWarpsPerMultiprocessor);
  SAME(Device, shared_per_sm, CUpti_ActivityDevice5, maxSharedMemoryPerMultiprocessor);
  SAME(Device, registers_per_sm, CUpti_ActivityDevice5, maxRegistersPerMultiprocessor);
  SAME(Device, registers_per_block, CUpti_ActivityDevice5, maxRegistersPerBlock);
  SAME(Device, shared_per_block, CUpti_ActivityDevice5, maxSharedMemoryPerBlock);
  SAME(Device, max_threads_per_block, CUpti_ActivityDevice5, maxThreadsPerBlock);
  SAME(Device, compute_major, CUpti_ActivityDevice5, computeCapabilityMajor);
  SAME(Device, id, CUpti_ActivityDevice5, id);
  SAME(Device, uuid, CUpti_ActivityDevice5, uuid);
  SAME(Device, name, CUpti_ActivityDevice5, name);

  SAME(Context, context, CUpti_ActivityContext3, contextId);
  SAME(Context, device, CUpti_ActivityContext3, deviceId);
  SAME(Context, null_stream, CUpti_ActivityContext3, nullStreamId);
  SAME(CudaEvent, correlation, CUpti_ActivityCudaEvent2, correlationId);
  SAME(CudaEvent, context, CUpti_ActivityCudaEvent2, contextId);
  SAME(CudaEvent, stream, CUpti_ActivityCudaEvent2, streamId);
  SAME(CudaEvent, event, CUpti_ActivityCudaEvent2, eventId);
  SAME(Stream, context, CUpti_ActivityStream, contextId);
  SAME(Stream, stream, CUpti_ActivityStream, streamId);
  SAME(Stream, priority, CUpti_ActivityStream, priority);
  SAME(ResourceData, descriptor, CUpti_ResourceData, resourceDescriptor);
  SAME(ModuleData, module, CUpti_ModuleResourceData, moduleId);
  SAME(ModuleData, bytes, CUpti_ModuleResourceData, cubinSize);
  SAME(ModuleData, cubin, CUpti_ModuleResourceData, pCubin);
#undef SAME
}

TEST(CuptiAbi, NumbersAreThoseOfNvidiasHeaders) {
  EXPECT_EQ(int{multiple_subscribers}, int{CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED});
  const std::pair<int, int> kinds[] = {
      {kind_memcpy, CUPTI_ACTIVITY_KIND_MEMCPY},
      {kind_memset, CUPTI_ACTIVITY_KIND_MEMSET},
      {kind_driver, CUPTI_ACTIVITY_KIND_DRIVER},
      {kind_runtime, CUPTI_ACTIVITY_KIND_RUNTIME},
      {kind_device, CUPTI_ACTIVITY_KIND_DEVICE},
      {kind_context, CUPTI_ACTIVITY_KIND_CONTEXT},
      {kind_concurrent_kernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
      {kind_overhead, CUPTI_ACTIVITY_KIND_OVERHEAD},
      {kind_memcpy_peer, CUPTI_ACTIVITY_KIND_MEMCPY2},
      {kind_cuda_event, CUPTI_ACTIVITY_KIND_CUDA_EVENT},
      {kind_stream, CUPTI_ACTIVITY_KIND_STREAM},
      {kind_synchronization, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
      {kind_external_correlation, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION},
      {kind_memory, CUPTI_ACTIVITY_KIND_MEMORY2},
      {kind_memory_pool, CUPTI_ACTIVITY_KIND_MEMORY_POOL},
      {domain_driver, CUPTI_CB_DOMAIN_DRIVER_API},
      {domain_runtime, CUPTI_CB_DOMAIN_RUNTIME_API},
      {domain_resource, CUPTI_CB_DOMAIN_RESOURCE},
      {module_loaded, CUPTI_CBID_RESOURCE_MODULE_LOADED},
      {object_thread, CUPTI_ACTIVITY_OBJECT_THREAD},
      {local_pool, CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL},
      {default_thread_ids, CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT},
      {system_thread_ids, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM},
      {flush_forced, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED},
      {attribute_device_buffers, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT},
      {flag_async, CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC},
      {flag_async, CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC},
  };
  for (const auto& [ours, theirs] : kinds) EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace warpwalk::instrumentation::cupti
#else
TEST(CuptiAbi, IsThatOfNvidiasHeaders) { GTEST_SKIP() << "CUPTI's headers are not installed here"; }
#endif

#if __has_include(<nvtx3/nvToolsExt.h>)
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#if __has_include(<nvtx3/nvToolsExtPayload.h>)
#include <nvtx3/nvToolsExtPayload.h>
#endif

namespace warpwalk::instrumentation::nvtx {
namespace {

TEST(NvtxAbi, IsThatOfNvidiasHeaders) {
  EXPECT_EQ(sizeof(EventAttributes), sizeof(nvtxEventAttributes_t));
  EXPECT_EQ(offsetof(EventAttributes, message_type), offsetof(nvtxEventAttributes_t, messageType));
  EXPECT_EQ(offsetof(EventAttributes, message), offsetof(nvtxEventAttributes_t, message));
  EXPECT_EQ(sizeof(Callbacks), sizeof(NvtxExportTableCallbacks));
  const std::pair<int, int> numbers[] = {
      {message_ascii, NVTX_MESSAGE_TYPE_ASCII},
      {message_unicode, NVTX_MESSAGE_TYPE_UNICODE},
      {message_registered, NVTX_MESSAGE_TYPE_REGISTERED},
      {export_table_callbacks, NVTX_ETID_CALLBACKS},
      {module_core, NVTX_CB_MODULE_CORE},
      {module_core2, NVTX_CB_MODULE_CORE2},
      {core_mark_ex, NVTX_CBID_CORE_MarkEx},
      {core_range_start_ex, NVTX_CBID_CORE_RangeStartEx},
      {core_range_end, NVTX_CBID_CORE_RangeEnd},
      {core_range_push_ex, NVTX_CBID_CORE_RangePushEx},
      {core_range_push_a, NVTX_CBID_CORE_RangePushA},
      {core_range_push_w, NVTX_CBID_CORE_RangePushW},
      {core_range_pop, NVTX_CBID_CORE_RangePop},
      {core_name_os_thread_a, NVTX_CBID_CORE_NameOsThreadA},
      {core2_domain_mark_ex, NVTX_CBID_CORE2_DomainMarkEx},
      {core2_domain_range_start_ex, NVTX_CBID_CORE2_DomainRangeStartEx},
      {core2_domain_range_end, NVTX_CBID_CORE2_DomainRangeEnd},
      {core2_domain_range_push_ex, NVTX_CBID_CORE2_DomainRangePushEx},
      {core2_domain_range_pop, NVTX_CBID_CORE2_DomainRangePop},
      {core2_domain_register_string_a, NVTX_CBID_CORE2_DomainRegisterStringA},
      {core2_domain_register_string_w, NVTX_CBID_CORE2_DomainRegisterStringW},
      {core2_domain_create_a, NVTX_CBID_CORE2_DomainCreateA},
      {core2_domain_create_w, NVTX_CBID_CORE2_DomainCreateW},
  };
  for (const auto& [ours, theirs] : numbers) EXPECT_EQ(ours, theirs);
}

#ifdef NVTX_PAYLOAD_SCHEMA_ID_STATIC_START
TEST(NvtxAbi, PayloadsAreThoseOfNvidiasHeaders) {
  EXPECT_EQ(offsetof(EventAttributes, payload_type), offsetof(nvtxEventAttributes_t, payloadType));
  EXPECT_EQ(offsetof(EventAttributes, payloads), offsetof(nvtxEventAttributes_t, reserved0));
  EXPECT_EQ(offsetof(EventAttributes, payload), offsetof(nvtxEventAttributes_t, payload));
  EXPECT_EQ(sizeof(PayloadData), sizeof(nvtxPayloadData_t));
  EXPECT_EQ(offsetof(PayloadData, payload), offsetof(nvtxPayloadData_t, payload));
  EXPECT_EQ(sizeof(SchemaField), sizeof(nvtxPayloadSchemaEntry_t));
  EXPECT_EQ(offsetof(SchemaField, name), offsetof(nvtxPayloadSchemaEntry_t, name));
  EXPECT_EQ(offsetof(SchemaField, length), offsetof(nvtxPayloadSchemaEntry_t, arrayOrUnionDetail));
  EXPECT_EQ(offsetof(SchemaField, offset), offsetof(nvtxPayloadSchemaEntry_t, offset));
  EXPECT_EQ(sizeof(Schema), sizeof(nvtxPayloadSchemaAttr_t));
  EXPECT_EQ(offsetof(Schema, fields), offsetof(nvtxPayloadSchemaAttr_t, entries));
  EXPECT_EQ(offsetof(Schema, field_count), offsetof(nvtxPayloadSchemaAttr_t, numEntries));
  EXPECT_EQ(offsetof(Schema, size), offsetof(nvtxPayloadSchemaAttr_t, payloadStaticSize));
  EXPECT_EQ(offsetof(Schema, alignment), offsetof(nvtxPayloadSchemaAttr_t, packAlign));
  EXPECT_EQ(offsetof(Schema, id), offsetof(nvtxPayloadSchemaAttr_t, schemaId));
  EXPECT_EQ(sizeof(EnumValue), sizeof(nvtxPayloadEnum_t));
  EXPECT_EQ(offsetof(EnumValue, value), offsetof(nvtxPayloadEnum_t, value));
  EXPECT_EQ(offsetof(EnumValue, is_flag), offsetof(nvtxPayloadEnum_t, isFlag));
  EXPECT_EQ(sizeof(Enum), sizeof(nvtxPayloadEnumAttr_t));
  EXPECT_EQ(offsetof(Enum, values), offsetof(nvtxPayloadEnumAttr_t, entries));
  EXPECT_EQ(offsetof(Enum, size), offsetof(nvtxPayloadEnumAttr_t, sizeOfEnum));
  EXPECT_EQ(offsetof(Enum, id), offsetof(nvtxPayloadEnumAttr_t, schemaId));
  EXPECT_EQ(sizeof(ExtensionSegment), sizeof(nvtxExtModuleSegment_t));
  EXPECT_EQ(offsetof(ExtensionSegment, slots), offsetof(nvtxExtModuleSegment_t, functionSlots));
  EXPECT_EQ(sizeof(Extension), sizeof(nvtxExtModuleInfo_t));
  EXPECT_EQ(offsetof(Extension, module), offsetof(nvtxExtModuleInfo_t, moduleId));
  EXPECT_EQ(offsetof(Extension, compatibility), offsetof(nvtxExtModuleInfo_t, compatId));
  EXPECT_EQ(offsetof(Extension, segments), offsetof(nvtxExtModuleInfo_t, segments));
  EXPECT_EQ(payload_extended, NVTX_PAYLOAD_TYPE_EXT);
  EXPECT_EQ(extension_payload, NVTX_EXT_PAYLOAD_MODULEID);
  const std::pair<std::uint64_t, std::uint64_t> numbers[] = {
      {type_char, NVTX_PAYLOAD_ENTRY_TYPE_CHAR},
      {type_int, NVTX_PAYLOAD_ENTRY_TYPE_INT},
      {type_ulonglong, NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG},
      {type_int8, NVTX_PAYLOAD_ENTRY_TYPE_INT8},
      {type_uint64, NVTX_PAYLOAD_ENTRY_TYPE_UINT64},
      {type_double, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE},
      {type_size, NVTX_PAYLOAD_ENTRY_TYPE_SIZE},
      {type_address, NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS},
      {type_string, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING},
      {type_string_utf8, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8},
      {type_registered_string, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE},
      {field_is_pointer, NVTX_PAYLOAD_ENTRY_FLAG_POINTER},
      {field_is_elsewhere, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE},
      {field_is_fixed_array, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE},
      {field_is_zero_terminated, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED},
      {field_is_message, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE},
      {static_schemas, NVTX_PAYLOAD_SCHEMA_ID_STATIC_START},
      {dynamic_schemas, NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START},
      {schema_type_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE},
      {union_schema, NVTX_PAYLOAD_SCHEMA_TYPE_UNION},
      {union_schema + 1, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR},
      {schema_fields_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES},
      {schema_count_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES},
      {schema_size_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE},
      {schema_alignment_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT},
      {schema_id_given, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID},
      {enum_values_given, NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES},
      {enum_count_given, NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES},
      {enum_size_given, NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE},
      {enum_id_given, NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID},
      {payload_register_schema, NVTX3EXT_CBID_nvtxPayloadSchemaRegister},
      {payload_register_enum, NVTX3EXT_CBID_nvtxPayloadEnumRegister},
      {payload_mark, NVTX3EXT_CBID_nvtxMarkPayload},
      {payload_range_push, NVTX3EXT_CBID_nvtxRangePushPayload},
      {payload_range_pop, NVTX3EXT_CBID_nvtxRangePopPayload},
      {payload_range_start, NVTX3EXT_CBID_nvtxRangeStartPayload},
      {payload_range_end, NVTX3EXT_CBID_nvtxRangeEndPayload},
      {payload_domain_is_enabled, NVTX3EXT_CBID_nvtxDomainIsEnabled},
  };
  for (const auto& [ours, theirs] : numbers) EXPECT_EQ(ours, theirs);
}
#endif

}  // namespace
}  // namespace warpwalk::instrumentation::nvtx
#else
TEST(NvtxAbi, IsThatOfNvidiasHeaders) { GTEST_SKIP() << "NVTX's headers are not installed here"; }
#endif

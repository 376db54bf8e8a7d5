#include "instrumentation/simulated/runtime/properties.h"

#include <algorithm>

#include "instrumentation/simulated/device/device_attributes.h"

namespace warpwalk::simulated {
namespace {

struct Values {
  const gpu::Device& device;

  int operator()(int attribute) const { return device_attribute(device, attribute).value_or(0); }
  /// Puts the values of attributes into consecutive members.
  template <std::size_t n>
  void put(int (&to)[n], const int (&attributes)[n]) const {
    std::transform(std::begin(attributes), std::end(attributes), std::begin(to), *this);
  }
  std::size_t bytes(int attribute) const { return static_cast<std::size_t>((*this)(attribute)); }
};

/// The members that both layouts have.
template <class Properties>
Properties common_properties(const Values& value) {
  Properties p{};
  value.device.name.copy(p.name, sizeof p.name - 1);
  p.uuid = device_uuid(value.device);
  p.totalGlobalMem = value.device.memory_bytes ? static_cast<std::size_t>(*value.device.memory_bytes) : 0;
  p.sharedMemPerBlock = value.bytes(8);
  p.regsPerBlock = value(12);
  p.warpSize = value(10);
  p.memPitch = value.bytes(11);
  p.maxThreadsPerBlock = value(1);
  value.put(p.maxThreadsDim, {2, 3, 4});
  value.put(p.maxGridSize, {5, 6, 7});
  p.totalConstMem = value.bytes(9);
  p.major = value(75);
  p.minor = value(76);
  p.textureAlignment = value.bytes(14);
  p.texturePitchAlignment = value.bytes(51);
  p.multiProcessorCount = value(16);
  p.integrated = value(18);
  p.canMapHostMemory = value(19);
  p.maxTexture1D = value(21);
  p.maxTexture1DMipmap = value(77);
  value.put(p.maxTexture2D, {22, 23});
  value.put(p.maxTexture2DMipmap, {73, 74});
  value.put(p.maxTexture2DLinear, {70, 71, 72});
  value.put(p.maxTexture2DGather, {45, 46});
  value.put(p.maxTexture3D, {24, 25, 26});
  value.put(p.maxTexture3DAlt, {47, 48, 49});
  p.maxTextureCubemap = value(52);
  value.put(p.maxTexture1DLayered, {42, 43});
  value.put(p.maxTexture2DLayered, {27, 28, 29});
  value.put(p.maxTextureCubemapLayered, {53, 54});
  p.maxSurface1D = value(55);
  value.put(p.maxSurface2D, {56, 57});
  value.put(p.maxSurface3D, {58, 59, 60});
  value.put(p.maxSurface1DLayered, {61, 62});
  value.put(p.maxSurface2DLayered, {63, 64, 65});
  p.maxSurfaceCubemap = value(66);
  value.put(p.maxSurfaceCubemapLayered, {67, 68});
  p.surfaceAlignment = value.bytes(30);
  p.concurrentKernels = value(31);
  p.ECCEnabled = value(32);
  p.pciBusID = value(33);
  p.pciDeviceID = value(34);
  p.pciDomainID = value(50);
  p.tccDriver = value(35);
  p.asyncEngineCount = value(40);
  p.unifiedAddressing = value(41);
  p.memoryBusWidth = value(37);
  p.l2CacheSize = value(38);
  p.persistingL2CacheMaxSize = value(108);
  p.maxThreadsPerMultiProcessor = value(39);
  p.streamPrioritiesSupported = value(78);
  p.globalL1CacheSupported = value(79);
  p.localL1CacheSupported = value(80);
  p.sharedMemPerMultiprocessor = value.bytes(81);
  p.regsPerMultiprocessor = value(82);
  p.managedMemory = value(83);
  p.isMultiGpuBoard = value(84);
  p.multiGpuBoardGroupID = value(85);
  p.hostNativeAtomicSupported = value(86);
  p.pageableMemoryAccess = value(88);
  p.concurrentManagedAccess = value(89);
  p.computePreemptionSupported = value(90);
  p.canUseHostPointerForRegisteredMem = value(91);
  p.cooperativeLaunch = value(95);
  p.sharedMemPerBlockOptin = value.bytes(97);
  p.pageableMemoryAccessUsesHostPageTables = value(100);
  p.directManagedMemAccessFromHost = value(101);
  p.maxBlocksPerMultiProcessor = value(106);
  p.accessPolicyMaxWindowSize = value(109);
  p.reservedSharedMemPerBlock = value.bytes(111);
  p.hostRegisterSupported = value(99);
  p.sparseCudaArraySupported = value(112);
  p.hostRegisterReadOnlySupported = value(113);
  p.timelineSemaphoreInteropSupported = value(114);
  p.memoryPoolsSupported = value(115);
  p.gpuDirectRDMASupported = value(116);
  p.gpuDirectRDMAFlushWritesOptions = static_cast<unsigned>(value(117));
  p.gpuDirectRDMAWritesOrdering = value(118);
  p.memoryPoolSupportedHandleTypes = static_cast<unsigned>(value(119));
  p.deferredMappingCudaArraySupported = value(121);
  p.ipcEventSupported = value(125);
  p.clusterLaunch = value(120);
  p.unifiedFunctionPointers = value(129);
  return p;
}

}  // namespace

Properties13 properties_13(const gpu::Device& device) {
  const Values value{device};
  auto p = common_properties<Properties13>(value);
  p.deviceNumaConfig = value(130);
  p.deviceNumaId = value(131);
  p.mpsEnabled = value(133);
  p.hostNumaId = value(134);
  p.gpuPciDeviceID = static_cast<unsigned>(value(139));
  p.gpuPciSubsystemID = static_cast<unsigned>(value(140));
  p.hostNumaMultinodeIpcSupported = value(143);
  return p;
}

Properties12 properties_12(const gpu::Device& device) {
  const Values value{device};
  auto p = common_properties<Properties12>(value);
  p.clockRate = value(13);
  p.deviceOverlap = value(15);
  p.kernelExecTimeoutEnabled = value(17);
  p.computeMode = value(20);
  p.maxTexture1DLinear = value(69);
  p.memoryClockRate = value(36);
  p.singleToDoublePrecisionPerfRatio = value(87);
  p.cooperativeMultiDeviceLaunch = value(96);
  return p;
}

}  // namespace warpwalk::simulated

// Devices: their number, properties and attributes, limits, flags, and the versions of runtime and driver.
#include <cstring>

#include "check.h"

namespace {

struct Pair {
  const char* name;
  cudaDeviceAttr attribute;
  long long property;
};

void print_limit(cudaLimit limit, const char* name) {
  std::size_t value = 0;
  const cudaError_t error = cudaDeviceGetLimit(&value, limit);
  std::printf("limit %s: %s %zu\n", name, cudaGetErrorName(error), value);
  cudaGetLastError();
}

void properties() {
  cudaDeviceProp p{};
  NEED(cudaGetDeviceProperties(&p, 0));
  std::printf("compute capability %d.%d\n", p.major, p.minor);
  std::printf("warp %d, threads per block %d, block %d %d %d, grid %d %d %d\n", p.warpSize, p.maxThreadsPerBlock,
              p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1],
              p.maxGridSize[2]);
  std::printf("shared memory per block %zu, by request %zu, reserved %zu, per multiprocessor %zu\n",
              p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.reservedSharedMemPerBlock, p.sharedMemPerMultiprocessor);
  std::printf("registers per block %d, per multiprocessor %d; threads %d and blocks %d per multiprocessor\n",
              p.regsPerBlock, p.regsPerMultiprocessor, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor);
  std::printf("constant memory %zu, pitch %zu, alignment of textures %zu, of pitches %zu, of surfaces %zu\n",
              p.totalConstMem, p.memPitch, p.textureAlignment, p.texturePitchAlignment, p.surfaceAlignment);
  std::printf("texture 1D %d, 2D %d %d, 3D %d %d %d, 1D mipmap %d\n", p.maxTexture1D, p.maxTexture2D[0],
              p.maxTexture2D[1], p.maxTexture3D[0], p.maxTexture3D[1], p.maxTexture3D[2], p.maxTexture1DMipmap);
  const Pair pairs[] = {
      {"maxThreadsPerBlock", cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {"maxThreadsDim[0]", cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {"maxThreadsDim[2]", cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {"maxGridSize[0]", cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {"maxGridSize[1]", cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {"sharedMemPerBlock", cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
      {"sharedMemPerBlockOptin", cudaDevAttrMaxSharedMemoryPerBlockOptin,
       static_cast<long long>(p.sharedMemPerBlockOptin)},
      {"totalConstMem", cudaDevAttrTotalConstantMemory, static_cast<long long>(p.totalConstMem)},
      {"warpSize", cudaDevAttrWarpSize, p.warpSize},
      {"regsPerBlock", cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {"multiProcessorCount", cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {"l2CacheSize", cudaDevAttrL2CacheSize, p.l2CacheSize},
      {"memoryBusWidth", cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {"asyncEngineCount", cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {"ECCEnabled", cudaDevAttrEccEnabled, p.ECCEnabled},
      {"pciBusID", cudaDevAttrPciBusId, p.pciBusID},
      {"concurrentKernels", cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {"unifiedAddressing", cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {"managedMemory", cudaDevAttrManagedMemory, p.managedMemory},
      {"canMapHostMemory", cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
      {"cooperativeLaunch", cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {"clusterLaunch", cudaDevAttrClusterLaunch, p.clusterLaunch},
      {"memoryPoolsSupported", cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
      {"streamPrioritiesSupported", cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {"persistingL2CacheMaxSize", cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
  };
  for (const Pair& pair : pairs) {
    int value = -1;
    NEED(cudaDeviceGetAttribute(&value, pair.attribute, 0));
    std::printf("attribute and property %s: ", pair.name);
    check(value == pair.property, "equal");
  }
  check(p.multiProcessorCount > 0 && p.totalGlobalMem > (std::size_t{1} << 30), "a large GPU");
  check(std::strlen(p.name) > 0, "it has a name");
  int least = 1, greatest = 1;
  NEED(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  std::printf("stream priorities from %d to %d\n", least, greatest);
  cudaDeviceProp wanted{};
  wanted.major = p.major;
  int chosen = -1;
  NEED(cudaChooseDevice(&chosen, &wanted));
  check(chosen >= 0, "a device of this capability can be chosen");
}

void limits() {
  print_limit(cudaLimitStackSize, "stack");
  print_limit(cudaLimitPrintfFifoSize, "printf");
  print_limit(cudaLimitMallocHeapSize, "heap");
  print_limit(cudaLimitDevRuntimePendingLaunchCount, "pending launches");
  print_limit(cudaLimitMaxL2FetchGranularity, "L2 fetch granularity");
  print_limit(static_cast<cudaLimit>(99), "99");
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  print_limit(cudaLimitStackSize, "stack");
  SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
  print_limit(cudaLimitPrintfFifoSize, "printf");
  SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  print_limit(cudaLimitMallocHeapSize, "heap");
  SHOW(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
}

void flags() {
  unsigned flags = 0;
  SHOW(cudaGetDeviceFlags(&flags));
  std::printf("flags 0x%x\n", flags);
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  SHOW(cudaGetDeviceFlags(&flags));
  std::printf("flags 0x%x\n", flags);
  SHOW(cudaSetDeviceFlags(0x1000));
  cudaFuncCache cache = cudaFuncCachePreferEqual;
  SHOW(cudaDeviceGetCacheConfig(&cache));
  std::printf("cache %d\n", cache);
  SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  SHOW(cudaDeviceGetCacheConfig(&cache));
  std::printf("cache %d\n", cache);
}

}  // namespace

int main() {
  int count = 0, device = -1, runtime = 0, driver = 0;
  SHOW(cudaRuntimeGetVersion(&runtime));
  SHOW(cudaDriverGetVersion(&driver));
  check(runtime / 1000 == CUDART_VERSION / 1000, "the runtime is of the headers' major version");
  check(driver >= runtime, "the driver is not older than the runtime");
  SHOW(cudaGetDeviceCount(&count));
  check(count >= 1, "there is a device");
  SHOW(cudaGetDevice(&device));
  std::printf("current device %d\n", device);
  SHOW(cudaSetDevice(-1));
  SHOW(cudaSetDevice(count));
  SHOW(cudaSetDevice(0));
  SHOW(cudaGetDeviceCount(nullptr));
  SHOW(cudaGetDevice(nullptr));
  cudaDeviceProp none{};
  SHOW(cudaGetDeviceProperties(&none, count));
  int value = 0;
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
  SHOW(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  properties();
  limits();
  flags();
  char id[32] = {}, small[4] = {};
  NEED(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  check(std::strlen(id) == 12 && id[4] == ':' && id[7] == ':' && id[10] == '.', "PCI address is dddd:bb:dd.f");
  SHOW(cudaDeviceGetByPCIBusId(&device, id));
  std::printf("device %d\n", device);
  SHOW(cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"));
  SHOW(cudaDeviceGetPCIBusId(small, 0, 0));
  int peer = -1;
  SHOW(cudaDeviceCanAccessPeer(&peer, 0, 0));
  std::printf("peer %d\n", peer);
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaDeviceReset());
  return finish();
}

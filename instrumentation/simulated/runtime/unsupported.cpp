// Functions that the simulated GPU does not have. Their parameters are not read, so they are not declared.
#include "instrumentation/simulated/runtime/call.h"

namespace warpwalk::simulated {

extern "C" {

// Memory and events of other processes

Error cudaIpcGetEventHandle() { return unsupported_call("cudaIpcGetEventHandle"); }
Error cudaIpcOpenEventHandle() { return unsupported_call("cudaIpcOpenEventHandle"); }
Error cudaIpcGetMemHandle() { return unsupported_call("cudaIpcGetMemHandle"); }
Error cudaIpcOpenMemHandle() { return unsupported_call("cudaIpcOpenMemHandle"); }
Error cudaIpcCloseMemHandle() { return unsupported_call("cudaIpcCloseMemHandle"); }
Error cudaMemPoolExportToShareableHandle() { return unsupported_call("cudaMemPoolExportToShareableHandle"); }
Error cudaMemPoolImportFromShareableHandle() { return unsupported_call("cudaMemPoolImportFromShareableHandle"); }
Error cudaMemPoolExportPointer() { return unsupported_call("cudaMemPoolExportPointer"); }
Error cudaMemPoolImportPointer() { return unsupported_call("cudaMemPoolImportPointer"); }

// Memory and semaphores of other interfaces

Error cudaImportExternalMemory() { return unsupported_call("cudaImportExternalMemory"); }
Error cudaExternalMemoryGetMappedBuffer() { return unsupported_call("cudaExternalMemoryGetMappedBuffer"); }
Error cudaExternalMemoryGetMappedMipmappedArray() {
  return unsupported_call("cudaExternalMemoryGetMappedMipmappedArray");
}
Error cudaDestroyExternalMemory() { return unsupported_call("cudaDestroyExternalMemory"); }
Error cudaImportExternalSemaphore() { return unsupported_call("cudaImportExternalSemaphore"); }
Error cudaSignalExternalSemaphoresAsync() { return unsupported_call("cudaSignalExternalSemaphoresAsync"); }
Error cudaSignalExternalSemaphoresAsync_ptsz() { return unsupported_call("cudaSignalExternalSemaphoresAsync"); }
Error cudaWaitExternalSemaphoresAsync() { return unsupported_call("cudaWaitExternalSemaphoresAsync"); }
Error cudaWaitExternalSemaphoresAsync_ptsz() { return unsupported_call("cudaWaitExternalSemaphoresAsync"); }
Error cudaDestroyExternalSemaphore() { return unsupported_call("cudaDestroyExternalSemaphore"); }
Error cudaDeviceGetNvSciSyncAttributes() { return unsupported_call("cudaDeviceGetNvSciSyncAttributes"); }

// Graphics

Error cudaGraphicsUnregisterResource() { return unsupported_call("cudaGraphicsUnregisterResource"); }
Error cudaGraphicsResourceSetMapFlags() { return unsupported_call("cudaGraphicsResourceSetMapFlags"); }
Error cudaGraphicsMapResources() { return unsupported_call("cudaGraphicsMapResources"); }
Error cudaGraphicsUnmapResources() { return unsupported_call("cudaGraphicsUnmapResources"); }
Error cudaGraphicsResourceGetMappedPointer() { return unsupported_call("cudaGraphicsResourceGetMappedPointer"); }
Error cudaGraphicsSubResourceGetMappedArray() { return unsupported_call("cudaGraphicsSubResourceGetMappedArray"); }
Error cudaGraphicsResourceGetMappedMipmappedArray() {
  return unsupported_call("cudaGraphicsResourceGetMappedMipmappedArray");
}
Error cudaGLGetDevices() { return unsupported_call("cudaGLGetDevices"); }
Error cudaGraphicsGLRegisterBuffer() { return unsupported_call("cudaGraphicsGLRegisterBuffer"); }
Error cudaGraphicsGLRegisterImage() { return unsupported_call("cudaGraphicsGLRegisterImage"); }
Error cudaGraphicsEGLRegisterImage() { return unsupported_call("cudaGraphicsEGLRegisterImage"); }
Error cudaGraphicsVDPAURegisterVideoSurface() { return unsupported_call("cudaGraphicsVDPAURegisterVideoSurface"); }
Error cudaGraphicsVDPAURegisterOutputSurface() { return unsupported_call("cudaGraphicsVDPAURegisterOutputSurface"); }

// Others

Error cudaDeviceRegisterAsyncNotification() { return unsupported_call("cudaDeviceRegisterAsyncNotification"); }
Error cudaDeviceUnregisterAsyncNotification() { return unsupported_call("cudaDeviceUnregisterAsyncNotification"); }
Error cudaDeviceFlushGPUDirectRDMAWrites() { return unsupported_call("cudaDeviceFlushGPUDirectRDMAWrites"); }
Error cudaDeviceGetHostAtomicCapabilities() { return unsupported_call("cudaDeviceGetHostAtomicCapabilities"); }
Error cudaDeviceGetP2PAtomicCapabilities() { return unsupported_call("cudaDeviceGetP2PAtomicCapabilities"); }
Error cudaMemDiscardBatchAsync() { return unsupported_call("cudaMemDiscardBatchAsync"); }
Error cudaMemDiscardBatchAsync_ptsz() { return unsupported_call("cudaMemDiscardBatchAsync"); }
Error cudaMemDiscardAndPrefetchBatchAsync() { return unsupported_call("cudaMemDiscardAndPrefetchBatchAsync"); }
Error cudaMemDiscardAndPrefetchBatchAsync_ptsz() { return unsupported_call("cudaMemDiscardAndPrefetchBatchAsync"); }
Error cudaLogsRegisterCallback() { return unsupported_call("cudaLogsRegisterCallback"); }
Error cudaLogsUnregisterCallback() { return unsupported_call("cudaLogsUnregisterCallback"); }
Error cudaLogsCurrent() { return unsupported_call("cudaLogsCurrent"); }
Error cudaLogsDumpToFile() { return unsupported_call("cudaLogsDumpToFile"); }
Error cudaLogsDumpToMemory() { return unsupported_call("cudaLogsDumpToMemory"); }
Error cudaGetExportTable() { return unsupported_call("cudaGetExportTable"); }

}  // extern "C"

}  // namespace warpwalk::simulated

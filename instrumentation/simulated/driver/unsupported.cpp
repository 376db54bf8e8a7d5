// Functions of the driver that the simulated GPU does not support. They say so once and fail, whatever they are called
// with; their parameters are left out.
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {

extern "C" {

// Memory of other processes and devices in virtual memory management.
CUresult cuMemExportToShareableHandle() { return refuse("cuMemExportToShareableHandle"); }
CUresult cuMemGetHandleForAddressRange() { return refuse("cuMemGetHandleForAddressRange"); }
CUresult cuMemImportFromShareableHandle() { return refuse("cuMemImportFromShareableHandle"); }

// Memory and events of several processes or devices.
CUresult cuIpcCloseMemHandle() { return refuse("cuIpcCloseMemHandle"); }
CUresult cuIpcGetEventHandle() { return refuse("cuIpcGetEventHandle"); }
CUresult cuIpcGetMemHandle() { return refuse("cuIpcGetMemHandle"); }
CUresult cuIpcOpenEventHandle() { return refuse("cuIpcOpenEventHandle"); }
CUresult cuIpcOpenMemHandle() { return refuse("cuIpcOpenMemHandle"); }
CUresult cuIpcOpenMemHandle_v2() { return refuse("cuIpcOpenMemHandle_v2"); }
CUresult cuMemPoolExportPointer() { return refuse("cuMemPoolExportPointer"); }
CUresult cuMemPoolExportToShareableHandle() { return refuse("cuMemPoolExportToShareableHandle"); }
CUresult cuMemPoolImportFromShareableHandle() { return refuse("cuMemPoolImportFromShareableHandle"); }
CUresult cuMemPoolImportPointer() { return refuse("cuMemPoolImportPointer"); }
CUresult cuMulticastAddDevice() { return refuse("cuMulticastAddDevice"); }
CUresult cuMulticastBindAddr() { return refuse("cuMulticastBindAddr"); }
CUresult cuMulticastBindMem() { return refuse("cuMulticastBindMem"); }
CUresult cuMulticastCreate() { return refuse("cuMulticastCreate"); }
CUresult cuMulticastGetGranularity() { return refuse("cuMulticastGetGranularity"); }
CUresult cuMulticastUnbind() { return refuse("cuMulticastUnbind"); }

// Batches and decompression.
CUresult cuMemBatchDecompressAsync() { return refuse("cuMemBatchDecompressAsync"); }
CUresult cuMemBatchDecompressAsync_ptsz() { return refuse("cuMemBatchDecompressAsync"); }
CUresult cuMemDiscardAndPrefetchBatchAsync() { return refuse("cuMemDiscardAndPrefetchBatchAsync"); }
CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz() { return refuse("cuMemDiscardAndPrefetchBatchAsync"); }
CUresult cuMemDiscardBatchAsync() { return refuse("cuMemDiscardBatchAsync"); }
CUresult cuMemDiscardBatchAsync_ptsz() { return refuse("cuMemDiscardBatchAsync"); }
CUresult cuMemPrefetchBatchAsync() { return refuse("cuMemPrefetchBatchAsync"); }
CUresult cuMemPrefetchBatchAsync_ptsz() { return refuse("cuMemPrefetchBatchAsync"); }
CUresult cuMemcpy3DBatchAsync() { return refuse("cuMemcpy3DBatchAsync"); }
CUresult cuMemcpy3DBatchAsync_ptsz() { return refuse("cuMemcpy3DBatchAsync"); }
CUresult cuMemcpy3DBatchAsync_v2() { return refuse("cuMemcpy3DBatchAsync_v2"); }
CUresult cuMemcpy3DBatchAsync_v2_ptsz() { return refuse("cuMemcpy3DBatchAsync_v2"); }

// Memory and semaphores of graphics and other interfaces.
CUresult cuExternalMemoryGetMappedMipmappedArray() { return refuse("cuExternalMemoryGetMappedMipmappedArray"); }
CUresult cuGraphicsResourceGetMappedMipmappedArray() { return refuse("cuGraphicsResourceGetMappedMipmappedArray"); }
CUresult cuGraphicsResourceGetMappedPointer() { return refuse("cuGraphicsResourceGetMappedPointer"); }
CUresult cuGraphicsResourceSetMapFlags() { return refuse("cuGraphicsResourceSetMapFlags"); }
CUresult cuGraphicsSubResourceGetMappedArray() { return refuse("cuGraphicsSubResourceGetMappedArray"); }
CUresult cuDestroyExternalMemory() { return refuse("cuDestroyExternalMemory"); }
CUresult cuDestroyExternalSemaphore() { return refuse("cuDestroyExternalSemaphore"); }
CUresult cuDeviceGetNvSciSyncAttributes() { return refuse("cuDeviceGetNvSciSyncAttributes"); }
CUresult cuExternalMemoryGetMappedBuffer() { return refuse("cuExternalMemoryGetMappedBuffer"); }
CUresult cuGraphicsMapResources() { return refuse("cuGraphicsMapResources"); }
CUresult cuGraphicsMapResources_ptsz() { return refuse("cuGraphicsMapResources"); }
CUresult cuGraphicsResourceGetMappedPointer_v2() { return refuse("cuGraphicsResourceGetMappedPointer_v2"); }
CUresult cuGraphicsResourceSetMapFlags_v2() { return refuse("cuGraphicsResourceSetMapFlags_v2"); }
CUresult cuGraphicsUnmapResources() { return refuse("cuGraphicsUnmapResources"); }
CUresult cuGraphicsUnmapResources_ptsz() { return refuse("cuGraphicsUnmapResources"); }
CUresult cuGraphicsUnregisterResource() { return refuse("cuGraphicsUnregisterResource"); }
CUresult cuImportExternalMemory() { return refuse("cuImportExternalMemory"); }
CUresult cuImportExternalSemaphore() { return refuse("cuImportExternalSemaphore"); }
CUresult cuSignalExternalSemaphoresAsync() { return refuse("cuSignalExternalSemaphoresAsync"); }
CUresult cuSignalExternalSemaphoresAsync_ptsz() { return refuse("cuSignalExternalSemaphoresAsync"); }
CUresult cuWaitExternalSemaphoresAsync() { return refuse("cuWaitExternalSemaphoresAsync"); }
CUresult cuWaitExternalSemaphoresAsync_ptsz() { return refuse("cuWaitExternalSemaphoresAsync"); }

// Contexts of a part of the SMs.
CUresult cuCtxFromGreenCtx() { return refuse("cuCtxFromGreenCtx"); }
CUresult cuCtxGetDevResource() { return refuse("cuCtxGetDevResource"); }
CUresult cuDevResourceGenerateDesc() { return refuse("cuDevResourceGenerateDesc"); }
CUresult cuDevSmResourceSplitByCount() { return refuse("cuDevSmResourceSplitByCount"); }
CUresult cuDeviceGetDevResource() { return refuse("cuDeviceGetDevResource"); }
CUresult cuGreenCtxCreate() { return refuse("cuGreenCtxCreate"); }
CUresult cuGreenCtxDestroy() { return refuse("cuGreenCtxDestroy"); }
CUresult cuGreenCtxGetDevResource() { return refuse("cuGreenCtxGetDevResource"); }
CUresult cuGreenCtxGetId() { return refuse("cuGreenCtxGetId"); }
CUresult cuGreenCtxRecordEvent() { return refuse("cuGreenCtxRecordEvent"); }
CUresult cuGreenCtxStreamCreate() { return refuse("cuGreenCtxStreamCreate"); }
CUresult cuGreenCtxWaitEvent() { return refuse("cuGreenCtxWaitEvent"); }
CUresult cuStreamGetGreenCtx() { return refuse("cuStreamGetGreenCtx"); }

// Tensor maps.
CUresult cuTensorMapEncodeIm2colWide() { return refuse("cuTensorMapEncodeIm2colWide"); }

// Checkpoints, core dumps, logs and notifications of the driver.
CUresult cuCheckpointProcessCheckpoint() { return refuse("cuCheckpointProcessCheckpoint"); }
CUresult cuCheckpointProcessGetRestoreThreadId() { return refuse("cuCheckpointProcessGetRestoreThreadId"); }
CUresult cuCheckpointProcessGetState() { return refuse("cuCheckpointProcessGetState"); }
CUresult cuCheckpointProcessLock() { return refuse("cuCheckpointProcessLock"); }
CUresult cuCheckpointProcessRestore() { return refuse("cuCheckpointProcessRestore"); }
CUresult cuCheckpointProcessUnlock() { return refuse("cuCheckpointProcessUnlock"); }
CUresult cuCoredumpGetAttribute() { return refuse("cuCoredumpGetAttribute"); }
CUresult cuCoredumpGetAttributeGlobal() { return refuse("cuCoredumpGetAttributeGlobal"); }
CUresult cuCoredumpSetAttribute() { return refuse("cuCoredumpSetAttribute"); }
CUresult cuCoredumpSetAttributeGlobal() { return refuse("cuCoredumpSetAttributeGlobal"); }
CUresult cuDeviceGetHostAtomicCapabilities() { return refuse("cuDeviceGetHostAtomicCapabilities"); }
CUresult cuDeviceGetP2PAtomicCapabilities() { return refuse("cuDeviceGetP2PAtomicCapabilities"); }
CUresult cuDeviceRegisterAsyncNotification() { return refuse("cuDeviceRegisterAsyncNotification"); }
CUresult cuDeviceUnregisterAsyncNotification() { return refuse("cuDeviceUnregisterAsyncNotification"); }
CUresult cuLogsCurrent() { return refuse("cuLogsCurrent"); }
CUresult cuLogsDumpToFile() { return refuse("cuLogsDumpToFile"); }
CUresult cuLogsDumpToMemory() { return refuse("cuLogsDumpToMemory"); }
CUresult cuLogsRegisterCallback() { return refuse("cuLogsRegisterCallback"); }
CUresult cuLogsUnregisterCallback() { return refuse("cuLogsUnregisterCallback"); }

}  // extern "C"
}  // namespace warpwalk::simulated

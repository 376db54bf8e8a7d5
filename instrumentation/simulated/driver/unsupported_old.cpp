// Functions of the driver that CUDA has replaced: texture and surface references, launches in several calls, and the
// first versions of functions with 32-bit addresses. The library has them, because programs that look up every function
// by its name refuse to start without them.
#include "instrumentation/simulated/driver/call.h"

namespace warpwalk::simulated {

extern "C" {

// Texture and surface references.
CUresult cuModuleGetSurfRef() { return refuse("cuModuleGetSurfRef"); }
CUresult cuModuleGetTexRef() { return refuse("cuModuleGetTexRef"); }
CUresult cuParamSetTexRef() { return refuse("cuParamSetTexRef"); }
CUresult cuSurfRefGetArray() { return refuse("cuSurfRefGetArray"); }
CUresult cuSurfRefSetArray() { return refuse("cuSurfRefSetArray"); }
CUresult cuTexRefCreate() { return refuse("cuTexRefCreate"); }
CUresult cuTexRefDestroy() { return refuse("cuTexRefDestroy"); }
CUresult cuTexRefGetAddress() { return refuse("cuTexRefGetAddress"); }
CUresult cuTexRefGetAddressMode() { return refuse("cuTexRefGetAddressMode"); }
CUresult cuTexRefGetAddress_v2() { return refuse("cuTexRefGetAddress_v2"); }
CUresult cuTexRefGetArray() { return refuse("cuTexRefGetArray"); }
CUresult cuTexRefGetBorderColor() { return refuse("cuTexRefGetBorderColor"); }
CUresult cuTexRefGetFilterMode() { return refuse("cuTexRefGetFilterMode"); }
CUresult cuTexRefGetFlags() { return refuse("cuTexRefGetFlags"); }
CUresult cuTexRefGetFormat() { return refuse("cuTexRefGetFormat"); }
CUresult cuTexRefGetMaxAnisotropy() { return refuse("cuTexRefGetMaxAnisotropy"); }
CUresult cuTexRefGetMipmapFilterMode() { return refuse("cuTexRefGetMipmapFilterMode"); }
CUresult cuTexRefGetMipmapLevelBias() { return refuse("cuTexRefGetMipmapLevelBias"); }
CUresult cuTexRefGetMipmapLevelClamp() { return refuse("cuTexRefGetMipmapLevelClamp"); }
CUresult cuTexRefGetMipmappedArray() { return refuse("cuTexRefGetMipmappedArray"); }
CUresult cuTexRefSetAddress() { return refuse("cuTexRefSetAddress"); }
CUresult cuTexRefSetAddress2D() { return refuse("cuTexRefSetAddress2D"); }
CUresult cuTexRefSetAddress2D_v2() { return refuse("cuTexRefSetAddress2D_v2"); }
CUresult cuTexRefSetAddress2D_v3() { return refuse("cuTexRefSetAddress2D_v3"); }
CUresult cuTexRefSetAddressMode() { return refuse("cuTexRefSetAddressMode"); }
CUresult cuTexRefSetAddress_v2() { return refuse("cuTexRefSetAddress_v2"); }
CUresult cuTexRefSetArray() { return refuse("cuTexRefSetArray"); }
CUresult cuTexRefSetBorderColor() { return refuse("cuTexRefSetBorderColor"); }
CUresult cuTexRefSetFilterMode() { return refuse("cuTexRefSetFilterMode"); }
CUresult cuTexRefSetFlags() { return refuse("cuTexRefSetFlags"); }
CUresult cuTexRefSetFormat() { return refuse("cuTexRefSetFormat"); }
CUresult cuTexRefSetMaxAnisotropy() { return refuse("cuTexRefSetMaxAnisotropy"); }
CUresult cuTexRefSetMipmapFilterMode() { return refuse("cuTexRefSetMipmapFilterMode"); }
CUresult cuTexRefSetMipmapLevelBias() { return refuse("cuTexRefSetMipmapLevelBias"); }
CUresult cuTexRefSetMipmapLevelClamp() { return refuse("cuTexRefSetMipmapLevelClamp"); }
CUresult cuTexRefSetMipmappedArray() { return refuse("cuTexRefSetMipmappedArray"); }

// Launches in several calls, and launches on several GPUs.
CUresult cuFuncSetBlockShape() { return refuse("cuFuncSetBlockShape"); }
CUresult cuFuncSetSharedSize() { return refuse("cuFuncSetSharedSize"); }
CUresult cuLaunch() { return refuse("cuLaunch"); }
CUresult cuLaunchCooperativeKernelMultiDevice() { return refuse("cuLaunchCooperativeKernelMultiDevice"); }
CUresult cuLaunchGrid() { return refuse("cuLaunchGrid"); }
CUresult cuLaunchGridAsync() { return refuse("cuLaunchGridAsync"); }
CUresult cuParamSetSize() { return refuse("cuParamSetSize"); }
CUresult cuParamSetf() { return refuse("cuParamSetf"); }
CUresult cuParamSeti() { return refuse("cuParamSeti"); }
CUresult cuParamSetv() { return refuse("cuParamSetv"); }

// First versions.
CUresult cuArray3DCreate() { return refuse("cuArray3DCreate"); }
CUresult cuArray3DGetDescriptor() { return refuse("cuArray3DGetDescriptor"); }
CUresult cuArrayCreate() { return refuse("cuArrayCreate"); }
CUresult cuArrayGetDescriptor() { return refuse("cuArrayGetDescriptor"); }
CUresult cuDeviceTotalMem() { return refuse("cuDeviceTotalMem"); }
CUresult cuMemAlloc() { return refuse("cuMemAlloc"); }
CUresult cuMemAllocHost() { return refuse("cuMemAllocHost"); }
CUresult cuMemAllocPitch() { return refuse("cuMemAllocPitch"); }
CUresult cuMemFree() { return refuse("cuMemFree"); }
CUresult cuMemGetAddressRange() { return refuse("cuMemGetAddressRange"); }
CUresult cuMemGetInfo() { return refuse("cuMemGetInfo"); }
CUresult cuMemHostGetDevicePointer() { return refuse("cuMemHostGetDevicePointer"); }
CUresult cuMemcpy2D() { return refuse("cuMemcpy2D"); }
CUresult cuMemcpy2DAsync() { return refuse("cuMemcpy2DAsync"); }
CUresult cuMemcpy2DUnaligned() { return refuse("cuMemcpy2DUnaligned"); }
CUresult cuMemcpy3D() { return refuse("cuMemcpy3D"); }
CUresult cuMemcpy3DAsync() { return refuse("cuMemcpy3DAsync"); }
CUresult cuMemcpyAtoA() { return refuse("cuMemcpyAtoA"); }
CUresult cuMemcpyAtoD() { return refuse("cuMemcpyAtoD"); }
CUresult cuMemcpyAtoH() { return refuse("cuMemcpyAtoH"); }
CUresult cuMemcpyAtoHAsync() { return refuse("cuMemcpyAtoHAsync"); }
CUresult cuMemcpyDtoA() { return refuse("cuMemcpyDtoA"); }
CUresult cuMemcpyDtoD() { return refuse("cuMemcpyDtoD"); }
CUresult cuMemcpyDtoDAsync() { return refuse("cuMemcpyDtoDAsync"); }
CUresult cuMemcpyDtoH() { return refuse("cuMemcpyDtoH"); }
CUresult cuMemcpyDtoHAsync() { return refuse("cuMemcpyDtoHAsync"); }
CUresult cuMemcpyHtoA() { return refuse("cuMemcpyHtoA"); }
CUresult cuMemcpyHtoAAsync() { return refuse("cuMemcpyHtoAAsync"); }
CUresult cuMemcpyHtoD() { return refuse("cuMemcpyHtoD"); }
CUresult cuMemcpyHtoDAsync() { return refuse("cuMemcpyHtoDAsync"); }
CUresult cuMemsetD16() { return refuse("cuMemsetD16"); }
CUresult cuMemsetD2D16() { return refuse("cuMemsetD2D16"); }
CUresult cuMemsetD2D32() { return refuse("cuMemsetD2D32"); }
CUresult cuMemsetD2D8() { return refuse("cuMemsetD2D8"); }
CUresult cuMemsetD32() { return refuse("cuMemsetD32"); }
CUresult cuMemsetD8() { return refuse("cuMemsetD8"); }
CUresult cuModuleGetGlobal() { return refuse("cuModuleGetGlobal"); }
CUresult cuStreamBatchMemOp() { return refuse("cuStreamBatchMemOp"); }
CUresult cuStreamBatchMemOp_ptsz() { return refuse("cuStreamBatchMemOp"); }
CUresult cuStreamWaitValue32() { return refuse("cuStreamWaitValue32"); }
CUresult cuStreamWaitValue32_ptsz() { return refuse("cuStreamWaitValue32"); }
CUresult cuStreamWaitValue64() { return refuse("cuStreamWaitValue64"); }
CUresult cuStreamWaitValue64_ptsz() { return refuse("cuStreamWaitValue64"); }
CUresult cuStreamWriteValue32() { return refuse("cuStreamWriteValue32"); }
CUresult cuStreamWriteValue32_ptsz() { return refuse("cuStreamWriteValue32"); }
CUresult cuStreamWriteValue64() { return refuse("cuStreamWriteValue64"); }
CUresult cuStreamWriteValue64_ptsz() { return refuse("cuStreamWriteValue64"); }

}  // extern "C"
}  // namespace warpwalk::simulated

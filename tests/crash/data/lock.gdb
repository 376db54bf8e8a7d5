[Current focus set to CUDA kernel 0, grid 1, block (1,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
*      0      -   0    1 Active 0x0050000000000000000000000000000000 (3,1,1) (64,1,1) append()
*  (1,0,0)   (0,0,0)     (1,0,0)   (0,0,0)     1 0x00007fe7477a00d0 /usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp   202
   (2,0,0)   (0,0,0)     (2,0,0)   (0,0,0)     1 0x00007fe7477a00d0 /usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp   202
=> 0x7fe7477a00d0 <_Z6appendPiS_+208>:	ISETP.NE.AND P0,PT,R2,RZ,PT
   0x7fe7477a00e0 <_Z6appendPiS_+224>:	@P0 BRA 0x7fe7477a0080
   0x7fe7477a00f0 <_Z6appendPiS_+240>:	BSYNC B0
R0 0x0
R1 0xfffdc0
R2 0x1
R3 0x7fe7
R4 0x0
R5 0x1
R6 0x0
R7 0x0

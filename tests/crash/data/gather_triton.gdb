[Current focus set to CUDA kernel 0, grid 3, block (1,0,0), thread (0,0,0), device 0, sm 126, warp 2, lane 0]
CUDA Exception: Warp Illegal Address
The exception was triggered at PC 0x7ef96b7a1a40  gather_kernel  (gather_triton.py:12)
*      0      -   0    3 Active 0x0040000000000000000000000000000000 (2,1,1) (128,1,1) gather_kernel()
*  (1,0,0)   (0,0,0)     (1,0,0)  (31,0,0)    32 0x00007ef96b7a1a70 /opt/crash/triton/kernels/src/gather_triton.py    12
   (1,0,0)  (32,0,0)     (1,0,0) (127,0,0)    96 0x00007ef96b7a1a90 /opt/crash/triton/kernels/src/gather_triton.py    12
*> 0x7ef96b7a1a40 <gather_kernel+320>:	@!P0 LDG.E R12,desc[UR4][R4.64]
   0x7ef96b7a1a50 <gather_kernel+336>:	@!P0 LDG.E R13,desc[UR4][R6.64]
   0x7ef96b7a1a60 <gather_kernel+352>:	IMAD.WIDE R2,R11,0x4,R8
=> 0x7ef96b7a1a70 <gather_kernel+368>:	@P0 EXIT
   0x7ef96b7a1a80 <gather_kernel+384>:	STG.E.64 desc[UR4][R2.64],R12
   0x7ef96b7a1a90 <gather_kernel+400>:	EXIT
R0 0x0
R1 0xfffc60
R2 0x63e01c00
R3 0x7ef9
R4 0x63e00c00
R5 0x7ef9
R6 0x63e00c04
R7 0x7ef9

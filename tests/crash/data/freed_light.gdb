[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Illegal Address
The exception was triggered at PC 0x7f793f7a00c0  scale(float*, float, int)  (freed.cu:6)
*      0      -   0    1 Active 0x0050000000000000000000000000000000 (2,1,1) (64,1,1) scale()
*  (0,0,0)   (0,0,0)     (1,0,0)  (63,0,0)   128 0x00007f793f7a00d0 /opt/crash/freed.cu     6
*> 0x7f793f7a00c0 <_Z5scalePffi+192>:	LDG.E R0,desc[UR4][R2.64]
=> 0x7f793f7a00d0 <_Z5scalePffi+208>:	FMUL R5,R0,UR6
   0x7f793f7a00e0 <_Z5scalePffi+224>:	STG.E desc[UR4][R2.64],R5
=> 0x7f793f7a00d0 <_Z5scalePffi+208>:	FMUL R5,R0,UR6
   0x7f793f7a00e0 <_Z5scalePffi+224>:	STG.E desc[UR4][R2.64],R5
   0x7f793f7a00f0 <_Z5scalePffi+240>:	EXIT
R0 0x0
R1 0xfffdc0
R2 0x1a000000
R3 0x7f79
R4 0x0
R5 0x0
R6 0x0
R7 0x0

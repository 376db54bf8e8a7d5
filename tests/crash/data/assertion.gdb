[Current focus set to CUDA kernel 0, grid 1, block (1,0,0), thread (70,0,0), device 0, sm 126, warp 2, lane 6]
Assertion failed.
*      0      -   0    1 Active 0x0040000000000000000000000000000000 (2,1,1) (128,1,1) sample()
*  (1,0,0)  (70,0,0)     (1,0,0)  (70,0,0)     1 0x00007fa9637a01d0 /opt/crash/assertion.cu     9
=> 0x7fa9637a01d0 <_Z6samplePKfPf+464>:	LDG.E R0,desc[UR36][R16.64]
   0x7fa9637a01e0 <_Z6samplePKfPf+480>:	BSYNC B6
   0x7fa9637a01f0 <_Z6samplePKfPf+496>:	ULDC.64 UR4,c[0x0][0x218]
R0 0x6
R1 0xfffc60
R2 0x40
R3 0x11
R4 0x0
R5 0x0
R6 0x0
R7 0x0

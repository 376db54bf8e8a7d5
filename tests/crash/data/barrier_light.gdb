[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
*      0      -   0    1 Active 0x0050000000000000000000000000000000 (2,1,1) (128,1,1) stage()
*  (0,0,0)   (0,0,0)     (0,0,0)  (63,0,0)    64 0x00007fc4cb7a0150 /opt/crash/barrier.cu    12
   (0,0,0)  (64,0,0)     (0,0,0)  (95,0,0)    32 0x00007fc4cb7a0110 /opt/crash/barrier.cu     7
   (0,0,0)  (96,0,0)     (1,0,0)  (63,0,0)    96 0x00007fc4cb7a0150 /opt/crash/barrier.cu    12
   (1,0,0)  (64,0,0)     (1,0,0)  (95,0,0)    32 0x00007fc4cb7a0110 /opt/crash/barrier.cu     7
   (1,0,0)  (96,0,0)     (1,0,0) (127,0,0)    32 0x00007fc4cb7a0150 /opt/crash/barrier.cu    12
=> 0x7fc4cb7a0150 <_Z5stagePViPf+336>:	LDC.64 R2,c[0x0][0x218]
   0x7fc4cb7a0160 <_Z5stagePViPf+352>:	LDS R5[R0]
   0x7fc4cb7a0170 <_Z5stagePViPf+368>:	IMAD.WIDE.U32 R2,R4,0x4,R2
R0 0x5fc
R1 0xfffdc0
R2 0x0
R3 0x400
R4 0x0
R5 0x400
R6 0x0
R7 0x0

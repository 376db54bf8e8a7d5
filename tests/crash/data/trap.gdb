[Current focus set to CUDA kernel 0, grid 1, block (1,0,0), thread (5,0,0), device 0, sm 126, warp 0, lane 5]
*      0      -   0    1 Active 0x0040000000000000000000000000000000 (2,1,1) (64,1,1) refuse_nan()
*  (1,0,0)   (0,0,0)     (1,0,0)  (31,0,0)    32 0x00007f21637a00d0 /opt/crash/trap.cu     9
=> 0x7f21637a00d0 <_Z10refuse_nanPKfPf+208>:	ULDC.64 UR6,c[0x0][0x218]
   0x7f21637a00e0 <_Z10refuse_nanPKfPf+224>:	LEA R2,P0,R5,UR6,0x2
   0x7f21637a00f0 <_Z10refuse_nanPKfPf+240>:	LEA.HI.X R3,R5,UR7,R4,0x2,P0
R0 0x7fc00000
R1 0xfffdc0
R2 0x55e00314
R3 0x7f21
R4 0x0
R5 0x45
R6 0x0
R7 0x0

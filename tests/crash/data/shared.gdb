[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (32,0,0), device 0, sm 124, warp 1, lane 0]
CUDA Exception: Warp Out-of-range Address
The exception was triggered at PC 0x7f871f7a00e0  scatter(int const*, float*)  (shared.cu:6)
*      0      -   0    1 Active 0x0050000000000000000000000000000000 (2,1,1) (64,1,1) scatter()
*  (0,0,0)   (0,0,0)     (1,0,0)  (63,0,0)   128 0x00007f871f7a0110 /opt/crash/shared.cu     8
*> 0x7f871f7a00e0 <_Z7scatterPKiPf+224>:	STS [R7],R0
   0x7f871f7a00f0 <_Z7scatterPKiPf+240>:	BAR.SYNC.DEFER_BLOCKING 0x0
   0x7f871f7a0100 <_Z7scatterPKiPf+256>:	LDS R9[R6]
=> 0x7f871f7a0110 <_Z7scatterPKiPf+272>:	STG.E desc[UR6][R2.64],R9
   0x7f871f7a0120 <_Z7scatterPKiPf+288>:	EXIT
   0x7f871f7a0130 <_Z7scatterPKiPf+304>:	BRA 0x7f871f7a0130
R0 0x42000000
R1 0xfffdc0
R2 0x17e00080
R3 0x7f87
R4 0x17e00000
R5 0x7f87
R6 0x480
R7 0x480

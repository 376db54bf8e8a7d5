[Current focus set to CUDA kernel 0, grid 1, block (1,0,0), thread (0,0,0), device 0, sm 126, warp 0, lane 0]
*      0      -   0    1 Active 0x0040000000000000000000000000000000 (2,1,1) (32,1,1) hand_over()
*  (1,0,0)   (0,0,0)     (1,0,0)  (31,0,0)    32 0x00007fee877a0060 /opt/crash/spin.cu     9
=> 0x7fee877a0060 <_Z9hand_overPiPf+96>:	LDG.E.STRONG.SYS R0,desc[UR6][R2.64+0x10]
   0x7fee877a0070 <_Z9hand_overPiPf+112>:	ISETP.NE.AND P0,PT,R0,0x2,PT
   0x7fee877a0080 <_Z9hand_overPiPf+128>:	@P0 BRA 0x7fee877a0060
R0 0x1
R1 0xfffdc0
R2 0x7fe00200
R3 0x7fee
R4 0x0
R5 0x0
R6 0x0
R7 0x0

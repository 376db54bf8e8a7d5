[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Out-of-range Address
The exception was triggered at PC 0x7f400f7a1880  permute(int const*, int*)  (local.cu:7)
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (64,1,1) permute()
*  (0,0,0)   (0,0,0)     (0,0,0)  (63,0,0)    64 0x00007f400f7a18a0 /opt/crash/local.cu     7
*> 0x7f400f7a1880 <_Z7permutePKiPi+6272>:	LDL R5[R5]
   0x7f400f7a1890 <_Z7permutePKiPi+6288>:	IMAD.WIDE.U32 R2,R7,0x4,R2
=> 0x7f400f7a18a0 <_Z7permutePKiPi+6304>:	STG.E desc[UR4][R2.64],R5
=> 0x7f400f7a18a0 <_Z7permutePKiPi+6304>:	STG.E desc[UR4][R2.64],R5
   0x7f400f7a18b0 <_Z7permutePKiPi+6320>:	EXIT
   0x7f400f7a18c0 <_Z7permutePKiPi+6336>:	BRA 0x7f400f7a18c0
R0 0xfffdbc
R1 0xfffcc0
R2 0x7e00000
R3 0x7f40
R4 0xfffdb4
R5 0x0
R6 0xf0
R7 0x0

[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Misaligned Address
The exception was triggered at PC 0x7f9f277a0090  load_pairs(float const*, int const*, float*)  (misaligned.cu:5)
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (64,1,1) load_pairs()
*  (0,0,0)   (0,0,0)     (0,0,0)  (63,0,0)    64 0x00007f9f277a00b0 /opt/crash/misaligned.cu     6
*> 0x7f9f277a0090 <_Z10load_pairsPKfPKiPf+144>:	LDG.E.64 R4,desc[UR4][R4.64]
   0x7f9f277a00a0 <_Z10load_pairsPKfPKiPf+160>:	IMAD.WIDE.U32 R6,R9,0x4,R6
=> 0x7f9f277a00b0 <_Z10load_pairsPKfPKiPf+176>:	FADD R9,R4,R5
=> 0x7f9f277a00b0 <_Z10load_pairsPKfPKiPf+176>:	FADD R9,R4,R5
   0x7f9f277a00c0 <_Z10load_pairsPKfPKiPf+192>:	STG.E desc[UR4][R6.64],R9
   0x7f9f277a00d0 <_Z10load_pairsPKfPKiPf+208>:	EXIT
R0 0x0
R1 0xfffdc0
R2 0x1fe00200
R3 0x0
R4 0x3f800000
R5 0x3f800000
R6 0x1fe00000
R7 0x7f9f

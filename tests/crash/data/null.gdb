[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Illegal Address
The exception was triggered at PC 0x7f0ba77a00a0  add_bias(float const*, float const*, float*, int)  (null.cu:6)
*      0      -   0    1 Active 0x0050000000000000000000000000000000 (2,1,1) (64,1,1) add_bias()
*  (0,0,0)   (0,0,0)     (1,0,0)  (63,0,0)   128 0x00007f0ba77a00e0 /opt/crash/null.cu     6
*> 0x7f0ba77a00a0 <_Z8add_biasPKfS0_Pfi+160>:	LDG.E R5,desc[UR4][R4.64]
   0x7f0ba77a00b0 <_Z8add_biasPKfS0_Pfi+176>:	IMAD.WIDE R2,R9,0x4,R2
   0x7f0ba77a00c0 <_Z8add_biasPKfS0_Pfi+192>:	LDG.E R2,desc[UR4][R2.64]
=> 0x7f0ba77a00e0 <_Z8add_biasPKfS0_Pfi+224>:	FADD R9,R2,R5
   0x7f0ba77a00f0 <_Z8add_biasPKfS0_Pfi+240>:	STG.E desc[UR4][R6.64],R9
   0x7f0ba77a0100 <_Z8add_biasPKfS0_Pfi+256>:	EXIT
R0 0x40
R1 0xfffdc0
R2 0x3f800000
R3 0x7f0b
R4 0x0
R5 0x0
R6 0x9fe00000
R7 0x7f0b

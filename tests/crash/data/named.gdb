[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (128,1,1) pipeline()
*  (0,0,0)   (0,0,0)     (0,0,0)  (63,0,0)    64 0x00007f16d77a0130 /opt/crash/named.cu     8
   (0,0,0)  (64,0,0)     (0,0,0) (127,0,0)    64 0x00007f16d77a00a0 /opt/crash/named.cu    11
=> 0x7f16d77a0130 <_Z8pipelinePf+304>:	EXIT
   0x7f16d77a0140 <_Z8pipelinePf+320>:	BRA 0x7f16d77a0140
   0x7f16d77a0150 <_Z8pipelinePf+336>:	NOP
R0 0x400
R1 0xfffdc0
R2 0x0
R3 0x0
R4 0x0
R5 0x0
R6 0x0
R7 0x0

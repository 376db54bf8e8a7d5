[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (64,1,1) halves()
*  (0,0,0)   (0,0,0)     (0,0,0)  (15,0,0)    16 0x00007efd577a0210 /usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp   110
   (0,0,0)  (16,0,0)     (0,0,0)  (31,0,0)    16 0x00007efd577a0090                                                      /opt/crash/lanes.cu     9
   (0,0,0)  (32,0,0)     (0,0,0)  (47,0,0)    16 0x00007efd577a0210 /usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp   110
   (0,0,0)  (48,0,0)     (0,0,0)  (63,0,0)    16 0x00007efd577a0090                                                      /opt/crash/lanes.cu     9
=> 0x7efd577a0210 <_Z6halvesPViPi+528>:	WARPSYNC.COLLECTIVE R0,0x7efd577a0240
   0x7efd577a0220 <_Z6halvesPViPi+544>:	NOP
   0x7efd577a0230 <_Z6halvesPViPi+560>:	ENDCOLLECTIVE
R0 0xffffffff
R1 0xfffdc0
R2 0x0
R3 0x0
R4 0x0
R5 0x0
R6 0x0
R7 0x0

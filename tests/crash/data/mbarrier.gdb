[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (64,1,1) arrive()
*  (0,0,0)   (0,0,0)     (0,0,0)  (63,0,0)    64 0x00007ff4e77a0190 /opt/crash/mbarrier.cu    11
=> 0x7ff4e77a0190 <_Z6arrivePf+400>:	@!P0 BRA 0x7ff4e77a0180
   0x7ff4e77a01a0 <_Z6arrivePf+416>:	BRA 0x7ff4e77a0160
   0x7ff4e77a01b0 <_Z6arrivePf+432>:	BRA 0x7ff4e77a01b0
R0 0x0
R1 0xfffdc0
R2 0xd9e00000
R3 0x7ff4
R4 0x0
R5 0x0
R6 0x0
R7 0x3f800000

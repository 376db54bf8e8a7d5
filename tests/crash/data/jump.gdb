[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Illegal Instruction
The exception was triggered at PC 0x7f7e478c3450
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (32,1,1) apply()
*  (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x00007f7e478c3460              0
*> 0x7f7e478c3450:
   0x7f7e478c3451:
   0x7f7e478c3452:
=> 0x7f7e478c3460:
   0x7f7e478c3461:
   0x7f7e478c3462:
R0 0x0
R1 0xfffdc0
R2 0x123450
R3 0x0
R4 0x3f800000
R5 0x0
R6 0x0
R7 0x0

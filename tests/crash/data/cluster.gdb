[Current focus set to CUDA kernel 0, grid 1, cluster (0,0,0), cluster dim (2,1,1), block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Cluster target block not present
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (2,1,1) (32,1,1) neighbour()
*  (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x00007f5d237a1300 /opt/crash/cluster.cu    12
=> 0x7f5d237a1300 <_Z9neighbourPf+4864>:	STG.E desc[UR4][R4.64],R3
   0x7f5d237a1310 <_Z9neighbourPf+4880>:	EXIT
   0x7f5d237a1320 <_Z9neighbourPf+4896>:	BRA 0x7f5d237a1320
R0 0x2710
R1 0xfffdc0
R2 0x1000400
R3 0x0
R4 0x1be00000
R5 0x7f5d
R6 0x0
R7 0x0

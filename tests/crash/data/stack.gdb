[Current focus set to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 124, warp 0, lane 0]
CUDA Exception: Warp Out-of-range Address
The exception was triggered at PC 0x7fdac37a01f0  descend(int, int*) [clone recurse(int*, int)]  (stack.cu:6)
*      0      -   0    1 Active 0x0010000000000000000000000000000000 (1,1,1) (32,1,1) recurse()
*  (0,0,0)   (0,0,0)     (0,0,0)  (31,0,0)    32 0x00007fdac37a00f0 /opt/crash/stack.cu     4
*> 0x7fdac37a01f0 <$_Z7recursePii$_Z7descendiPi+256>:	STL [R3],R4
   0x7fdac37a0200 <$_Z7recursePii$_Z7descendiPi+272>:	@!P0 BRA 0x7fdac37a02a0
   0x7fdac37a0210 <$_Z7recursePii$_Z7descendiPi+288>:	IADD3 R4,R4,-0x1,RZ
=> 0x7fdac37a00f0 <$_Z7recursePii$_Z7descendiPi>:	IMAD.MOV.U32 R3,RZ,RZ,R1
   0x7fdac37a0100 <$_Z7recursePii$_Z7descendiPi+16>:	VIADD R1,R1,0xfffffee0
   0x7fdac37a0110 <$_Z7recursePii$_Z7descendiPi+32>:	LOP3.LUT R1,R1,0xfffffff0,RZ,0xc0,!PT
R0 0x74
R1 0xfff940
R2 0x61a74
R3 0xfff9b4
R4 0x1869c
R5 0x0
R6 0xbbe00000
R7 0x7fda

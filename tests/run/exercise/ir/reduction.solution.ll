; ModuleID = 'kernel.cu'
source_filename = "kernel.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.int4 = type { i32, i32, i32, i32 }

@_ZZ3sumPKiPiiE9warp_sums = internal unnamed_addr addrspace(3) global [8 x i32] undef, align 4

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z8warp_sumi(i32 noundef %v) local_unnamed_addr #0 !dbg !11 {
entry:
  %0 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %v, i32 range(i32 1, -2147483648) 16, i32 31, i32 -1) #3, !dbg !15, !srcloc !16
  %add = add nsw i32 %0, %v, !dbg !17
  %1 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add, i32 range(i32 1, -2147483648) 8, i32 31, i32 -1) #3, !dbg !15, !srcloc !16
  %add.1 = add nsw i32 %1, %add, !dbg !17
  %2 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.1, i32 range(i32 1, -2147483648) 4, i32 31, i32 -1) #3, !dbg !15, !srcloc !16
  %add.2 = add nsw i32 %2, %add.1, !dbg !17
  %3 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.2, i32 range(i32 1, -2147483648) 2, i32 31, i32 -1) #3, !dbg !15, !srcloc !16
  %add.3 = add nsw i32 %3, %add.2, !dbg !17
  %4 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.3, i32 range(i32 1, -2147483648) 1, i32 31, i32 -1) #3, !dbg !15, !srcloc !16
  %add.4 = add nsw i32 %4, %add.3, !dbg !17
  ret i32 %add.4, !dbg !18
}

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z3sumPKiPii(ptr noalias noundef readonly captures(none) %x, ptr noundef captures(none) %total, i32 noundef %n) local_unnamed_addr #1 !dbg !19 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !20
  %div = sdiv i32 %n, 4, !dbg !21
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %2 = shl i32 %1, 10
  %mul2 = or disjoint i32 %2, %0
  %cmp4 = icmp slt i32 %mul2, %div, !dbg !22
  br i1 %cmp4, label %if.then, label %if.end, !dbg !22

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %mul2 to i64, !dbg !23
  %arrayidx = getelementptr inbounds %struct.int4, ptr %x, i64 %idxprom, !dbg !23
  %v.sroa.0.0.copyload = load i32, ptr %arrayidx, align 16, !dbg !23, !tbaa !7
  %v.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 4, !dbg !23
  %v.sroa.4.0.copyload = load i32, ptr %v.sroa.4.0.arrayidx.sroa_idx, align 4, !dbg !23, !tbaa !7
  %v.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8, !dbg !23
  %v.sroa.5.0.copyload = load i32, ptr %v.sroa.5.0.arrayidx.sroa_idx, align 8, !dbg !23, !tbaa !7
  %v.sroa.6.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12, !dbg !23
  %v.sroa.6.0.copyload = load i32, ptr %v.sroa.6.0.arrayidx.sroa_idx, align 4, !dbg !23, !tbaa !7
  %add7 = add i32 %v.sroa.0.0.copyload, %v.sroa.4.0.copyload, !dbg !24
  %add8 = add i32 %add7, %v.sroa.5.0.copyload, !dbg !25
  %add9 = add i32 %add8, %v.sroa.6.0.copyload, !dbg !26
  br label %if.end, !dbg !27

if.end:                                           ; preds = %if.then, %entry
  %mine.1 = phi i32 [ %add9, %if.then ], [ 0, %entry ], !dbg !28
  %add3.1 = add i32 %mul2, 256, !dbg !29
  %cmp4.1 = icmp slt i32 %add3.1, %div, !dbg !22
  br i1 %cmp4.1, label %if.then.1, label %if.end.1, !dbg !22

if.then.1:                                        ; preds = %if.end
  %idxprom.1 = sext i32 %add3.1 to i64, !dbg !23
  %arrayidx.1 = getelementptr inbounds %struct.int4, ptr %x, i64 %idxprom.1, !dbg !23
  %v.sroa.0.0.copyload.1 = load i32, ptr %arrayidx.1, align 16, !dbg !23, !tbaa !7
  %v.sroa.4.0.arrayidx.sroa_idx.1 = getelementptr inbounds nuw i8, ptr %arrayidx.1, i64 4, !dbg !23
  %v.sroa.4.0.copyload.1 = load i32, ptr %v.sroa.4.0.arrayidx.sroa_idx.1, align 4, !dbg !23, !tbaa !7
  %v.sroa.5.0.arrayidx.sroa_idx.1 = getelementptr inbounds nuw i8, ptr %arrayidx.1, i64 8, !dbg !23
  %v.sroa.5.0.copyload.1 = load i32, ptr %v.sroa.5.0.arrayidx.sroa_idx.1, align 8, !dbg !23, !tbaa !7
  %v.sroa.6.0.arrayidx.sroa_idx.1 = getelementptr inbounds nuw i8, ptr %arrayidx.1, i64 12, !dbg !23
  %v.sroa.6.0.copyload.1 = load i32, ptr %v.sroa.6.0.arrayidx.sroa_idx.1, align 4, !dbg !23, !tbaa !7
  %add6.1 = add i32 %v.sroa.0.0.copyload.1, %mine.1, !dbg !30
  %add7.1 = add i32 %add6.1, %v.sroa.4.0.copyload.1, !dbg !24
  %add8.1 = add i32 %add7.1, %v.sroa.5.0.copyload.1, !dbg !25
  %add9.1 = add i32 %add8.1, %v.sroa.6.0.copyload.1, !dbg !26
  br label %if.end.1, !dbg !27

if.end.1:                                         ; preds = %if.then.1, %if.end
  %mine.1.1 = phi i32 [ %add9.1, %if.then.1 ], [ %mine.1, %if.end ], !dbg !28
  %add3.2 = add i32 %mul2, 512, !dbg !29
  %cmp4.2 = icmp slt i32 %add3.2, %div, !dbg !22
  br i1 %cmp4.2, label %if.then.2, label %if.end.2, !dbg !22

if.then.2:                                        ; preds = %if.end.1
  %idxprom.2 = sext i32 %add3.2 to i64, !dbg !23
  %arrayidx.2 = getelementptr inbounds %struct.int4, ptr %x, i64 %idxprom.2, !dbg !23
  %v.sroa.0.0.copyload.2 = load i32, ptr %arrayidx.2, align 16, !dbg !23, !tbaa !7
  %v.sroa.4.0.arrayidx.sroa_idx.2 = getelementptr inbounds nuw i8, ptr %arrayidx.2, i64 4, !dbg !23
  %v.sroa.4.0.copyload.2 = load i32, ptr %v.sroa.4.0.arrayidx.sroa_idx.2, align 4, !dbg !23, !tbaa !7
  %v.sroa.5.0.arrayidx.sroa_idx.2 = getelementptr inbounds nuw i8, ptr %arrayidx.2, i64 8, !dbg !23
  %v.sroa.5.0.copyload.2 = load i32, ptr %v.sroa.5.0.arrayidx.sroa_idx.2, align 8, !dbg !23, !tbaa !7
  %v.sroa.6.0.arrayidx.sroa_idx.2 = getelementptr inbounds nuw i8, ptr %arrayidx.2, i64 12, !dbg !23
  %v.sroa.6.0.copyload.2 = load i32, ptr %v.sroa.6.0.arrayidx.sroa_idx.2, align 4, !dbg !23, !tbaa !7
  %add6.2 = add i32 %v.sroa.0.0.copyload.2, %mine.1.1, !dbg !30
  %add7.2 = add i32 %add6.2, %v.sroa.4.0.copyload.2, !dbg !24
  %add8.2 = add i32 %add7.2, %v.sroa.5.0.copyload.2, !dbg !25
  %add9.2 = add i32 %add8.2, %v.sroa.6.0.copyload.2, !dbg !26
  br label %if.end.2, !dbg !27

if.end.2:                                         ; preds = %if.then.2, %if.end.1
  %mine.1.2 = phi i32 [ %add9.2, %if.then.2 ], [ %mine.1.1, %if.end.1 ], !dbg !28
  %add3.3 = add i32 %mul2, 768, !dbg !29
  %cmp4.3 = icmp slt i32 %add3.3, %div, !dbg !22
  br i1 %cmp4.3, label %if.then.3, label %if.end.3, !dbg !22

if.then.3:                                        ; preds = %if.end.2
  %idxprom.3 = sext i32 %add3.3 to i64, !dbg !23
  %arrayidx.3 = getelementptr inbounds %struct.int4, ptr %x, i64 %idxprom.3, !dbg !23
  %v.sroa.0.0.copyload.3 = load i32, ptr %arrayidx.3, align 16, !dbg !23, !tbaa !7
  %v.sroa.4.0.arrayidx.sroa_idx.3 = getelementptr inbounds nuw i8, ptr %arrayidx.3, i64 4, !dbg !23
  %v.sroa.4.0.copyload.3 = load i32, ptr %v.sroa.4.0.arrayidx.sroa_idx.3, align 4, !dbg !23, !tbaa !7
  %v.sroa.5.0.arrayidx.sroa_idx.3 = getelementptr inbounds nuw i8, ptr %arrayidx.3, i64 8, !dbg !23
  %v.sroa.5.0.copyload.3 = load i32, ptr %v.sroa.5.0.arrayidx.sroa_idx.3, align 8, !dbg !23, !tbaa !7
  %v.sroa.6.0.arrayidx.sroa_idx.3 = getelementptr inbounds nuw i8, ptr %arrayidx.3, i64 12, !dbg !23
  %v.sroa.6.0.copyload.3 = load i32, ptr %v.sroa.6.0.arrayidx.sroa_idx.3, align 4, !dbg !23, !tbaa !7
  %add6.3 = add i32 %v.sroa.0.0.copyload.3, %mine.1.2, !dbg !30
  %add7.3 = add i32 %add6.3, %v.sroa.4.0.copyload.3, !dbg !24
  %add8.3 = add i32 %add7.3, %v.sroa.5.0.copyload.3, !dbg !25
  %add9.3 = add i32 %add8.3, %v.sroa.6.0.copyload.3, !dbg !26
  br label %if.end.3, !dbg !27

if.end.3:                                         ; preds = %if.then.3, %if.end.2
  %mine.1.3 = phi i32 [ %add9.3, %if.then.3 ], [ %mine.1.2, %if.end.2 ], !dbg !28
  %cmp11 = icmp eq i32 %1, 0, !dbg !31
  %3 = mul i32 %div, 4
  %rem.decomposed = sub i32 %n, %3
  %cmp12 = icmp slt i32 %0, %rem.decomposed
  %or.cond = and i1 %cmp11, %cmp12, !dbg !32
  br i1 %or.cond, label %if.then13, label %if.end19, !dbg !32

if.then13:                                        ; preds = %if.end.3
  %mul14 = shl nsw i32 %div, 2, !dbg !33
  %add15 = add nsw i32 %mul14, %0, !dbg !34
  %idxprom16 = sext i32 %add15 to i64, !dbg !35
  %arrayidx17 = getelementptr inbounds i32, ptr %x, i64 %idxprom16, !dbg !35
  %4 = load i32, ptr %arrayidx17, align 4, !dbg !35, !tbaa !7
  %add18 = add nsw i32 %4, %mine.1.3, !dbg !36
  br label %if.end19, !dbg !37

if.end19:                                         ; preds = %if.then13, %if.end.3
  %mine.2 = phi i32 [ %add18, %if.then13 ], [ %mine.1.3, %if.end.3 ], !dbg !28
  %5 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %mine.2, i32 range(i32 1, -2147483648) 16, i32 31, i32 -1) #3, !dbg !38, !srcloc !16
  %add.i = add nsw i32 %5, %mine.2, !dbg !40
  %6 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.i, i32 range(i32 1, -2147483648) 8, i32 31, i32 -1) #3, !dbg !38, !srcloc !16
  %add.1.i = add nsw i32 %6, %add.i, !dbg !40
  %7 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.1.i, i32 range(i32 1, -2147483648) 4, i32 31, i32 -1) #3, !dbg !38, !srcloc !16
  %add.2.i = add nsw i32 %7, %add.1.i, !dbg !40
  %8 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.2.i, i32 range(i32 1, -2147483648) 2, i32 31, i32 -1) #3, !dbg !38, !srcloc !16
  %add.3.i = add nsw i32 %8, %add.2.i, !dbg !40
  %9 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.3.i, i32 range(i32 1, -2147483648) 1, i32 31, i32 -1) #3, !dbg !38, !srcloc !16
  %10 = and i32 %0, 31, !dbg !41
  %cmp22 = icmp eq i32 %10, 0, !dbg !41
  br i1 %cmp22, label %if.then23, label %if.end27, !dbg !41

if.then23:                                        ; preds = %if.end19
  %add.4.i = add nsw i32 %9, %add.3.i, !dbg !40
  %div24 = lshr exact i32 %0, 5, !dbg !42
  %idxprom25 = zext nneg i32 %div24 to i64, !dbg !43
  %arrayidx26 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ3sumPKiPiiE9warp_sums to ptr), i64 %idxprom25, !dbg !43
  store i32 %add.4.i, ptr %arrayidx26, align 4, !dbg !44, !tbaa !7
  br label %if.end27, !dbg !43

if.end27:                                         ; preds = %if.then23, %if.end19
  tail call void asm sideeffect "bar.sync 0;", "~{memory}"() #3, !dbg !45, !srcloc !46
  %cmp28 = icmp samesign ult i32 %0, 32, !dbg !47
  br i1 %cmp28, label %if.then29, label %if.end38, !dbg !47

if.then29:                                        ; preds = %if.end27
  %cmp30 = icmp samesign ult i32 %0, 8, !dbg !48
  br i1 %cmp30, label %cond.true, label %cond.end, !dbg !49

cond.true:                                        ; preds = %if.then29
  %idxprom31 = zext nneg i32 %0 to i64, !dbg !50
  %arrayidx32 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ3sumPKiPiiE9warp_sums to ptr), i64 %idxprom31, !dbg !50
  %11 = load i32, ptr %arrayidx32, align 4, !dbg !50, !tbaa !7
  br label %cond.end, !dbg !49

cond.end:                                         ; preds = %if.then29, %cond.true
  %cond = phi i32 [ %11, %cond.true ], [ 0, %if.then29 ], !dbg !49
  %12 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %cond, i32 range(i32 1, -2147483648) 16, i32 31, i32 -1) #3, !dbg !51, !srcloc !16
  %add.i57 = add nsw i32 %12, %cond, !dbg !53
  %13 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.i57, i32 range(i32 1, -2147483648) 8, i32 31, i32 -1) #3, !dbg !51, !srcloc !16
  %add.1.i58 = add nsw i32 %13, %add.i57, !dbg !53
  %14 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.1.i58, i32 range(i32 1, -2147483648) 4, i32 31, i32 -1) #3, !dbg !51, !srcloc !16
  %add.2.i59 = add nsw i32 %14, %add.1.i58, !dbg !53
  %15 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.2.i59, i32 range(i32 1, -2147483648) 2, i32 31, i32 -1) #3, !dbg !51, !srcloc !16
  %add.3.i60 = add nsw i32 %15, %add.2.i59, !dbg !53
  %16 = tail call noundef i32 asm sideeffect "shfl.sync.down.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r,~{memory}"(i32 %add.3.i60, i32 range(i32 1, -2147483648) 1, i32 31, i32 -1) #3, !dbg !51, !srcloc !16
  %cmp34 = icmp eq i32 %0, 0, !dbg !54
  br i1 %cmp34, label %if.then35, label %if.end38, !dbg !54

if.then35:                                        ; preds = %cond.end
  %add.4.i61 = add nsw i32 %16, %add.3.i60, !dbg !53
  %17 = atomicrmw add ptr %total, i32 %add.4.i61 monotonic, align 4, !dbg !55
  br label %if.end38, !dbg !55

if.end38:                                         ; preds = %cond.end, %if.then35, %if.end27
  ret void, !dbg !56
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

attributes #0 = { convergent mustprogress nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+sm_90" }
attributes #1 = { convergent mustprogress noinline norecurse nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+sm_90" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5}
!llvm.ident = !{!6}
!llvm.errno.tbaa = !{!7}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang version 22.1.0 (https://codeberg.org/YoWASP/llvm-project 9560ae0f2cc440e4fc891fddbc119da6f56daa59)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "<stdin>", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{!"clang version 22.1.0 (https://codeberg.org/YoWASP/llvm-project 9560ae0f2cc440e4fc891fddbc119da6f56daa59)"}
!7 = !{!8, !8, i64 0}
!8 = !{!"int", !9, i64 0}
!9 = !{!"omnipotent char", !10, i64 0}
!10 = !{!"Simple C++ TBAA"}
!11 = distinct !DISubprogram(name: "warp_sum", scope: !12, file: !12, line: 7, type: !13, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = !DIFile(filename: "kernel.cu", directory: "")
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 9, column: 61, scope: !11)
!16 = !{i64 2148109568}
!17 = !DILocation(line: 9, column: 58, scope: !11)
!18 = !DILocation(line: 10, column: 3, scope: !11)
!19 = distinct !DISubprogram(name: "sum", scope: !12, file: !12, line: 13, type: !13, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!20 = !DILocation(line: 15, column: 11, scope: !19)
!21 = !DILocation(line: 15, column: 34, scope: !19)
!22 = !DILocation(line: 21, column: 11, scope: !19)
!23 = !DILocation(line: 22, column: 16, scope: !19)
!24 = !DILocation(line: 23, column: 25, scope: !19)
!25 = !DILocation(line: 23, column: 31, scope: !19)
!26 = !DILocation(line: 23, column: 12, scope: !19)
!27 = !DILocation(line: 24, column: 5, scope: !19)
!28 = !DILocation(line: 0, scope: !19)
!29 = !DILocation(line: 20, column: 50, scope: !19)
!30 = !DILocation(line: 23, column: 19, scope: !19)
!31 = !DILocation(line: 26, column: 18, scope: !19)
!32 = !DILocation(line: 26, column: 23, scope: !19)
!33 = !DILocation(line: 26, column: 53, scope: !19)
!34 = !DILocation(line: 26, column: 57, scope: !19)
!35 = !DILocation(line: 26, column: 45, scope: !19)
!36 = !DILocation(line: 26, column: 42, scope: !19)
!37 = !DILocation(line: 26, column: 37, scope: !19)
!38 = !DILocation(line: 9, column: 61, scope: !11, inlinedAt: !39)
!39 = distinct !DILocation(line: 28, column: 10, scope: !19)
!40 = !DILocation(line: 9, column: 58, scope: !11, inlinedAt: !39)
!41 = !DILocation(line: 29, column: 14, scope: !19)
!42 = !DILocation(line: 29, column: 32, scope: !19)
!43 = !DILocation(line: 29, column: 20, scope: !19)
!44 = !DILocation(line: 29, column: 38, scope: !19)
!45 = !DILocation(line: 30, column: 3, scope: !19)
!46 = !{i64 599304}
!47 = !DILocation(line: 31, column: 9, scope: !19)
!48 = !DILocation(line: 32, column: 23, scope: !19)
!49 = !DILocation(line: 32, column: 21, scope: !19)
!50 = !DILocation(line: 32, column: 40, scope: !19)
!51 = !DILocation(line: 9, column: 61, scope: !11, inlinedAt: !52)
!52 = distinct !DILocation(line: 32, column: 12, scope: !19)
!53 = !DILocation(line: 9, column: 58, scope: !11, inlinedAt: !52)
!54 = !DILocation(line: 33, column: 11, scope: !19)
!55 = !DILocation(line: 33, column: 17, scope: !19)
!56 = !DILocation(line: 35, column: 1, scope: !19)

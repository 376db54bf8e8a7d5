; ModuleID = 'kernel.cu'
source_filename = "kernel.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ3sumPKiPiiE4part = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z3sumPKiPii(ptr noundef readonly captures(none) %x, ptr noundef captures(none) %total, i32 noundef %n) local_unnamed_addr #0 !dbg !11 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !16
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !17
  %mul = mul i32 %1, %2, !dbg !18
  %add = add i32 %mul, %0, !dbg !19
  %cmp = icmp slt i32 %add, %n, !dbg !20
  br i1 %cmp, label %cond.true, label %cond.end, !dbg !21

cond.true:                                        ; preds = %entry
  %idxprom = sext i32 %add to i64, !dbg !22
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %idxprom, !dbg !22
  %3 = load i32, ptr %arrayidx, align 4, !dbg !22, !tbaa !7
  br label %cond.end, !dbg !21

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %3, %cond.true ], [ 0, %entry ], !dbg !21
  %idxprom3 = zext nneg i32 %0 to i64, !dbg !23
  %arrayidx4 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ3sumPKiPiiE4part to ptr), i64 %idxprom3, !dbg !23
  store i32 %cond, ptr %arrayidx4, align 4, !dbg !24, !tbaa !7
  tail call void asm sideeffect "bar.sync 0;", "~{memory}"() #2, !dbg !25, !srcloc !26
  %cmp629 = icmp samesign ugt i32 %2, 1, !dbg !27
  br i1 %cmp629, label %for.body, label %for.cond.cleanup, !dbg !28

for.cond.cleanup:                                 ; preds = %if.end, %cond.end
  %cmp16 = icmp eq i32 %0, 0, !dbg !29
  br i1 %cmp16, label %if.then17, label %if.end19, !dbg !29

for.body:                                         ; preds = %cond.end, %if.end
  %distance.030 = phi i32 [ %mul7, %if.end ], [ 1, %cond.end ]
  %mul7 = shl i32 %distance.030, 1, !dbg !30
  %4 = add i32 %mul7, 1023, !dbg !31
  %rem = and i32 %4, %0, !dbg !31
  %cmp8 = icmp eq i32 %rem, 0, !dbg !32
  br i1 %cmp8, label %if.then, label %if.end, !dbg !32

if.then:                                          ; preds = %for.body
  %add9 = add i32 %distance.030, %0, !dbg !33
  %idxprom10 = zext i32 %add9 to i64, !dbg !34
  %arrayidx11 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @_ZZ3sumPKiPiiE4part to ptr), i64 %idxprom10, !dbg !34
  %5 = load i32, ptr %arrayidx11, align 4, !dbg !34, !tbaa !7
  %6 = load i32, ptr %arrayidx4, align 4, !dbg !35, !tbaa !7
  %add14 = add nsw i32 %6, %5, !dbg !35
  store i32 %add14, ptr %arrayidx4, align 4, !dbg !35, !tbaa !7
  br label %if.end, !dbg !36

if.end:                                           ; preds = %if.then, %for.body
  tail call void asm sideeffect "bar.sync 0;", "~{memory}"() #2, !dbg !37, !srcloc !26
  %cmp6 = icmp ult i32 %mul7, %2, !dbg !27
  br i1 %cmp6, label %for.body, label %for.cond.cleanup, !dbg !28, !llvm.loop !38

if.then17:                                        ; preds = %for.cond.cleanup
  %7 = load i32, ptr addrspacecast (ptr addrspace(3) @_ZZ3sumPKiPiiE4part to ptr), align 4, !dbg !41, !tbaa !7
  %8 = atomicrmw add ptr %total, i32 %7 monotonic, align 4, !dbg !42
  br label %if.end19, !dbg !42

if.end19:                                         ; preds = %if.then17, %for.cond.cleanup
  ret void, !dbg !43
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

attributes #0 = { convergent mustprogress noinline norecurse nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind }

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
!11 = distinct !DISubprogram(name: "sum", scope: !12, file: !12, line: 2, type: !13, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = !DIFile(filename: "kernel.cu", directory: "")
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 4, column: 11, scope: !11)
!16 = !DILocation(line: 5, column: 11, scope: !11)
!17 = !DILocation(line: 5, column: 24, scope: !11)
!18 = !DILocation(line: 5, column: 22, scope: !11)
!19 = !DILocation(line: 5, column: 35, scope: !11)
!20 = !DILocation(line: 6, column: 15, scope: !11)
!21 = !DILocation(line: 6, column: 13, scope: !11)
!22 = !DILocation(line: 6, column: 21, scope: !11)
!23 = !DILocation(line: 6, column: 3, scope: !11)
!24 = !DILocation(line: 6, column: 11, scope: !11)
!25 = !DILocation(line: 7, column: 3, scope: !11)
!26 = !{i64 598778}
!27 = !DILocation(line: 10, column: 40, scope: !11)
!28 = !DILocation(line: 10, column: 3, scope: !11)
!29 = !DILocation(line: 14, column: 9, scope: !11)
!30 = !DILocation(line: 11, column: 16, scope: !11)
!31 = !DILocation(line: 11, column: 11, scope: !11)
!32 = !DILocation(line: 11, column: 28, scope: !11)
!33 = !DILocation(line: 11, column: 52, scope: !11)
!34 = !DILocation(line: 11, column: 45, scope: !11)
!35 = !DILocation(line: 11, column: 42, scope: !11)
!36 = !DILocation(line: 11, column: 34, scope: !11)
!37 = !DILocation(line: 12, column: 5, scope: !11)
!38 = distinct !{!38, !28, !39, !40}
!39 = !DILocation(line: 13, column: 3, scope: !11)
!40 = !{!"llvm.loop.mustprogress"}
!41 = !DILocation(line: 14, column: 32, scope: !11)
!42 = !DILocation(line: 14, column: 15, scope: !11)
!43 = !DILocation(line: 15, column: 1, scope: !11)

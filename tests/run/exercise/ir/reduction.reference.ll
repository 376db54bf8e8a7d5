; ModuleID = 'kernel.cu'
source_filename = "kernel.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @_Z9referencePKiPii(ptr noundef readonly captures(none) %x, ptr noundef writeonly captures(none) %total, i32 noundef %n) local_unnamed_addr #0 !dbg !11 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %2 = or i32 %0, %1, !dbg !16
  %or.cond = icmp eq i32 %2, 0, !dbg !16
  br i1 %or.cond, label %for.cond.preheader, label %return, !dbg !16

for.cond.preheader:                               ; preds = %entry
  %cmp37 = icmp sgt i32 %n, 0, !dbg !17
  br i1 %cmp37, label %for.body.preheader, label %for.cond.cleanup, !dbg !18

for.body.preheader:                               ; preds = %for.cond.preheader
  %wide.trip.count = zext nneg i32 %n to i64, !dbg !17
  br label %for.body, !dbg !18

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %sum.0.lcssa = phi i32 [ 0, %for.cond.preheader ], [ %add, %for.body ], !dbg !19
  store i32 %sum.0.lcssa, ptr %total, align 4, !dbg !20, !tbaa !7
  br label %return, !dbg !21

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %sum.08 = phi i32 [ 0, %for.body.preheader ], [ %add, %for.body ]
  %arrayidx = getelementptr inbounds nuw i32, ptr %x, i64 %indvars.iv, !dbg !22
  %3 = load i32, ptr %arrayidx, align 4, !dbg !22, !tbaa !7
  %add = add nsw i32 %3, %sum.08, !dbg !23
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1, !dbg !24
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count, !dbg !17
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !18, !llvm.loop !25

return:                                           ; preds = %entry, %for.cond.cleanup
  ret void, !dbg !21
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

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
!11 = distinct !DISubprogram(name: "reference", scope: !12, file: !12, line: 2, type: !13, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!12 = !DIFile(filename: "kernel.cu", directory: "")
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 3, column: 7, scope: !11)
!16 = !DILocation(line: 3, column: 22, scope: !11)
!17 = !DILocation(line: 5, column: 21, scope: !11)
!18 = !DILocation(line: 5, column: 3, scope: !11)
!19 = !DILocation(line: 0, scope: !11)
!20 = !DILocation(line: 6, column: 10, scope: !11)
!21 = !DILocation(line: 7, column: 1, scope: !11)
!22 = !DILocation(line: 5, column: 38, scope: !11)
!23 = !DILocation(line: 5, column: 35, scope: !11)
!24 = !DILocation(line: 5, column: 26, scope: !11)
!25 = distinct !{!25, !18, !26, !27}
!26 = !DILocation(line: 5, column: 41, scope: !11)
!27 = !{!"llvm.loop.mustprogress"}

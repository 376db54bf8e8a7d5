// Blocks of a cluster send each other data and arrive at each other's mbarriers, in PTX.
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_messages(unsigned* out, unsigned* facts) {
  __shared__ unsigned inbox[64];
  __shared__ unsigned total;
  __shared__ alignas(8) unsigned long long full;
  const unsigned at = (unsigned)__cvta_generic_to_shared(inbox), sum = (unsigned)__cvta_generic_to_shared(&total),
                 barrier = (unsigned)__cvta_generic_to_shared(&full);
  unsigned rank, size;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0) {
    total = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], 64;\n fence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
  const unsigned next = (rank + 1) % size;
  unsigned there, there_sum, there_barrier, owner, old;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(next));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there_sum) : "r"(sum), "r"(next));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there_barrier) : "r"(barrier), "r"(next));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(there));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * threadIdx.x), "r"(rank * 1000 + threadIdx.x)
               : "memory");
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(there_sum), "r"(threadIdx.x + rank)
               : "memory");
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there_barrier) : "memory");
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(barrier)
      : "memory");
  unsigned* const mine = out + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  mine[0] = inbox[threadIdx.x ^ 1];
  mine[1] = total;
  mine[2] = owner;
  // A relaxed arrival orders nothing by itself.
  asm volatile("fence.acq_rel.cluster;\n barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::
                   : "memory");
  asm volatile("atom.acq_rel.cluster.shared::cluster.exch.b32 %0, [%1], %2;"
               : "=r"(old)
               : "r"(there + 4 * threadIdx.x), "r"(threadIdx.x)
               : "memory");
  mine[3] = old;
  if (threadIdx.x == 0) {
    // The window of each address, and the block that owns the memory.
    unsigned long long generic, mapped;
    unsigned in_cluster, in_block, mapped_in_block, mapped_in_cluster, mapped_rank;
    asm volatile("cvta.shared::cluster.u64 %0, %1;" : "=l"(generic) : "l"((unsigned long long)there));
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"((unsigned long long)inbox), "r"(next));
    asm volatile("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(in_cluster) : "l"(inbox));
    asm volatile("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(in_block) : "l"(inbox));
    asm volatile("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }"
                 : "=r"(mapped_in_cluster)
                 : "l"(mapped));
    asm volatile("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(mapped_in_block) : "l"(mapped));
    asm volatile("getctarank.u64 %0, %1;" : "=r"(mapped_rank) : "l"(mapped));
    unsigned* const fact = facts + blockIdx.x * 8;
    fact[0] = generic == mapped;
    fact[1] = in_cluster + 2 * in_block + 4 * mapped_in_cluster + 8 * mapped_in_block;
    fact[2] = mapped_rank;
    fact[3] = at - (rank << 24);
    fact[4] = there - at;
    fact[5] = (unsigned)(mapped - (unsigned long long)inbox);
  }
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

// Vector loads and stores of 2 and 4 elements of 1 to 8 bytes.
extern "C" __global__ void vectors(const uchar4* a, const short2* b, const ushort4* c, const float2* d, const float4* e,
                                   const longlong2* f, const double2* g, uchar4* oa, short2* ob, ushort4* oc,
                                   float2* od, float4* oe, longlong2* of, double2* og, const char2* h, char2* oh) {
  const int i = threadIdx.x;
  const uchar4 va = a[i];
  oa[i] = make_uchar4(va.w, va.z, va.y, va.x + va.y);
  const short2 vb = b[i];
  ob[i] = make_short2(vb.y - vb.x, vb.x);
  const ushort4 vc = c[i];
  oc[i] = make_ushort4(vc.y, vc.x, vc.w, vc.x * vc.z);
  const float2 vd = d[i];
  od[i] = make_float2(vd.y * vd.x, -vd.x);
  const float4 ve = e[i];
  oe[i] = make_float4(ve.x + ve.y, ve.y + ve.z, ve.z + ve.w, ve.w + ve.x);
  const longlong2 vf = f[i];
  of[i] = make_longlong2(vf.x * vf.y, vf.x - vf.y);
  const double2 vg = g[i];
  og[i] = make_double2(vg.x * 2.5 + vg.y, vg.y / vg.x);
  const char2 vh = h[i];
  oh[i] = make_char2(vh.y, vh.x + vh.y);
}

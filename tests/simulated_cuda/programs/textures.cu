// Textures and surfaces: arrays of 1 to 3 dimensions and layers, linear and pitched memory, filters and addresses.
#include <vector>

#include "check.h"

namespace {

__global__ void read_1d(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}
__global__ void read_linear(cudaTextureObject_t texture, float* out) {
  const int4 four = tex1Dfetch<int4>(texture, threadIdx.x);
  out[threadIdx.x] = static_cast<float>(four.x + 10 * four.y + 100 * four.z + 1000 * four.w);
}
__global__ void read_2d(cudaTextureObject_t texture, const float2* at, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void gather_2d(cudaTextureObject_t texture, float* out) {
  const float4 four = tex2Dgather<float4>(texture, 2.0f, 2.0f, 0);
  out[0] = four.x;
  out[1] = four.y;
  out[2] = four.z;
  out[3] = four.w;
}
__global__ void read_3d(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex3D<float>(texture, 0.5f + threadIdx.x, 1.5f, 2.0f);
}
__global__ void read_layers(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, threadIdx.x);
}
__global__ void read_bytes(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f);
}
__global__ void write_surface(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y;
  float old = 0;
  surf2Dread(&old, surface, x * 4, y);
  surf2Dwrite(old * 2 + x + 10 * y, surface, x * 4, y);
  // Outside of the surface: nothing is written, and 0 is read.
  surf2Dwrite(99.0f, surface, (x + 4) * 4, y, cudaBoundaryModeZero);
}

float* scratch = nullptr;

void print_result(const char* what, int count) {
  std::vector<float> out(count);
  NEED(cudaMemcpy(out.data(), scratch, count * sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%s:", what);
  for (const float value : out) std::printf(" %.4f", value);
  std::printf("\n");
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureFilterMode filter,
                               cudaTextureAddressMode address, bool normalized, cudaTextureReadMode read) {
  cudaTextureDesc desc{};
  desc.filterMode = filter;
  for (auto& mode : desc.addressMode) mode = address;
  desc.normalizedCoords = normalized;
  desc.readMode = read;
  desc.borderColor[0] = -1;
  cudaTextureObject_t texture = 0;
  SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void one_dimension() {
  const float values[8] = {0, 10, 20, 30, 40, 50, 60, 70}, at[6] = {0.5f, 1.0f, 3.25f, -2.5f, 7.9f, 9.5f};
  const float in_unit[6] = {0.0625f, 0.125f, 0.40625f, -0.3125f, 0.9875f, 1.1875f};
  cudaArray_t array = nullptr;
  float* positions = nullptr;
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  NEED(cudaMallocArray(&array, &channel, 8));
  NEED(cudaMemcpy2DToArray(array, 0, 0, values, 32, 32, 1, cudaMemcpyHostToDevice));
  NEED(cudaMalloc(&positions, sizeof at));
  NEED(cudaMemcpy(positions, at, sizeof at, cudaMemcpyHostToDevice));
  const struct {
    const char* what;
    cudaTextureFilterMode filter;
    cudaTextureAddressMode address;
    bool normalized;
  } cases[] = {{"point, clamp", cudaFilterModePoint, cudaAddressModeClamp, false},
               {"point, border", cudaFilterModePoint, cudaAddressModeBorder, false},
               {"linear, clamp", cudaFilterModeLinear, cudaAddressModeClamp, false},
               {"linear, border", cudaFilterModeLinear, cudaAddressModeBorder, false},
               {"point, wrap", cudaFilterModePoint, cudaAddressModeWrap, true},
               {"point, mirror", cudaFilterModePoint, cudaAddressModeMirror, true},
               {"linear, wrap", cudaFilterModeLinear, cudaAddressModeWrap, true},
               {"linear, mirror", cudaFilterModeLinear, cudaAddressModeMirror, true}};
  for (const auto& c : cases) {
    NEED(cudaMemcpy(positions, c.normalized ? in_unit : at, sizeof at, cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture =
        texture_of(resource_of(array), c.filter, c.address, c.normalized, cudaReadModeElementType);
    read_1d<<<1, 6>>>(texture, positions, scratch);
    print_result(c.what, 6);
    NEED(cudaDestroyTextureObject(texture));
  }
  NEED(cudaFree(positions));
  NEED(cudaFreeArray(array));
}

void two_dimensions() {
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = static_cast<float>(i * i);
  const float2 at[4] = {{0.5f, 0.5f}, {1.0f, 1.0f}, {3.5f, 2.25f}, {-1.0f, 5.0f}};
  float2* positions = nullptr;
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  NEED(cudaMalloc(&positions, sizeof at));
  NEED(cudaMemcpy(positions, at, sizeof at, cudaMemcpyHostToDevice));
  SHOW(cudaMallocArray(&array, &channel, 4, 4, cudaArraySurfaceLoadStore | cudaArrayTextureGather));
  NEED(cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 4, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture =
      texture_of(resource_of(array), cudaFilterModeLinear, cudaAddressModeClamp, false, cudaReadModeElementType);
  read_2d<<<1, 4>>>(texture, positions, scratch);
  print_result("2D, linear", 4);
  gather_2d<<<1, 1>>>(texture, scratch);
  print_result("2D, gathered", 4);
  NEED(cudaDestroyTextureObject(texture));
  cudaSurfaceObject_t surface = 0;
  const cudaResourceDesc resource = resource_of(array);
  SHOW(cudaCreateSurfaceObject(&surface, &resource));
  write_surface<<<1, dim3(4, 4)>>>(surface);
  SHOW(cudaDeviceSynchronize());
  float written[16] = {};
  SHOW(cudaMemcpy2DFromArray(written, 16, array, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) std::printf("%.1f%c", written[i], i % 4 == 3 ? '\n' : ' ');
  NEED(cudaDestroySurfaceObject(surface));
  cudaChannelFormatDesc back{};
  cudaExtent extent{};
  unsigned flags = 0;
  SHOW(cudaArrayGetInfo(&back, &extent, &flags, array));
  std::printf("array %zu x %zu x %zu, flags %u, channel %d %d %d %d\n", extent.width, extent.height, extent.depth,
              flags, back.x, back.y, back.z, back.w);
  NEED(cudaFreeArray(array));
  float* rows = nullptr;
  std::size_t pitch = 0;
  NEED(cudaMallocPitch(&rows, &pitch, 16, 4));
  NEED(cudaMemcpy2D(rows, pitch, values, 16, 16, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched{};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows;
  pitched.res.pitch2D.desc = channel;
  pitched.res.pitch2D.width = 4;
  pitched.res.pitch2D.height = 4;
  pitched.res.pitch2D.pitchInBytes = pitch;
  texture = texture_of(pitched, cudaFilterModeLinear, cudaAddressModeClamp, false, cudaReadModeElementType);
  read_2d<<<1, 4>>>(texture, positions, scratch);
  print_result("pitched, linear", 4);
  NEED(cudaDestroyTextureObject(texture));
  NEED(cudaFree(rows));
  NEED(cudaFree(positions));
}

cudaArray_t volume(unsigned flags) {
  float values[4 * 3 * 5];
  for (int i = 0; i < 60; ++i) values[i] = static_cast<float>(i);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  SHOW(cudaMalloc3DArray(&array, &channel, make_cudaExtent(4, 3, 5), flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(values, 16, 4, 3);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 3, 5);
  copy.kind = cudaMemcpyHostToDevice;
  SHOW(cudaMemcpy3D(&copy));
  return array;
}

void more_dimensions() {
  cudaArray_t array = volume(0);
  cudaTextureObject_t texture =
      texture_of(resource_of(array), cudaFilterModeLinear, cudaAddressModeClamp, false, cudaReadModeElementType);
  read_3d<<<1, 4>>>(texture, scratch);
  print_result("3D, linear", 4);
  NEED(cudaDestroyTextureObject(texture));
  NEED(cudaFreeArray(array));
  array = volume(cudaArrayLayered);
  texture = texture_of(resource_of(array), cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeElementType);
  read_layers<<<1, 5>>>(texture, scratch);
  print_result("layers", 5);
  NEED(cudaDestroyTextureObject(texture));
  NEED(cudaFreeArray(array));
}

void other_formats() {
  const unsigned char bytes[4] = {0, 51, 128, 255};
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<unsigned char>();
  NEED(cudaMallocArray(&array, &channel, 4));
  NEED(cudaMemcpy2DToArray(array, 0, 0, bytes, 4, 4, 1, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture =
      texture_of(resource_of(array), cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat);
  read_bytes<<<1, 4>>>(texture, scratch);
  print_result("bytes as fractions", 4);
  NEED(cudaDestroyTextureObject(texture));
  // Integers cannot be interpolated.
  texture = texture_of(resource_of(array), cudaFilterModeLinear, cudaAddressModeClamp, false, cudaReadModeElementType);
  NEED(cudaFreeArray(array));
  int4 *linear = nullptr, values[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 0, 1, 2}};
  NEED(cudaMalloc(&linear, sizeof values));
  NEED(cudaMemcpy(linear, values, sizeof values, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = cudaCreateChannelDesc<int4>();
  resource.res.linear.sizeInBytes = sizeof values;
  texture = texture_of(resource, cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeElementType);
  read_linear<<<1, 4>>>(texture, scratch);
  print_result("linear memory and one beyond", 4);
  NEED(cudaDestroyTextureObject(texture));
  NEED(cudaFree(linear));
  cudaChannelFormatDesc wrong_channel{5, 0, 0, 0, cudaChannelFormatKindSigned};
  SHOW(cudaMallocArray(&array, &wrong_channel, 4));
}

}  // namespace

int main() {
  NEED(cudaMalloc(&scratch, 256));
  one_dimension();
  two_dimensions();
  more_dimensions();
  other_formats();
  NEED(cudaFree(scratch));
  return finish();
}

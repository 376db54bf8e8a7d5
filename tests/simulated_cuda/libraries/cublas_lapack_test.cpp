// cuBLAS: triangular systems and batched factorizations of all types against products in double precision.
#include "called_library.h"
#include "dense.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test {
namespace {

enum Status : int { success = 0, not_initialized = 1, invalid_value = 7 };
enum : int { left_side = 0, right_side = 1, lower_fill = 0, upper_fill = 1, general = 0, unit = 1 };

const CalledLibrary& cublas() {
  static const CalledLibrary& library = *new CalledLibrary{"libcublas.so.13", "libcublas.so.12"};
  return library;
}

void* blas_handle() {
  static void* const handle = [] {
    void* made = nullptr;
    cublas().call("cublasCreate_v2", &made);
    return made;
  }();
  return handle;
}

/// A triangle, and the same with what solvers must not read: not a number.
struct Triangular {
  Dense full, poisoned;
};
Triangular triangular(int n, int fill, int diagonal, bool complex, std::uint64_t seed) {
  Dense full = noise(n, n, complex, seed), poisoned = full;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const bool inside = fill == lower_fill ? i > j : i < j;
      if (inside)
        poisoned(i, j) = full(i, j) /= std::sqrt(n);
      else if (i == j && diagonal == general)
        poisoned(i, j) = full(i, j) += 2;
      else
        full(i, j) = i == j ? 1 : 0, poisoned(i, j) = std::numeric_limits<double>::quiet_NaN();
    }
  return {full, poisoned};
}

TEST(CublasLapack, SolvesTriangularSystems) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    std::uint64_t seed = 1;
    for (const int side : {left_side, right_side})
      for (const int fill : {lower_fill, upper_fill})
        for (const int operation : {0, 1, 2})
          for (const int diagonal : {general, unit}) {
            const int m = seed % 3 == 0 ? 33 : 5, n = seed % 2 == 0 ? 35 : 3, order = side == left_side ? m : n;
            const Triangular a = triangular(order, fill, diagonal, is_complex<Number>, ++seed);
            const Dense b = noise(m, n, is_complex<Number>, ++seed);
            const OnDevice<Number> a_on(stored<Number>(a.poisoned, order + 1)), b_on(stored<Number>(b, m + 2));
            const auto alpha = static_cast<Number>(1.5);
            ASSERT_EQ(cublas().call(name_for("cublas?trsm_v2", letter).c_str(), blas_handle(), side, fill, operation,
                                    diagonal, m, n, &alpha, a_on.get(), order + 1, b_on.get(), m + 2),
                      success);
            const Dense x = loaded(b_on.values(), m, n, m + 2), op = operation_of(a.full, operation);
            Dense product = side == left_side ? op * x : x * op;
            for (Value& value : product.values) value /= 1.5;
            EXPECT_LT(distance(product, b), accuracy<Number>) << letter << " side " << side << " fill " << fill
                                                              << " operation " << operation << " diagonal " << diagonal;
          }
  });
}

TEST(CublasLapack, SolvesForVectorsInBothDirections) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    for (const int step : {1, 2, -2}) {
      const int n = 7;
      const Triangular a = triangular(n, upper_fill, general, is_complex<Number>, 5);
      const Dense x = noise(n, 1, is_complex<Number>, 6);
      Dense spread(1 + (n - 1) * std::abs(step), 1);
      for (int i = 0; i < n; ++i) spread((step > 0 ? i : n - 1 - i) * std::abs(step), 0) = x(i, 0);
      const OnDevice<Number> a_on(stored<Number>(a.poisoned, n)), x_on(stored<Number>(spread, spread.rows));
      ASSERT_EQ(cublas().call(name_for("cublas?trsv_v2", letter).c_str(), blas_handle(), upper_fill, 2, general, n,
                              a_on.get(), n, x_on.get(), step),
                success);
      const Dense result = loaded(x_on.values(), spread.rows, 1, spread.rows);
      Dense solved(n, 1);
      for (int i = 0; i < n; ++i) solved(i, 0) = result((step > 0 ? i : n - 1 - i) * std::abs(step), 0);
      EXPECT_LT(distance(adjoint(a.full) * solved, x), accuracy<Number>) << letter << " step " << step;
    }
  });
}

TEST(CublasLapack, SolvesBatchesWithAlphaOnTheDeviceAndWithAlphaZero) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int m = 6, n = 4, batch = 3;
    const Triangular a = triangular(m, lower_fill, general, is_complex<Number>, 9);
    const Dense b = noise(m, n * batch, is_complex<Number>, 10);
    const OnDevice<Number> a_on(stored<Number>(a.poisoned, m)), b_on(stored<Number>(b, m));
    const OnDevice<Number*> a_list(addresses(a_on.get(), 0, batch)), b_list(addresses(b_on.get(), m * n, batch));
    const OnDevice<Number> alpha_on({static_cast<Number>(2)});
    const std::string name = name_for("cublas?trsmBatched", letter);
    cublas().call("cublasSetPointerMode_v2", blas_handle(), 1);
    ASSERT_EQ(cublas().call(name.c_str(), blas_handle(), left_side, lower_fill, 0, general, m, n, alpha_on.get(),
                            a_list.get(), m, b_list.get(), m, batch),
              success);
    cublas().call("cublasSetPointerMode_v2", blas_handle(), 0);
    Dense product = a.full * loaded(b_on.values(), m, n * batch, m);
    for (Value& value : product.values) value /= 2;
    EXPECT_LT(distance(product, b), accuracy<Number>) << letter;

    const auto zero = static_cast<Number>(0);
    ASSERT_EQ(cublas().call(name.c_str(), blas_handle(), left_side, lower_fill, 0, general, m, n, &zero, a_list.get(),
                            m, b_list.get(), m, batch),
              success);
    EXPECT_EQ(distance(loaded(b_on.values(), m, n * batch, m), Dense(m, n * batch)), 0) << letter;
  });
}

/// P A of the pivots of an LU factorization.
Dense swapped(Dense a, const int* pivots) {
  for (int k = 0; k < a.rows; ++k)
    for (int j = 0; j < a.columns; ++j) std::swap(a(k, j), a(pivots[k] - 1, j));
  return a;
}
Dense lower_of(const Dense& lu) {
  Dense l = lu;
  for (int j = 0; j < lu.columns; ++j)
    for (int i = 0; i <= j && i < lu.rows; ++i) l(i, j) = i == j ? 1 : 0;
  return l;
}
Dense upper_of(const Dense& lu) {
  Dense u = lu;
  for (int j = 0; j < lu.columns; ++j)
    for (int i = j + 1; i < lu.rows; ++i) u(i, j) = 0;
  return u;
}

TEST(CublasLapack, FactorsBatchesIntoLUAndSolves) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int n = 9, columns = 2, batch = 2, lda = n + 1;
    const Dense a = noise(n, n * batch, is_complex<Number>, 3), b = noise(n, columns * batch, is_complex<Number>, 4);
    const OnDevice<Number> a_on(stored<Number>(a, lda)), b_on(stored<Number>(b, n));
    const OnDevice<Number*> a_list(addresses(a_on.get(), lda * n, batch)),
        b_list(addresses(b_on.get(), n * columns, batch));
    const OnDevice<int> pivots(std::vector<int>(n * batch, -1)), infos(std::vector<int>(batch, -1));
    ASSERT_EQ(cublas().call(name_for("cublas?getrfBatched", letter).c_str(), blas_handle(), n, a_list.get(), lda,
                            pivots.get(), infos.get(), batch),
              success);
    EXPECT_EQ(infos.values(), std::vector<int>(batch, 0));
    for (int i = 0; i < batch; ++i) {
      const Dense lu = loaded(a_on.values(), n, n, lda, static_cast<std::size_t>(lda * n * i));
      const Dense own = loaded(stored<Number>(a, n), n, n, n, static_cast<std::size_t>(n * n * i));
      EXPECT_LT(distance(lower_of(lu) * upper_of(lu), swapped(own, pivots.values().data() + n * i)), accuracy<Number>)
          << letter;
    }
    for (const int operation : {0, 1, 2}) {
      const OnDevice<Number> x_on(stored<Number>(b, n));
      const OnDevice<Number*> x_list(addresses(x_on.get(), n * columns, batch));
      int info = -1;
      ASSERT_EQ(cublas().call(name_for("cublas?getrsBatched", letter).c_str(), blas_handle(), operation, n, columns,
                              a_list.get(), lda, static_cast<const int*>(pivots.get()), x_list.get(), n, &info, batch),
                success);
      EXPECT_EQ(info, 0);
      for (int i = 0; i < batch; ++i) {
        const auto at = static_cast<std::size_t>(n * columns * i);
        const Dense own = loaded(stored<Number>(a, n), n, n, n, static_cast<std::size_t>(n * n * i));
        EXPECT_LT(distance(operation_of(own, operation) * loaded(x_on.values(), n, columns, n, at),
                           loaded(stored<Number>(b, n), n, columns, n, at)),
                  10 * accuracy<Number>)
            << letter << " operation " << operation;
      }
    }
  });
}

TEST(CublasLapack, ReportsSingularMatricesAndFactorsWithoutPivots) {
  // The second column is twice the first.
  const OnDevice<double> singular({1, 2, 4, 2, 4, 8, 0, 1, 5});
  const OnDevice<double*> list(addresses(singular.get(), 0, 1));
  const OnDevice<int> pivots({0, 0, 0}), infos({-1});
  ASSERT_EQ(cublas().call("cublasDgetrfBatched", blas_handle(), 3, list.get(), 3, pivots.get(), infos.get(), 1),
            success);
  EXPECT_EQ(infos.values()[0], 2);
  EXPECT_EQ(pivots.values()[0], 3) << "the largest element is in the last row";

  const OnDevice<double> regular({2, 4, 1, 7});
  const OnDevice<double*> regular_list(addresses(regular.get(), 0, 1));
  ASSERT_EQ(cublas().call("cublasDgetrfBatched", blas_handle(), 2, regular_list.get(), 2, static_cast<int*>(nullptr),
                          infos.get(), 1),
            success);
  EXPECT_EQ(regular.values(), (std::vector<double>{2, 2, 1, 5}));
}

TEST(CublasLapack, FactorsBatchesIntoQR) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int m = 11, n = 6;
    const Dense a = noise(m, n, is_complex<Number>, 7);
    const OnDevice<Number> a_on(stored<Number>(a, m)), tau_on{std::vector<Number>(n)};
    const OnDevice<Number*> a_list(addresses(a_on.get(), 0, 1)), tau_list(addresses(tau_on.get(), 0, 1));
    int info = -1;
    ASSERT_EQ(cublas().call(name_for("cublas?geqrfBatched", letter).c_str(), blas_handle(), m, n, a_list.get(), m,
                            tau_list.get(), &info, 1),
              success);
    EXPECT_EQ(info, 0);
    // Q^H A = R, with the reflectors as LAPACK stores them.
    const Dense qr = loaded(a_on.values(), m, n, m), tau = loaded(tau_on.values(), n, 1, n);
    Dense product = a;
    for (int k = 0; k < n; ++k) {
      Dense v(m, 1);
      for (int i = k; i < m; ++i) v(i, 0) = i == k ? Value(1) : qr(i, k);
      const Dense row = adjoint(v) * product;
      for (int j = 0; j < n; ++j)
        for (int i = k; i < m; ++i) product(i, j) -= std::conj(tau(k, 0)) * v(i, 0) * row(0, j);
    }
    EXPECT_LT(distance(product, upper_of(qr)), accuracy<Number>) << letter;
  });
}

TEST(CublasLapack, SolvesLeastSquares) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int m = 12, n = 5, columns = 3, batch = 2;
    const Dense a = noise(m, n * batch, is_complex<Number>, 17), b = noise(m, columns * batch, is_complex<Number>, 18);
    const OnDevice<Number> a_on(stored<Number>(a, m)), b_on(stored<Number>(b, m));
    const OnDevice<Number*> a_list(addresses(a_on.get(), m * n, batch)),
        b_list(addresses(b_on.get(), m * columns, batch));
    const OnDevice<int> infos(std::vector<int>(batch, -1));
    int info = -1;
    ASSERT_EQ(cublas().call(name_for("cublas?gelsBatched", letter).c_str(), blas_handle(), 0, m, n, columns,
                            a_list.get(), m, b_list.get(), m, &info, infos.get(), batch),
              success);
    EXPECT_EQ(info, 0);
    EXPECT_EQ(infos.values(), std::vector<int>(batch, 0));
    for (int i = 0; i < batch; ++i) {
      const Dense own = loaded(stored<Number>(a, m), m, n, m, static_cast<std::size_t>(m * n * i));
      const Dense side = loaded(stored<Number>(b, m), m, columns, m, static_cast<std::size_t>(m * columns * i));
      Dense residual = own * loaded(b_on.values(), n, columns, m, static_cast<std::size_t>(m * columns * i));
      for (std::size_t k = 0; k < residual.values.size(); ++k) residual.values[k] -= side.values[k];
      EXPECT_LT(distance(adjoint(own) * residual, Dense(n, columns)), 10 * accuracy<Number>)
          << letter << ": the residual is orthogonal to the columns";
    }
  });
}

TEST(CublasLapack, ChecksArguments) {
  const float alpha = 1;
  float* const none = nullptr;
  EXPECT_EQ(cublas().call("cublasStrsm_v2", static_cast<void*>(nullptr), 0, 0, 0, 0, 1, 1, &alpha, none, 1, none, 1),
            not_initialized);
  EXPECT_EQ(cublas().call("cublasStrsm_v2", blas_handle(), 0, 0, 0, 0, -1, 1, &alpha, none, 1, none, 1), invalid_value);
  EXPECT_EQ(cublas().call("cublasStrsm_v2", blas_handle(), 0, 0, 0, 0, 4, 1, &alpha, none, 3, none, 4), invalid_value);
  EXPECT_EQ(cublas().call("cublasStrsm_v2", blas_handle(), 0, 0, 0, 0, 0, 3, &alpha, none, 1, none, 1), success);
  int info = 0;
  float** const no_list = nullptr;
  EXPECT_EQ(cublas().call("cublasSgeqrfBatched", blas_handle(), 3, 2, no_list, 2, no_list, &info, 1), invalid_value);
  EXPECT_EQ(info, -4);
  EXPECT_EQ(cublas().call("cublasSgelsBatched", blas_handle(), 0, 2, 3, 1, no_list, 2, no_list, 3, &info,
                          static_cast<int*>(nullptr), 1),
            invalid_value);
}

}  // namespace
}  // namespace warpwalk::libraries_test

// cuSOLVER: eigenvalues and singular values of all types against matrices that are made of known values.
#include "cusolver_calls.h"

namespace warpwalk::libraries_test {
namespace {

/// Values from -3 to 3, with a pair that is equal.
std::vector<double> spread_values(int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(n == 1 ? 1.5 : -3 + 6.0 * i / (n - 1));
  if (n > 4) values[2] = values[3];
  return values;
}

template <class Number>
void check_eigenvectors(const Dense& a, const std::vector<double>& expected, const std::vector<Real<Number>>& values,
                        const Dense& vectors, const std::string& what) {
  const int n = a.rows;
  EXPECT_LT(difference(values, expected), 5 * accuracy<Number>) << what;
  EXPECT_LT(distance(adjoint(vectors) * vectors, identity(n)), 5 * accuracy<Number>) << what;
  EXPECT_LT(distance(a * vectors, vectors * diagonal({values.begin(), values.begin() + n}, n, n)),
            10 * accuracy<Number>)
      << what;
}

TEST(Cusolver, FindsEigenvaluesOfHermitianMatrices) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    for (const int n : {1, 2, 9, 40})
      for (const int fill : {lower_fill, upper_fill}) {
        const std::vector<double> expected = spread_values(n);
        const Dense q = unitary(n, is_complex<Number>, 11), a = q * diagonal(expected, n, n) * adjoint(q);
        const OnDevice<Number> a_on(stored<Number>(one_triangle(a, fill), n));
        const OnDevice<Float> values(filled<Float>(static_cast<std::size_t>(n)));
        const OnDevice<int> info({-1});
        int size = 0;
        ASSERT_EQ(
            call_either("cusolverDn?syevd_bufferSize", "cusolverDn?heevd_bufferSize", letter, with_vectors, fill, n,
                        static_cast<const Number*>(a_on.get()), n, static_cast<const Float*>(values.get()), &size),
            success);
        const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
        ASSERT_EQ(call_either("cusolverDn?syevd", "cusolverDn?heevd", letter, with_vectors, fill, n, a_on.get(), n,
                              values.get(), work.get(), size, info.get()),
                  success);
        EXPECT_EQ(info.values()[0], 0);
        check_eigenvectors<Number>(a, expected, values.values(), loaded(a_on.values(), n, n, n),
                                   std::string(1, letter) + " of order " + std::to_string(n));
      }
  });
}

TEST(Cusolver, ReportsMatricesThatAreNotNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OnDevice<double> a({nan, 1, 1, 2}), values({0, 0});
  const OnDevice<int> info({-1});
  int size = 0;
  ASSERT_EQ(call("cusolverDn?syevd_bufferSize", 'D', with_vectors, lower_fill, 2, static_cast<const double*>(a.get()),
                 2, static_cast<const double*>(values.get()), &size),
            success);
  const OnDevice<double> work(filled<double>(static_cast<std::size_t>(size)));
  ASSERT_EQ(call("cusolverDn?syevd", 'D', with_vectors, lower_fill, 2, a.get(), 2, values.get(), work.get(), size,
                 info.get()),
            success);
  EXPECT_GT(info.values()[0], 0);
}

TEST(Cusolver, FindsEigenvaluesByTheOtherFunctions) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    const int n = 6, batch = 3, type = data_type<Number>(), value_type = data_type<Float>();
    const std::vector<double> expected = spread_values(n);
    Dense all(n, n * batch);
    std::vector<Dense> each;
    for (int i = 0; i < batch; ++i) {
      const Dense q = unitary(n, is_complex<Number>, static_cast<std::uint64_t>(20 + i));
      each.push_back(q * diagonal(expected, n, n) * adjoint(q));
      std::copy(each.back().values.begin(), each.back().values.end(), all.values.begin() + n * n * i);
    }
    void* settings = nullptr;
    ASSERT_EQ(cusolver().call("cusolverDnCreateSyevjInfo", &settings), success);
    const OnDevice<int> infos(std::vector<int>(batch, -1));
    const OnDevice<Float> values(filled<Float>(static_cast<std::size_t>(n * batch)));
    const auto check = [&](const OnDevice<Number>& a_on, int count, const char* what) {
      EXPECT_EQ(infos.values()[static_cast<std::size_t>(count - 1)], 0) << what;
      const std::vector<Float> found = values.values();
      for (int i = 0; i < count; ++i)
        check_eigenvectors<Number>(
            each[static_cast<std::size_t>(i)], expected, {found.begin() + n * i, found.begin() + n * i + n},
            loaded(a_on.values(), n, n, n, static_cast<std::size_t>(n * n * i)), std::string(1, letter) + " " + what);
    };
    {
      const OnDevice<Number> a_on(stored<Number>(all, n));
      int size = 0;
      ASSERT_EQ(call_either("cusolverDn?syevj_bufferSize", "cusolverDn?heevj_bufferSize", letter, with_vectors,
                            upper_fill, n, static_cast<const Number*>(a_on.get()), n,
                            static_cast<const Float*>(values.get()), &size, settings),
                success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      ASSERT_EQ(call_either("cusolverDn?syevj", "cusolverDn?heevj", letter, with_vectors, upper_fill, n, a_on.get(), n,
                            values.get(), work.get(), size, infos.get(), settings),
                success);
      check(a_on, 1, "syevj");
    }
    {
      const OnDevice<Number> a_on(stored<Number>(all, n));
      int size = 0;
      ASSERT_EQ(call_either("cusolverDn?syevjBatched_bufferSize", "cusolverDn?heevjBatched_bufferSize", letter,
                            with_vectors, lower_fill, n, static_cast<const Number*>(a_on.get()), n,
                            static_cast<const Float*>(values.get()), &size, settings, batch),
                success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      ASSERT_EQ(call_either("cusolverDn?syevjBatched", "cusolverDn?heevjBatched", letter, with_vectors, lower_fill, n,
                            a_on.get(), n, values.get(), work.get(), size, infos.get(), settings, batch),
                success);
      check(a_on, batch, "syevjBatched");
    }
    for (const bool batched : {false, true}) {
      const OnDevice<Number> a_on(stored<Number>(all, n));
      std::size_t on_device = 0, on_host = 0;
      void* const no_params = nullptr;
      const std::int64_t order = n, count = batch;
      const auto* const a = static_cast<const void*>(a_on.get());
      const auto* const w = static_cast<const void*>(values.get());
      ASSERT_EQ(
          batched ? cusolver().call("cusolverDnXsyevBatched_bufferSize", solver_handle(), no_params, with_vectors,
                                    lower_fill, order, type, a, order, value_type, w, type, &on_device, &on_host, count)
                  : cusolver().call("cusolverDnXsyevd_bufferSize", solver_handle(), no_params, with_vectors, lower_fill,
                                    order, type, a, order, value_type, w, type, &on_device, &on_host),
          success);
      const OnDevice<char> work(std::vector<char>(on_device, -1));
      std::vector<char> host_work(on_host + 1);
      auto* const at = static_cast<void*>(a_on.get());
      auto* const into = static_cast<void*>(values.get());
      auto* const buffer = static_cast<void*>(work.get());
      auto* const host_buffer = static_cast<void*>(host_work.data());
      ASSERT_EQ(batched ? cusolver().call("cusolverDnXsyevBatched", solver_handle(), no_params, with_vectors,
                                          lower_fill, order, type, at, order, value_type, into, type, buffer, on_device,
                                          host_buffer, on_host, infos.get(), count)
                        : cusolver().call("cusolverDnXsyevd", solver_handle(), no_params, with_vectors, lower_fill,
                                          order, type, at, order, value_type, into, type, buffer, on_device,
                                          host_buffer, on_host, infos.get()),
                success);
      check(a_on, batched ? batch : 1, batched ? "XsyevBatched" : "Xsyevd");
    }
    EXPECT_EQ(cusolver().call("cusolverDnDestroySyevjInfo", settings), success);
  });
}

/// A matrix with known singular values, of which the last ones of larger matrices are 0.
struct Singular {
  Dense a;
  std::vector<double> values;
};
Singular singular(int m, int n, bool complex, std::uint64_t seed) {
  std::vector<double> values;
  const int count = std::min(m, n);
  for (int i = 0; i < count; ++i) values.push_back(count > 3 && i >= count - 2 ? 0 : 4.0 / (1 + i));
  return {unitary(m, complex, seed) * diagonal(values, m, n) * unitary(n, complex, seed + 1), values};
}

template <class Number>
void check_singular(const Singular& matrix, const std::vector<Real<Number>>& values, const Dense& u, const Dense& v,
                    const std::string& what) {
  EXPECT_LT(difference(values, matrix.values), 5 * accuracy<Number>) << what;
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend())) << what;
  EXPECT_LT(distance(adjoint(u) * u, identity(u.columns)), 5 * accuracy<Number>) << what;
  EXPECT_LT(distance(adjoint(v) * v, identity(v.columns)), 5 * accuracy<Number>) << what;
  const Dense s = diagonal({values.begin(), values.end()}, u.columns, v.columns);
  EXPECT_LT(distance(u * s * adjoint(v), matrix.a), 10 * accuracy<Number>) << what;
}

TEST(Cusolver, FindsSingularValuesByJacobi) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    void* settings = nullptr;
    ASSERT_EQ(cusolver().call("cusolverDnCreateGesvdjInfo", &settings), success);
    for (const auto& [m, n] : std::array<std::array<int, 2>, 5>{{{1, 1}, {7, 7}, {10, 4}, {3, 9}, {34, 21}}})
      for (const int economy : {0, 1}) {
        const Singular matrix = singular(m, n, is_complex<Number>, 31);
        const int count = std::min(m, n), u_columns = economy != 0 ? count : m, v_columns = economy != 0 ? count : n;
        const int lda = m + 1;
        const OnDevice<Number> a_on(stored<Number>(matrix.a, lda)),
            u_on(filled<Number>(static_cast<std::size_t>(m * u_columns))),
            v_on(filled<Number>(static_cast<std::size_t>(n * v_columns)));
        const OnDevice<Float> values(filled<Float>(static_cast<std::size_t>(count)));
        const OnDevice<int> info({-1});
        int size = 0;
        ASSERT_EQ(
            call("cusolverDn?gesvdj_bufferSize", letter, with_vectors, economy, m, n,
                 static_cast<const Number*>(a_on.get()), lda, static_cast<const Float*>(values.get()),
                 static_cast<const Number*>(u_on.get()), m, static_cast<const Number*>(v_on.get()), n, &size, settings),
            success);
        const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
        ASSERT_EQ(call("cusolverDn?gesvdj", letter, with_vectors, economy, m, n, a_on.get(), lda, values.get(),
                       u_on.get(), m, v_on.get(), n, work.get(), size, info.get(), settings),
                  success);
        EXPECT_EQ(info.values()[0], 0);
        check_singular<Number>(matrix, values.values(), loaded(u_on.values(), m, u_columns, m),
                               loaded(v_on.values(), n, v_columns, n),
                               std::string(1, letter) + " " + std::to_string(m) + " x " + std::to_string(n) +
                                   (economy != 0 ? " economy" : ""));
      }
    EXPECT_EQ(cusolver().call("cusolverDnDestroyGesvdjInfo", settings), success);
  });
}

TEST(Cusolver, FindsSingularValuesOfBatches) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    const int n = 5, batch = 2;
    std::vector<Singular> each;
    Dense all(n, n * batch);
    for (int i = 0; i < batch; ++i) {
      each.push_back(singular(n, n, is_complex<Number>, static_cast<std::uint64_t>(40 + 2 * i)));
      std::copy(each.back().a.values.begin(), each.back().a.values.end(), all.values.begin() + n * n * i);
    }
    void* settings = nullptr;
    ASSERT_EQ(cusolver().call("cusolverDnCreateGesvdjInfo", &settings), success);
    ASSERT_EQ(cusolver().call("cusolverDnXgesvdjSetSortEig", settings, 1), success);
    const std::size_t square = n * n * batch;
    const OnDevice<Number> a_on(stored<Number>(all, n)), u_on(filled<Number>(square)), v_on(filled<Number>(square));
    const OnDevice<Float> values(filled<Float>(n * batch));
    const OnDevice<int> infos(std::vector<int>(batch, -1));
    int size = 0;
    ASSERT_EQ(
        call("cusolverDn?gesvdjBatched_bufferSize", letter, with_vectors, n, n, static_cast<const Number*>(a_on.get()),
             n, static_cast<const Float*>(values.get()), static_cast<const Number*>(u_on.get()), n,
             static_cast<const Number*>(v_on.get()), n, &size, settings, batch),
        success);
    const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
    ASSERT_EQ(call("cusolverDn?gesvdjBatched", letter, with_vectors, n, n, a_on.get(), n, values.get(), u_on.get(), n,
                   v_on.get(), n, work.get(), size, infos.get(), settings, batch),
              success);
    EXPECT_EQ(infos.values(), std::vector<int>(batch, 0));
    const std::vector<Float> found = values.values();
    for (int i = 0; i < batch; ++i) {
      const auto at = static_cast<std::size_t>(n * n * i);
      check_singular<Number>(each[static_cast<std::size_t>(i)], {found.begin() + n * i, found.begin() + n * i + n},
                             loaded(u_on.values(), n, n, n, at), loaded(v_on.values(), n, n, n, at),
                             std::string(1, letter));
    }
    EXPECT_EQ(cusolver().call("cusolverDnDestroyGesvdjInfo", settings), success);
  });
}

TEST(Cusolver, FindsSingularValuesWithLapacksJobs) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    const int m = 8, n = 5;
    const Singular matrix = singular(m, n, is_complex<Number>, 51);
    for (const char job : {'A', 'S', 'O', 'N'}) {
      const OnDevice<Number> a_on(stored<Number>(matrix.a, m)), u_on(filled<Number>(m * m)),
          vt_on(filled<Number>(n * n));
      const OnDevice<Float> values(filled<Float>(n)), more(filled<Float>(n));
      const OnDevice<int> info({-1});
      int size = 0;
      ASSERT_EQ(call("cusolverDn?gesvd_bufferSize", letter, m, n, &size), success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      const signed char job_u = static_cast<signed char>(job), job_v = job == 'O' ? 'A' : job_u;
      ASSERT_EQ(call("cusolverDn?gesvd", letter, job_u, job_v, m, n, a_on.get(), m, values.get(), u_on.get(), m,
                     vt_on.get(), n, work.get(), size, more.get(), info.get()),
                success);
      EXPECT_EQ(info.values()[0], 0);
      EXPECT_LT(difference(values.values(), matrix.values), 5 * accuracy<Number>) << letter << job;
      if (job == 'N') continue;
      check_singular<Number>(matrix, values.values(),
                             loaded((job == 'O' ? a_on : u_on).values(), m, job == 'A' ? m : n, m),
                             adjoint(loaded(vt_on.values(), n, n, n)), std::string{letter, job});
    }
  });
}

TEST(Cusolver, FindsTheLargestSingularValuesOfTallMatrices) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    const int m = 9, n = 4, rank = 3, batch = 2;
    Dense all(m, n * batch);
    std::vector<Singular> each;
    for (int i = 0; i < batch; ++i) {
      each.push_back(singular(m, n, is_complex<Number>, static_cast<std::uint64_t>(61 + 2 * i)));
      std::copy(each.back().a.values.begin(), each.back().a.values.end(), all.values.begin() + m * n * i);
    }
    const OnDevice<Number> a_on(stored<Number>(all, m)), u_on(filled<Number>(m * rank * batch)),
        v_on(filled<Number>(n * rank * batch));
    const OnDevice<Float> values(filled<Float>(rank * batch));
    const OnDevice<int> infos(std::vector<int>(batch, -1));
    const long long a_stride = m * n, s_stride = rank, u_stride = m * rank, v_stride = n * rank;
    int size = 0;
    ASSERT_EQ(call("cusolverDn?gesvdaStridedBatched_bufferSize", letter, with_vectors, rank, m, n,
                   static_cast<const Number*>(a_on.get()), m, a_stride, static_cast<const Float*>(values.get()),
                   s_stride, static_cast<const Number*>(u_on.get()), m, u_stride,
                   static_cast<const Number*>(v_on.get()), n, v_stride, &size, batch),
              success);
    const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
    std::vector<double> residuals(batch, -1);
    ASSERT_EQ(call("cusolverDn?gesvdaStridedBatched", letter, with_vectors, rank, m, n,
                   static_cast<const Number*>(a_on.get()), m, a_stride, values.get(), s_stride, u_on.get(), m, u_stride,
                   v_on.get(), n, v_stride, work.get(), size, infos.get(), residuals.data(), batch),
              success);
    EXPECT_EQ(infos.values(), std::vector<int>(batch, 0));
    for (int i = 0; i < batch; ++i) {
      const Dense u = loaded(u_on.values(), m, rank, m, static_cast<std::size_t>(m * rank * i));
      const Dense v = loaded(v_on.values(), n, rank, n, static_cast<std::size_t>(n * rank * i));
      const std::vector<Float> found = values.values();
      const std::vector<double> own(found.begin() + rank * i, found.begin() + rank * i + rank);
      EXPECT_LT(distance(u * diagonal(own, rank, rank) * adjoint(v), each[static_cast<std::size_t>(i)].a),
                10 * accuracy<Number>)
          << letter << ": the other singular values are 0";
      EXPECT_LT(std::abs(residuals[static_cast<std::size_t>(i)]), accuracy<Number>) << letter;
    }
  });
}

/// A matrix with known eigenvalues: Q T Q^H with T triangular up to 2 x 2 blocks of complex pairs.
struct General {
  Dense a;
  std::vector<Value> values;
};
General general_matrix(int n, bool complex, std::uint64_t seed) {
  Dense t = triangle_of(noise(n, n, complex, seed), upper_fill);
  std::vector<Value> values;
  for (int i = 0; i < n; ++i) t(i, i) = complex ? Value(1 + 0.5 * i, 3 - 0.7 * i) : Value(1 + 0.5 * i);
  for (int i = 0; i + 1 < n && !complex; i += 3) {
    // ((x, b), (c, x)) with b c < 0 has the eigenvalues x +- i sqrt(-b c).
    t(i + 1, i + 1) = t(i, i);
    t(i, i + 1) = 2;
    t(i + 1, i) = -0.5;
  }
  for (int i = 0; i < n; ++i) {
    const bool pair = i + 1 < n && t(i + 1, i) != Value(0);
    values.push_back(t(i, i) + (pair ? Value(0, 1) : Value(0)));
    if (pair) values.push_back(t(i, i) - Value(0, 1)), ++i;
  }
  const Dense q = unitary(n, complex, seed + 1);
  return {q * t * adjoint(q), values};
}

TEST(Cusolver, FindsEigenvaluesOfGeneralMatrices) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    using Float = Real<Number>;
    for (const int n : {1, 2, 3, 8, 23})
      for (const bool complex_values : {false, true}) {
        if (is_complex<Number> && !complex_values) continue;
        const General matrix = general_matrix(n, is_complex<Number>, 71);
        const int type = data_type<Number>(), value_type = complex_values ? data_type<std::complex<Float>>() : type;
        const OnDevice<Number> a_on(stored<Number>(matrix.a, n)), v_on(filled<Number>(static_cast<std::size_t>(n * n)));
        const OnDevice<Float> w_on(filled<Float>(static_cast<std::size_t>(2 * n)));
        const OnDevice<int> info({-1});
        void* params = nullptr;
        ASSERT_EQ(cusolver().call("cusolverDnCreateParams", &params), success);
        const std::int64_t order = n;
        std::size_t on_device = 0, on_host = 0;
        ASSERT_EQ(cusolver().call("cusolverDnXgeev_bufferSize", solver_handle(), params, without_vectors, with_vectors,
                                  order, type, static_cast<const void*>(a_on.get()), order, value_type,
                                  static_cast<const void*>(w_on.get()), type, static_cast<const void*>(nullptr), order,
                                  type, static_cast<const void*>(v_on.get()), order, type, &on_device, &on_host),
                  success);
        const OnDevice<char> work(std::vector<char>(on_device, -1));
        std::vector<char> host_work(on_host + 1);
        ASSERT_EQ(cusolver().call("cusolverDnXgeev", solver_handle(), params, without_vectors, with_vectors, order,
                                  type, static_cast<void*>(a_on.get()), order, value_type,
                                  static_cast<void*>(w_on.get()), type, static_cast<void*>(nullptr), order, type,
                                  static_cast<void*>(v_on.get()), order, type, static_cast<void*>(work.get()),
                                  on_device, static_cast<void*>(host_work.data()), on_host, info.get()),
                  success);
        EXPECT_EQ(info.values()[0], 0);
        EXPECT_EQ(cusolver().call("cusolverDnDestroyParams", params), success);

        const std::vector<Float> w = w_on.values();
        std::vector<Value> values;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
          values.emplace_back(complex_values ? w[2 * i] : w[i],
                              complex_values ? w[2 * i + 1] : w[static_cast<std::size_t>(n) + i]);
        const std::string what = std::string(1, letter) + " of order " + std::to_string(n);
        // Eigenvalues of such matrices are more sensitive than the matrices.
        std::vector<Value> left = matrix.values;
        for (const Value& value : values) {
          const auto nearest =
              std::ranges::min_element(left, {}, [&](const Value& other) { return std::abs(other - value); });
          EXPECT_LT(std::abs(*nearest - value), 200 * accuracy<Number>) << what;
          left.erase(nearest);
        }
        // Vectors of real matrices: a pair has its real and imaginary part in two columns.
        Dense vectors = loaded(v_on.values(), n, n, n), d(n, n);
        for (int k = 0; k < n; ++k) {
          d(k, k) = values[static_cast<std::size_t>(k)];
          if (is_complex<Number> || d(k, k).imag() == 0 || k + 1 == n) continue;
          EXPECT_GT(d(k, k).imag(), 0) << what;
          for (int i = 0; i < n; ++i) {
            const Value both(vectors(i, k).real(), vectors(i, k + 1).real());
            vectors(i, k) = both;
            vectors(i, k + 1) = std::conj(both);
          }
          d(k + 1, k + 1) = values[static_cast<std::size_t>(k + 1)];
          ++k;
        }
        EXPECT_LT(distance(matrix.a * vectors, vectors * d), 20 * accuracy<Number>) << what;
        for (int k = 0; k < n; ++k) {
          double squares = 0;
          for (int i = 0; i < n; ++i) squares += std::norm(vectors(i, k));
          EXPECT_NEAR(squares, 1, accuracy<Number>) << what;
        }
      }
  });
}

}  // namespace
}  // namespace warpwalk::libraries_test

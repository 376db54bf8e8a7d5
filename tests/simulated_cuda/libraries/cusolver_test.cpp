// cuSOLVER: factorizations of all types, what they solve, and arguments that are refused.
#include "cusolver_calls.h"

namespace warpwalk::libraries_test {
namespace {

TEST(Cusolver, FactorsPositiveDefiniteMatricesAndSolves) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int n = 13, lda = n + 1, columns = 3;
    const Dense g = noise(n, n + 4, is_complex<Number>, 1), a = g * adjoint(g);
    const Dense b = noise(n, columns, is_complex<Number>, 2);
    for (const int fill : {lower_fill, upper_fill}) {
      const OnDevice<Number> a_on(stored<Number>(one_triangle(a, fill), lda)), b_on(stored<Number>(b, n));
      const OnDevice<int> info({-1});
      int size = 0;
      ASSERT_EQ(call("cusolverDn?potrf_bufferSize", letter, fill, n, a_on.get(), lda, &size), success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      ASSERT_EQ(call("cusolverDn?potrf", letter, fill, n, a_on.get(), lda, work.get(), size, info.get()), success);
      EXPECT_EQ(info.values()[0], 0);
      const Dense factor = triangle_of(loaded(a_on.values(), n, n, lda), fill);
      EXPECT_LT(distance(fill == lower_fill ? factor * adjoint(factor) : adjoint(factor) * factor, a),
                10 * accuracy<Number>)
          << letter << fill;
      ASSERT_EQ(call("cusolverDn?potrs", letter, fill, n, columns, static_cast<const Number*>(a_on.get()), lda,
                     b_on.get(), n, info.get()),
                success);
      EXPECT_EQ(info.values()[0], 0);
      EXPECT_LT(distance(a * loaded(b_on.values(), n, columns, n), b), 50 * accuracy<Number>) << letter << fill;
    }
  });
}

TEST(Cusolver, FactorsBatchesAndReportsMatricesThatAreNotPositiveDefinite) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    const int n = 5, batch = 3;
    const Dense g = noise(n, n + 4, is_complex<Number>, 3);
    Dense all(n, n * batch);
    const Dense a = g * adjoint(g);
    for (int i = 0; i < batch; ++i) std::copy(a.values.begin(), a.values.end(), all.values.begin() + n * n * i);
    all(3, n + 3) = -1;  // of the second matrix
    const Dense b = noise(n, batch, is_complex<Number>, 4);
    const OnDevice<Number> a_on(stored<Number>(all, n)), b_on(stored<Number>(b, n));
    const OnDevice<Number*> a_list(addresses(a_on.get(), n * n, batch)), b_list(addresses(b_on.get(), n, batch));
    const OnDevice<int> infos(std::vector<int>(batch, -1));
    ASSERT_EQ(call("cusolverDn?potrfBatched", letter, lower_fill, n, a_list.get(), n, infos.get(), batch), success);
    EXPECT_EQ(infos.values(), (std::vector<int>{0, 4, 0}));
    ASSERT_EQ(
        call("cusolverDn?potrsBatched", letter, lower_fill, n, 1, a_list.get(), n, b_list.get(), n, infos.get(), batch),
        success);
    const Dense x = loaded(b_on.values(), n, batch, n);
    for (const int i : {0, 2}) {
      Dense own(n, 1), side(n, 1);
      for (int k = 0; k < n; ++k) own(k, 0) = x(k, i), side(k, 0) = b(k, i);
      EXPECT_LT(distance(a * own, side), 50 * accuracy<Number>) << letter;
    }
  });
}

TEST(Cusolver, FactorsWith64BitSizes) {
  for_each_type([](auto number, char) {
    using Number = decltype(number);
    const std::int64_t n = 6;
    const int order = 6, type = data_type<Number>();
    const Dense g = noise(order, order + 4, is_complex<Number>, 5), a = g * adjoint(g);
    const Dense b = noise(order, 2, is_complex<Number>, 6);
    const OnDevice<Number> a_on(stored<Number>(a, order)), b_on(stored<Number>(b, order));
    const OnDevice<int> info({-1});
    void* params = nullptr;
    ASSERT_EQ(cusolver().call("cusolverDnCreateParams", &params), success);
    std::size_t on_device = 0, on_host = 0;
    ASSERT_EQ(cusolver().call("cusolverDnXpotrf_bufferSize", solver_handle(), params, upper_fill, n, type,
                              static_cast<const void*>(nullptr), n, type, &on_device, &on_host),
              success);
    const OnDevice<char> work(std::vector<char>(on_device, -1));
    std::vector<char> host_work(on_host + 1);
    ASSERT_EQ(cusolver().call("cusolverDnXpotrf", solver_handle(), params, upper_fill, n, type,
                              static_cast<void*>(a_on.get()), n, type, static_cast<void*>(work.get()), on_device,
                              static_cast<void*>(host_work.data()), on_host, info.get()),
              success);
    ASSERT_EQ(
        cusolver().call("cusolverDnXpotrs", solver_handle(), params, upper_fill, n, std::int64_t{2}, type,
                        static_cast<const void*>(a_on.get()), n, type, static_cast<void*>(b_on.get()), n, info.get()),
        success);
    EXPECT_EQ(info.values()[0], 0);
    EXPECT_LT(distance(a * loaded(b_on.values(), order, 2, order), b), 50 * accuracy<Number>);
    EXPECT_EQ(cusolver().call("cusolverDnDestroyParams", params), success);
  });
}

/// Gaussian elimination with the largest pivot by the sum of the magnitudes of both parts.
struct Elimination {
  Dense lu;
  std::vector<int> pivots;
};
Elimination eliminated(Dense a) {
  std::vector<int> pivots;
  for (int k = 0; k < std::min(a.rows, a.columns); ++k) {
    int row = k;
    const auto size = [&](int i) { return std::abs(a(i, k).real()) + std::abs(a(i, k).imag()); };
    for (int i = k; i < a.rows; ++i)
      if (size(i) > size(row)) row = i;
    pivots.push_back(row + 1);
    for (int j = 0; j < a.columns; ++j) std::swap(a(k, j), a(row, j));
    for (int i = k + 1; i < a.rows; ++i) {
      a(i, k) /= a(k, k);
      for (int j = k + 1; j < a.columns; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return {a, pivots};
}

TEST(Cusolver, FactorsIntoLUWithTheLargestPivotsAndSolves) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    for (const auto& [m, n] : std::array<std::array<int, 2>, 4>{{{8, 8}, {11, 4}, {4, 11}, {40, 40}}}) {
      const Dense a = noise(m, n, is_complex<Number>, 7);
      const int lda = m + 2, steps = std::min(m, n);
      const OnDevice<Number> a_on(stored<Number>(a, lda));
      const OnDevice<int> pivots(std::vector<int>(static_cast<std::size_t>(steps), -1)), info({-1});
      int size = 0;
      ASSERT_EQ(call("cusolverDn?getrf_bufferSize", letter, m, n, a_on.get(), lda, &size), success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      ASSERT_EQ(call("cusolverDn?getrf", letter, m, n, a_on.get(), lda, work.get(), pivots.get(), info.get()), success);
      const Elimination expected = eliminated(loaded(stored<Number>(a, m), m, n, m));
      EXPECT_EQ(info.values()[0], 0);
      EXPECT_EQ(pivots.values(), expected.pivots) << letter << " " << m << " x " << n;
      EXPECT_LT(distance(loaded(a_on.values(), m, n, lda), expected.lu), 20 * accuracy<Number>) << letter;
      if (m != n) continue;
      for (const int operation : {0, 1, 2}) {
        const Dense b = noise(n, 33, is_complex<Number>, 8);
        const OnDevice<Number> b_on(stored<Number>(b, n));
        ASSERT_EQ(call("cusolverDn?getrs", letter, operation, n, 33, static_cast<const Number*>(a_on.get()), lda,
                       static_cast<const int*>(pivots.get()), b_on.get(), n, info.get()),
                  success);
        EXPECT_EQ(info.values()[0], 0);
        EXPECT_LT(distance(operation_of(a, operation) * loaded(b_on.values(), n, 33, n), b), 50 * accuracy<Number>);
      }
    }
  });
}

TEST(Cusolver, FactorsIntoLUWithoutPivotsAndReportsZeros) {
  const OnDevice<double> a({2, 4, 1, 2}), work({0, 0, 0, 0});
  const OnDevice<int> info({-1});
  ASSERT_EQ(call("cusolverDn?getrf", 'D', 2, 2, a.get(), 2, work.get(), static_cast<int*>(nullptr), info.get()),
            success);
  EXPECT_EQ(a.values(), (std::vector<double>{2, 2, 1, 0}));
  EXPECT_EQ(info.values()[0], 2);
}

TEST(Cusolver, FactorsIntoQRAndMultipliesByQ) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    for (const auto& [m, n] : std::array<std::array<int, 2>, 3>{{{9, 6}, {6, 6}, {5, 8}}}) {
      const Dense a = noise(m, n, is_complex<Number>, 9);
      const int lda = m + 1, k = std::min(m, n);
      const OnDevice<Number> a_on(stored<Number>(a, lda)), tau{filled<Number>(static_cast<std::size_t>(k))};
      const OnDevice<int> info({-1});
      int size = 0;
      ASSERT_EQ(call("cusolverDn?geqrf_bufferSize", letter, m, n, a_on.get(), lda, &size), success);
      const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
      ASSERT_EQ(call("cusolverDn?geqrf", letter, m, n, a_on.get(), lda, tau.get(), work.get(), size, info.get()),
                success);
      EXPECT_EQ(info.values()[0], 0);
      const Dense r = triangle_of(loaded(a_on.values(), m, n, lda), upper_fill);

      // All columns of Q, from the reflectors in the first ones.
      const OnDevice<Number> q_on(stored<Number>(loaded(a_on.values(), m, k, lda), m));
      Dense q(m, m);
      {
        Dense padded(m, m);
        const Dense reflectors = loaded(q_on.values(), m, k, m);
        std::copy(reflectors.values.begin(), reflectors.values.end(), padded.values.begin());
        const OnDevice<Number> full(stored<Number>(padded, m));
        int q_size = 0;
        ASSERT_EQ(
            call_either("cusolverDn?orgqr_bufferSize", "cusolverDn?ungqr_bufferSize", letter, m, m, k,
                        static_cast<const Number*>(full.get()), m, static_cast<const Number*>(tau.get()), &q_size),
            success);
        const OnDevice<Number> q_work(filled<Number>(static_cast<std::size_t>(q_size)));
        ASSERT_EQ(call_either("cusolverDn?orgqr", "cusolverDn?ungqr", letter, m, m, k, full.get(), m,
                              static_cast<const Number*>(tau.get()), q_work.get(), q_size, info.get()),
                  success);
        q = loaded(full.values(), m, m, m);
      }
      EXPECT_LT(distance(q * r, a), accuracy<Number>) << letter << " " << m << " x " << n;
      EXPECT_LT(distance(adjoint(q) * q, identity(m)), accuracy<Number>) << letter;

      for (const int side : {0, 1})
        for (const int operation : {0, is_complex<Number> ? 2 : 1}) {
          const Dense c = side == 0 ? noise(m, 9, is_complex<Number>, 10) : noise(9, m, is_complex<Number>, 10);
          const OnDevice<Number> c_on(stored<Number>(c, c.rows));
          int c_size = 0;
          ASSERT_EQ(call_either("cusolverDn?ormqr_bufferSize", "cusolverDn?unmqr_bufferSize", letter, side, operation,
                                c.rows, c.columns, k, static_cast<const Number*>(q_on.get()), m,
                                static_cast<const Number*>(tau.get()), static_cast<const Number*>(c_on.get()), c.rows,
                                &c_size),
                    success);
          const OnDevice<Number> c_work(filled<Number>(static_cast<std::size_t>(c_size)));
          ASSERT_EQ(call_either("cusolverDn?ormqr", "cusolverDn?unmqr", letter, side, operation, c.rows, c.columns, k,
                                static_cast<const Number*>(q_on.get()), m, static_cast<const Number*>(tau.get()),
                                c_on.get(), c.rows, c_work.get(), c_size, info.get()),
                    success);
          const Dense op = operation_of(q, operation);
          EXPECT_LT(distance(loaded(c_on.values(), c.rows, c.columns, c.rows), side == 0 ? op * c : c * op),
                    accuracy<Number>)
              << letter << " side " << side << " operation " << operation;
        }
    }
  });
}

TEST(Cusolver, SolvesSymmetricSystems) {
  for_each_type([](auto number, char letter) {
    using Number = decltype(number);
    for (const int fill : {lower_fill, upper_fill})
      for (const int n : {1, 2, 9, 24}) {
        // Symmetric, also of complex numbers, with small diagonal elements: blocks of D are 2 x 2.
        const Dense g = noise(n, n, is_complex<Number>, 81);
        Dense a = g;
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) a(i, j) = i == j && n > 1 ? 0.01 * g(i, i) : g(i, j) + g(j, i);
        const Dense b = noise(n, 3, is_complex<Number>, 82);
        const OnDevice<Number> a_on(stored<Number>(one_triangle(a, fill), n)), b_on(stored<Number>(b, n));
        const OnDevice<int> pivots(std::vector<int>(static_cast<std::size_t>(n), 0)), info({-1});
        int size = 0;
        ASSERT_EQ(call("cusolverDn?sytrf_bufferSize", letter, n, a_on.get(), n, &size), success);
        const OnDevice<Number> work(filled<Number>(static_cast<std::size_t>(size)));
        ASSERT_EQ(call("cusolverDn?sytrf", letter, fill, n, a_on.get(), n, pivots.get(), work.get(), size, info.get()),
                  success);
        EXPECT_EQ(info.values()[0], 0);
        const std::vector<int> chosen = pivots.values();
        if (n > 2) {
          EXPECT_TRUE(std::ranges::any_of(chosen, [](int pivot) { return pivot < 0; }));
        }
        const OnDevice<std::int64_t> wide(std::vector<std::int64_t>(chosen.begin(), chosen.end()));
        const std::int64_t order = n, columns = 3;
        const int type = data_type<Number>();
        std::size_t on_device = 0, on_host = 0;
        ASSERT_EQ(
            cusolver().call("cusolverDnXsytrs_bufferSize", solver_handle(), fill, order, columns, type,
                            static_cast<const void*>(a_on.get()), order, static_cast<const std::int64_t*>(wide.get()),
                            type, static_cast<void*>(b_on.get()), order, &on_device, &on_host),
            success);
        const OnDevice<char> solve_work(std::vector<char>(on_device, -1));
        std::vector<char> host_work(on_host + 1);
        ASSERT_EQ(
            cusolver().call("cusolverDnXsytrs", solver_handle(), fill, order, columns, type,
                            static_cast<const void*>(a_on.get()), order, static_cast<const std::int64_t*>(wide.get()),
                            type, static_cast<void*>(b_on.get()), order, static_cast<void*>(solve_work.get()),
                            on_device, static_cast<void*>(host_work.data()), on_host, info.get()),
            success);
        EXPECT_EQ(info.values()[0], 0);
        EXPECT_LT(distance(a * loaded(b_on.values(), n, 3, n), b), 100 * accuracy<Number>)
            << letter << " of order " << n << " fill " << fill;
      }
  });
}

TEST(Cusolver, ChecksArguments) {
  float* const none = nullptr;
  int* const no_info = nullptr;
  int size = 0;
  EXPECT_EQ(cusolver().call("cusolverDnSpotrf_bufferSize", static_cast<void*>(nullptr), 0, 3, none, 3, &size),
            not_initialized);
  EXPECT_EQ(call("cusolverDn?potrf_bufferSize", 'S', 0, -1, none, 3, &size), invalid_value);
  EXPECT_EQ(call("cusolverDn?potrf_bufferSize", 'S', 0, 3, none, 2, &size), invalid_value);
  EXPECT_EQ(call("cusolverDn?getrf", 'S', 3, 3, none, 2, none, no_info, no_info), invalid_value);
  EXPECT_EQ(call("cusolverDn?gesvd_bufferSize", 'S', 2, 3, &size), invalid_value) << "wide matrices";
  EXPECT_EQ(cusolver().call("cusolverDnSetStream", static_cast<void*>(nullptr), static_cast<void*>(nullptr)),
            not_initialized);
}

}  // namespace
}  // namespace warpwalk::libraries_test

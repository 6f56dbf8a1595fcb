// The two overloads bound with nanobind, as its documentation shows it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "../kernel/kernel.h"

namespace nb = nanobind;
using namespace nb::literals;

struct Tensor {
    Kernel kernel{};

    explicit Tensor(const std::vector<float> &values) {
        check(bench_from_floats(values.data(), values.size(), &kernel));
    }
    Tensor(const Tensor &a, const Tensor &b, double alpha) {
        check(bench_add(&a.kernel, &b.kernel, alpha, &kernel));
    }
    Tensor(const Tensor &a, double b, double alpha) {
        check(bench_add_scalar(&a.kernel, b, alpha, &kernel));
    }
    Tensor(Tensor &&other) noexcept : kernel(other.kernel) { other.kernel.handle = nullptr; }
    Tensor(const Tensor &) = delete;
    ~Tensor() {
        if (kernel.handle != nullptr) {
            bench_drop(&kernel);
        }
    }

    static void check(bool made) {
        if (!made) {
            throw std::runtime_error("the kernel failed");
        }
    }
};

static Tensor add(const Tensor &a, const Tensor &b, double alpha) { return Tensor(a, b, alpha); }
static Tensor add_scalar(const Tensor &a, double b, double alpha) { return Tensor(a, b, alpha); }
static Tensor &add_out(const Tensor &a, const Tensor &b, double alpha, Tensor &out) {
    Tensor::check(bench_add_out(&a.kernel, &b.kernel, alpha, &out.kernel));
    return out;
}

NB_MODULE(bench_nanobind, m) {
    nb::class_<Tensor>(m, "Tensor")
        .def("add", &add, "other"_a, nb::kw_only(), "alpha"_a = 1.0)
        .def("add", &add_scalar, "other"_a, nb::kw_only(), "alpha"_a = 1.0)
        .def("__add__", [](const Tensor &a, const Tensor &b) { return add(a, b, 1.0); })
        .def("dim", [](const Tensor &a) { return bench_dim(&a.kernel); });
    m.def("add", &add, "input"_a, "other"_a, nb::kw_only(), "alpha"_a = 1.0);
    m.def("add", &add_scalar, "input"_a, "other"_a, nb::kw_only(), "alpha"_a = 1.0);
    m.def("add", &add_out, "input"_a, "other"_a, nb::kw_only(), "alpha"_a = 1.0, "out"_a,
          nb::rv_policy::reference);
    m.def("tensor", [](const std::vector<float> &values) { return Tensor(values); });
}

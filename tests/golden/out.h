/* Operators */

/**
 * bounds(Tensor self) -> (Tensor low, Tensor high)
 *
 * out.yaml:6
 */
OW_API ow_error *ow_bounds(const ow_tensor *self, ow_tensor **low, ow_tensor **high);

/**
 * bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)
 *
 * out.yaml:8
 */
OW_API ow_error *ow_bounds_out(const ow_tensor *self, ow_tensor *low, ow_tensor *high);

/**
 * fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 *
 * out.yaml:2
 */
OW_API ow_error *ow_fold(const ow_tensor *self, const int64_t *dim, size_t dim_len, bool keepdim,
    ow_dtype dtype, ow_tensor **result);

/**
 * fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!)
 * out) -> Tensor(a!)
 *
 * out.yaml:4
 */
OW_API ow_error *ow_fold_out(const ow_tensor *self, const int64_t *dim, size_t dim_len,
    bool keepdim, ow_dtype dtype, ow_tensor *out);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

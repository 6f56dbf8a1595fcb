/* Operators */

/**
 * spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)
 *
 * structured_function.yaml:2
 */
OW_API ow_error *ow_spread(const ow_tensor *self, const ow_tensor *mask,
    const ow_tensor *const *parts, size_t parts_len, int64_t dim, ow_tensor **low,
    ow_tensor **high);

/**
 * spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!)
 * high) -> (Tensor(a!) low, Tensor(b!) high)
 *
 * structured_function.yaml:5
 */
OW_API ow_error *ow_spread_out(const ow_tensor *self, const ow_tensor *mask,
    const ow_tensor *const *parts, size_t parts_len, int64_t dim, ow_tensor *low, ow_tensor *high);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

/* Operators */

/**
 * bucket.count(Tensor x, str rule, int count) -> Tensor
 *
 * described.yaml:19
 */
OW_API ow_error *ow_bucket_count(const ow_tensor *x, const char *rule, int64_t count,
    ow_tensor **result);

/**
 * bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor
 *
 * The bucket of each element between edges that are given.
 *
 * described.yaml:15
 */
OW_API ow_error *ow_bucket_edges(const ow_tensor *x, const ow_tensor *edges, bool right,
    ow_tensor **result);

/**
 * bucket.width(Tensor x, float width) -> Tensor
 *
 * The bucket of each element, where all are equally wide.
 *
 * ```python
 * >>> my_ops.bucket(my_ops.tensor([0.5, 1.5]), 1.0)
 * tensor([0, 1], dtype=int64, shape=(2,))
 * ```
 *
 * described.yaml:2
 */
OW_API ow_error *ow_bucket_width(const ow_tensor *x, double width, ow_tensor **result);

/**
 * bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)
 *
 * described.yaml:12
 */
OW_API ow_error *ow_bucket_width_out(const ow_tensor *x, double width, ow_tensor *out);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

/* Operators */

/**
 * ending(Tensor self) -> int?
 *
 * go_key.yaml:38
 */
OW_API ow_error *ow_ending(const ow_tensor *self, int64_t *result, bool *result_is_given);

/**
 * mixed(Tensor self, Tensor other) -> Tensor
 *
 * go_key.yaml:2
 */
OW_API ow_error *ow_mixed(const ow_tensor *self, const ow_tensor *other, ow_tensor **result);

/**
 * mixed.dim_IntList(Tensor self, int[1]? dim, *, bool keepdim=False) -> (Tensor values, Tensor
 * indices)
 *
 * go_key.yaml:6
 */
OW_API ow_error *ow_mixed_dim_intlist(const ow_tensor *self, const int64_t *dim, size_t dim_len,
    bool keepdim, ow_tensor **values, ow_tensor **indices);

/**
 * mixed.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
 *
 * go_key.yaml:10
 */
OW_API ow_error *ow_mixed_out(const ow_tensor *self, const ow_tensor *other, ow_tensor *out);

/**
 * pressed(Tensor self) -> Tensor
 *
 * go_key.yaml:15
 */
OW_API ow_error *ow_pressed(const ow_tensor *self, ow_tensor **result);

/**
 * pressed.dims(Tensor self, int[] dim) -> Tensor
 *
 * go_key.yaml:18
 */
OW_API ow_error *ow_pressed_dims(const ow_tensor *self, const int64_t *dim, size_t dim_len,
    ow_tensor **result);

/**
 * scope(Tensor self) -> Tensor
 *
 * Adds nothing to what people wrote.
 *
 * More of it.
 *
 * go_key.yaml:21
 */
OW_API ow_error *ow_scope(const ow_tensor *self, ow_tensor **result);

/**
 * shape(Tensor self) -> Tensor
 *
 * go_key.yaml:32
 */
OW_API ow_error *ow_shape(const ow_tensor *self, ow_tensor **result);

/**
 * skipped(Tensor self) -> Tensor
 *
 * go_key.yaml:12
 */
OW_API ow_error *ow_skipped(const ow_tensor *self, ow_tensor **result);

/* Operators: nn */

/**
 * nn_bent(Tensor self, Tensor? weight=None) -> Tensor
 *
 * go_key.yaml:35
 */
OW_API ow_error *ow_nn_bent(const ow_tensor *self, const ow_tensor *weight, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

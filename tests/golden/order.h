/* Operators */

/**
 * pick(Tensor self) -> Tensor
 *
 * order.yaml:12
 */
OW_API ow_error *ow_pick(const ow_tensor *self, ow_tensor **result);

/**
 * pick.Scalar(Tensor self, Scalar other) -> Tensor
 *
 * order.yaml:6
 */
OW_API ow_error *ow_pick_scalar(const ow_tensor *self, ow_scalar other, ow_tensor **result);

/**
 * pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
 *
 * order.yaml:3
 */
OW_API ow_error *ow_pick_dim(const ow_tensor *self, int64_t dim, bool keepdim, ow_tensor **values,
    ow_tensor **indices);

/**
 * pick.other(Tensor self, Tensor other) -> Tensor
 *
 * order.yaml:9
 */
OW_API ow_error *ow_pick_other(const ow_tensor *self, const ow_tensor *other, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

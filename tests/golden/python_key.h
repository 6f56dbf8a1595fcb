/* Operators */

/**
 * hidden(Tensor self) -> Tensor
 *
 * python_key.yaml:12
 */
OW_API ow_error *ow_hidden(const ow_tensor *self, ow_tensor **result);

/**
 * internal_name(Tensor self) -> Tensor
 *
 * python_key.yaml:15
 */
OW_API ow_error *ow_internal_name(const ow_tensor *self, ow_tensor **result);

/**
 * plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
 *
 * python_key.yaml:2
 */
OW_API ow_error *ow_plus_tensor(const ow_tensor *self, const ow_tensor *other, ow_scalar alpha,
    ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

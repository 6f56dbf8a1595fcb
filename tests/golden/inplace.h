/* Operators */

/**
 * clip(Tensor self, Scalar? min=None) -> Tensor
 *
 * inplace.yaml:5
 */
OW_API ow_error *ow_clip(const ow_tensor *self, const ow_scalar *min, ow_tensor **result);

/**
 * clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)
 *
 * inplace.yaml:2
 */
OW_API ow_error *ow_clip_(ow_tensor *self, const ow_scalar *min);

/**
 * consume(Tensor self, Tensor(a!) other) -> ()
 *
 * inplace.yaml:11
 */
OW_API ow_error *ow_consume(const ow_tensor *self, ow_tensor *other);

/**
 * scale_all_(Tensor(a!)[] self, Scalar factor) -> ()
 *
 * inplace.yaml:7
 */
OW_API ow_error *ow_scale_all_(ow_tensor *const *self, size_t self_len, ow_scalar factor);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

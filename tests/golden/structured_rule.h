/* Operators */

/**
 * blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor
 *
 * structured_rule.yaml:2
 */
OW_API ow_error *ow_blend_tensor(const ow_tensor *self, const ow_tensor *other, ow_scalar weight,
    ow_tensor **result);

/**
 * blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)
 *
 * structured_rule.yaml:10
 */
OW_API ow_error *ow_blend_out(const ow_tensor *self, const ow_tensor *other, ow_scalar weight,
    ow_tensor *out);

/**
 * blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)
 *
 * structured_rule.yaml:6
 */
OW_API ow_error *ow_blend_tensor_(ow_tensor *self, const ow_tensor *other, ow_scalar weight);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

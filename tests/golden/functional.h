/* Operators */

/**
 * squash(Tensor self) -> Tensor
 *
 * Maps each element to the interval from 0 to 1.
 *
 * Integers are converted to the default dtype first.
 *
 * ```python
 * >>> opwright.squash(opwright.tensor([0.0]))
 * tensor([0.5000], dtype=float32, shape=(1,))
 * ```
 *
 * functional.yaml:2
 */
OW_API ow_error *ow_squash(const ow_tensor *self, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

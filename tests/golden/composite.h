/* Operators */

/**
 * halve(Tensor self) -> Tensor
 *
 * composite.yaml:2
 */
OW_API ow_error *ow_halve(const ow_tensor *self, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

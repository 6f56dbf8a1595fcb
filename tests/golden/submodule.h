/* Operators: nn */

/**
 * nn_bend(Tensor self, float slope=0.5, bool inplace=False) -> Tensor
 *
 * submodule.yaml:2
 */
OW_API ow_error *ow_nn_bend(const ow_tensor *self, double slope, bool inplace, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

/* Operators */

/**
 * gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]?
 * weights=None) -> Tensor[]
 *
 * lists.yaml:2
 */
OW_API ow_error *ow_gathered(const ow_tensor *const *tensors, size_t tensors_len,
    const ow_tensor *const *masks, size_t masks_len, const int64_t *padding, size_t padding_len,
    const int64_t *order, size_t order_len, const double *weights, size_t weights_len,
    ow_tensor_list *result);

/**
 * settings(Tensor self, str mode='line\'s', str? other=None, float eps=1e-05, int reduction=Mean,
 * int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int,
 * float, bool, str)
 *
 * lists.yaml:4
 */
OW_API ow_error *ow_settings(const ow_tensor *self, const char *mode, const char *other, double eps,
    int64_t reduction, const int64_t *dims, size_t dims_len, const ow_scalar *limit,
    ow_memory_format memory_format, int64_t *result0, double *result1, bool *result2,
    char **result3);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

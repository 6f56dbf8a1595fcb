/* Operators */

/**
 * arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)
 *
 * varargs.yaml:2
 */
OW_API ow_error *ow_arranged(const ow_tensor *self, const int64_t *size, size_t size_len,
    ow_tensor **result);

/**
 * turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor
 *
 * varargs.yaml:5
 */
OW_API ow_error *ow_turned(const ow_tensor *self, const int64_t *dims, size_t dims_len,
    bool keepdim, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

/* Operators */

/**
 * constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device?
 * device=None, bool? pin_memory=None) -> Tensor
 *
 * options.yaml:2
 */
OW_API ow_error *ow_constant(const int64_t *size, size_t size_len, ow_scalar value, ow_dtype dtype,
    ow_layout layout, ow_device device, const bool *pin_memory, ow_tensor **result);

/**
 * constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)
 *
 * options.yaml:6
 */
OW_API ow_error *ow_constant_out(const int64_t *size, size_t size_len, ow_scalar value,
    ow_tensor *out);

/**
 * constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,
 * bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor
 *
 * options.yaml:10
 */
OW_API ow_error *ow_constant_like(const ow_tensor *self, ow_dtype dtype, ow_layout layout,
    ow_device device, const bool *pin_memory, ow_memory_format memory_format, ow_tensor **result);

/**
 * new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device?
 * device=None, bool? pin_memory=None) -> Tensor
 *
 * options.yaml:14
 */
OW_API ow_error *ow_new_constant(const ow_tensor *self, const int64_t *size, size_t size_len,
    ow_dtype dtype, ow_layout layout, ow_device device, const bool *pin_memory, ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

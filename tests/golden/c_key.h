/* Operators */

/**
 * _hidden_(Tensor(a!) self, Tensor? self_weight, Tensor?[] indices, bool[3] mask, int[2]?
 * size=None) -> Tensor(a!)
 *
 * c_key.yaml:8
 */
OW_API ow_error *ow_internal_hidden_(ow_tensor *self, const ow_tensor *self_weight,
    const ow_tensor *const *indices, size_t indices_len, const bool *mask, size_t mask_len,
    const int64_t *size, size_t size_len);

/**
 * parts(Tensor self, Device? device=None, Generator? generator=None, float? p=None) -> (Tensor[],
 * int[], str, Tensor?)
 *
 * c_key.yaml:10
 */
OW_API ow_error *ow_parts(const ow_tensor *self, ow_device device, ow_generator *generator,
    const double *p, ow_tensor_list *result0, ow_int_list *result1, char **result2,
    ow_tensor **result3);

/**
 * renamed.Tensor(Tensor self, Scalar default, str[] words) -> (Tensor result, int count)
 *
 * c_key.yaml:5
 */
OW_API ow_error *ow_other_tensor(const ow_tensor *self, ow_scalar default_,
    const char *const *words, size_t words_len, ow_tensor **result, int64_t *count);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

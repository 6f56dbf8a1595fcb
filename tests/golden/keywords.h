/* Operators */

/**
 * draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)
 *
 * keywords.yaml:5
 */
OW_API ow_error *ow_draw_from_(ow_tensor *self, int64_t ref, const int64_t *loop,
    ow_generator *generator);

/**
 * match.self(Tensor where, Tensor self, Tensor type) -> Tensor
 *
 * keywords.yaml:2
 */
OW_API ow_error *ow_match_self(const ow_tensor *where, const ow_tensor *self, const ow_tensor *type,
    ow_tensor **result);

#ifdef __cplusplus
}
#endif

#endif /* OW_H */

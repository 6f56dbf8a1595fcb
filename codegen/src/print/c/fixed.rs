//! The functions that every library for C has, whatever its operators: their prototypes.
//!
//! Their bodies are functions of the same names in `c_bindings::fixed`. Words that begin with an
//! underscore get the library's prefix, and so do the functions. `E` is `_error *`: the function
//! can fail.

use super::model::CParameter;
use super::types::CType;

/// A declared function.
#[derive(Clone, Debug)]
pub struct Prototype {
    /// Without the prefix.
    pub name: &'static str,
    /// What it returns, if anything.
    pub result: Option<CType>,
    /// What it takes.
    pub parts: Vec<CParameter>,
    /// What it does.
    pub doc: &'static str,
    /// Its body takes the table of operators first.
    pub reads_operators: bool,
}

/// Functions under a heading.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// Prototypes, and what the functions do.
    rows: &'static [(&'static str, &'static str)],
}

/// All of them, in the order of the header.
pub static SECTIONS: [Section; 12] = [
    Section { title: "Versions, counters, settings", rows: VERSIONS },
    Section { title: "Errors", rows: ERRORS },
    Section { title: "Making tensors", rows: MAKING },
    Section { title: "What tensors are", rows: ASKING },
    Section { title: "Elements", rows: ELEMENTS },
    Section { title: "Lists and texts", rows: LISTS },
    Section { title: "Generators and storages", rows: OBJECTS },
    Section { title: "DLPack", rows: DLPACK },
    Section { title: "Files", rows: FILES },
    Section { title: "Scopes", rows: SCOPES },
    Section { title: "Optimizers", rows: OPTIMIZERS },
    Section { title: "Gradients", rows: GRADIENTS },
];

const VERSIONS: &[(&str, &str)] = &[
    ("uint32_t abi_version(void)", "The library's own `_ABI_VERSION`."),
    (
        "bool abi_fits(uint32_t header)",
        "Whether a program that was compiled with such a header can use the library: the major number is the same, and the minor one not greater.",
    ),
    ("const char *version(void)", "The version of the library, such as `0.1.0`; nobody frees it."),
    (
        "int64_t live_handles(void)",
        "How many tensors, generators, storages, lists, texts and errors are not freed yet.",
    ),
    (
        "int64_t live_bytes(void)",
        "The bytes of storages that live; foreign memory excepted, and memory of at most 64 bytes.",
    ),
    (
        "const _operator *operators(size_t *len)",
        "All operators that have functions, by submodules and names; nobody frees them.",
    ),
    ("int64_t get_num_threads(void)", "How many threads a large kernel may use."),
    ("E set_num_threads(int64_t count)", "Says how many threads a large kernel may use."),
    ("void manual_seed(uint64_t seed)", "Starts the default generator anew."),
    (
        "uint64_t thread_id(void)",
        "What tells the calling thread from all others that live; not zero.",
    ),
    ("_dtype default_dtype(void)", "The dtype of floating numbers of which no dtype is said."),
    ("E set_default_dtype(_dtype dtype)", "Says which that is."),
];

const ERRORS: &[(&str, &str)] = &[
    ("void error_free(_error *error)", "Frees an error; NULL is fine."),
    (
        "const char *error_kind_name(_error_kind kind)",
        "The name of a kind, such as `RuntimeError`, or `?`; nobody frees it.",
    ),
];

const MAKING: &[(&str, &str)] = &[
    (
        "E tensor_from_data(const void *data, const int64_t *sizes, size_t ndim, _dtype dtype, _tensor **result)",
        "Copies elements, which lie one behind the other in row-major order.",
    ),
    (
        "E tensor_from_blob(void *data, const int64_t *sizes, size_t ndim, const int64_t *strides, _dtype dtype, _deleter deleter, void *context, _tensor **result)",
        "A tensor over memory that is there already. Strides count elements; NULL is row-major. When the last tensor over it goes, `deleter(context)` is called, from whichever thread that is; NULL is fine. If this fails, it is not called.",
    ),
    (
        "E tensor_from_scalar(_scalar value, _dtype dtype, _tensor **result)",
        "One number, without dimensions; with `_DTYPE_NONE` of the dtype that holds it.",
    ),
    ("E tensor_clone(const _tensor *self, _tensor **result)", "Another handle of the same tensor."),
    ("void tensor_free(_tensor *tensor)", "Frees a handle; NULL is fine."),
    ("void tensors_free(_tensor *const *tensors, size_t len)", "Frees many handles."),
    (
        "void tensor_assign(_tensor *self, const _tensor *other)",
        "Makes a handle refer to the tensor of another.",
    ),
];

const ASKING: &[(&str, &str)] = &[
    ("bool tensor_defined(const _tensor *self)", "False for NULL."),
    ("int64_t tensor_ndim(const _tensor *self)", "How many dimensions there are; -1 for NULL."),
    ("int64_t tensor_numel(const _tensor *self)", "How many elements there are; -1 for NULL."),
    (
        "int64_t tensor_size(const _tensor *self, int64_t dim)",
        "The size of a dimension, counted from the end if it is negative; -1 if there is none.",
    ),
    (
        "const int64_t *tensor_sizes(const _tensor *self)",
        "All sizes; valid until the handle is freed or written to. NULL for NULL.",
    ),
    (
        "const int64_t *tensor_strides(const _tensor *self)",
        "All strides, in elements; valid as long as the sizes.",
    ),
    (
        "int64_t tensor_offset(const _tensor *self)",
        "Where the first element is in the storage, in elements; -1 for NULL.",
    ),
    ("_dtype tensor_dtype(const _tensor *self)", "The dtype; `_DTYPE_NONE` for NULL."),
    ("_device tensor_device(const _tensor *self)", "The device; `_DEVICE_NONE` for NULL."),
    ("_layout tensor_layout(const _tensor *self)", "The layout; `_LAYOUT_NONE` for NULL."),
    ("size_t tensor_element_size(const _tensor *self)", "The bytes of an element; 0 for NULL."),
    ("size_t tensor_nbytes(const _tensor *self)", "The bytes of all elements; 0 for NULL."),
    (
        "bool tensor_is_contiguous(const _tensor *self)",
        "Whether the elements lie one behind the other in row-major order.",
    ),
    (
        "bool tensor_is_same(const _tensor *self, const _tensor *other)",
        "Whether both are handles of one tensor.",
    ),
    (
        "bool tensor_shares_memory(const _tensor *self, const _tensor *other)",
        "Whether both are in one storage.",
    ),
    (
        "const char *dtype_name(_dtype dtype)",
        "The name of a dtype, such as `float32`, or `?`; nobody frees it.",
    ),
    ("size_t dtype_size(_dtype dtype)", "The bytes of an element; 0 if there is no such dtype."),
];

const ELEMENTS: &[(&str, &str)] = &[
    (
        "void *tensor_data(const _tensor *self)",
        "The first element, which may be written to; NULL for NULL and on the meta device.",
    ),
    ("E tensor_item(const _tensor *self, _scalar *result)", "The only element, of any dtype."),
    (
        "E tensor_copy_to(const _tensor *self, void *target, size_t bytes)",
        "Copies all elements out in row-major order, whatever the strides; there must be room for exactly these bytes.",
    ),
    (
        "E tensor_copy_from(_tensor *self, const void *source, size_t bytes)",
        "Copies all elements in, likewise.",
    ),
    (
        "E tensor_to_string(const _tensor *self, char **result)",
        "What Python's `repr` shows; `_string_free` frees it.",
    ),
];

const LISTS: &[(&str, &str)] = &[
    ("void string_free(char *text)", "Frees a text; NULL is fine."),
    (
        "void tensor_list_free(_tensor_list *list)",
        "Frees a list and the handles in it that are not NULL, and empties the structure; NULL is fine. Who keeps a handle puts NULL in its place.",
    ),
    (
        "void int_list_free(_int_list *list)",
        "Frees a list and empties the structure; NULL is fine.",
    ),
];

const OBJECTS: &[(&str, &str)] = &[
    (
        "E generator_new(uint64_t seed, _generator **result)",
        "A source of random numbers of one's own.",
    ),
    ("void generator_free(_generator *generator)", "Frees a generator; NULL is fine."),
    ("void generator_manual_seed(_generator *generator, uint64_t seed)", "Starts it anew."),
    (
        "E tensor_storage(const _tensor *self, _storage **result)",
        "The memory of a tensor; NULL on the meta device.",
    ),
    ("void storage_free(_storage *storage)", "Frees a handle of a storage; NULL is fine."),
    ("size_t storage_bytes(const _storage *storage)", "The size in bytes; 0 for NULL."),
    (
        "void *storage_data(const _storage *storage)",
        "The first byte, which may be written to; NULL for NULL.",
    ),
];

const DLPACK: &[(&str, &str)] = &[
    (
        "E tensor_to_dlpack(const _tensor *self, struct DLManagedTensorVersioned **result)",
        "A view for another library, without a copy; who takes it calls its deleter once.",
    ),
    (
        "E tensor_to_dlpack_unversioned(const _tensor *self, struct DLManagedTensor **result)",
        "The same for libraries that know no versions.",
    ),
    (
        "E tensor_from_dlpack(struct DLManagedTensorVersioned *managed, _tensor **result)",
        "A tensor over the memory of another library, or a copy if that is read-only. It calls the deleter, at the latest when the last tensor over the memory goes; if this fails, it is not called.",
    ),
    (
        "E tensor_from_dlpack_unversioned(struct DLManagedTensor *managed, _tensor **result)",
        "The same from libraries that know no versions.",
    ),
];

const FILES: &[(&str, &str)] = &[
    (
        "E tensor_save(const _tensor *self, const char *path)",
        "Writes a `.npy` file, whatever the path ends with.",
    ),
    ("E tensor_load(const char *path, _tensor **result)", "Reads a `.npy` file."),
    (
        "E tensors_save(const char *const *names, const _tensor *const *tensors, size_t len, const char *path)",
        "Writes several tensors: `.safetensors` or, without compression, `.npz`, as the path ends.",
    ),
    (
        "E tensors_load(const char *path, _named_tensor_list *result)",
        "Reads such a file; one that is compressed is refused.",
    ),
    (
        "void named_tensor_list_free(_named_tensor_list *list)",
        "Frees a list, its names and the handles in it that are not NULL, and empties the structure; NULL is fine.",
    ),
    (
        "E tensor_to_bytes(const _tensor *self, uint8_t **bytes, size_t *len)",
        "The bytes of a `.npy` file; `_bytes_free` frees them.",
    ),
    (
        "E tensor_from_bytes(const uint8_t *bytes, size_t len, _tensor **result)",
        "A tensor of such bytes, which are copied.",
    ),
    ("void bytes_free(uint8_t *bytes, size_t len)", "Frees bytes; NULL is fine."),
];

const SCOPES: &[(&str, &str)] = &[
    (
        "void scope_begin(void)",
        "From here on the tensors that calls of this thread return are recorded; within another scope, by this one alone. Lists are freed as ever.",
    ),
    (
        "void scope_keep(_tensor *tensor)",
        "Hands a recorded tensor to the scope around the one that has recorded it, or to the caller if there is none; NULL is fine.",
    ),
    (
        "int64_t scope_end(void)",
        "Frees the tensors that are recorded still, and says how many there were; nothing if no scope of this thread is open. What was freed before, on whichever thread, is recorded no more.",
    ),
];

/// In a library without the operators of `opwright-ops` those that make an optimizer fail.
const OPTIMIZERS: &[(&str, &str)] = &[
    (
        "E sgd_new(double lr, double momentum, double dampening, double weight_decay, bool nesterov, _optimizer **result)",
        "Steps against gradients, with momentum if that is not 0.",
    ),
    (
        "E adam_new(double lr, double beta1, double beta2, double eps, double weight_decay, bool amsgrad, _optimizer **result)",
        "Steps that adapt to how great gradients are; 0.9, 0.999 and 1e-8 are usual.",
    ),
    (
        "E optimizer_add(_optimizer *optimizer, const _tensor *const *parameters, size_t len)",
        "Adds tensors that are to be learnt, or none of them if this fails.",
    ),
    ("E optimizer_step(_optimizer *optimizer)", "Changes the parameters that have gradients."),
    ("E optimizer_zero_grad(_optimizer *optimizer)", "Takes the gradients of all parameters away."),
    ("E optimizer_set_lr(_optimizer *optimizer, double lr)", "Says how far the next steps go."),
    ("void optimizer_free(_optimizer *optimizer)", "Frees an optimizer; NULL is fine."),
];

const GRADIENTS: &[(&str, &str)] = &[
    ("bool tensor_requires_grad(const _tensor *self)", "Whether calls with it are recorded."),
    ("E tensor_set_requires_grad(_tensor *self, bool value)", "Says whether they are."),
    (
        "E backward(const _tensor *self, const _tensor *gradient, bool retain_graph)",
        "Adds to the gradients of all tensors that it was computed from. Without a gradient of its own, NULL, it must have one element.",
    ),
    (
        "E tensor_grad(const _tensor *self, _tensor **result)",
        "The gradient that was added up; NULL if there is none.",
    ),
    (
        "E tensor_set_grad(const _tensor *self, const _tensor *gradient)",
        "Puts another gradient in its place, or with NULL none.",
    ),
    (
        "E grad(const _tensor *const *outputs, size_t outputs_len, const _tensor *const *inputs, size_t inputs_len, bool retain_graph, bool allow_unused, _tensor_list *result)",
        "The gradients of the inputs, of outputs with one element each; NULL in the list for an input that is not used, if that is allowed.",
    ),
    ("bool grad_enabled(void)", "Whether this thread records."),
    ("bool set_grad_enabled(bool value)", "Says whether this thread records, and gives what was."),
    (
        "E tensor_detach(const _tensor *self, _tensor **result)",
        "The same elements, without what they were computed from.",
    ),
];

impl Section {
    /// What is under the heading.
    pub fn prototypes(self) -> impl Iterator<Item = Prototype> {
        self.rows.iter().map(|(text, doc)| Prototype::parse(text, doc))
    }
}

/// All of them.
pub fn prototypes() -> Vec<Prototype> {
    SECTIONS.iter().flat_map(|it| it.prototypes()).collect()
}

impl Prototype {
    fn parse(text: &'static str, doc: &'static str) -> Prototype {
        let (head, parts) = text.split_once('(').unwrap_or((text, ""));
        let (result, name) = typed(head);
        let result = match result.0.as_str() {
            "void" => None,
            "E" => Some(CType::new("_error *")),
            _ => Some(result),
        };
        let parts = parts.trim_end_matches(')').split(", ").filter(|it| *it != "void");
        let parts = parts.map(|it| {
            let (ty, name) = typed(it);
            CParameter { name: name.to_owned(), ty }
        });
        let reads_operators = name == "operators";
        Prototype { name, result, parts: parts.collect(), doc, reads_operators }
    }
}

/// A type and the name behind it.
fn typed(text: &'static str) -> (CType, &'static str) {
    let at = text.rfind([' ', '*']).map_or(0, |it| it + 1);
    (CType::new(text[..at].trim_end()), &text[at..])
}

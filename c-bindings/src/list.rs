//! Lists and texts that C gets, in blocks that know their own size.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_char;
use std::ptr::{self, NonNull};

use opwright_runtime as rt;
use opwright_runtime::Result;

use crate::count::handed_out;
use crate::handle::{self, Owned, Tensor};

/// `ow_tensor_list`
#[derive(Debug)]
#[repr(C)]
pub struct TensorList {
    pub(crate) data: *mut *mut Tensor,
    pub(crate) len: usize,
}

impl TensorList {
    /// A list without elements, and without memory.
    pub const EMPTY: TensorList = TensorList { data: ptr::null_mut(), len: 0 };
}

/// `ow_int_list`
#[derive(Debug)]
#[repr(C)]
pub struct IntList {
    pub(crate) data: *mut i64,
    pub(crate) len: usize,
}

impl IntList {
    /// A list without elements, and without memory.
    pub const EMPTY: IntList = IntList { data: ptr::null_mut(), len: 0 };
}

/// A block with room for so many values, which nobody in C has yet.
#[derive(Debug)]
pub struct ListBlock<T> {
    data: NonNull<T>,
    len: usize,
}

impl<T> ListBlock<T> {
    /// A block of at least one value, so that no list of C is NULL.
    fn new(len: usize) -> Result<ListBlock<T>> {
        let missing = || rt::Error::memory("not enough memory for a list");
        let layout = Layout::array::<T>(len.max(1)).map_err(|_| missing())?;
        // SAFETY: the layout is not empty.
        let data = NonNull::new(unsafe { alloc(layout) }.cast::<T>()).ok_or_else(missing)?;
        Ok(ListBlock { data, len })
    }

    fn hand_out(self) -> *mut T {
        let data = self.data.as_ptr();
        std::mem::forget(self);
        handed_out(1);
        data
    }
}

impl<T> Drop for ListBlock<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and nobody else has it.
        unsafe { release(self.data.as_ptr(), self.len) };
    }
}

/// # Safety
///
/// It is the memory of a block of this length.
unsafe fn release<T>(data: *mut T, len: usize) {
    if let Ok(layout) = Layout::array::<T>(len.max(1)) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(data.cast(), layout) };
    }
}

/// Integers for C.
pub(crate) fn ints(values: &[i64]) -> Result<ListBlock<i64>> {
    let block = ListBlock::new(values.len())?;
    // SAFETY: there is room for the values.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), block.data.as_ptr(), values.len()) };
    Ok(block)
}

impl ListBlock<i64> {
    pub(crate) fn list(self) -> IntList {
        let len = self.len;
        IntList { data: self.hand_out(), len }
    }
}

/// Tensors for C, before it has them.
#[derive(Debug)]
pub struct Tensors {
    block: ListBlock<*mut Tensor>,
    tensors: Vec<Option<Owned<rt::Tensor>>>,
}

pub(crate) fn tensors(
    values: impl ExactSizeIterator<Item = Option<rt::Tensor>>,
) -> Result<Tensors> {
    let block = ListBlock::new(values.len())?;
    let tensors = values.map(|it| it.inspect(rt::Tensor::settle).map(Owned::new).transpose());
    let tensors = rt::buffer::try_collected(tensors)?;
    Ok(Tensors { block, tensors })
}

impl Tensors {
    pub(crate) fn list(self) -> TensorList {
        let Tensors { block, tensors } = self;
        let len = block.len;
        for (at, tensor) in tensors.into_iter().enumerate() {
            let handle = tensor.map_or(ptr::null_mut(), Owned::hand_out);
            // SAFETY: there is room for as many handles as there are tensors.
            unsafe { block.data.as_ptr().add(at).write(handle) };
        }
        TensorList { data: block.hand_out(), len }
    }
}

/// Frees the tensors that are left in a list, and its memory; empties it.
///
/// # Safety
///
/// It was filled by the library, and nobody uses what is in it.
pub(crate) unsafe fn free_tensors(list: &mut TensorList) {
    let TensorList { data, len } = std::mem::replace(list, TensorList::EMPTY);
    if data.is_null() {
        return;
    }
    for at in 0..len {
        // SAFETY: the list has so many handles, which are NULL or were handed out.
        unsafe { handle::free(*data.add(at)) };
    }
    handed_out(-1);
    // SAFETY: it is the memory of a block.
    unsafe { release(data, len) };
}

/// Frees the memory of a list, and empties it.
///
/// # Safety
///
/// It was filled by the library.
pub(crate) unsafe fn free_ints(list: &mut IntList) {
    let IntList { data, len } = std::mem::replace(list, IntList::EMPTY);
    if !data.is_null() {
        handed_out(-1);
        // SAFETY: it is the memory of a block.
        unsafe { release(data, len) };
    }
}

/// `ow_named_tensor`
#[derive(Debug)]
#[repr(C)]
pub struct NamedTensor {
    name: *const c_char,
    tensor: *mut Tensor,
}

/// `ow_named_tensor_list`
#[derive(Debug)]
#[repr(C)]
pub struct NamedTensorList {
    pub(crate) data: *mut NamedTensor,
    pub(crate) len: usize,
}

impl NamedTensorList {
    /// A list without elements, and without memory.
    pub const EMPTY: NamedTensorList = NamedTensorList { data: ptr::null_mut(), len: 0 };
}

/// Tensors with names for C, before it has them.
#[derive(Debug)]
pub struct NamedTensors {
    block: ListBlock<NamedTensor>,
    tensors: Vec<(Text, Owned<rt::Tensor>)>,
}

pub(crate) fn named(values: Vec<(String, rt::Tensor)>) -> Result<NamedTensors> {
    let block = ListBlock::new(values.len())?;
    let tensors = values.into_iter().map(|(name, tensor)| {
        tensor.settle();
        Ok((text(&name)?, Owned::new(tensor)?))
    });
    let tensors = rt::buffer::try_collected(tensors)?;
    Ok(NamedTensors { block, tensors })
}

impl NamedTensors {
    pub(crate) fn list(self) -> NamedTensorList {
        let NamedTensors { block, tensors } = self;
        let len = block.len;
        for (at, (name, tensor)) in tensors.into_iter().enumerate() {
            let named = NamedTensor { name: name.hand_out(), tensor: tensor.hand_out() };
            // SAFETY: there is room for as many pairs as there are tensors.
            unsafe { block.data.as_ptr().add(at).write(named) };
        }
        NamedTensorList { data: block.hand_out(), len }
    }
}

/// Frees the names, the tensors that are left in a list, and its memory; empties it.
///
/// # Safety
///
/// It was filled by the library, and nobody uses what is in it.
pub(crate) unsafe fn free_named(list: &mut NamedTensorList) {
    let NamedTensorList { data, len } = std::mem::replace(list, NamedTensorList::EMPTY);
    if data.is_null() {
        return;
    }
    for at in 0..len {
        // SAFETY: the list has so many pairs, whose parts are NULL or were handed out.
        unsafe {
            let NamedTensor { name, tensor } = data.add(at).read();
            free_text(name.cast_mut());
            handle::free(tensor);
        }
    }
    handed_out(-1);
    // SAFETY: it is the memory of a block.
    unsafe { release(data, len) };
}

/// Bytes behind a head that says how long their block is.
#[derive(Debug)]
pub(crate) struct Bytes(ListBlock<u8>);

/// The bytes in front of others that say how long the block is.
const HEAD: usize = size_of::<usize>();

pub(crate) fn bytes(bytes: &[u8]) -> Result<Bytes> {
    let block = ListBlock::<u8>::new(HEAD + bytes.len())?;
    let start = block.data.as_ptr();
    // SAFETY: there is room for the length and the bytes.
    unsafe {
        start.cast::<usize>().write_unaligned(block.len);
        ptr::copy_nonoverlapping(bytes.as_ptr(), start.add(HEAD), bytes.len());
    }
    Ok(Bytes(block))
}

impl Bytes {
    pub(crate) fn hand_out(self) -> *mut u8 {
        // SAFETY: the bytes begin behind the head of their block.
        unsafe { self.0.hand_out().add(HEAD) }
    }
}

/// Frees bytes; NULL is fine.
///
/// # Safety
///
/// It is NULL, or was handed out and is not used any more.
pub(crate) unsafe fn free_bytes(bytes: *mut u8) {
    if bytes.is_null() {
        return;
    }
    handed_out(-1);
    // SAFETY: in front of the bytes is the head of their block.
    unsafe {
        let start = bytes.sub(HEAD);
        release(start, start.cast::<usize>().read_unaligned());
    }
}

/// A text for C.
#[derive(Debug)]
pub struct Text(Bytes);

/// A text for C, where it would end at its first NUL.
pub(crate) fn text(text: &str) -> Result<Text> {
    if text.contains('\0') {
        let shown = text.escape_debug();
        rt::fail!(Value, "'{shown}' contains a NUL, at which texts of C end");
    }
    let mut ended = rt::buffer::with_capacity(text.len() + 1)?;
    ended.extend_from_slice(text.as_bytes());
    ended.push(0);
    bytes(&ended).map(Text)
}

impl Text {
    pub(crate) fn hand_out(self) -> *mut c_char {
        self.0.hand_out().cast()
    }
}

/// Frees a text; NULL is fine.
///
/// # Safety
///
/// It is NULL, or was handed out and is not used any more.
pub(crate) unsafe fn free_text(text: *mut c_char) {
    // SAFETY: a text is bytes.
    unsafe { free_bytes(text.cast()) };
}

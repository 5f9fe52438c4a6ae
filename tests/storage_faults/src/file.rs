//! One open file: a [`FaultyFile`]. The VFS below is the one to which the operations are passed on.
//! Its file follows the `FaultyFile` in memory.

use crate::state::{Failure, Kind, Operation, Shared};
use rusqlite::ffi::{self, sqlite3_file};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// What SQLite sees as its file. SQLite allocates it, with room for the file of the VFS below
/// after it.
#[repr(C)]
pub(crate) struct FaultyFile {
    /// SQLite reads the methods from here.
    head: sqlite3_file,
    data: *mut Data,
}

/// What the functions of this file need to know about an open file. `open` allocates it, and
/// `close` frees it.
struct Data {
    shared: &'static Shared,
    name: Arc<str>,
}

pub(crate) const fn file_size() -> usize {
    size_of::<FaultyFile>()
}

impl FaultyFile {
    /// Opens the file of the VFS below, and makes `file` one of this VFS if that succeeds.
    ///
    /// SAFETY: `file` must have room for a `FaultyFile` and for a file of `base` after it; the
    /// other arguments must be as SQLite passes them.
    pub(crate) unsafe fn open(
        base: *mut ffi::sqlite3_vfs,
        path: ffi::sqlite3_filename,
        file: *mut sqlite3_file,
        flags: c_int,
        out_flags: *mut c_int,
        shared: &'static Shared,
        name: Arc<str>,
    ) -> c_int {
        // SAFETY: as the caller promises.
        unsafe {
            let code = ((*base).xOpen.expect("a VFS can open files"))(
                base,
                path,
                below(file),
                flags,
                out_flags,
            );
            if code == ffi::SQLITE_OK {
                let data = Box::into_raw(Box::new(Data { shared, name }));
                let head = sqlite3_file { pMethods: &raw const METHODS };
                file.cast::<FaultyFile>().write(FaultyFile { head, data });
            } else if !(*below(file)).pMethods.is_null() {
                // SQLite has the rule that a file with methods must be closed, even if opening
                // failed.
                call_close(below(file));
            }
            code
        }
    }
}

/// The file of the VFS below. SAFETY: `file` must be as in [`FaultyFile::open`].
unsafe fn below(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: the file of the VFS below begins right after the `FaultyFile`, within what SQLite
    // allocated.
    unsafe { file.cast::<FaultyFile>().add(1).cast() }
}

/// SAFETY: `file` must have been opened by [`FaultyFile::open`] and not be closed.
unsafe fn data<'a>(file: *mut sqlite3_file) -> &'a Data {
    // SAFETY: the caller promises that the file is open, and only `close` frees the data.
    unsafe { &*(*file.cast::<FaultyFile>()).data }
}

/// SAFETY: `file` must be an open file of the VFS below.
unsafe fn call_close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { ((*(*file).pMethods).xClose.expect("a file can be closed"))(file) }
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// Calls a method of the file below with the same arguments.
macro_rules! pass_on {
    ($file:expr, $method:ident ( $($argument:expr),* )) => {{
        // SAFETY: SQLite calls methods of open files only; the file below is open as long as this
        // one is, has the methods of version 2, and gets what SQLite passed.
        unsafe {
            let below = below($file);
            ((*(*below).pMethods).$method.expect("the file below has it"))(below, $($argument),*)
        }
    }};
}

/// Counts the operation. Returns how the operation must fail; `None` if it must not fail.
fn begin(file: *mut sqlite3_file, kind: Kind) -> Option<Failure> {
    // SAFETY: SQLite calls methods of open files only.
    unsafe { data(file) }.shared.begin(kind)
}

/// Notes the operation if `code` says that it succeeded. Returns `code`.
fn done(
    file: *mut sqlite3_file,
    code: c_int,
    operation: impl FnOnce(Arc<str>) -> Operation,
) -> c_int {
    if code == ffi::SQLITE_OK {
        // SAFETY: SQLite calls methods of open files only.
        let data = unsafe { data(file) };
        data.shared.done(|| operation(data.name.clone()));
    }
    code
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes an open file once, and does not use it afterwards.
    unsafe {
        let code = call_close(below(file));
        drop(Box::from_raw((*file.cast::<FaultyFile>()).data));
        (*file).pMethods = std::ptr::null();
        code
    }
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    out: *mut c_void,
    length: c_int,
    at: i64,
) -> c_int {
    match begin(file, Kind::Read) {
        Some(failure) => failure.code,
        None => pass_on!(file, xRead(out, length, at)),
    }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    at: i64,
) -> c_int {
    let failure = begin(file, Kind::Write);
    let written = match &failure {
        None => length,
        Some(failure) if failure.half => length / 2,
        Some(failure) => return failure.code,
    };
    let code = pass_on!(file, xWrite(bytes, written, at));
    done(file, code, |file| {
        let length = usize::try_from(written).expect("a length is not negative");
        // SAFETY: SQLite passes at least `length` bytes: `length` is the number that SQLite passed,
        // or half of it.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) }.to_vec();
        Operation::Write { file, at: at.unsigned_abs(), bytes }
    });
    failure.map_or(code, |failure| failure.code)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: i64) -> c_int {
    if let Some(failure) = begin(file, Kind::Truncate) {
        return failure.code;
    }
    let code = pass_on!(file, xTruncate(length));
    done(file, code, |file| Operation::Truncate { file, length: length.unsigned_abs() })
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    if let Some(failure) = begin(file, Kind::Sync) {
        return failure.code;
    }
    let code = pass_on!(file, xSync(flags));
    done(file, code, |file| Operation::Sync { file })
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    match begin(file, Kind::Lock) {
        Some(failure) => failure.code,
        None => pass_on!(file, xLock(level)),
    }
}

unsafe extern "C" fn shm_lock(
    file: *mut sqlite3_file,
    offset: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    // Unlocking cannot fail.
    if flags & ffi::SQLITE_SHM_LOCK != 0
        && let Some(failure) = begin(file, Kind::Lock)
    {
        return failure.code;
    }
    pass_on!(file, xShmLock(offset, count, flags))
}

unsafe extern "C" fn size(file: *mut sqlite3_file, out: *mut i64) -> c_int {
    pass_on!(file, xFileSize(out))
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    pass_on!(file, xUnlock(level))
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, out: *mut c_int) -> c_int {
    pass_on!(file, xCheckReservedLock(out))
}

unsafe extern "C" fn file_control(
    file: *mut sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> c_int {
    pass_on!(file, xFileControl(operation, argument))
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    pass_on!(file, xSectorSize())
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    pass_on!(file, xDeviceCharacteristics())
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    pass_on!(file, xShmMap(region, size, extend, out))
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    pass_on!(file, xShmBarrier());
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, delete: c_int) -> c_int {
    pass_on!(file, xShmUnmap(delete))
}

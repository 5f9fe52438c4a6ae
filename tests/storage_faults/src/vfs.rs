//! The VFS that is registered with SQLite. Each of its functions calls the one of the VFS below.
//!
//! `pAppData` of the registered `sqlite3_vfs` points to a [`Disk`], which is never freed.

use crate::file::{FaultyFile, file_size};
use crate::state::{Kind, Operation, Shared};
use rusqlite::ffi;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the functions of a VFS need.
struct Disk {
    base: *mut ffi::sqlite3_vfs,
    shared: &'static Shared,
}

/// Registers a VFS over the one called `base`. Returns its name and its state.
pub(crate) fn register(base: &CStr) -> (String, &'static Shared) {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    let name = format!("faulty-disk-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let shared: &'static Shared = Box::leak(Box::default());
    // SAFETY: initialising twice does nothing, and the name is a C string.
    let base = unsafe {
        ffi::sqlite3_initialize();
        ffi::sqlite3_vfs_find(base.as_ptr())
    };
    assert!(!base.is_null(), "SQLite has the VFS below");
    // SAFETY: SQLite's own VFSs live until the process ends and do not change.
    let below = unsafe { &*base };
    let c_name = CString::new(name.as_str()).expect("the name has no zero byte").into_raw();
    let disk = Box::into_raw(Box::new(Disk { base, shared }));
    let vfs = ffi::sqlite3_vfs {
        iVersion: 2,
        szOsFile: c_int::try_from(size_of::<FaultyFile>()).expect("a small struct")
            + below.szOsFile,
        mxPathname: below.mxPathname,
        pNext: std::ptr::null_mut(),
        zName: c_name,
        pAppData: disk.cast(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_pathname),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: Some(current_time),
        xGetLastError: Some(last_error),
        xCurrentTimeInt64: Some(current_time_64),
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    };
    // SAFETY: the struct, its name and its data are never freed, as SQLite demands.
    let code = unsafe { ffi::sqlite3_vfs_register(Box::into_raw(Box::new(vfs)), 0) };
    assert_eq!(code, ffi::SQLITE_OK, "the VFS can be registered");
    (name, shared)
}

/// SAFETY: `vfs` must be one that [`register`] made.
unsafe fn disk<'a>(vfs: *mut ffi::sqlite3_vfs) -> &'a Disk {
    // SAFETY: `register` has set `pAppData` to a `Disk` that is never freed or changed.
    unsafe { &*(*vfs).pAppData.cast::<Disk>() }
}

/// Calls a function of the VFS below with the same arguments.
macro_rules! below {
    ($vfs:expr, $function:ident ( $($argument:expr),* )) => {{
        // SAFETY: SQLite passes the VFS that it was given; the one below has all functions that
        // SQLite calls without a check, and gets what SQLite passed.
        unsafe {
            let base = disk($vfs).base;
            ((*base).$function.expect("the VFS below has it"))(base, $($argument),*)
        }
    }};
}

/// The name of a file without its folder.
fn file_name(path: *const c_char) -> Arc<str> {
    if path.is_null() {
        return "temporary".into();
    }
    // SAFETY: SQLite passes C strings.
    let path = unsafe { CStr::from_ptr(path) }.to_string_lossy();
    path.rsplit('/').next().unwrap_or_default().into()
}

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes the VFS that it was given.
    let (base, shared) = unsafe { (disk(vfs).base, disk(vfs).shared) };
    // SAFETY: `file` has at least `szOsFile` bytes. Without methods, SQLite does not close it.
    unsafe { (*file).pMethods = std::ptr::null() };
    if let Some(failure) = shared.begin(Kind::Open) {
        return failure.code;
    }
    let name = file_name(path);
    // SAFETY: `file` has room for a `FaultyFile` and for the file of the VFS below after it.
    // `FaultyFile::open` gets the arguments that SQLite passed.
    let code =
        unsafe { FaultyFile::open(base, path, file, flags, out_flags, shared, name.clone()) };
    if code == ffi::SQLITE_OK {
        shared.done(|| Operation::Open { file: name });
    }
    code
}

unsafe extern "C" fn delete(
    vfs: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: SQLite passes the VFS that it was given.
    let shared = unsafe { disk(vfs).shared };
    if let Some(failure) = shared.begin(Kind::Delete) {
        return failure.code;
    }
    let code = below!(vfs, xDelete(path, sync_folder));
    if code == ffi::SQLITE_OK {
        shared.done(|| Operation::Delete { file: file_name(path), synced: sync_folder != 0 });
    }
    code
}

unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    flags: c_int,
    result: *mut c_int,
) -> c_int {
    below!(vfs, xAccess(path, flags, result))
}

unsafe extern "C" fn full_pathname(
    vfs: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    length: c_int,
    out: *mut c_char,
) -> c_int {
    below!(vfs, xFullPathname(path, length, out))
}

unsafe extern "C" fn randomness(
    vfs: *mut ffi::sqlite3_vfs,
    length: c_int,
    out: *mut c_char,
) -> c_int {
    below!(vfs, xRandomness(length, out))
}

unsafe extern "C" fn sleep(vfs: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    below!(vfs, xSleep(microseconds))
}

unsafe extern "C" fn current_time(vfs: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    below!(vfs, xCurrentTime(out))
}

unsafe extern "C" fn current_time_64(
    vfs: *mut ffi::sqlite3_vfs,
    out: *mut ffi::sqlite3_int64,
) -> c_int {
    below!(vfs, xCurrentTimeInt64(out))
}

unsafe extern "C" fn last_error(
    vfs: *mut ffi::sqlite3_vfs,
    length: c_int,
    out: *mut c_char,
) -> c_int {
    below!(vfs, xGetLastError(length, out))
}

const _: () = assert!(file_size().is_multiple_of(align_of::<*mut c_void>()));

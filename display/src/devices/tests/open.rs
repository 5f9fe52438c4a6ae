//! What cannot be opened.

use super::super::*;

#[test]
fn what_is_no_spi_device_is_named() {
    for (path, wanted) in [
        ("/dev/nowhere0.0", "/dev/nowhere0.0: No such file or directory (os error 2)"),
        ("/dev/null", "/dev/null: Inappropriate ioctl for device (os error 25)"),
    ] {
        let device = DevicePath::try_from(std::path::PathBuf::from(path)).unwrap();
        let error = spi(&device).err().expect("no SPI device");
        assert_eq!(format!("{error:#}"), wanted);
    }
}

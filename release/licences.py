"""What notices.py cannot read from the crates: texts that they lack, and what is in the programs beside crates."""

# Crates whose package has no text of its licence; its names are from the package's authors and the files' own heads.
CRATES = {
    "drm-fourcc": ["drm-fourcc.txt"],
    "gpiocdev-uapi": ["gpiocdev-uapi.txt"],
    "ioctl-sys": ["ioctl-sys.txt"],
}

# `of`: the crate that contains the part. `exception`: why a licence is there that deny.toml does not accept.
PARTS = [
    {
        "name": "the Rust standard library",
        "licence": "(MIT OR Apache-2.0) AND Unicode-3.0",
        "texts": ["rust-standard-library.txt", "Unicode-3.0.txt"],
    },
    {
        "name": "compiler_builtins of the Rust standard library",
        "licence": "MIT AND Apache-2.0 WITH LLVM-exception",
        "texts": ["libm.txt", "Apache-2.0-with-LLVM-exception.txt"],
    },
    {
        "name": "the font DejaVu Sans Bold",
        "licence": "Bitstream-Vera",
        "texts": ["../../display/fonts/LICENSE-DejaVu.txt"],
        "exception": "a permissive licence for fonts",
    },
    {
        "name": "the font Fjalla One",
        "licence": "OFL-1.1",
        "texts": ["../../display/fonts/LICENSE-FjallaOne.txt"],
        "exception": "a permissive licence for fonts",
    },
]

//! Compiles `face.slint`. The glyphs are rendered during the build, in the sizes that are used, so
//! that the program only copies them.

use slint_build::{CompilerConfiguration, EmbedResourcesKind};

fn main() -> Result<(), slint_build::CompileError> {
    let configuration =
        CompilerConfiguration::new().embed_resources(EmbedResourcesKind::EmbedForSoftwareRenderer);
    slint_build::compile_with_config("face.slint", configuration)
}

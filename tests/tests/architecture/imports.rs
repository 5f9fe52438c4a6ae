//! Reads the imports of a crate from its sources.
//!
//! This is no parser of Rust: it reads the paths in `use` items and in code. Code for unit tests is
//! left out, and so is what a macro of another crate expands to. A `super` in a module within a
//! file is read as if it stood outside that module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of a crate, such as `verb/add`, each with the modules that it imports.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// The modules by their paths. The root of the crate has an empty path.
type Sources = BTreeMap<Vec<String>, ModuleTokens>;

/// The tokens of a module without its unit tests.
#[derive(Default)]
struct ModuleTokens {
    tokens: Vec<String>,
    /// The modules that exist for unit tests only.
    test_modules: Vec<String>,
}

/// The imports of the crate `name` with its sources in this folder of the repository.
pub fn imports(folder: &str, name: &str) -> Imports {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut sources = Sources::new();
    read_folder(&root, &[], &mut sources);
    assert!(sources.len() > 1, "{} has no modules", root.display());
    of_sources(&mut sources, name)
}

fn read_folder(folder: &Path, module: &[String], sources: &mut Sources) {
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut module = module.to_vec();
        if path.is_dir() {
            module.push(name);
            read_folder(&path, &module, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if !["main", "lib", "mod"].contains(&name.as_str()) {
                module.push(name);
            }
            let text = fs::read_to_string(&path).expect("the source is UTF-8");
            let source = without_tests(tokens(&text));
            // A crate can have both a `main.rs` and a `lib.rs`. The tokens of both belong to the
            // root.
            let known = sources.entry(module).or_default();
            known.tokens.extend(source.tokens);
            known.test_modules.extend(source.test_modules);
        }
    }
}

fn of_sources(sources: &mut Sources, name: &str) -> Imports {
    let tests: Vec<Vec<String>> = sources
        .iter()
        .flat_map(|(module, source)| {
            source
                .test_modules
                .iter()
                .map(|name| [module.as_slice(), std::slice::from_ref(name)].concat())
        })
        .collect();
    sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    let imports = sources.iter().map(|(module, source)| {
        let reader = Reader { sources, module, name };
        let imported = reader.imported(&source.tokens);
        let others = imported.iter().filter(|other| *other != module);
        (label(module), others.map(|other| label(other)).collect())
    });
    imports.collect()
}

fn label(module: &[String]) -> String {
    if module.is_empty() { "main".to_owned() } else { module.join("/") }
}

/// Finds what one module imports.
struct Reader<'a> {
    sources: &'a Sources,
    module: &'a [String],
    /// The name of the crate, by which a program calls its own library.
    name: &'a str,
}

impl Reader<'_> {
    fn imported(&self, tokens: &[String]) -> BTreeSet<Vec<String>> {
        let used = used_paths(tokens);
        let absolute = used.iter().filter_map(|path| self.absolute(path, &BTreeMap::new()));
        let absolute: Vec<Vec<String>> = absolute.collect();
        // After `use crate::text;`, the code can contain `text::table()`. So `names` has the path
        // of each import by the last name in it.
        let names = absolute.iter().filter_map(|path| Some((path.last()?.clone(), path.clone())));
        let names: BTreeMap<String, Vec<String>> = names.collect();
        let in_code = paths_in_code(tokens);
        let in_code = in_code.iter().filter_map(|path| self.absolute(path, &names));
        in_code.chain(absolute.iter().cloned()).map(|path| self.module_of(path)).collect()
    }

    /// The path from the root of the crate; `None` if it leads into another crate.
    fn absolute(
        &self,
        path: &[String],
        names: &BTreeMap<String, Vec<String>>,
    ) -> Option<Vec<String>> {
        let (head, rest) = path.split_first()?;
        let mut base = match head.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.to_vec(),
            "super" => self.module.split_last()?.1.to_vec(),
            head if head == self.name => Vec::new(),
            head => match names.get(head) {
                Some(path) => path.clone(),
                None => {
                    let child = [self.module, &[head.to_owned()]].concat();
                    self.sources.contains_key(&child).then_some(child)?
                }
            },
        };
        for step in rest {
            match step.as_str() {
                "super" => drop(base.pop()),
                "self" => {}
                step => base.push(step.to_owned()),
            }
        }
        Some(base)
    }

    /// The innermost module on a path.
    fn module_of(&self, mut path: Vec<String>) -> Vec<String> {
        while !self.sources.contains_key(&path) && path.pop().is_some() {}
        path
    }
}

/// The paths of the `use` items, each written out: `use a::{b, c};` has the paths `a::b` and
/// `a::c`.
fn used_paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for (index, _) in tokens.iter().enumerate().filter(|(_, token)| *token == "use") {
        let mut rest = tokens[index + 1..].iter().map(String::as_str);
        // One entry for each block that is open: the length of the path before the block.
        let mut blocks = Vec::new();
        let mut path: Vec<String> = Vec::new();
        // Whether a name was read since the last separator. So `a::{b, c,}` has two paths.
        let mut named = false;
        while let Some(token) = rest.next() {
            match token {
                "::" => {}
                "{" => blocks.push(path.len()),
                "as" => drop(rest.next()),
                "," | "}" | ";" => {
                    if named {
                        paths.push(path.clone());
                    }
                    named = false;
                    path.truncate(blocks.last().copied().unwrap_or(0));
                    match token {
                        "}" => drop(blocks.pop()),
                        ";" => break,
                        _ => {}
                    }
                }
                name => {
                    path.push(name.to_owned());
                    named = true;
                }
            }
        }
    }
    paths.retain(|path| !path.is_empty());
    for path in &mut paths {
        // `text::{self}` imports the module, and `text::*` imports what is in it. The path of both
        // is that of the module.
        path.pop_if(|last| ["self", "*"].contains(&last.as_str()));
    }
    paths
}

/// The paths with at least one `::` outside `use` items.
fn paths_in_code(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        if tokens[index] == "use" {
            while index < tokens.len() && tokens[index] != ";" {
                index += 1;
            }
        }
        let before = index.checked_sub(1).map_or("", |before| tokens[before].as_str());
        let mut path = Vec::new();
        // `pub(in crate::verb)` imports nothing.
        if !["::", ".", "in"].contains(&before) {
            while let [name, colons, ..] = &tokens[index..]
                && is_name(name)
                && colons == "::"
            {
                path.push(name.clone());
                index += 2;
            }
        }
        if !path.is_empty() {
            path.extend(tokens.get(index).filter(|name| is_name(name)).cloned());
            paths.push(path);
        }
        index += 1;
    }
    paths
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Leaves out the items under `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> ModuleTokens {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut source = ModuleTokens::default();
    let mut rest = tokens.as_slice();
    while let Some((token, after)) = rest.split_first() {
        if !rest.iter().take(CFG_TEST.len()).eq(CFG_TEST.iter()) {
            source.tokens.push(token.clone());
            rest = after;
            continue;
        }
        let (item, after) = rest.split_at(end_of_item(rest));
        if let Some(at) = item.iter().position(|token| token == "mod") {
            source.test_modules.push(item[at + 1].clone());
        }
        rest = after;
    }
    source
}

/// The number of tokens that an item has, with its attributes. An item ends with a `;` or a block.
fn end_of_item(tokens: &[String]) -> usize {
    let mut depth = 0_u32;
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (token == ";" || token == "}") {
            return index + 1;
        }
    }
    tokens.len()
}

/// Splits a source into names, `::` and single characters. Comments, string literals and character
/// literals are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => string_length(rest),
            '\'' => letter_length(rest),
            ':' if rest.starts_with("::") => {
                tokens.push("::".to_owned());
                2
            }
            c if c.is_alphanumeric() || c == '_' => {
                let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
                let length = rest.find(is_end).unwrap_or(rest.len());
                let (name, after) = rest.split_at(length);
                match raw_string_length(name, after) {
                    Some(raw) => length + raw,
                    None => {
                        tokens.push(name.to_owned());
                        length
                    }
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the string literal at the beginning of `text`, with both quotation marks.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of what follows `r`, `br` or `cr` if that begins a raw string.
fn raw_string_length(prefix: &str, text: &str) -> Option<usize> {
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    if !["r", "br", "cr"].contains(&prefix) || !text[hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let inside = &text[hashes + 1..];
    Some(inside.find(&end).map_or(text.len(), |at| hashes + 1 + at + end.len()))
}

/// The length of a character literal such as `'a'` or `'\''`, or of the apostrophe before the name
/// of a lifetime.
fn letter_length(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((escaped, _))) => {
            text[escaped + 1..].find('\'').map_or(text.len(), |end| escaped + 1 + end + 1)
        }
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `module` imports if its source is `text`. The crate is called `own`; its other modules,
    /// which are in the list below, are empty.
    fn found(module: &str, text: &str) -> Vec<String> {
        let mut sources = Sources::new();
        for name in ["", "bus", "text", "text/table", "verb", "verb/add", "verb/add/tests"] {
            let path: Vec<String> = name.split_terminator('/').map(str::to_owned).collect();
            let text = if name == module { text } else { "" };
            sources.insert(path, without_tests(tokens(text)));
        }
        let imports = of_sources(&mut sources, "own");
        imports[if module.is_empty() { "main" } else { module }].iter().cloned().collect()
    }

    #[test]
    fn every_form_of_import_is_found() {
        for (text, expected) in [
            ("use crate::bus::Bus;", &["bus"][..]),
            ("use crate::{bus::{Bus, open,}, text,};", &["bus", "text"]),
            ("use crate::text::{self, table::Column};", &["text", "text/table"]),
            ("use crate::text::table::*;", &["text/table"]),
            ("use crate::text::table as t;", &["text/table"]),
            ("pub(crate) use super::Args;", &["verb"]),
            ("use super::super::bus;", &["bus"]),
            ("use own::bus::Bus;", &["bus"]),
            ("use crate::main_thing;", &["main"]),
            ("fn f() { crate::bus::open() }", &["bus"]),
            ("use crate::text; fn f() -> text::table::Column {}", &["text", "text/table"]),
            ("fn f<'a>(c: &'a str) -> bool { c == '\"' || crate::bus::is(c) }", &["bus"]),
            ("fn f() { g('\\'', crate::bus::open()) }", &["bus"]),
            ("use std::{io, fmt}; use crate::bus;", &["bus"]),
        ] {
            assert_eq!(found("verb/add", text), expected, "{text}");
        }
        assert_eq!(found("text", "mod table; use table::Column;"), ["text/table"]);
        assert_eq!(found("", "use own::text; fn f() { verb::add::run() }"), ["text", "verb/add"]);
    }

    #[test]
    fn what_is_no_import_is_left_out() {
        for text in [
            "// use crate::bus;",
            "/* crate::bus::Bus */",
            "const A: &str = \"crate::bus::Bus \\\" crate::bus::Bus\";",
            "const A: &str = r#\"\" crate::bus::Bus\"#;",
            "pub(crate) fn f() {}",
            "pub(in crate::verb) fn f() {}",
            "use std::text::table; fn f() { io::bus::open() }",
            "self::run(); Self::run();",
            "#[cfg(test)]\nmod tests { use crate::bus; fn f() { if a { b } } }",
            "#[cfg(test)]\n#[allow(x)]\nfn f() -> [u8; 2] { crate::bus::open() }",
            "#[cfg(test)]\nuse crate::bus;",
        ] {
            assert_eq!(found("verb/add", text), Vec::<String>::new(), "{text}");
        }
        let after = "#[cfg(test)] mod x { mod y {} } use crate::bus;";
        assert_eq!(found("verb/add", after), ["bus"]);
    }

    #[test]
    fn a_file_for_unit_tests_is_no_module() {
        let mut sources = Sources::new();
        for (name, text) in [("verb", "#[cfg(test)]\nmod tests;"), ("verb/tests", ""), ("bus", "")]
        {
            let path = name.split('/').map(str::to_owned).collect();
            sources.insert(path, without_tests(tokens(text)));
        }
        assert!(of_sources(&mut sources, "own").keys().eq(["bus", "verb"]));
    }
}

//! The few forms of Rust that the sources of this crate use for what they export.

pub struct Item {
    pub name: String,
    pub docs: Vec<String>,
    pub kind: Kind,
}

pub enum Kind {
    Constant {
        value: String,
    },
    Alias {
        of: Type,
    },
    Callback {
        arguments: Vec<String>,
    },
    Opaque,
    Struct {
        members: Vec<(Vec<String>, String)>,
    },
    Enum {
        members: Vec<(Vec<String>, String)>,
    },
    Function {
        returned: Type,
        arguments: Vec<String>,
    },
}

/// Type of Rust, as written.
pub struct Type(String);

impl Type {
    /// Declaration of a name with this type in C.
    pub fn declared(&self, name: &str) -> String {
        let rust = self.0.as_str();
        if let Some(array) = rust.strip_prefix('[') {
            let (element, len) = array
                .trim_end_matches(']')
                .split_once("; ")
                .expect("an array");
            return format!("{}[{len}]", Self(element.to_owned()).declared(name));
        }
        let (mut rest, mut stars, mut inner_const) = (rust, String::new(), false);
        while let Some(pointer) = rest.strip_prefix('*') {
            let (mutability, inner) = pointer.split_once(' ').expect("a pointer");
            inner_const = mutability == "const";
            stars.push('*');
            rest = inner;
        }
        let prefix = if inner_const { "const " } else { "" };
        format!("{prefix}{} {stars}{name}", plain(rest))
    }
}

fn plain(rust: &str) -> &str {
    match rust {
        "c_char" => "char",
        "c_void" => "void",
        "f32" => "float",
        "f64" => "double",
        "i32" => "int32_t",
        "u8" => "uint8_t",
        "u32" => "uint32_t",
        "usize" => "size_t",
        other => {
            assert!(
                other.starts_with("sinew_"),
                "the header cannot have the type {other}"
            );
            other
        }
    }
}

/// Exported items of a source, in order.
pub fn items(source: &str) -> Vec<Item> {
    let mut found = Vec::new();
    let (mut docs, mut exported) = (Vec::new(), false);
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim().to_owned());
            continue;
        }
        if line.starts_with("#[") {
            exported |= line == "#[unsafe(no_mangle)]";
            continue;
        }
        let text = whole(line, &mut lines);
        if let Some((name, kind)) = item(&text, exported) {
            let docs = std::mem::take(&mut docs);
            assert!(!docs.is_empty(), "{name} needs a comment");
            found.push(Item { name, docs, kind });
        }
        docs.clear();
        exported = false;
    }
    found
}

/// The lines of an item up to its end, or up to the body of a function.
fn whole<'a>(first: &'a str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut text = first.to_owned();
    let is_function = first.contains(" fn ");
    let ends = |line: &str| match is_function {
        true => line.ends_with('{') || line.ends_with(';'),
        false => line.ends_with(';') || line == "}" || line.ends_with(" {}"),
    };
    let is_item = [
        "pub struct",
        "pub enum",
        "pub type",
        "pub const",
        "pub unsafe extern",
        "pub extern",
    ];
    if is_item.iter().any(|start| first.starts_with(start)) && !ends(first) {
        for line in lines {
            text.push('\n');
            text.push_str(line);
            if ends(line) {
                break;
            }
        }
    }
    text
}

fn item(text: &str, exported: bool) -> Option<(String, Kind)> {
    let word = |rest: &str| -> String {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    if let Some(rest) = text.strip_prefix("pub const ") {
        let value = rest
            .split_once(" = ")?
            .1
            .trim_end_matches(';')
            .replace("u32::MAX", "UINT32_MAX");
        return Some((word(rest), Kind::Constant { value }));
    }
    if let Some(rest) = text.strip_prefix("pub type ") {
        let (name, of) = rest.trim_end_matches(';').split_once('=')?;
        let of = of.trim();
        let kind = match of.split_once("fn(") {
            Some((_, arguments)) => Kind::Callback {
                arguments: declared(arguments.trim_end_matches([')', '>'])),
            },
            None => Kind::Alias {
                of: Type(of.to_owned()),
            },
        };
        return Some((name.trim().to_owned(), kind));
    }
    if let Some(rest) = text.strip_prefix("pub struct ") {
        let kind = match rest.contains("_opaque: ()") {
            true => Kind::Opaque,
            false => Kind::Struct {
                members: members(rest),
            },
        };
        return Some((word(rest), kind));
    }
    if let Some(rest) = text.strip_prefix("pub enum ") {
        return Some((
            word(rest),
            Kind::Enum {
                members: members(rest),
            },
        ));
    }
    let (_, rest) = text.split_once(" fn ").filter(|_| exported)?;
    let (arguments, returned) = rest.split_once('(')?.1.rsplit_once(") -> ")?;
    let returned = Type(returned.trim_end_matches(['{', ' ']).to_owned());
    let arguments = declared(arguments);
    Some((
        word(rest),
        Kind::Function {
            returned,
            arguments,
        },
    ))
}

/// Members with their comments: `pub name: type,` of a struct, `NAME = 1,` of an enum.
fn members(text: &str) -> Vec<(Vec<String>, String)> {
    let (mut found, mut docs) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1).map(str::trim) {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim().to_owned());
        } else if let Some(member) = line.strip_suffix(',') {
            let declared = match member.strip_prefix("pub ") {
                Some(member) => declared(member).concat(),
                None => member.to_owned(),
            };
            found.push((std::mem::take(&mut docs), declared));
        }
    }
    found
}

/// Arguments or members in C.
fn declared(arguments: &str) -> Vec<String> {
    let arguments = arguments
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty());
    let declared = arguments.map(|argument| {
        let (name, of) = argument.split_once(": ").expect("a name and a type");
        Type(of.to_owned()).declared(name)
    });
    declared.collect()
}

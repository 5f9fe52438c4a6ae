//! Arguments of messages, and how they are encoded.

/// An argument of any type. The documentation of each variant is its type code in a signature.
#[derive(Clone, Debug)]
pub enum Value {
    /// `y`
    Byte(u8),
    /// `b`. The numbers other than 0 and 1 are invalid.
    Bool(u32),
    /// `n`
    I16(i16),
    /// `q`
    U16(u16),
    /// `i`
    I32(i32),
    /// `u`
    U32(u32),
    /// `x`
    I64(i64),
    /// `t`
    U64(u64),
    /// `d`
    Double(f64),
    /// `s`
    Text(String),
    /// `o`
    Path(String),
    /// `g`
    Signature(String),
    /// `h`: a number in the list of the message's open files.
    Descriptor(u32),
    /// `v`
    Variant(Box<Value>),
    /// `a…`: the signature of the elements, and the elements.
    Array(String, Vec<Value>),
    /// `(…)`
    Struct(Vec<Value>),
    /// `{…}`, which can only be an element of an array.
    Entry(Box<(Value, Value)>),
}

impl Value {
    /// A string.
    pub fn text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// A value in a variant.
    pub fn variant(self) -> Value {
        Value::Variant(Box::new(self))
    }

    /// A dictionary `a{sv}`.
    pub fn dictionary(entries: Vec<(String, Value)>) -> Value {
        let entry =
            |(key, value): (String, Value)| Value::Entry(Box::new((key.into(), value.variant())));
        Value::Array("{sv}".to_owned(), entries.into_iter().map(entry).collect())
    }

    /// The signature of this value's type.
    pub fn signature(&self) -> String {
        match self {
            Value::Byte(_) => "y".to_owned(),
            Value::Bool(_) => "b".to_owned(),
            Value::I16(_) => "n".to_owned(),
            Value::U16(_) => "q".to_owned(),
            Value::I32(_) => "i".to_owned(),
            Value::U32(_) => "u".to_owned(),
            Value::I64(_) => "x".to_owned(),
            Value::U64(_) => "t".to_owned(),
            Value::Double(_) => "d".to_owned(),
            Value::Text(_) => "s".to_owned(),
            Value::Path(_) => "o".to_owned(),
            Value::Signature(_) => "g".to_owned(),
            Value::Descriptor(_) => "h".to_owned(),
            Value::Variant(_) => "v".to_owned(),
            Value::Array(element, _) => format!("a{element}"),
            Value::Struct(fields) => {
                format!("({})", fields.iter().map(Value::signature).collect::<String>())
            }
            Value::Entry(entry) => format!("{{{}{}}}", entry.0.signature(), entry.1.signature()),
        }
    }

    /// Appends the encoded value. The first byte of `out` is at a multiple of 8 in the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut number = |bytes: &[u8]| {
            align(out, bytes.len());
            out.extend_from_slice(bytes);
        };
        match self {
            Value::Byte(value) => number(&[*value]),
            Value::I16(value) => number(&value.to_le_bytes()),
            Value::U16(value) => number(&value.to_le_bytes()),
            Value::I32(value) => number(&value.to_le_bytes()),
            Value::Bool(value) | Value::U32(value) | Value::Descriptor(value) => {
                number(&value.to_le_bytes());
            }
            Value::I64(value) => number(&value.to_le_bytes()),
            Value::U64(value) => number(&value.to_le_bytes()),
            Value::Double(value) => number(&value.to_le_bytes()),
            Value::Text(text) | Value::Path(text) => {
                number(&length(text.len()));
                out.extend_from_slice(text.as_bytes());
                out.push(0);
            }
            Value::Signature(text) => write_signature(text, out),
            Value::Variant(value) => {
                write_signature(&value.signature(), out);
                value.write(out);
            }
            Value::Array(element, values) => {
                number(&[0; 4]);
                let place = out.len() - 4;
                // The length of the array does not include the padding before the first element.
                // The padding is there even if the array is empty.
                align(out, alignment(element));
                let start = out.len();
                for value in values {
                    value.write(out);
                }
                let size = length(out.len() - start);
                out[place..place + 4].copy_from_slice(&size);
            }
            Value::Struct(fields) => {
                align(out, 8);
                for field in fields {
                    field.write(out);
                }
            }
            Value::Entry(entry) => {
                align(out, 8);
                entry.0.write(out);
                entry.1.write(out);
            }
        }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

/// The four bytes of a length.
pub fn length(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

/// Appends zeros up to a multiple of `to`.
pub fn align(out: &mut Vec<u8>, to: usize) {
    out.resize(out.len().next_multiple_of(to), 0);
}

fn write_signature(text: &str, out: &mut Vec<u8>) {
    out.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}

fn alignment(signature: &str) -> usize {
    match signature.as_bytes().first() {
        Some(b'y' | b'g' | b'v') => 1,
        Some(b'n' | b'q') => 2,
        Some(b'x' | b't' | b'd' | b'(' | b'{') => 8,
        _ => 4,
    }
}

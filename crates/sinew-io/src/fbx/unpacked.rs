//! Size of the compressed arrays of a binary file after they are unpacked.

/// Max bytes that deflate can make of one byte. A match of 258 bytes takes at least two bits.
const MAX_DEFLATE: u64 = 1032;

/// Bytes before the first node: a magic string, two fixed bytes and the version.
const HEAD: usize = 27;

/// First version with lengths of eight bytes.
const LONG: u32 = 7500;

/// Total size of all compressed arrays after unpacking, in bytes, limited to what deflate can
/// reach. 0 for text files and unknown data.
pub(super) fn unpacked_bytes(file: &[u8]) -> u64 {
    let mut sum = 0;
    if file.starts_with(b"Kaydara FBX Binary  \0") {
        // Stops at the first malformed node. `ufbx` refuses the file later.
        let _ = add_arrays(file, &mut sum);
    }
    sum
}

/// Visits the nodes in file order. Children follow the values of their parent.
fn add_arrays(file: &[u8], sum: &mut u64) -> Option<()> {
    let mut rest = file.get(HEAD - 4..)?;
    let is_long = number::<4>(&mut rest)? >= u64::from(LONG);
    let length = |rest: &mut &[u8]| match is_long {
        true => number::<8>(rest),
        false => number::<4>(rest),
    };
    loop {
        let _end = length(&mut rest)?;
        let values = length(&mut rest)?;
        let _bytes = length(&mut rest)?;
        let name = number::<1>(&mut rest)?;
        skip(&mut rest, name)?;
        for _ in 0..values {
            *sum = sum.saturating_add(skip_value(&mut rest)?);
        }
    }
}

/// Skips a value. Returns the unpacked size of a compressed array.
fn skip_value(rest: &mut &[u8]) -> Option<u64> {
    let kind = number::<1>(rest)? as u8;
    let size = match kind {
        b'B' | b'C' => 1,
        b'Y' => 2,
        b'I' | b'F' => 4,
        b'D' | b'L' => 8,
        b'S' | b'R' => number::<4>(rest)?,
        b'b' | b'c' | b'i' | b'f' | b'd' | b'l' => {
            let [count, encoding, stored] =
                [number::<4>(rest)?, number::<4>(rest)?, number::<4>(rest)?];
            let size = match kind {
                b'b' | b'c' => 1,
                b'i' | b'f' => 4,
                _ => 8,
            };
            if encoding == 0 {
                skip(rest, count * size)?;
                return Some(0);
            }
            skip(rest, stored)?;
            return Some((count * size).min(stored * MAX_DEFLATE));
        }
        _ => return None,
    };
    skip(rest, size)?;
    Some(0)
}

fn number<const N: usize>(rest: &mut &[u8]) -> Option<u64> {
    let (bytes, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    let digits = bytes.iter().rev();
    Some(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn skip(rest: &mut &[u8], bytes: u64) -> Option<()> {
    *rest = rest.get(usize::try_from(bytes).ok()?..)?;
    Some(())
}

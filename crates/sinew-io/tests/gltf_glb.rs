//! GLB container: every fault has its byte offset.

use sinew_io::gltf::glb;
use sinew_io::report::FileReport;

const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
const TEXT: &[u8] = br#"{"asset":{"version":"2.0"}} "#;

fn container(length: Option<u32>, chunks: &[(u32, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, data) in chunks {
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(kind.to_le_bytes());
        body.extend(*data);
    }
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(length.unwrap_or(body.len() as u32 + 12).to_le_bytes());
    bytes.extend(body);
    bytes
}

type Found = Vec<(&'static str, u64)>;

fn found(bytes: &[u8]) -> Found {
    let mut report = FileReport::default();
    let _ = glb::read(bytes, &mut report);
    report
        .findings
        .iter()
        .map(|finding| (finding.code, finding.offset.unwrap_or(u64::MAX)))
        .collect()
}

#[test]
fn problems_are_found_at_their_bytes() {
    let cases: Vec<(Vec<u8>, Found)> = vec![
        (container(None, &[(JSON, TEXT)]), vec![]),
        (
            container(None, &[(JSON, TEXT), (BIN, &[1, 2, 3, 4])]),
            vec![],
        ),
        (Vec::new(), vec![("GLB_UNEXPECTED_END_OF_HEADER", 0)]),
        (b"glTF".to_vec(), vec![("GLB_UNEXPECTED_END_OF_HEADER", 4)]),
        (
            b"gltf\x02\0\0\0\x0c\0\0\0".to_vec(),
            vec![("GLB_INVALID_MAGIC", 0)],
        ),
        (
            b"glTF\x01\0\0\0\x0c\0\0\0".to_vec(),
            vec![("GLB_INVALID_VERSION", 4)],
        ),
        (
            container(None, &[(BIN, &[]), (JSON, TEXT)]),
            vec![("GLB_UNEXPECTED_FIRST_CHUNK", 12)],
        ),
        (
            container(None, &[(JSON, TEXT), (7, &[]), (BIN, &[])]),
            vec![
                ("GLB_UNKNOWN_CHUNK_TYPE", 48),
                ("GLB_UNEXPECTED_BIN_CHUNK", 56),
            ],
        ),
        (
            container(None, &[(JSON, TEXT), (JSON, TEXT)]),
            vec![("GLB_DUPLICATE_CHUNK", 48)],
        ),
        (
            container(None, &[(JSON, &TEXT[..27])]),
            vec![("GLB_CHUNK_LENGTH_UNALIGNED", 12)],
        ),
        (
            container(Some(60), &[(JSON, TEXT)]),
            vec![("GLB_LENGTH_MISMATCH", 48)],
        ),
        (
            container(Some(40), &[(JSON, TEXT)]),
            vec![("GLB_CHUNK_TOO_BIG", 12), ("GLB_LENGTH_MISMATCH", 48)],
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(found(&bytes), expected, "{bytes:?}");
    }
    let mut cut = container(None, &[(JSON, TEXT)]);
    cut.pop();
    assert_eq!(found(&cut), [("GLB_UNEXPECTED_END_OF_CHUNK_DATA", 47)]);
    cut.truncate(15);
    assert_eq!(found(&cut), [("GLB_UNEXPECTED_END_OF_CHUNK_HEADER", 15)]);
    let mut longer = container(None, &[(JSON, TEXT)]);
    longer.push(0);
    assert_eq!(found(&longer), [("GLB_EXTRA_DATA", 48)]);
}

#[test]
fn chunks_are_borrowed() {
    let bytes = container(None, &[(JSON, TEXT), (BIN, &[1, 2, 3, 4])]);
    let glb = glb::read(&bytes, &mut FileReport::default()).expect("the container is valid");
    assert_eq!(glb.json, TEXT);
    assert_eq!(glb.bin, Some(&[1, 2, 3, 4][..]));
    assert!(bytes.as_ptr_range().contains(&glb.json.as_ptr()));
}

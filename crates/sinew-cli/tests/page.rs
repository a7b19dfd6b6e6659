//! Pages with a character inside.

use crate::program::{demo_files, folder, good, run, write};

const VIEWER: &str = "<html><body><!-- sinew-file --><script>show()</script></body></html>";

/// Bytes of a text in base64, without padding.
fn decoded(text: &str) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.trim_end_matches('=').chars() {
        bits = bits << 6 | letters.find(letter).expect("a letter of base64") as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[test]
fn a_page_holds_the_glb_and_its_name() {
    let folder = folder("page");
    write(&folder, "viewer.html", VIEWER);
    let tube = std::fs::read(demo_files().join("tube.glb")).expect("the demo wrote it");
    write(&folder, "a \"tube\".glb", &tube);
    good(&folder, &["convert", "a \"tube\".glb", "-o", "tube.glb"]);
    let page = ["convert", "a \"tube\".glb", "-o", "tube.html"];
    good(&folder, &[&page[..], &["--viewer", "viewer.html"]].concat());
    let page = std::fs::read_to_string(folder.join("tube.html")).expect("it was written");
    let (before, rest) = page.split_once("data-name=\"").expect("a name");
    assert!(before.ends_with("<html><body><script type=\"text/plain\" id=\"sinew-file\" "));
    let (name, rest) = rest.split_once("\">").expect("an end");
    assert_eq!(name, "a &quot;tube&quot;.glb");
    let (file, after) = rest.split_once("</script>").expect("an end");
    assert_eq!(after, "<script>show()</script></body></html>");
    let glb = std::fs::read(folder.join("tube.glb")).expect("it was written");
    assert!(decoded(file) == glb, "the page holds another file");
}

#[test]
fn other_pages_are_refused_and_nothing_is_written() {
    let folder = folder("page_refused");
    let tube = demo_files().join("tube.glb").display().to_string();
    write(&folder, "other.html", "<html></html>");
    for (viewer, said) in [
        ("other.html", "make web"),
        ("missing.html", "cannot read missing.html"),
    ] {
        let output = run(
            &folder,
            &["convert", &tube, "-o", "x.html", "--viewer", viewer],
        );
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(said), "{text}");
    }
    let wrong = run(
        &folder,
        &["convert", &tube, "-o", "x.glb", "--viewer", "other.html"],
    );
    assert_eq!(wrong.status.code(), Some(2));
    assert!(!folder.join("x.html").exists() && !folder.join("x.glb").exists());
}

use super::Driver;
use egui_kittest::kittest::Queryable;
use sinew_view::document::Export;
use sinew_view::{FileCommand, PlaybackCommand, Session};

#[test]
fn all_four_kinds_of_file_are_written_and_the_command_is_copied() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("sinew-view-out-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    driver.run(PlaybackCommand::Clip { clip: Some(2) });
    driver.run(PlaybackCommand::Pause);
    driver.run(PlaybackCommand::Range {
        range_secs: Some([0.0, 0.1]),
    });
    driver.run(PlaybackCommand::Seek { time_secs: 0.08 });
    driver.click("Look");
    driver.click("Export");
    let field = driver.0.get_by_label("Write to");
    field.focus();
    driver.frames(1);
    let all = [egui::Key::A];
    driver
        .0
        .key_combination_modifiers(egui::Modifiers::COMMAND, &all);
    driver.frames(1);
    let stem = folder.join("hero").display().to_string();
    driver.0.get_by_label("Write to").type_text(&stem);
    driver.frames(2);
    for (name, ending) in [
        ("Picture (.png)", "png"),
        ("Animation (.gif)", "gif"),
        ("Character (.glb)", "glb"),
        ("Packed clip (.sinew)", "sinew"),
    ] {
        driver.click(name);
        for _ in 0..20 {
            driver.wait();
        }
        let path = folder.join(format!("hero.{ending}"));
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(
            bytes.len() > 500,
            "{name}: {:?}",
            driver.session().messages()
        );
        let begin: &[u8] = match ending {
            "png" => b"\x89PNG",
            "gif" => b"GIF89a",
            "glb" => b"glTF",
            _ => &bytes[..1],
        };
        assert!(bytes.starts_with(begin), "{name}");
    }
    assert_eq!(driver.state().playback.time_secs, 0.08, "as it was before");
    driver.0.get_by_label("Copy the command").click();
    driver.frames(1);
    let copied = driver.0.output().platform_output.commands.iter();
    let copied = copied.filter_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied: Vec<String> = copied.collect();
    assert!(
        copied
            .iter()
            .any(|t| t.starts_with("sinew render --figure mannequin")),
        "{copied:?}"
    );
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_is_done_by_hand_stays_out_of_a_film() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let path = std::env::temp_dir().join(format!("sinew-view-film-{}.gif", std::process::id()));
    driver.run(PlaybackCommand::Clip { clip: Some(2) });
    driver.run(PlaybackCommand::Range {
        range_secs: Some([0.0, 0.4]),
    });
    driver.wait();
    driver.run(FileCommand::Export {
        what: Export::Animation,
        path: path.clone(),
    });
    driver.frames(2);
    let overlays = driver.state().look.overlays.clone();
    driver.click("Wireframe");
    assert_eq!(driver.state().look.overlays, overlays, "it is being filmed");
    for _ in 0..40 {
        driver.wait();
    }
    assert!(std::fs::metadata(&path).is_ok_and(|file| file.len() > 500));
    driver.click("Wireframe");
    assert_ne!(driver.state().look.overlays, overlays, "it is done");
    let _ = std::fs::remove_file(&path);
}

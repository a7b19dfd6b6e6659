pub const PERSON: &str = "mannequin.glb";
pub const TUBE: &str = "tube.glb";
pub const STILL: &str = "grove-still.png";
pub const SHEET: &str = "sheet.png";
pub const BODIES: &str = "bodies.png";
pub const MOVING: &str = "grove.png";
pub const EXHIBITS: &str = "exhibits.png";
pub const PAGE: &str = "index.html";

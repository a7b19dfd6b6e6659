//! Cameras, and which nodes are hidden.

use crate::gltf::document::json::{self, number, string};
use crate::gltf::document::schema::{Document, Unread};
use sinew::character::{Camera, Lens};

/// Cameras of the file, with the first node of each.
pub(super) fn cameras(document: &Document) -> Vec<Camera> {
    let mut nodes = vec![None; document.cameras.len()];
    for (index, node) in document.nodes.iter().enumerate().rev() {
        if let Some(own) = node
            .camera
            .and_then(|camera| nodes.get_mut(camera as usize))
        {
            *own = Some(index);
        }
    }
    let cameras = document.cameras.iter().zip(nodes);
    cameras
        .map(|(camera, node)| camera_of(camera, node))
        .collect()
}

fn camera_of(camera: &Unread, node: Option<usize>) -> Camera {
    let parallel = camera.rest.get("orthographic");
    let lens = parallel.or_else(|| camera.rest.get("perspective"));
    let member = |name: &str| {
        let value = lens
            .and_then(|lens| json::member(lens.get(), name))
            .and_then(number);
        value
            .map(|value| value as f32)
            .filter(|value| value.is_finite())
    };
    let name = camera.rest.get("name").and_then(|name| string(name.get()));
    Camera {
        name: name.unwrap_or_default().into_owned(),
        node,
        lens: match parallel {
            Some(_) => Lens::Orthographic {
                half_size: ["xmag", "ymag"].map(|name| member(name).unwrap_or(1.0)),
            },
            None => Lens::Perspective {
                fov_y_rad: member("yfov").unwrap_or(0.5),
            },
        },
        near: member("znear").unwrap_or(0.0),
        far: member("zfar").unwrap_or(f32::INFINITY),
    }
}

/// Nodes that `KHR_node_visibility` hides.
pub(super) fn hidden(document: &Document) -> Vec<usize> {
    let nodes = document.nodes.iter().enumerate();
    let hides = nodes.filter(|(_, node)| {
        let visibility = node.rest.extension("KHR_node_visibility");
        visibility.and_then(|text| json::member(text, "visible")) == Some("false")
    });
    hides.map(|(index, _)| index).collect()
}

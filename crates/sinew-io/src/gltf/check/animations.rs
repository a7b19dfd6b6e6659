//! Checks of animations: samplers, channels and targets.

use std::collections::HashMap;

use super::checker::Checker;
use crate::gltf::document::format::{AccessorFormat, ComponentType, ElementType};
use crate::gltf::document::schema::{
    Animation, Channel, ChannelTarget, Interpolation, Node, Sampler, TargetPath,
};
use crate::report::Severity;

const POINTER: &str = "KHR_animation_pointer";

const TIMES: AccessorFormat = AccessorFormat {
    element: ElementType::Scalar,
    component: ComponentType::Float,
    normalized: false,
};

pub(super) fn check(checker: &mut Checker<'_>) {
    for (index, animation) in checker.document.animations.iter().enumerate() {
        let pointer = format!("/animations/{index}");
        for (number, sampler) in animation.samplers.iter().enumerate() {
            check_sampler(checker, sampler, &format!("{pointer}/samplers/{number}"));
        }
        for (number, channel) in animation.channels.iter().enumerate() {
            check_channel(
                checker,
                animation,
                channel,
                &format!("{pointer}/channels/{number}"),
            );
        }
        check_duplicates(checker, animation, &pointer);
    }
}

fn check_sampler(checker: &mut Checker<'_>, sampler: &Sampler, pointer: &str) {
    let document = checker.document;
    let (at_input, at_output) = (format!("{pointer}/input"), format!("{pointer}/output"));
    let input = checker.resolve(
        sampler.input,
        &document.accessors,
        Severity::Error,
        &at_input,
    );
    let output = checker.resolve(
        sampler.output,
        &document.accessors,
        Severity::Error,
        &at_output,
    );
    for (accessor, at) in [(input, &at_input), (output, &at_output)] {
        if accessor.is_some_and(|accessor| checker.has_stride(accessor)) {
            checker.repaired(
                "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE",
                at,
                "the buffer view of keys must not have a stride",
            );
        }
    }
    let Some(input) = input else { return };
    match input.format() {
        Some(format) if format == TIMES => {}
        Some(format) => {
            let message = format_args!("the accessor is {format} instead of {TIMES}");
            checker.error(
                "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
                &at_input,
                message,
            );
        }
        None => {
            let message = "the accessor's format is unknown";
            checker.error(
                "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT",
                &at_input,
                message,
            );
        }
    }
    if input.min.is_none() || input.max.is_none() {
        let message = "the accessor of times has no `min` and `max`";
        checker.repaired(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS",
            &at_input,
            message,
        );
    }
    if sampler.interpolation == Some(Interpolation::CubicSpline) && input.count < 2 {
        let message = "a cubic spline must have at least 2 keys";
        checker.repaired(
            "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
            &at_input,
            message,
        );
    }
}

fn check_channel(
    checker: &mut Checker<'_>,
    animation: &Animation,
    channel: &Channel,
    pointer: &str,
) {
    let document = checker.document;
    let at_sampler = format!("{pointer}/sampler");
    let sampler = match channel.sampler {
        Some(index) if index as usize >= animation.samplers.len() => {
            checker.error(
                "UNRESOLVED_REFERENCE",
                &at_sampler,
                format_args!("there is no sampler {index}"),
            );
            None
        }
        index => index.and_then(|index| animation.samplers.get(index as usize)),
    };
    let Some(target) = &channel.target else {
        return;
    };
    let at_target = format!("{pointer}/target");
    let at_node = format_args!("{at_target}/node");
    let node = checker.resolve(target.node, &document.nodes, Severity::Error, at_node);
    if target.rest.extension(POINTER).is_some() {
        check_pointer(
            checker,
            target,
            &format!("{at_target}/extensions/{POINTER}"),
        );
    }
    // The import checks pointers.
    if target.path == Some(TargetPath::Pointer) {
        return;
    }
    let targets = node.map_or(0, |node| morph_targets(checker, node));
    match (node, target.path) {
        (Some(_), Some(TargetPath::Weights)) if targets == 0 => {
            let message = "the node has no mesh with morph targets; the channel was left out";
            checker.ignored(
                "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS",
                &at_target,
                message,
            );
        }
        (Some(node), Some(path)) if path != TargetPath::Weights && node.matrix.is_some() => {
            let message =
                "the animated node has a matrix; it was split into translation, rotation and scale";
            checker.repaired("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", &at_target, message);
        }
        _ => {}
    }
    let (Some(sampler), Some(path)) = (sampler, target.path) else {
        return;
    };
    check_output(checker, sampler, path, targets, &at_sampler);
}

fn check_pointer(checker: &mut Checker<'_>, target: &ChannelTarget, at: &str) {
    if target.node.is_some() {
        let message = "a channel with a pointer must not have a node";
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE";
        checker.ignored(code, at, message);
    }
    if target.path != Some(TargetPath::Pointer) {
        let message = "the path of a channel with a pointer must be `pointer`";
        let code = "KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH";
        checker.ignored(code, at, message);
    }
}

fn morph_targets(checker: &Checker<'_>, node: &Node) -> usize {
    let mesh = node
        .mesh
        .and_then(|mesh| checker.document.meshes.get(mesh as usize));
    mesh.and_then(|mesh| mesh.primitives.first())
        .map_or(0, |primitive| primitive.targets.len())
}

fn check_output(
    checker: &mut Checker<'_>,
    sampler: &Sampler,
    path: TargetPath,
    targets: usize,
    at: &str,
) {
    let accessor =
        |index: Option<u32>| index.and_then(|index| checker.document.accessors.get(index as usize));
    let (input, Some(output)) = (accessor(sampler.input), accessor(sampler.output)) else {
        return;
    };
    if !output
        .format()
        .is_some_and(|format| is_allowed(path, format))
    {
        let found = output
            .format()
            .map_or("of an unknown format".to_owned(), |format| {
                format.to_string()
            });
        let message =
            format_args!("the accessor of values is {found}, which cannot animate {path:?}");
        checker.error(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT",
            at,
            message,
        );
    }
    let Some(input) = input else { return };
    let per_key: u64 = if sampler.interpolation == Some(Interpolation::CubicSpline) {
        3
    } else {
        1
    };
    let width = if path == TargetPath::Weights {
        targets as u64
    } else {
        1
    };
    let expected = input.count.saturating_mul(per_key).saturating_mul(width);
    if expected != 0 && expected != output.count {
        let message = format_args!("there are {} values instead of {expected}", output.count);
        checker.error(
            "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT",
            at,
            message,
        );
    }
}

fn is_allowed(path: TargetPath, format: AccessorFormat) -> bool {
    let is_float = format.component == ComponentType::Float && !format.normalized;
    let is_fraction = format.is_normalized();
    match path {
        TargetPath::Translation | TargetPath::Scale => {
            format.element == ElementType::Vec3 && is_float
        }
        TargetPath::Rotation => format.element == ElementType::Vec4 && (is_float || is_fraction),
        TargetPath::Weights => format.element == ElementType::Scalar && (is_float || is_fraction),
        TargetPath::Pointer => true,
    }
}

fn check_duplicates(checker: &mut Checker<'_>, animation: &Animation, pointer: &str) {
    let mut last_with = HashMap::new();
    for (number, channel) in animation.channels.iter().enumerate() {
        let Some(target) = &channel.target else {
            continue;
        };
        let (Some(node), Some(path)) = (target.node, target.path) else {
            continue;
        };
        if path == TargetPath::Pointer {
            continue;
        }
        if let Some(before) = last_with.insert((node, path), number) {
            let message = format_args!("channel {number} has the same target and was left out");
            checker.ignored(
                "ANIMATION_DUPLICATE_TARGETS",
                format_args!("{pointer}/channels/{before}/target"),
                message,
            );
        }
    }
}

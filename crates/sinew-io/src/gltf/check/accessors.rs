use super::checker::Checker;
use crate::gltf::bytes::accessor::span_length;
use crate::gltf::document::format::{AccessorFormat, ComponentType};
use crate::gltf::document::schema::{Accessor, Sparse, Target};
use crate::report::Severity;

pub(super) fn check(checker: &mut Checker<'_>) {
    for index in 0..checker.document.buffer_views.len() {
        check_view(checker, index);
    }
    for (index, accessor) in checker.document.accessors.iter().enumerate() {
        check_accessor(checker, accessor, &format!("/accessors/{index}"));
    }
}

pub(super) fn check_view(checker: &mut Checker<'_>, index: usize) {
    let document = checker.document;
    let Some(view) = document.buffer_views.get(index) else {
        return;
    };
    let pointer = format!("/bufferViews/{index}");
    if let Some(stride) = view.byte_stride {
        let at = format!("{pointer}/byteStride");
        if view.byte_length > 0 && stride > view.byte_length {
            let message = format_args!(
                "the stride {stride} is greater than the length {}",
                view.byte_length
            );
            checker.repaired("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", &at, message);
        }
        if !stride.is_multiple_of(4) {
            checker.repaired(
                "VALUE_MULTIPLE_OF",
                &at,
                format_args!("{stride} is not a multiple of 4"),
            );
        }
        if view.target == Some(Target::ElementArrayBuffer) {
            checker.ignored(
                "BUFFER_VIEW_INVALID_BYTE_STRIDE",
                &at,
                "only vertex attributes may have a stride",
            );
        }
    }
    let at_buffer = format_args!("{pointer}/buffer");
    let Some(buffer) = checker.resolve(view.buffer, &document.buffers, Severity::Error, at_buffer)
    else {
        return;
    };
    let (begin, available) = (view.byte_offset.unwrap_or(0), buffer.byte_length);
    if available == 0 {
        return;
    }
    if begin >= available {
        let message =
            format_args!("the view begins at byte {begin}, but the buffer has {available} bytes");
        checker.error(
            "BUFFER_VIEW_TOO_LONG",
            format_args!("{pointer}/byteOffset"),
            message,
        );
    } else if begin.saturating_add(view.byte_length) > available {
        let length = view.byte_length;
        let message =
            format_args!("{length} bytes from byte {begin} exceed the buffer of {available} bytes");
        checker.error(
            "BUFFER_VIEW_TOO_LONG",
            format_args!("{pointer}/byteLength"),
            message,
        );
    }
}

pub(super) fn check_accessor(checker: &mut Checker<'_>, accessor: &Accessor, pointer: &str) {
    let document = checker.document;
    if accessor.byte_offset.is_some() && accessor.buffer_view.is_none() {
        let message = "an offset without `bufferView` has no meaning";
        checker.ignored(
            "UNSATISFIED_DEPENDENCY",
            format_args!("{pointer}/byteOffset"),
            message,
        );
    }
    if accessor.normalized
        && accessor
            .component_type
            .is_some_and(|component| !component.can_be_normalized())
    {
        let message = "only bytes and shorts can be normalized; the flag was ignored";
        checker.repaired(
            "ACCESSOR_NORMALIZED_INVALID",
            format_args!("{pointer}/normalized"),
            message,
        );
    }
    let is_matrix = accessor
        .element_type
        .is_some_and(|element| element.is_matrix());
    let offset_counts = accessor.buffer_view.is_some();
    if is_matrix && offset_counts && !accessor.byte_offset.unwrap_or(0).is_multiple_of(4) {
        let message = "columns of matrices must begin at multiples of 4 bytes";
        checker.repaired(
            "ACCESSOR_MATRIX_ALIGNMENT",
            format_args!("{pointer}/byteOffset"),
            message,
        );
    }
    let Some(format) = accessor.format() else {
        return;
    };
    check_declared_bounds(checker, accessor, format, pointer);
    if accessor.count == 0 {
        return;
    }
    let at_view = format_args!("{pointer}/bufferView");
    if let Some(view) = checker.resolve(
        accessor.buffer_view,
        &document.buffer_views,
        Severity::Error,
        at_view,
    ) {
        let element_length = format.element_length();
        let stride = view.byte_stride.unwrap_or(format.packed_stride() as u64);
        if stride < element_length as u64 {
            let message =
                format_args!("elements of {element_length} bytes do not fit a stride of {stride}");
            checker.error("ACCESSOR_SMALL_BYTESTRIDE", pointer, message);
        }
        let length = length_of(accessor.count, stride, element_length as u64);
        let span = Span {
            view: accessor.buffer_view,
            begin: accessor.byte_offset.unwrap_or(0),
            length,
        };
        check_span(checker, span, format.component, pointer);
    }
    if let Some(sparse) = &accessor.sparse {
        check_sparse(checker, accessor, sparse, format, pointer);
    }
}

fn length_of(count: u64, stride: u64, element_length: u64) -> u64 {
    let span = span_length(
        usize::try_from(count).unwrap_or(usize::MAX),
        usize::try_from(stride).unwrap_or(usize::MAX),
        usize::try_from(element_length).unwrap_or(usize::MAX),
    );
    span.map_or(u64::MAX, |length| length as u64)
}

fn check_declared_bounds(
    checker: &mut Checker<'_>,
    accessor: &Accessor,
    format: AccessorFormat,
    pointer: &str,
) {
    let components = format.element.components();
    let (min, max) = format.component.range();
    for (name, list) in [("min", &accessor.min), ("max", &accessor.max)] {
        let Some(list) = list else { continue };
        let at = format!("{pointer}/{name}");
        if list.len() != components {
            let message = format_args!(
                "the array has {} elements instead of {components}",
                list.len()
            );
            checker.ignored("ARRAY_LENGTH_NOT_IN_LIST", &at, message);
            continue;
        }
        if format.component == ComponentType::Float {
            continue;
        }
        for bound in list {
            if bound.fract() != 0.0 {
                let message = format_args!("{bound} is not a whole number");
                checker.ignored("ARRAY_TYPE_MISMATCH", &at, message);
            } else if *bound < min || *bound > max {
                let message = format_args!("{bound} is outside the range of the component type");
                checker.ignored("INVALID_GL_VALUE", &at, message);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Span {
    view: Option<u32>,
    begin: u64,
    length: u64,
}

fn check_span(checker: &mut Checker<'_>, span: Span, component: ComponentType, pointer: &str) {
    let Some(view) = span
        .view
        .and_then(|view| checker.document.buffer_views.get(view as usize))
    else {
        return;
    };
    let Span { begin, length, .. } = span;
    let size = component.size() as u64;
    if !begin.is_multiple_of(size) {
        let message =
            format_args!("the offset {begin} is not a multiple of the component's {size} bytes");
        checker.repaired(
            "ACCESSOR_OFFSET_ALIGNMENT",
            format_args!("{pointer}/byteOffset"),
            message,
        );
    }
    let total = begin.saturating_add(view.byte_offset.unwrap_or(0));
    if !total.is_multiple_of(size) {
        let message = format_args!(
            "the offset {total} in the buffer is not a multiple of the component's {size} bytes"
        );
        checker.repaired("ACCESSOR_TOTAL_OFFSET_ALIGNMENT", pointer, message);
    }
    let available = view.byte_length;
    let message = format_args!(
        "{length} bytes from byte {begin} do not fit into the buffer view's {available} bytes"
    );
    if begin > available {
        checker.error(
            "ACCESSOR_TOO_LONG",
            format_args!("{pointer}/byteOffset"),
            message,
        );
    } else if begin.saturating_add(length) > available {
        checker.error("ACCESSOR_TOO_LONG", pointer, message);
    }
}

fn check_sparse(
    checker: &mut Checker<'_>,
    accessor: &Accessor,
    sparse: &Sparse,
    format: AccessorFormat,
    pointer: &str,
) {
    let document = checker.document;
    let (Some(indices), Some(values)) = (&sparse.indices, &sparse.values) else {
        return;
    };
    if sparse.count > accessor.count {
        let message = format_args!(
            "{} sparse elements are more than the accessor's {}",
            sparse.count, accessor.count
        );
        checker.error(
            "ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE",
            format_args!("{pointer}/sparse/count"),
            message,
        );
    }
    let value_length = length_of(
        sparse.count,
        format.packed_stride() as u64,
        format.element_length() as u64,
    );
    let parts = [
        (
            "indices",
            indices.buffer_view,
            indices.byte_offset,
            indices.component_type,
            None,
        ),
        (
            "values",
            values.buffer_view,
            values.byte_offset,
            Some(format.component),
            Some(value_length),
        ),
    ];
    for (name, view_index, byte_offset, component, length) in parts {
        let pointer = format!("{pointer}/sparse/{name}");
        let at_view = format!("{pointer}/bufferView");
        let Some(view) = checker.resolve(
            view_index,
            &document.buffer_views,
            Severity::Error,
            &at_view,
        ) else {
            continue;
        };
        if view.byte_stride.is_some() {
            checker.ignored(
                "BUFFER_VIEW_INVALID_BYTE_STRIDE",
                &at_view,
                "only vertex attributes may have a stride",
            );
        }
        let Some(component) = component else { continue };
        let length = length.unwrap_or(sparse.count.saturating_mul(component.size() as u64));
        check_span(
            checker,
            Span {
                view: view_index,
                begin: byte_offset.unwrap_or(0),
                length,
            },
            component,
            &pointer,
        );
    }
    if !matches!(
        indices.component_type,
        None | Some(
            ComponentType::UnsignedByte | ComponentType::UnsignedShort | ComponentType::UnsignedInt
        )
    ) {
        let at = format_args!("{pointer}/sparse/indices/componentType");
        checker.error(
            "VALUE_NOT_IN_LIST",
            at,
            "sparse indices must be unsigned integers",
        );
    }
}

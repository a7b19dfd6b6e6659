use super::report::{FrameReport, NormalError, Stretch};
use super::surface::{Part, Surface, extent};
use crate::character::Character;
use crate::deform::DeformError;
use crate::pose::ModelPose;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_skin::{self, DualQuatPalette, Method, Palette, SkinError, Vertices, VerticesMut};

pub(super) struct Posed {
    palettes: Vec<Palette>,
    duals: Vec<DualQuatPalette>,
    /// `model_from_bind` of all bones.
    pub model_from_bind: Vec<Affine>,
}

impl Posed {
    pub fn new(character: &Character) -> Result<Self, SkinError> {
        let (skeleton, rest) = (&character.skeleton, character.skeleton.rest_model());
        let dual = |skin| DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), skin);
        let duals = character.skins.iter().map(dual);
        Ok(Self {
            palettes: vec![Palette::default(); character.skins.len()],
            duals: duals.collect::<Result<_, _>>()?,
            model_from_bind: Vec::new(),
        })
    }

    pub fn update(&mut self, character: &Character, pose: &ModelPose) -> Result<(), SkinError> {
        self.model_from_bind.clear();
        for (index, skin) in character.skins.iter().enumerate() {
            self.palettes[index].update(skin, pose.as_slice())?;
            self.duals[index].update(pose.as_slice())?;
            self.model_from_bind
                .extend_from_slice(self.palettes[index].as_slice());
        }
        Ok(())
    }

    fn skin(
        &self,
        part: &Part,
        method: Method,
        bind: &Vertices<'_>,
        out: &mut VerticesMut<'_>,
    ) -> Result<(), SkinError> {
        let (palette, duals) = (&self.palettes[part.skin], &self.duals[part.skin]);
        let (palette, influences) = (palette.as_slice(), &part.influences);
        match method {
            Method::Rigid => sinew_skin::rigid(palette, influences, bind, out),
            Method::Linear => sinew_skin::linear(palette, influences, bind, out),
            Method::DualQuat => sinew_skin::dual_quat(duals, influences, bind, out),
            Method::Quaternion => sinew_skin::quaternion(duals, influences, bind, out),
        }
    }
}

pub(super) struct Moved {
    method: Method,
    /// Positions at the rest pose, for comparison. The bind pose may have another unit.
    pub rest: Vec<Vec3>,
    /// Lengths of the edges at the rest pose.
    rest_lengths: Vec<f32>,
    rest_volume: Option<f64>,
    rest_extent: f64,
    pub positions: Vec<Vec3>,
    before: Vec<Vec3>,
    normals: Vec<Vec3>,
    of_triangles: Vec<Vec3>,
    values: Vec<f32>,
}

impl Moved {
    pub fn new(surface: &Surface, method: Method) -> Self {
        let blank = || vec![Vec3::ZERO; surface.positions.len()];
        Self {
            method,
            rest: blank(),
            rest_lengths: Vec::new(),
            rest_volume: None,
            rest_extent: 0.0,
            positions: blank(),
            before: Vec::new(),
            normals: blank(),
            of_triangles: blank(),
            values: Vec::new(),
        }
    }

    /// Sets the surface at the rest pose, with which frames are compared.
    pub fn set_rest(&mut self, surface: &Surface, at_rest: &Posed) -> Result<(), DeformError> {
        self.advance(surface, at_rest)?;
        self.rest.clone_from(&self.positions);
        self.rest_lengths.clear();
        let lengths = surface.edges.iter().map(|&edge| length(&self.rest, edge));
        self.rest_lengths.extend(lengths);
        self.rest_volume = surface.rest_volume(&self.rest);
        self.rest_extent = extent(&self.rest);
        Ok(())
    }

    /// Moves the surface to the next frame.
    pub fn advance(&mut self, surface: &Surface, posed: &Posed) -> Result<(), DeformError> {
        for part in &surface.parts {
            let range = part.vertices.clone();
            let bind = Vertices {
                positions: &surface.positions[range.clone()],
                normals: Some(&surface.normals[range.clone()]),
                tangents: None,
            };
            let mut out = VerticesMut {
                positions: &mut self.positions[range.clone()],
                normals: Some(&mut self.normals[range]),
                tangents: None,
            };
            posed
                .skin(part, self.method, &bind, &mut out)
                .map_err(|source| DeformError::Skin {
                    node: part.node,
                    primitive: part.primitive,
                    source,
                })?;
        }
        Ok(())
    }

    /// Measures the surface, `elapsed_secs` after the previous frame.
    pub fn report(
        &mut self,
        surface: &Surface,
        model_from_bind: &[Affine],
        elapsed_secs: f64,
    ) -> FrameReport {
        let volume = surface.volume(&self.positions);
        let (step, stepped) = self.largest_step();
        let (stretch, stretched) = self.stretch(surface);
        let (normal_error_deg, turned) = self.normal_error_deg(surface);
        let at = |vertex: Option<usize>| vertex.and_then(|vertex| surface.location(vertex));
        let report = FrameReport {
            volume: volume.zip(self.rest_volume).map(|(now, rest)| now / rest),
            stretch,
            flipped: self.flipped(surface, model_from_bind),
            normal_error_deg,
            speed: if step > 0.0 { step / elapsed_secs } else { 0.0 },
            step: step / self.rest_extent.max(f64::MIN_POSITIVE),
            narrowest: None,
            widest: None,
            stretch_at: at(stretched),
            normal_at: at(turned),
            step_at: at(stepped),
        };
        self.before.clone_from(&self.positions);
        report
    }

    fn largest_step(&self) -> (f64, Option<usize>) {
        let pairs = self.positions.iter().zip(&self.before);
        let steps = pairs.map(|(now, before)| now.distance_squared(*before));
        let (largest, vertex) = largest(steps);
        (f64::from(largest.max(0.0)).sqrt(), vertex)
    }

    /// Distribution of the stretch, and one end of the edge with the largest stretch.
    fn stretch(&mut self, surface: &Surface) -> (Stretch, Option<usize>) {
        self.values.clear();
        let mut longest = (f32::NEG_INFINITY, None);
        for (&edge, &at_rest) in surface.edges.iter().zip(&self.rest_lengths) {
            if at_rest > 0.0 {
                let ratio = length(&self.positions, edge) / at_rest;
                self.values.push(ratio);
                if ratio > longest.0 {
                    longest = (ratio, Some(edge[0]));
                }
            }
        }
        let parts = [0.01, 0.5, 0.99, 1.0];
        let [p1, p50, p99, max] = percentiles(&mut self.values, parts).unwrap_or([1.0; 4]);
        (Stretch { p1, p50, p99, max }, longest.1)
    }

    fn flipped(&self, surface: &Surface, model_from_bind: &[Affine]) -> usize {
        let area = |p: &[Vec3], [a, b, c]: [usize; 3]| (p[b] - p[a]).cross(p[c] - p[a]);
        let is_flipped = |&(&triangle, &carrier): &(&[usize; 3], &usize)| {
            let at_bind = area(&surface.positions, triangle);
            let carried = model_from_bind[carrier].transform_area(at_bind);
            area(&self.positions, triangle).dot(carried) < 0.0
        };
        let triangles = surface.triangles.iter().zip(&surface.carriers);
        triangles.filter(is_flipped).count()
    }

    /// Errors of the normals, and the vertex with the largest error.
    fn normal_error_deg(&mut self, surface: &Surface) -> (NormalError, Option<usize>) {
        // A vertex without triangles has no error.
        surface.normals_at(&self.positions, &self.normals, &mut self.of_triangles);
        self.values.clear();
        let pairs = self.normals.iter().zip(&self.of_triangles);
        let degrees = pairs.map(|(a, b)| a.cross(*b).length().atan2(a.dot(*b)).to_degrees());
        self.values.extend(degrees);
        let sum: f64 = self.values.iter().map(|&v| f64::from(v)).sum();
        let (_, worst) = largest(self.values.iter().copied());
        let mean = sum / self.values.len().max(1) as f64;
        let [p99, max] = percentiles(&mut self.values, [0.99, 1.0]).unwrap_or([0.0; 2]);
        (NormalError { mean, p99, max }, worst)
    }
}

fn largest(values: impl Iterator<Item = f32>) -> (f32, Option<usize>) {
    let start = (f32::NEG_INFINITY, None);
    values.enumerate().fold(start, |found, (place, value)| {
        if value > found.0 {
            (value, Some(place))
        } else {
            found
        }
    })
}

fn length(positions: &[Vec3], [a, b]: [usize; 2]) -> f32 {
    positions[a].distance(positions[b])
}

/// Values that exceed the fractions `parts` of all values, for ascending fractions. Reorders the values.
fn percentiles<const N: usize>(values: &mut [f32], parts: [f64; N]) -> Option<[f64; N]> {
    let last = values.len().checked_sub(1)?;
    let mut from = 0;
    Some(parts.map(|part| {
        let rank = (last as f64 * part).round() as usize;
        // All values before the last rank are smaller.
        let above = &mut values[from..];
        let (_, value, _) = above.select_nth_unstable_by(rank - from, f32::total_cmp);
        from = rank;
        f64::from(*value)
    }))
}

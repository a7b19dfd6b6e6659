//! Skinning at speed: a plan, a palette and bind streams in, posed vertices out.
//!
//! Blocks do not depend on each other, so any number of threads gives the same bits. Nothing here
//! allocates. A palette, position or normal that is not finite spoils the vertices it touches and no
//! others.

use crate::blended::{BlendedMap, DualRigid, DualScaled, DualStretched, Linear};
use crate::dual_quat_palette::DualQuatPalette;
use crate::error::SkinError;
use crate::kernel::skin;
use crate::lanes::{Input, Output};
use crate::plan::{Run, SkinPlan};
use crate::streams::{Block, Streams};
use glam::Vec3;
use sinew_math::dispatch;
use sinew_math::simd::{LANES, Level, Row};
use sinew_math::transform::Affine;
use std::ops::Range;

/// Blocks that are skinned in one go where results do not stay in blocks: what fits the first cache.
pub(crate) const BATCH: usize = 16;

/// What moves the vertices, and so by which method.
#[derive(Clone, Copy, Debug)]
pub enum PaletteRef<'a> {
    /// `model_from_bind` of every joint: linear blend skinning, and rigid skinning with the plan of
    /// [`SkinPlan::rigid`].
    Linear(&'a [Affine]),
    /// Dual quaternion skinning with scale.
    DualQuat(&'a DualQuatPalette),
}

impl PaletteRef<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Linear(palette) => palette.len(),
            Self::DualQuat(palette) => palette.as_slice().len(),
        }
    }
}

/// The box that holds the posed vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest corner.
    pub min: Vec3,
    /// The highest corner.
    pub max: Vec3,
}

impl Bounds {
    /// The box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// One mesh to skin for one pose.
#[derive(Clone, Copy, Debug)]
pub struct SkinJob<'a> {
    /// The order of its vertices and their weights.
    pub plan: &'a SkinPlan,
    /// Where its joints are.
    pub palette: PaletteRef<'a>,
    /// Its vertices at the bind pose, in plan order.
    pub bind: &'a Streams,
    /// The instruction set.
    pub level: Level,
}

impl<'a> SkinJob<'a> {
    /// A job for the best instruction set of the machine.
    pub fn new(plan: &'a SkinPlan, palette: PaletteRef<'a>, bind: &'a Streams) -> Self {
        Self {
            plan,
            palette,
            bind,
            level: Level::best(),
        }
    }

    /// Skins every stream that `out` has into blocks in plan order: the fastest way.
    pub fn run(&self, out: &mut Streams) -> Result<(), SkinError> {
        self.check_output(out)?;
        let mut output = out.as_output();
        self.skin_blocks(0..self.plan.blocks(), &mut output);
        Ok(())
    }

    /// The same on all cores; the same bits.
    #[cfg(feature = "rayon")]
    pub fn run_parallel(&self, out: &mut Streams) -> Result<(), SkinError> {
        use rayon::prelude::*;
        self.check_output(out)?;
        // Large enough to be worth handing over, small enough to share out evenly.
        let blocks = self.plan.blocks();
        let share = blocks.div_ceil(4 * rayon::current_num_threads()).max(64);
        let starts = (0..blocks).step_by(share);
        let jobs: Vec<_> = starts.zip(out.as_output().chunks(share)).collect();
        jobs.into_par_iter().for_each(|(start, mut output)| {
            self.skin_blocks(start..(start + share).min(blocks), &mut output);
        });
        Ok(())
    }

    /// Skins into blocks and gives the box around the posed positions, from the same pass; `None`
    /// for a mesh without vertices. Positions that are not finite are left out of it.
    pub fn run_with_bounds(&self, out: &mut Streams) -> Result<Option<Bounds>, SkinError> {
        self.check_output(out)?;
        let mut bounds = RowBounds::EMPTY;
        let output = out.as_output();
        let blocks = self.plan.blocks();
        for (nth, mut output) in output.chunks(BATCH).enumerate() {
            let start = nth * BATCH;
            self.skin_blocks(start..(start + BATCH).min(blocks), &mut output);
            bounds.add(output.positions);
        }
        Ok(bounds.finish())
    }

    pub(crate) fn skin_blocks(&self, blocks: Range<usize>, out: &mut Output<'_>) {
        match self.palette {
            PaletteRef::Linear(palette) => {
                self.skin_by::<Linear, 12>(bytemuck::cast_slice(palette), 1.0, &blocks, out);
            }
            PaletteRef::DualQuat(palette) => match palette.common_scale() {
                Some(scale) => self.skin_alike(palette, scale, &blocks, out),
                None => self.skin_stretched(palette, blocks, out),
            },
        }
    }

    /// Dual quaternions some of which stretch: neighbouring runs of vertices whose joints scale alike
    /// skip the stretch.
    fn skin_stretched(
        &self,
        palette: &DualQuatPalette,
        blocks: Range<usize>,
        out: &mut Output<'_>,
    ) {
        let runs = self.plan.runs();
        let mut next = runs.partition_point(|r| r.first_block + r.blocks <= blocks.start);
        let mut start = blocks.start;
        let scale_of = |run: &Run| palette.common_scale_of(self.plan.joints_of(run));
        while start < blocks.end {
            let scale = scale_of(&runs[next]);
            while next < runs.len()
                && runs[next].first_block < blocks.end
                && scale_of(&runs[next]) == scale
            {
                next += 1;
            }
            let end = runs
                .get(next)
                .map_or(blocks.end, |run| run.first_block.min(blocks.end));
            let mut part = out.range(start - blocks.start..end - blocks.start);
            let range = start..end;
            match scale {
                Some(scale) => self.skin_alike(palette, scale, &range, &mut part),
                None => {
                    self.skin_by::<DualStretched, 25>(palette.rows(), 1.0, &range, &mut part);
                }
            }
            start = end;
        }
    }

    /// Dual quaternions of joints that scale alike.
    fn skin_alike(
        &self,
        palette: &DualQuatPalette,
        scale: f32,
        blocks: &Range<usize>,
        out: &mut Output<'_>,
    ) {
        let rows = palette.rigid_rows();
        match scale {
            1.0 => self.skin_by::<DualRigid, 8>(rows, scale, blocks, out),
            _ => self.skin_by::<DualScaled, 8>(rows, scale, blocks, out),
        }
    }

    fn skin_by<M: BlendedMap<N>, const N: usize>(
        &self,
        palette: &[[f32; N]],
        scale: f32,
        blocks: &Range<usize>,
        out: &mut Output<'_>,
    ) {
        let input = self.input(palette, scale, blocks);
        if out.normals.is_empty() {
            dispatch!(self.level, simd => skin::<_, M, N, false, false>(simd, input, out));
        } else if out.tangents.is_empty() {
            dispatch!(self.level, simd => skin::<_, M, N, true, false>(simd, input, out));
        } else {
            dispatch!(self.level, simd => skin::<_, M, N, true, true>(simd, input, out));
        }
    }

    fn input<'s, const N: usize>(
        &'s self,
        palette: &'s [[f32; N]],
        scale: f32,
        blocks: &'s Range<usize>,
    ) -> Input<'s, N> {
        let part = |stream: &'s [Block]| stream.get(blocks.clone()).unwrap_or_default();
        Input {
            plan: self.plan,
            palette,
            scale,
            blocks,
            positions: part(&self.bind.positions),
            normals: part(&self.bind.normals),
            tangents: part(&self.bind.tangents),
        }
    }

    pub(crate) fn check(&self) -> Result<(), SkinError> {
        let wanted = self.plan.blocks();
        let found = self.bind.positions.len();
        if found != wanted {
            let what = "the bind stream, in blocks,";
            return Err(SkinError::Length {
                what,
                found,
                wanted,
            });
        }
        if let PaletteRef::DualQuat(palette) = self.palette
            && !palette.signs_are_fixed()
        {
            return Err(SkinError::SignsNotFixed);
        }
        let (joint, len) = (self.plan.max_joint(), self.palette.len());
        if joint >= len && !self.plan.is_empty() {
            return Err(SkinError::NoSuchJoint { joint, len });
        }
        Ok(())
    }

    fn check_output(&self, out: &Streams) -> Result<(), SkinError> {
        self.check()?;
        let wanted = self.plan.blocks();
        let streams = [
            ("normals", &self.bind.normals, &out.normals),
            ("tangents", &self.bind.tangents, &out.tangents),
        ];
        let what = "an output stream, in blocks,";
        let length = |found| {
            Err(SkinError::Length {
                what,
                found,
                wanted,
            })
        };
        if out.positions.len() != wanted {
            return length(out.positions.len());
        }
        if out.normals.is_empty() && !out.tangents.is_empty() {
            return Err(SkinError::TangentsAlone);
        }
        for (what, bind, out) in streams {
            if !out.is_empty() && bind.len() != wanted {
                return Err(SkinError::Missing { what });
            }
            if !out.is_empty() && out.len() != wanted {
                return length(out.len());
            }
        }
        Ok(())
    }
}

impl Streams {
    fn as_output(&mut self) -> Output<'_> {
        Output {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
        }
    }
}

impl<'a> Output<'a> {
    /// Some of its blocks.
    fn range(&mut self, blocks: Range<usize>) -> Output<'_> {
        Output {
            positions: &mut self.positions[blocks.clone()],
            normals: self.normals.get_mut(blocks.clone()).unwrap_or_default(),
            tangents: self.tangents.get_mut(blocks).unwrap_or_default(),
        }
    }

    /// Pieces of so many blocks.
    fn chunks(self, blocks: usize) -> impl Iterator<Item = Output<'a>> {
        let mut normals = self.normals.chunks_mut(blocks);
        let mut tangents = self.tangents.chunks_mut(blocks);
        self.positions
            .chunks_mut(blocks)
            .map(move |positions| Output {
                positions,
                normals: normals.next().unwrap_or_default(),
                tangents: tangents.next().unwrap_or_default(),
            })
    }
}

/// Lowest and highest of every lane.
pub(crate) struct RowBounds {
    min: Block,
    max: Block,
}

impl RowBounds {
    pub const EMPTY: Self = Self {
        min: [Row([f32::INFINITY; LANES]); 3],
        max: [Row([f32::NEG_INFINITY; LANES]); 3],
    };

    pub fn add(&mut self, blocks: &[Block]) {
        for block in blocks {
            for axis in 0..3 {
                for lane in 0..LANES {
                    // Written so that a value that is not a number is passed over.
                    let x = block[axis].0[lane];
                    let (min, max) = (&mut self.min[axis].0[lane], &mut self.max[axis].0[lane]);
                    *min = if x < *min { x } else { *min };
                    *max = if x > *max { x } else { *max };
                }
            }
        }
    }

    pub fn finish(&self) -> Option<Bounds> {
        let low = |row: &Row| row.0.iter().copied().fold(f32::INFINITY, f32::min);
        let high = |row: &Row| row.0.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let bounds = Bounds {
            min: Vec3::from_array([0, 1, 2].map(|axis| low(&self.min[axis]))),
            max: Vec3::from_array([0, 1, 2].map(|axis| high(&self.max[axis]))),
        };
        (bounds.min.x <= bounds.max.x).then_some(bounds)
    }
}

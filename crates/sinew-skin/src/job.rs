//! Skinning at speed: a plan, a palette and bind streams in, posed vertices out.
//!
//! Blocks do not depend on each other, so any number of threads gives the same bits. Nothing here
//! allocates. A palette, position or normal that is not finite spoils the vertices it touches and no
//! others.

use crate::error::SkinError;
use crate::kernel::bounds::{Bounds, RowBounds};
use crate::kernel::lanes::Output;
use crate::kernel::pass::Pass;
use crate::palette::PaletteRef;
use crate::plan::{Block, SkinPlan, Streams};
use sinew_math::simd::Level;

/// Blocks that are skinned in one go before their bounds are found: what fits the first cache.
const BATCH: usize = 16;

/// One mesh to skin for one pose.
#[derive(Clone, Copy, Debug)]
pub struct SkinJob<'a> {
    /// The order of its vertices and their weights.
    pub plan: &'a SkinPlan,
    /// The current maps of its joints.
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
        self.pass(0).skin(0..self.plan.blocks(), &mut output);
        Ok(())
    }

    /// The same vertex by vertex, as builds without optimisation do; for tests of that.
    #[doc(hidden)]
    pub fn run_plain(&self, out: &mut Streams) -> Result<(), SkinError> {
        self.check_output(out)?;
        let mut pass = self.pass(0);
        pass.is_plain = true;
        pass.skin(0..self.plan.blocks(), &mut out.as_output());
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
        let jobs: Vec<_> = starts.zip(out.chunks(share)).collect();
        jobs.into_par_iter().for_each(|(start, streams)| {
            let mut output = Output::new(streams);
            let end = (start + share).min(blocks);
            self.pass(start).skin(start..end, &mut output);
        });
        Ok(())
    }

    /// Skins into blocks and gives the box around the posed positions, from the same pass; `None`
    /// for a mesh without vertices. Positions that are not finite are left out of it.
    pub fn run_with_bounds(&self, out: &mut Streams) -> Result<Option<Bounds>, SkinError> {
        self.check_output(out)?;
        let mut bounds = RowBounds::EMPTY;
        let blocks = self.plan.blocks();
        let mut pass = self.pass(0);
        for (nth, streams) in out.chunks(BATCH).enumerate() {
            let mut output = Output::new(streams);
            let start = nth * BATCH;
            pass.skin(start..(start + BATCH).min(blocks), &mut output);
            bounds.add(self.level, output.positions);
        }
        Ok(bounds.finish())
    }

    /// A pass that begins at a block.
    pub(crate) fn pass(&self, start: usize) -> Pass<'a> {
        Pass::new(self.plan, self.palette, self.bind, self.level, start)
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
        Output::new([&mut self.positions, &mut self.normals, &mut self.tangents])
    }

    /// Pieces of so many blocks.
    fn chunks(&mut self, blocks: usize) -> impl Iterator<Item = [&mut [Block]; 3]> {
        let mut normals = self.normals.chunks_mut(blocks);
        let mut tangents = self.tangents.chunks_mut(blocks);
        self.positions.chunks_mut(blocks).map(move |positions| {
            let normals = normals.next().unwrap_or_default();
            [positions, normals, tangents.next().unwrap_or_default()]
        })
    }
}

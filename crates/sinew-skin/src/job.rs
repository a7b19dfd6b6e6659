//! Fast skinning: reads a plan, a palette and streams at the bind pose, and writes posed vertices.
//!
//! Blocks do not depend on each other, so any number of threads gives the same bits. Nothing here
//! allocates. A non-finite palette entry, position or normal affects only the vertices that use it.

use crate::error::SkinError;
use crate::kernel::bounds::{Bounds, RowBounds};
use crate::kernel::lanes::Output;
use crate::kernel::pass::Pass;
use crate::palette::PaletteRef;
use crate::plan::{Block, SkinPlan, Streams};
use sinew_math::simd::Level;

/// Number of blocks skinned before their bounds are computed. They fit the first-level cache.
const BATCH: usize = 16;

/// A mesh to skin for one pose.
#[derive(Clone, Copy, Debug)]
pub struct SkinJob<'a> {
    /// The order of the vertices, and their weights.
    pub plan: &'a SkinPlan,
    /// The palette of the current pose.
    pub palette: PaletteRef<'a>,
    /// The vertices at the bind pose, in plan order.
    pub bind: &'a Streams,
    /// The instruction set to use.
    pub level: Level,
}

impl<'a> SkinJob<'a> {
    /// Creates a job with the best instruction set of the machine.
    pub fn new(plan: &'a SkinPlan, palette: PaletteRef<'a>, bind: &'a Streams) -> Self {
        Self {
            plan,
            palette,
            bind,
            level: Level::best(),
        }
    }

    /// Skins every stream of `out` into blocks in plan order. No other output is faster.
    pub fn run(&self, out: &mut Streams) -> Result<(), SkinError> {
        self.check_output(out)?;
        let mut output = out.as_output();
        self.pass(0).skin(0..self.plan.blocks(), &mut output);
        Ok(())
    }

    /// Like [`Self::run`], but vertex by vertex, as in builds without optimisation. For tests.
    #[doc(hidden)]
    pub fn run_plain(&self, out: &mut Streams) -> Result<(), SkinError> {
        self.check_output(out)?;
        let mut pass = self.pass(0);
        pass.is_plain = true;
        pass.skin(0..self.plan.blocks(), &mut out.as_output());
        Ok(())
    }

    /// Like [`Self::run`], but on all cores. The bits are the same.
    #[cfg(feature = "rayon")]
    pub fn run_parallel(&self, out: &mut Streams) -> Result<(), SkinError> {
        use rayon::prelude::*;
        self.check_output(out)?;
        // Large enough to be worth a task, small enough to share the work evenly.
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

    /// Skins into blocks and returns the box around the posed positions. Ignores non-finite
    /// positions. `None` for a mesh without vertices.
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

    pub(crate) fn pass(&self, start: usize) -> Pass<'a> {
        Pass::new(self.plan, self.palette, self.bind, self.level, start)
    }

    pub(crate) fn check(&self) -> Result<(), SkinError> {
        let expected = self.plan.blocks();
        let found = self.bind.positions.len();
        if found != expected {
            let what = "the bind stream, in blocks,";
            return Err(SkinError::Length {
                what,
                found,
                expected,
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
        let expected = self.plan.blocks();
        let streams = [
            ("normals", &self.bind.normals, &out.normals),
            ("tangents", &self.bind.tangents, &out.tangents),
        ];
        let what = "an output stream, in blocks,";
        let length = |found| {
            Err(SkinError::Length {
                what,
                found,
                expected,
            })
        };
        if out.positions.len() != expected {
            return length(out.positions.len());
        }
        if out.normals.is_empty() && !out.tangents.is_empty() {
            return Err(SkinError::TangentsAlone);
        }
        for (what, bind, out) in streams {
            if !out.is_empty() && bind.len() != expected {
                return Err(SkinError::Missing { what });
            }
            if !out.is_empty() && out.len() != expected {
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

    fn chunks(&mut self, blocks: usize) -> impl Iterator<Item = [&mut [Block]; 3]> {
        let mut normals = self.normals.chunks_mut(blocks);
        let mut tangents = self.tangents.chunks_mut(blocks);
        self.positions.chunks_mut(blocks).map(move |positions| {
            let normals = normals.next().unwrap_or_default();
            [positions, normals, tangents.next().unwrap_or_default()]
        })
    }
}

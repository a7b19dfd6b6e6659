//! Inverse kinematics on the pose of an actor.

use crate::actor::sinew_actor;
use crate::arguments::{
    Versioned, defaults, finite, index, init, out_handle, out_or_null, report, slice, slice_mut,
    versioned,
};
use crate::pose::check_rig;
use crate::rig::sinew_rig;
use crate::status::{Done, Failure, call, sinew_status};
use crate::table::{free, handle, keep, read, write};
use glam::Vec3;
use sinew::ik::{
    Aim, Ccd, Chain, ChainOptions, ChainReport, Fabrik, Foot, FootPlacement, FootReport, Share,
    Tip, TwoBone, Up,
};
use sinew::{Actor, ActorError, Rig};

/// Result of a solver. The caller sets `size` to `sizeof(sinew_ik_report)`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_ik_report {
    /// Size of this struct, set by the caller.
    pub size: usize,
    /// 1 if the goal is reached within the tolerance of the solver, else 0.
    pub reached: i32,
    /// Number of joints that limits stop.
    pub at_limits: u32,
    /// Remaining distance to the goal in units of the model. For an aim, the angle in radians.
    pub residual: f32,
}

defaults!(sinew_ik_report {});

/// Two bones and their goal, for an arm or a leg.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_two_bone {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Joint at the body: shoulder or hip.
    pub upper: u32,
    /// Elbow or knee, below `upper`. Joints between do not rotate.
    pub lower: u32,
    /// Joint that carries the point that should reach the goal: hand or foot.
    pub tip: u32,
    /// Position of this point in the frame of the joint. Default 0, 0, 0.
    pub tip_offset: [f32; 3],
    /// Goal in model space.
    pub goal: [f32; 3],
    /// Nonzero if `pole` counts. Default 0: the elbow keeps its plane.
    pub has_pole: i32,
    /// Point in model space toward which the elbow points.
    pub pole: [f32; 3],
    /// Nonzero if `bend_axis` counts. Default 0.
    pub has_bend_axis: i32,
    /// Bend axis of a straight elbow, in the frame of the parent of the elbow.
    pub bend_axis: [f32; 3],
    /// Fraction of the reach, in [0, 1], over which the arm slows down before it is straight.
    /// Default 0.
    pub soft: f32,
    /// Fraction of the rotation to apply, in [0, 1]. Default 1.
    pub weight: f32,
}

defaults!(sinew_two_bone { weight: 1.0 });

/// Joint that takes part in an aim.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_share {
    /// Joint that rotates.
    pub joint: u32,
    /// Fraction of the whole rotation, 0 or more. All shares sum to at most 1. With less, the line
    /// of sight does not reach the target.
    pub part: f32,
}

/// Max number of shares of an aim.
pub const SINEW_MAX_SHARES: usize = 64;

/// Joints that rotate, and the target that they look at.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_aim {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Joints from the body outward, each below the one before, 1 to `SINEW_MAX_SHARES`.
    pub shares: *const sinew_share,
    /// Number of shares.
    pub share_count: usize,
    /// Joint that carries the start of the line of sight.
    pub eye: u32,
    /// Position of the start in the frame of this joint. Default 0, 0, 0.
    pub eye_offset: [f32; 3],
    /// Direction of the line of sight in the frame of this joint. Default 0, 0, 1.
    pub axis: [f32; 3],
    /// Target in model space.
    pub target: [f32; 3],
    /// Nonzero if `up_axis` and `up` count. Default 0: joints swing but do not roll.
    pub has_up: i32,
    /// Axis that should point up, in the frame of the joint of the eye.
    pub up_axis: [f32; 3],
    /// Direction that is up, in model space.
    pub up: [f32; 3],
    /// Fraction of the rotation to apply, in [0, 1]. Default 1.
    pub weight: f32,
}

defaults!(sinew_aim {
    axis: [0.0, 0.0, 1.0],
    up_axis: [0.0, 1.0, 0.0],
    up: [0.0, 1.0, 0.0],
    weight: 1.0,
});

/// Chain of joints from a base to a tip, with the memory of its solver.
#[derive(Debug)]
pub struct sinew_chain {
    _opaque: (),
}
handle!(sinew_chain, OfRig, "sinew_chain");

pub(crate) struct OfRig {
    chain: Chain,
    rig: Rig,
}

/// Goal of a chain and its stop conditions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_reach {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Goal of the tip in model space.
    pub goal: [f32; 3],
    /// Max number of sweeps over the chain. Default 100.
    pub max_iterations: u32,
    /// Max distance of the tip from the goal, in lengths of the chain. Default 1e-4.
    pub tolerance: f32,
}

defaults!(sinew_reach {
    max_iterations: ChainOptions::new().max_iterations,
    tolerance: ChainOptions::new().tolerance,
});

impl sinew_reach {
    fn checked(&self) -> Done<(Vec3, ChainOptions)> {
        let tolerance = finite("tolerance", f64::from(self.tolerance))? as f32;
        let options = ChainOptions::new().max_iterations(self.max_iterations);
        Ok((Vec3::from_array(self.goal), options.tolerance(tolerance)))
    }
}

/// Leg, and the ground under its foot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_foot {
    /// Joint at the pelvis.
    pub hip: u32,
    /// Joint that bends.
    pub knee: u32,
    /// Joint that tilts with the ground.
    pub ankle: u32,
    /// Contact point with the ground, in the frame of the ankle.
    pub sole: [f32; 3],
    /// Point of the ground under the foot, in model space.
    pub ground: [f32; 3],
    /// Normal of the ground in model space, of any length above 0.
    pub normal: [f32; 3],
}

/// Max number of feet.
pub const SINEW_MAX_FEET: usize = 8;

/// Options of `sinew_actor_place_feet`. Lengths are in units of the model.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_feet {
    /// Size of this struct, set by its init function.
    pub size: usize,
    /// Joint that carries the legs. It moves but does not rotate. Default 0, the root.
    pub pelvis: u32,
    /// Up direction in model space. Default +Y. The floor is at the origin.
    pub up: [f32; 3],
    /// Max distance that the pelvis moves down, 0 or more. Default 0.3.
    pub max_drop: f32,
    /// Max distance that the pelvis moves up, 0 or more. Default 0.1.
    pub max_rise: f32,
    /// Max tilt of the ankles in radians, 0 or more. Default 0.6.
    pub max_tilt_rad: f32,
}

defaults!(sinew_feet {
    up: FootPlacement::default().up.to_array(),
    max_drop: FootPlacement::default().max_drop,
    max_rise: FootPlacement::default().max_rise,
    max_tilt_rad: FootPlacement::default().max_tilt_rad,
});

/// Sets the defaults. `size` is `sizeof(sinew_two_bone)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_two_bone_init(
    job: *mut sinew_two_bone,
    size: usize,
) -> sinew_status {
    call(|| init(job, size))
}

/// Moves the tip of two bones to a goal, within the limits of the joints. `result` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_two_bone(
    actor: *mut sinew_actor,
    job: *const sinew_two_bone,
    result: *mut sinew_ik_report,
) -> sinew_status {
    call(|| {
        let (job, result) = (versioned(job)?, report(result)?);
        let tip = Tip {
            joint: job.tip as usize,
            offset: Vec3::from_array(job.tip_offset),
        };
        let goal = Vec3::from_array(job.goal);
        let mut two = TwoBone::new(job.upper as usize, job.lower as usize, tip, goal);
        two = two.weight(job.weight);
        two.soft = job.soft;
        two.pole_in_model = (job.has_pole != 0).then(|| Vec3::from_array(job.pole));
        two.bend_axis = (job.has_bend_axis != 0).then(|| Vec3::from_array(job.bend_axis));
        let solved = write(actor)?.solve(&two)?;
        let at_limits = u32::from(solved.upper_at_limit) + u32::from(solved.lower_at_limit);
        result.write(found(solved.reached, at_limits, solved.residual));
        Ok(())
    })
}

fn found(reached: bool, at_limits: u32, residual: f32) -> sinew_ik_report {
    sinew_ik_report {
        reached: i32::from(reached),
        at_limits,
        residual,
        ..sinew_ik_report::defaults()
    }
}

/// Sets the defaults. `size` is `sizeof(sinew_aim)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_aim_init(job: *mut sinew_aim, size: usize) -> sinew_status {
    call(|| init(job, size))
}

/// Aims an eye at a target, with a head, neck and spine or a turret. `result` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_aim(
    actor: *mut sinew_actor,
    job: *const sinew_aim,
    result: *mut sinew_ik_report,
) -> sinew_status {
    call(|| {
        let (job, result) = (versioned(job)?, report(result)?);
        if job.share_count > SINEW_MAX_SHARES {
            let text = format!("{} shares are more than SINEW_MAX_SHARES", job.share_count);
            return Err(Failure::argument(text));
        }
        let given = slice("shares", job.shares, job.share_count)?;
        let mut shares = [Share {
            joint: 0,
            part: 0.0,
        }; SINEW_MAX_SHARES];
        for (share, given) in shares.iter_mut().zip(given) {
            share.joint = given.joint as usize;
            share.part = given.part;
        }
        let eye = Tip {
            joint: job.eye as usize,
            offset: Vec3::from_array(job.eye_offset),
        };
        let [axis, target] = [job.axis, job.target].map(Vec3::from_array);
        let mut aim = Aim::new(&shares[..given.len()], eye, axis, target).weight(job.weight);
        aim.up = (job.has_up != 0).then(|| Up {
            axis: Vec3::from_array(job.up_axis),
            direction_in_model: Vec3::from_array(job.up),
        });
        let solved = write(actor)?.solve(&aim)?;
        let at_limits = solved.at_limits.count_ones();
        result.write(found(solved.reached, at_limits, solved.off_rad));
        Ok(())
    })
}

/// Makes a chain from the joint `base` down to the joint `tip`. `tip_offset` is the position of
/// the end point in the frame of `tip`, three floats, or NULL for its origin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_chain_new(
    rig: *const sinew_rig,
    base: u32,
    tip: u32,
    tip_offset: *const f32,
    chain: *mut *mut sinew_chain,
) -> sinew_status {
    call(|| {
        let chain = out_handle(chain)?;
        let rig = read(rig)?.rig.clone();
        let joints = rig.skeleton().len();
        let (base, tip) = (index("base", base, joints)?, index("tip", tip, joints)?);
        let offset = match tip_offset.is_null() {
            true => Vec3::ZERO,
            false => Vec3::from_slice(slice("tip_offset", tip_offset, 3)?),
        };
        let made = Chain::new(rig.skeleton(), base, Tip { joint: tip, offset })?;
        *chain = keep(OfRig { chain: made, rig })?;
        Ok(())
    })
}

/// Sets the defaults. `size` is `sizeof(sinew_reach)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_reach_init(reach: *mut sinew_reach, size: usize) -> sinew_status {
    call(|| init(reach, size))
}

/// Moves the tip of a chain to a goal by cyclic coordinate descent. Joints near the tip rotate
/// farthest. `result` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_ccd(
    actor: *mut sinew_actor,
    chain: *mut sinew_chain,
    reach: *const sinew_reach,
    result: *mut sinew_ik_report,
) -> sinew_status {
    call(|| {
        solve_chain(
            actor,
            chain,
            reach,
            result,
            |actor, chain, goal, options| actor.solve(Ccd::new(chain, goal).options(options)),
        )
    })
}

/// Moves the tip of a chain to a goal by forward and backward reaching (FABRIK). `result` may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_fabrik(
    actor: *mut sinew_actor,
    chain: *mut sinew_chain,
    reach: *const sinew_reach,
    result: *mut sinew_ik_report,
) -> sinew_status {
    call(|| {
        solve_chain(
            actor,
            chain,
            reach,
            result,
            |actor, chain, goal, options| actor.solve(Fabrik::new(chain, goal).options(options)),
        )
    })
}

type SolveChain = for<'c> fn(
    &mut Actor,
    &'c mut Chain,
    Vec3,
    ChainOptions,
) -> Result<ChainReport<'c>, ActorError>;

unsafe fn solve_chain(
    actor: *mut sinew_actor,
    chain: *mut sinew_chain,
    reach: *const sinew_reach,
    result: *mut sinew_ik_report,
    solve: SolveChain,
) -> Done {
    let ((goal, options), result) = (versioned(reach)?.checked()?, report(result)?);
    let (actor, own) = (&mut *write(actor)?, &mut *write(chain)?);
    check_rig(&own.rig, actor.rig(), ["chain", "actor"])?;
    let solved = solve(actor, &mut own.chain, goal, options)?;
    let at_limits = solved.at_limits.len() as u32;
    result.write(found(solved.reached, at_limits, solved.residual));
    Ok(())
}

/// Frees a chain. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_chain_free(chain: *mut sinew_chain) -> sinew_status {
    call(|| free(chain))
}

/// Sets the defaults. `size` is `sizeof(sinew_feet)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_feet_init(options: *mut sinew_feet, size: usize) -> sinew_status {
    call(|| init(options, size))
}

/// Puts feet on the ground: moves the pelvis, bends the legs and tilts the ankles. `count` is 1 to
/// `SINEW_MAX_FEET`. `reached` gets 1 or 0 per foot, `rise` the upward movement of the pelvis in
/// units of the model; both may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_actor_place_feet(
    actor: *mut sinew_actor,
    options: *const sinew_feet,
    feet: *const sinew_foot,
    count: usize,
    reached: *mut i32,
    rise: *mut f32,
) -> sinew_status {
    call(|| {
        let options = versioned(options)?;
        if count > SINEW_MAX_FEET {
            let text = format!("{count} feet are more than SINEW_MAX_FEET");
            return Err(Failure::argument(text));
        }
        let (given, rise) = (slice("feet", feet, count)?, out_or_null("rise", rise)?);
        let wanted = if reached.is_null() { 0 } else { count };
        let reached = slice_mut("reached", reached, wanted)?;
        let placement = FootPlacement::new(options.pelvis as usize)
            .up(Vec3::from_array(options.up))
            .max_drop(options.max_drop)
            .max_rise(options.max_rise)
            .max_tilt_rad(options.max_tilt_rad);
        let feet: [Foot; SINEW_MAX_FEET] = std::array::from_fn(|at| {
            given.get(at).map_or(Foot::default(), |foot| Foot {
                hip: foot.hip as usize,
                knee: foot.knee as usize,
                ankle: foot.ankle as usize,
                sole: Vec3::from_array(foot.sole),
                ground_in_model: Vec3::from_array(foot.ground),
                ground_normal: Vec3::from_array(foot.normal),
            })
        });
        let mut reports = [FootReport::default(); SINEW_MAX_FEET];
        let reports = &mut reports[..count];
        let moved = write(actor)?.place_feet(&placement, &feet[..count], reports)?;
        for (reached, report) in reached.iter_mut().zip(reports) {
            *reached = i32::from(report.reached);
        }
        if let Some(rise) = rise {
            rise.write(moved);
        }
        Ok(())
    })
}

//! Icons, drawn by code on a square of 16 × 16 units.

use super::pen::Pen;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};
use std::f32::consts::{PI, TAU};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Play,
    Pause,
    First,
    Last,
    StepBack,
    StepOn,
    KeyBack,
    KeyOn,
    Loop,
    PingPong,
    Stop,
    In,
    Out,
    Open,
    Save,
    Close,
    Help,
    Sun,
    Moon,
    Folded,
    Unfolded,
    Frame,
    Camera,
    Turntable,
    Root,
    Joint,
    Mesh,
    Node,
    Copy,
    Warning,
    Error,
    Note,
    Rows,
    Eye,
    EyeClosed,
}

pub(crate) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let side = rect.width().min(rect.height()).min(16.0);
    let origin = rect.center() - Vec2::splat(side / 2.0);
    Pen::new(painter, origin, side / 16.0, color).draw(icon);
}

impl Pen<'_> {
    fn draw(&self, icon: Icon) {
        match icon {
            Icon::Play => self.fill(&[[4.5, 2.5], [13.0, 8.0], [4.5, 13.5]]),
            Icon::Pause => self.pause(),
            Icon::First => self.to_the_first(),
            Icon::Last => self.to_the_last(),
            Icon::StepBack => self.line(&[[10.0, 3.5], [5.5, 8.0], [10.0, 12.5]]),
            Icon::StepOn => self.line(&[[6.0, 3.5], [10.5, 8.0], [6.0, 12.5]]),
            Icon::KeyBack => self.key_back(),
            Icon::KeyOn => self.key_on(),
            Icon::Loop => self.round(),
            Icon::PingPong => self.ping_pong(),
            Icon::Stop => self.to_a_stop(),
            Icon::In => self.line(&[[9.0, 3.0], [5.5, 3.0], [5.5, 13.0], [9.0, 13.0]]),
            Icon::Out => self.line(&[[7.0, 3.0], [10.5, 3.0], [10.5, 13.0], [7.0, 13.0]]),
            Icon::Open => self.folder(),
            Icon::Save => self.disk(),
            Icon::Close => self.cross(),
            Icon::Help => self.help(),
            Icon::Sun => self.sun(),
            Icon::Moon => self.moon(),
            Icon::Folded => self.line(&[[6.2, 4.2], [10.0, 8.0], [6.2, 11.8]]),
            Icon::Unfolded => self.line(&[[4.2, 6.2], [8.0, 10.0], [11.8, 6.2]]),
            Icon::Frame => self.frame(),
            Icon::Camera => self.camera(),
            Icon::Turntable => self.turntable(),
            Icon::Root => self.root(),
            Icon::Joint => self.joint(),
            Icon::Mesh => self.mesh(),
            Icon::Node => {
                self.line(&[[8.0, 2.5], [13.0, 8.0], [8.0, 13.5], [3.0, 8.0], [8.0, 2.5]]);
            }
            Icon::Copy => self.copy(),
            Icon::Warning => self.warning(),
            Icon::Error => self.error(),
            Icon::Note => self.note(),
            Icon::Rows => self.rows(),
            Icon::Eye => self.eye(),
            Icon::EyeClosed => self.lids(&[8.0, 10.5, 11.5, 10.5, 8.0]),
        }
    }

    fn pause(&self) {
        self.fill(&[[4.0, 3.0], [6.8, 3.0], [6.8, 13.0], [4.0, 13.0]]);
        self.fill(&[[9.2, 3.0], [12.0, 3.0], [12.0, 13.0], [9.2, 13.0]]);
    }

    fn to_the_first(&self) {
        self.line(&[[4.0, 3.5], [4.0, 12.5]]);
        self.fill(&[[12.0, 3.5], [12.0, 12.5], [5.8, 8.0]]);
    }

    fn to_the_last(&self) {
        self.line(&[[12.0, 3.5], [12.0, 12.5]]);
        self.fill(&[[4.0, 3.5], [10.2, 8.0], [4.0, 12.5]]);
    }

    fn key_back(&self) {
        self.line(&[[6.2, 4.5], [2.7, 8.0], [6.2, 11.5]]);
        self.diamond(10.5, 8.0, 3.4);
    }

    fn key_on(&self) {
        self.line(&[[9.8, 4.5], [13.3, 8.0], [9.8, 11.5]]);
        self.diamond(5.5, 8.0, 3.4);
    }

    fn round(&self) {
        self.arc([8.0, 8.0], 5.0, -0.35 * PI, 1.35 * PI);
        self.fill(&[[8.4, 0.9], [12.4, 3.2], [8.7, 5.9]]);
    }

    fn ping_pong(&self) {
        self.line(&[[2.5, 5.5], [13.0, 5.5]]);
        self.line(&[[10.3, 2.8], [13.2, 5.5], [10.3, 8.0]]);
        self.line(&[[13.5, 10.8], [3.0, 10.8]]);
        self.line(&[[5.7, 8.3], [2.8, 10.8], [5.7, 13.5]]);
    }

    fn to_a_stop(&self) {
        self.line(&[[2.5, 8.0], [10.2, 8.0]]);
        self.line(&[[7.5, 5.0], [10.5, 8.0], [7.5, 11.0]]);
        self.line(&[[13.0, 3.5], [13.0, 12.5]]);
    }

    fn disk(&self) {
        self.line(&[
            [2.5, 2.5],
            [11.0, 2.5],
            [13.5, 5.0],
            [13.5, 13.5],
            [2.5, 13.5],
            [2.5, 2.5],
        ]);
        self.line(&[[5.0, 2.5], [5.0, 6.0], [10.0, 6.0], [10.0, 2.5]]);
        self.line(&[[4.8, 13.5], [4.8, 9.2], [11.2, 9.2], [11.2, 13.5]]);
    }

    fn folder(&self) {
        self.line(&[
            [2.0, 12.8],
            [2.0, 3.5],
            [6.2, 3.5],
            [7.8, 5.3],
            [13.5, 5.3],
            [13.5, 7.2],
        ]);
        self.line(&[
            [2.0, 12.8],
            [4.2, 7.2],
            [15.0, 7.2],
            [12.8, 12.8],
            [2.0, 12.8],
        ]);
    }

    fn cross(&self) {
        self.line(&[[4.8, 4.8], [11.2, 11.2]]);
        self.line(&[[11.2, 4.8], [4.8, 11.2]]);
    }

    fn help(&self) {
        self.arc([8.0, 5.9], 2.6, -PI, 0.45 * PI);
        self.line(&[[8.3, 8.4], [8.0, 9.9]]);
        self.dot(8.0, 12.5, 1.0);
    }

    fn sun(&self) {
        self.ring(8.0, 8.0, 3.0);
        for ray in 0..8 {
            let (sin, cos) = (TAU * ray as f32 / 8.0).sin_cos();
            self.line(&[
                [8.0 + 4.8 * cos, 8.0 + 4.8 * sin],
                [8.0 + 6.6 * cos, 8.0 + 6.6 * sin],
            ]);
        }
    }

    fn moon(&self) {
        self.arc([8.0, 8.0], 5.4, 0.05 * PI, 1.45 * PI);
        self.arc([11.2, 4.9], 4.6, 0.42 * PI, 1.08 * PI);
    }

    fn frame(&self) {
        for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            let corner = [8.0 - 5.5 * x, 8.0 - 5.5 * y];
            self.line(&[
                [corner[0] + 3.2 * x, corner[1]],
                corner,
                [corner[0], corner[1] + 3.2 * y],
            ]);
        }
        self.dot(8.0, 8.0, 1.8);
    }

    fn camera(&self) {
        self.line(&[
            [2.0, 5.0],
            [5.0, 5.0],
            [6.2, 3.3],
            [9.8, 3.3],
            [11.0, 5.0],
            [14.0, 5.0],
            [14.0, 12.7],
            [2.0, 12.7],
            [2.0, 5.0],
        ]);
        self.ring(8.0, 8.7, 2.4);
    }

    fn turntable(&self) {
        self.ellipse(0.1 * PI, 1.75 * PI);
        self.fill(&[[11.6, 8.2], [15.2, 10.4], [11.4, 12.2]]);
        self.line(&[[8.0, 2.0], [8.0, 9.0]]);
    }

    fn root(&self) {
        self.line(&[[2.5, 13.0], [13.5, 13.0]]);
        self.line(&[[2.5, 8.0], [11.5, 8.0]]);
        self.line(&[[8.8, 5.0], [12.0, 8.0], [8.8, 11.0]]);
        self.dot(3.0, 8.0, 1.6);
    }

    fn joint(&self) {
        self.ring(4.5, 11.5, 2.3);
        self.line(&[[6.2, 9.8], [11.0, 5.0]]);
        self.ring(12.0, 4.0, 1.5);
    }

    fn mesh(&self) {
        self.line(&[[8.0, 2.5], [13.5, 12.5], [2.5, 12.5], [8.0, 2.5]]);
        self.line(&[[8.0, 2.5], [8.0, 12.5]]);
    }

    fn eye(&self) {
        self.lids(&[8.0, 5.0, 4.0, 5.0, 8.0]);
        self.lids(&[8.0, 11.0, 12.0, 11.0, 8.0]);
        self.dot(8.0, 8.0, 2.2);
    }

    fn lids(&self, heights: &[f32; 5]) {
        let across = [1.5, 4.5, 8.0, 11.5, 14.5];
        let points = std::array::from_fn::<_, 5, _>(|at| [across[at], heights[at]]);
        self.line(&points);
    }

    fn copy(&self) {
        self.line(&[
            [6.0, 5.5],
            [13.0, 5.5],
            [13.0, 13.5],
            [6.0, 13.5],
            [6.0, 5.5],
        ]);
        self.line(&[
            [10.0, 5.5],
            [10.0, 2.5],
            [3.0, 2.5],
            [3.0, 10.5],
            [6.0, 10.5],
        ]);
    }

    fn warning(&self) {
        self.line(&[[8.0, 2.5], [14.0, 13.0], [2.0, 13.0], [8.0, 2.5]]);
        self.line(&[[8.0, 6.5], [8.0, 9.6]]);
        self.dot(8.0, 11.4, 0.8);
    }

    fn error(&self) {
        self.ring(8.0, 8.0, 5.8);
        self.line(&[[5.8, 5.8], [10.2, 10.2]]);
        self.line(&[[10.2, 5.8], [5.8, 10.2]]);
    }

    fn note(&self) {
        self.ring(8.0, 8.0, 5.8);
        self.line(&[[8.0, 7.4], [8.0, 11.2]]);
        self.dot(8.0, 5.0, 0.9);
    }

    fn rows(&self) {
        for (y, key) in [(4.0, 4.5), (8.0, 9.5), (12.0, 6.5)] {
            self.line(&[[2.0, y], [14.0, y]]);
            self.diamond(key, y, 1.9);
        }
    }
}

/// Draws the logo: a bone of two joints with a sinew over it.
pub(crate) fn paint_sign(painter: &Painter, rect: Rect, bone: Color32, sinew: Color32) {
    let at = |x: f32, y: f32| {
        pos2(
            rect.left() + rect.width() * x,
            rect.top() + rect.height() * y,
        )
    };
    let unit = rect.height();
    let bone_stroke = Stroke::new(unit * 0.11, bone);
    painter.line_segment([at(0.22, 0.78), at(0.42, 0.32)], bone_stroke);
    painter.line_segment([at(0.42, 0.32), at(0.82, 0.62)], bone_stroke);
    for (x, y) in [(0.22, 0.78), (0.42, 0.32), (0.82, 0.62)] {
        painter.circle_filled(at(x, y), unit * 0.1, bone);
    }
    let curve: Vec<Pos2> = (0..=24)
        .map(|step| {
            let t = step as f32 / 24.0;
            let [a, b, c] = [(0.10, 0.62), (0.44, -0.12), (0.9, 0.46)];
            let mix = |a: f32, b: f32, c: f32| {
                (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
            };
            at(mix(a.0, b.0, c.0), mix(a.1, b.1, c.1))
        })
        .collect();
    painter.add(Shape::line(curve, Stroke::new(unit * 0.09, sinew)));
}

//! Where the selected body is and how it moves, as fields that move and push it.

use crate::session::Session;
use crate::ui::form::{Field, Form};
use bevy_egui::egui::Ui;
use physics::kinematics::Goal;
use physics::math::{Quat, Vec3};
use physics::model::{BodyId, Twist};
use physics::scene::editing::Amendment;

/// Position, orientation, velocity and spin of a body.
pub fn pose_ui(ui: &mut Ui, session: &mut Session, id: BodyId, form: &mut Form) {
    let velocity = session.velocity(id);
    let at = session.state().bodies[id.0];
    let as_quaternion = ui.id().with("as quaternion");
    let mut quaternion: bool = ui.data(|d| d.get_temp(as_quaternion)).unwrap_or(false);
    let name = form.item.to_owned();
    form.table(ui, "pose", |form, ui| {
        let field = Field {
            name: "position",
            unit: "m",
            meaning: "Centre of mass now, world axes; joints pull the rest along",
        };
        let mut position = at.position;
        if form.vector(ui, field, "position", &mut position) {
            let goal = Goal::Position(position);
            form.edit("position", vec![Amendment::Move(name.clone(), goal)]);
        }
        if let Some(turned) = orientation_ui(ui, form, &at.orientation, quaternion) {
            let goal = Goal::Orientation(turned);
            form.edit("orientation", vec![Amendment::Move(name.clone(), goal)]);
        }
        let mut twist = velocity;
        let mut pushed = form.vector(
            ui,
            Field {
                name: "velocity",
                unit: "m/s",
                meaning: "Velocity of the centre of mass, world axes",
            },
            "velocity",
            &mut twist.linear,
        );
        pushed |= form.vector(
            ui,
            Field {
                name: "spin",
                unit: "rad/s",
                meaning: "Angular velocity, world axes",
            },
            "angular_velocity",
            &mut twist.angular,
        );
        if pushed {
            let Twist { linear, angular } = twist;
            let push = Amendment::Push(name.clone(), Twist { linear, angular });
            form.edit("velocity", vec![push]);
        }
    });
    ui.horizontal(|ui| {
        for (choice, label, meaning) in [
            (
                false,
                "angles",
                "Show the orientation as angles about x, y and z",
            ),
            (
                true,
                "quaternion",
                "Show the orientation as a quaternion w, x, y, z",
            ),
        ] {
            ui.selectable_value(&mut quaternion, choice, label)
                .on_hover_text(meaning);
        }
    });
    ui.data_mut(|d| d.insert_temp(as_quaternion, quaternion));
}

/// The orientation as angles or as a quaternion; the new one if it was changed.
fn orientation_ui(ui: &mut Ui, form: &Form, now: &Quat, quaternion: bool) -> Option<Quat> {
    if quaternion {
        let mut q = [now.w, now.i, now.j, now.k];
        let field = Field {
            name: "quaternion",
            unit: "",
            meaning: "Orientation world_from_body; is normalised",
        };
        let changed = form.numbers(ui, field, "orientation", &["w", "x", "y", "z"], &mut q);
        let [w, x, y, z] = q;
        let norm = (w * w + x * x + y * y + z * z).sqrt();
        return (changed && norm > 1e-9)
            .then(|| Quat::from_quaternion(nalgebra::Quaternion::new(w, x, y, z)));
    }
    let (roll, pitch, yaw) = now.euler_angles();
    let mut degrees = Vec3::new(roll, pitch, yaw).map(f64::to_degrees);
    let field = Field {
        name: "rotation",
        unit: "°",
        meaning: "Rotations about the fixed x, y and z axes, in this order",
    };
    let changed = form.vector(ui, field, "orientation", &mut degrees);
    let [x, y, z] = degrees.map(f64::to_radians).into();
    changed.then(|| Quat::from_euler_angles(x, y, z))
}

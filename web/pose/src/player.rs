//! Players of clips.

use crate::values::{Events, finite};
use sinew::Wrap;
use sinew::rig::ClipPlayer;
use wasm_bindgen::prelude::*;

/// Clip of a rig with its playback time.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Player {
    pub(crate) rig: sinew::Rig,
    pub(crate) player: ClipPlayer,
}

impl Player {
    pub(crate) fn new(rig: &sinew::Rig, clip: &JsValue) -> Result<Self, JsError> {
        let index = || clip.as_f64().map(|index| index.to_string());
        let clip = clip.as_string().or_else(index);
        let clip = clip.ok_or_else(|| JsError::new("a clip must be a name or an index"))?;
        Ok(Self {
            rig: rig.clone(),
            player: rig.player(&clip)?,
        })
    }
}

#[wasm_bindgen]
impl Player {
    /// Advances by seconds and returns the events that playback passed.
    #[wasm_bindgen(unchecked_return_type = "readonly Fired[]")]
    pub fn advance(
        &mut self,
        #[wasm_bindgen(js_name = dtSecs)] dt_secs: f64,
    ) -> Result<JsValue, JsError> {
        let mut events = Events::default();
        self.player
            .advance(finite("time step", dt_secs)?, |event| events.push(event));
        Ok(events.into_list())
    }

    /// Jumps to a time in seconds without events.
    pub fn seek(
        &mut self,
        #[wasm_bindgen(js_name = timeSecs)] time_secs: f64,
    ) -> Result<(), JsError> {
        self.player.seek(finite("time", time_secs)?);
        Ok(())
    }

    /// Time within the clip, in seconds.
    #[wasm_bindgen(getter, js_name = timeSecs)]
    pub fn time_secs(&self) -> f64 {
        self.player.clip_time_secs()
    }

    /// Duration of the clip in seconds.
    #[wasm_bindgen(getter, js_name = durationSecs)]
    pub fn duration_secs(&self) -> f64 {
        f64::from(self.player.clip().duration_secs())
    }

    /// Name of the clip.
    #[wasm_bindgen(getter)]
    pub fn clip(&self) -> String {
        self.player.clip().name().to_owned()
    }

    /// Clip seconds per second. Negative values play backwards. Default 1.
    #[wasm_bindgen(getter)]
    pub fn speed(&self) -> f64 {
        self.player.speed()
    }

    /// Sets the speed.
    #[wasm_bindgen(setter)]
    pub fn set_speed(&mut self, speed: f64) -> Result<(), JsError> {
        self.player.set_speed(finite("speed", speed)?);
        Ok(())
    }

    /// Behaviour past the ends: `"loop"` (default), `"clamp"` or `"pingPong"`.
    #[wasm_bindgen(getter, unchecked_return_type = "\"loop\" | \"clamp\" | \"pingPong\"")]
    pub fn wrap(&self) -> String {
        let (name, _) = WRAPS
            .into_iter()
            .find(|(_, wrap)| *wrap == self.player.wrap())
            .unwrap_or(WRAPS[0]);
        name.to_owned()
    }

    /// Sets the behaviour past the ends.
    #[wasm_bindgen(setter)]
    pub fn set_wrap(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "\"loop\" | \"clamp\" | \"pingPong\"")] wrap: &str,
    ) -> Result<(), JsError> {
        let found = WRAPS.into_iter().find(|(name, _)| *name == wrap);
        let (_, wrap) = found.ok_or_else(|| {
            JsError::new(&format!(
                "there is no wrap \"{wrap}\"; there are loop, clamp and pingPong"
            ))
        })?;
        self.player.set_wrap(wrap);
        Ok(())
    }
}

const WRAPS: [(&str, Wrap); 3] = [
    ("loop", Wrap::Loop),
    ("clamp", Wrap::Clamp),
    ("pingPong", Wrap::PingPong),
];

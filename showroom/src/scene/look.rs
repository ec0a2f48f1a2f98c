//! How much a picture may cost: plain where a processor draws; where a graphics card does, soft shadows, sky, smooth edges.

use glam::camera::rh::proj::opengl::orthographic;
use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec3};
use three_d::{
    ClearState, Context, CoreError, DepthTest, DepthTexture2D, Interpolation, Program,
    RenderStates, RenderTarget, RenderTargetMultisample, ScissorBox, Texture2D, VertexBuffer,
    Viewport, Wrapping, WriteMask,
};

use super::convert::{matrix, vector};
use super::ground_shaders::NOISE;
use super::shaders::{COPY_FRAGMENT, EFFORT_FRAGMENT, SHADOWS, SKY_FRAGMENT, SKY_VERTEX};
use super::{SKY, SUN, done};
use crate::clock::Clock;

/// Cost of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Few operations per pixel.
    Plain,
    /// Shadow maps, patterns, a sky, several samples per pixel.
    Fine,
}

/// Side of the picture by which a renderer's speed is measured (pixels), and the time that a graphics card needs at most (`ms`).
const TRIAL: u32 = 512;
const QUICK: f32 = 3.0;
/// Side of the shadow map (texels), and half of the square that it covers (`m`).
const MAP: u32 = 2048;
const REACH: f32 = 26.0;
/// Distance of the light's eye (`m`).
const HIGH: f32 = 60.0;
/// Samples per pixel.
const SAMPLES: u32 = 4;

impl Look {
    /// Measures how fast a renderer is, and chooses its look.
    ///
    /// # Errors
    /// If the shader does not compile.
    pub(super) fn of(context: &Context) -> Result<Self, CoreError> {
        let program = Program::from_source(context, SKY_VERTEX, EFFORT_FRAGMENT)?;
        let screen = Screen::new(context);
        let picture = texture(context, TRIAL, TRIAL);
        let target = picture.as_color_target(None);
        let corner = ScissorBox {
            x: 0,
            y: 0,
            width: 1,
            height: 1,
        };
        let mut took = 0.0;
        // The first time, the renderer prepares.
        for _ in 0..2 {
            let clock = Clock::start();
            target
                .write(|| done(|| screen.draw(&program, Viewport::new_at_origo(TRIAL, TRIAL))))?;
            let _: Vec<[u8; 4]> = target.read_partially(corner);
            took = clock.ms();
        }
        Ok(if took < QUICK {
            Self::Fine
        } else {
            Self::Plain
        })
    }

    /// A vertex shader for this look.
    pub(super) fn vertex(self, source: &str) -> String {
        format!("{}{source}", self.define())
    }

    /// A fragment shader for this look, with what it may use.
    pub(super) fn fragment(self, source: &str) -> String {
        let shadows = match self {
            Self::Plain => String::new(),
            Self::Fine => SHADOWS.replace("SOFT", &format!("{:.6}", 1.1 / MAP as f32)),
        };
        format!("{}{NOISE}{shadows}{source}", self.define())
    }

    fn define(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Fine => "#define FINE\n",
        }
    }
}

fn texture(context: &Context, width: u32, height: u32) -> Texture2D {
    let (smooth, edge) = (Interpolation::Linear, Wrapping::ClampToEdge);
    Texture2D::new_empty::<[u8; 4]>(context, width, height, smooth, smooth, None, edge, edge)
}

/// Two triangles over the whole picture, with the way from the eye through each corner.
struct Screen {
    corners: VertexBuffer<three_d::Vec3>,
    rays: core::cell::RefCell<VertexBuffer<three_d::Vec3>>,
}

/// Corners of the picture.
const CORNERS: [Vec3; 6] = [
    Vec3::new(-1.0, -1.0, 0.0),
    Vec3::new(1.0, -1.0, 0.0),
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(-1.0, -1.0, 0.0),
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(-1.0, 1.0, 0.0),
];

impl Screen {
    fn new(context: &Context) -> Self {
        let corners = CORNERS.map(vector);
        Self {
            corners: VertexBuffer::new_with_data(context, &corners),
            rays: VertexBuffer::new_with_data(context, &corners).into(),
        }
    }

    /// Looks from this eye.
    fn look(&self, context: &Context, view: Mat4, eye: Vec3) {
        let back = view.inverse();
        let ray = |corner: Vec3| vector(back.project_point3(corner.with_z(0.9)) - eye);
        *self.rays.borrow_mut() = VertexBuffer::new_with_data(context, &CORNERS.map(ray));
    }

    fn draw(&self, program: &Program, viewport: Viewport) {
        program.use_vertex_attribute("position", &self.corners);
        if program.requires_attribute("ray") {
            program.use_vertex_attribute("ray", &self.rays.borrow());
        }
        let states = RenderStates {
            depth_test: DepthTest::LessOrEqual,
            write_mask: WriteMask::COLOR,
            ..RenderStates::default()
        };
        program.draw_arrays(states, viewport, 6);
    }
}

/// What is drawn onto.
#[derive(Clone, Copy)]
pub(super) enum Surface<'a> {
    /// The screen itself.
    Direct(&'a RenderTarget<'a>),
    /// A picture with several samples per pixel.
    Smooth(&'a RenderTargetMultisample<[u8; 4], f32>),
}

impl Surface<'_> {
    pub(super) fn clear(&self, state: ClearState) {
        match self {
            Self::Direct(target) => {
                target.clear(state);
            }
            Self::Smooth(target) => {
                target.clear(state);
            }
        }
    }

    pub(super) fn write(&self, draw: impl FnOnce()) -> Result<(), CoreError> {
        match self {
            Self::Direct(target) => target.write(|| done(draw)).map(drop),
            Self::Smooth(target) => target.write(|| done(draw)).map(drop),
        }
    }

    pub(super) fn write_partially(
        &self,
        part: ScissorBox,
        draw: impl FnOnce(),
    ) -> Result<(), CoreError> {
        match self {
            Self::Direct(target) => target.write_partially(part, || done(draw)).map(drop),
            Self::Smooth(target) => target.write_partially(part, || done(draw)).map(drop),
        }
    }
}

/// What a fine picture takes beside a plain one.
pub(super) struct Fine {
    context: Context,
    screen: Screen,
    sky: Program,
    copy: Program,
    casters: DepthTexture2D,
    /// World → clip space of the light.
    pub(super) light: Mat4,
    frame: Option<Frame>,
}

/// A picture with several samples per pixel, and the same with one.
struct Frame {
    smooth: RenderTargetMultisample<[u8; 4], f32>,
    finished: Texture2D,
}

impl Fine {
    pub(super) fn new(context: &Context) -> Result<Self, CoreError> {
        let sky = format!("{NOISE}{SKY_FRAGMENT}");
        let edge = Wrapping::ClampToEdge;
        Ok(Self {
            context: context.clone(),
            screen: Screen::new(context),
            sky: Program::from_source(context, SKY_VERTEX, &sky)?,
            copy: Program::from_source(context, SKY_VERTEX, COPY_FRAGMENT)?,
            casters: DepthTexture2D::new::<f32>(context, MAP, MAP, edge, edge),
            light: Mat4::IDENTITY,
            frame: None,
        })
    }

    /// Draws what casts shadows about a point: `draw` is given viewport and view.
    pub(super) fn cast(
        &mut self,
        about: Vec3,
        draw: impl FnOnce(Viewport, Mat4),
    ) -> Result<(), CoreError> {
        // In steps of some texels, so that edges do not swim.
        let step = 2.0 * REACH / MAP as f32 * 8.0;
        let about = (about / step).round() * step;
        let eye = look_at_mat4(about + SUN.normalize() * HIGH, about, Vec3::Z);
        self.light = orthographic(-REACH, REACH, -REACH, REACH, 1.0, 2.0 * HIGH) * eye;
        let target = self.casters.as_depth_target();
        target.clear(ClearState::depth(1.0));
        target.write(|| done(|| draw(Viewport::new_at_origo(MAP, MAP), self.light)))?;
        Ok(())
    }

    /// Gives a program the shadow map.
    pub(super) fn shade(&self, program: &Program) {
        program.use_uniform("light", matrix(self.light));
        program.use_depth_texture("casters", &self.casters);
    }

    /// Draws the sky where nothing else is.
    pub(super) fn sky(&self, viewport: Viewport, view: Mat4, eye: Vec3) {
        self.screen.look(&self.context, view, eye);
        self.sky.use_uniform("sun", vector(SUN.normalize()));
        self.sky.use_uniform("sky", vector(SKY));
        self.screen.draw(&self.sky, viewport);
    }

    /// Prepares a picture with several samples per pixel, of this size.
    pub(super) fn prepare(&mut self, width: u32, height: u32) {
        let fits = |frame: &Frame| (frame.smooth.width(), frame.smooth.height()) == (width, height);
        if !self.frame.as_ref().is_some_and(fits) {
            self.frame = None;
        }
        let context = &self.context;
        self.frame.get_or_insert_with(|| Frame {
            smooth: RenderTargetMultisample::new(context, width, height, SAMPLES),
            finished: texture(context, width, height),
        });
    }

    /// The picture with several samples per pixel.
    pub(super) fn surface(&self) -> Option<Surface<'_>> {
        let frame = self.frame.as_ref();
        frame.map(|frame| Surface::Smooth(&frame.smooth))
    }

    /// Brings the picture onto a target.
    pub(super) fn finish(&self, target: &RenderTarget<'_>) -> Result<(), CoreError> {
        let Some(frame) = &self.frame else {
            return Ok(());
        };
        let finished = frame.finished.as_color_target(None);
        frame.smooth.resolve_color_to(&finished);
        self.copy.use_texture("finished", &frame.finished);
        let whole = Viewport::new_at_origo(target.width(), target.height());
        target.clear(ClearState::depth(1.0));
        target.write(|| done(|| self.screen.draw(&self.copy, whole)))?;
        Ok(())
    }
}

//! Engines and motors of shafts, of which driver aids request one torque.

use crate::contracts::driver_aid::EngineRequest;
use crate::contracts::shafts::{ShaftNode, Shafts};

/// A torque of each node (`N·m`).
pub type NodeTorques = [f32; Shafts::MAX_NODES];

/// No torques.
pub const NO_TORQUES: NodeTorques = [0.0; Shafts::MAX_NODES];

/// Answer of a drivetrain with shafts, the sum of its engines' torques; `None` if it has no engine.
#[must_use]
pub fn answer(shafts: &Shafts) -> Option<EngineRequest> {
    let engines = || shafts.nodes.iter().filter(|node| node.is_engine);
    engines().next()?;
    Some(EngineRequest::of_torque(
        engines().map(|node| node.torque).sum(),
    ))
}

/// Shares the `torque` of a request among the engines of shafts, in proportion to their own torques, and returns the torques to
/// which the solver may reduce them.
pub fn share(shafts: &mut Shafts, request: &EngineRequest) -> NodeTorques {
    let mut least = NO_TORQUES;
    let engines = || shafts.nodes.iter().filter(|node| node.is_engine);
    let (count, own): (f32, f32) = (
        engines().map(|_| 1.0).sum(),
        engines().map(|node| node.torque).sum(),
    );
    let size: f32 = engines().map(|node| node.torque.abs()).sum();
    let part = |node: &ShaftNode| {
        if size > 0.0 {
            node.torque.abs() / size
        } else {
            1.0 / count
        }
    };
    for (least, node) in least.iter_mut().zip(&mut shafts.nodes) {
        if node.is_engine {
            let part = part(node);
            *least = node.torque + (request.least_torque - own) * part;
            node.torque += (request.torque - own) * part;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn motors(torques: &[f32]) -> Shafts {
        let node = |&torque: &f32| ShaftNode {
            torque,
            is_engine: torque.is_finite(),
            ..ShaftNode::new(0.1)
        };
        Shafts {
            nodes: torques.iter().map(node).collect(),
            rows: vec![],
        }
    }

    #[rstest::rstest]
    #[case::cut(&[100.0, 300.0], 200.0, 0.0, [50.0, 150.0, 0.0, 0.0])]
    #[case::of_regeneration(&[-100.0, -300.0], -200.0, 0.0, [-50.0, -150.0, 0.0, 0.0])]
    #[case::raised_from_none(&[0.0, 0.0], 80.0, -20.0, [40.0, 40.0, -10.0, -10.0])]
    #[case::against_each_other(&[-10.0, 30.0], 0.0, 0.0, [-15.0, 15.0, -15.0, 15.0])]
    fn a_request_is_shared(
        #[case] own: &[f32],
        #[case] torque: f32,
        #[case] least_torque: f32,
        #[case] expected: [f32; 4],
    ) {
        let mut shafts = motors(own);
        let request = EngineRequest {
            torque,
            least_torque,
            ..answer(&shafts).unwrap()
        };
        let least = share(&mut shafts, &request);
        assert_eq!(
            [
                shafts.nodes[0].torque,
                shafts.nodes[1].torque,
                least[0],
                least[1]
            ],
            expected
        );
    }

    #[test]
    fn shafts_without_an_engine_have_no_answer() {
        assert_eq!(answer(&motors(&[f32::NAN])), None);
        assert_eq!(answer(&motors(&[f32::NAN, 3.0])).unwrap().torque, 3.0);
    }
}

// What the bench calls. SI units; x forward, y left, z up; places and centers of wheels from the center of mass.
#pragma once

#include <cstdint>

struct PeersWheel {
    float center[3];
    float radius, width, mass, inertia, damping;
    float brake, handbrake, max_steer;
    float stiffness, damper, compression, droop, sprung_mass;
};

struct PeersCar {
    float mass;
    float inertia[3];
    float half_extents[3];
    float hull_center[3];
    float peak_torque, max_engine_speed, engine_inertia;
    float lat_stiff_x, lat_stiff_y, long_stiff_per_g;
    uint32_t substeps;
    // Right before left, front before rear: PhysX calls +y right.
    PeersWheel wheels[4];
};

struct PeersGround {
    // 0: the plane z = 0; 1: a height field; 2: a mesh.
    uint32_t kind;
    // Cells along each side, centered on the origin.
    uint32_t cells;
    float cell;
    // (cells + 1)² heights: x runs fastest.
    const float* heights;
};

struct PeersStart {
    float place[3];
    float speed;
};

struct PeersCommand {
    float throttle, brake, steer;
};

struct PeersState {
    float place[3];
    float speed;
    uint32_t wheels_on_ground;
};

class PeersFleet;

extern "C" {
PeersFleet* peers_legacy(const PeersCar*, const PeersGround*, const PeersStart*, uint32_t count);
PeersFleet* peers_vehicle2(const PeersCar*, const PeersGround*, const PeersStart*, uint32_t count);
void peers_free(PeersFleet*);
// One command per car.
void peers_command(PeersFleet*, const PeersCommand*);
void peers_probe(PeersFleet*, float dt);
// `results`: whether what the wheels did is written out.
void peers_update(PeersFleet*, float dt, uint32_t results);
void peers_step(PeersFleet*, float dt);
PeersState peers_state(const PeersFleet*, uint32_t car);
}

// A scene with its ground and one chassis per car.
#pragma once

#include <vector>

#include "PxPhysicsAPI.h"
#include "peers.h"

constexpr float GRAVITY = 9.81f;
// What word3 of a shape's query filter says; rays hit ground only.
constexpr physx::PxU32 DRIVABLE = 1;

physx::PxPhysics& physics();

inline physx::PxVec3 vec(const float (&v)[3]) { return physx::PxVec3(v[0], v[1], v[2]); }

class Scene {
public:
    Scene(const PeersGround&);
    ~Scene();
    Scene(const Scene&) = delete;

    // A chassis with its hull and a shape per wheel (wheels first), as NVIDIA's vehicle snippets build it.
    physx::PxRigidDynamic* chassis(const PeersCar&, const PeersStart&);
    void step(float dt);

    physx::PxScene* scene;
    physx::PxMaterial* material;

private:
    physx::PxDefaultCpuDispatcher* dispatcher;
    physx::PxConvexMesh* wheel = nullptr;
};

// The cars of a scene, in one of the vehicle libraries.
class PeersFleet {
public:
    virtual ~PeersFleet() = default;
    virtual void command(const PeersCommand*) = 0;
    virtual void probe(float dt) = 0;
    virtual void update(float dt, bool results) = 0;
    virtual PeersState state(uint32_t car) const = 0;
    void step(float dt) { world.step(dt); }

protected:
    explicit PeersFleet(const PeersGround& ground) : world(ground) {}
    Scene world;
};

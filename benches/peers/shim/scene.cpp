#include "scene.h"

#include <algorithm>
#include <cmath>

using namespace physx;

PxPhysics& physics() {
    static PxDefaultAllocator allocator;
    static PxDefaultErrorCallback errors;
    static PxFoundation* foundation = PxCreateFoundation(PX_PHYSICS_VERSION, allocator, errors);
    static PxPhysics* physics = PxCreatePhysics(PX_PHYSICS_VERSION, *foundation, PxTolerancesScale());
    return *physics;
}

namespace {

// No pair of shapes collides: what is timed is the vehicles.
PxFilterFlags no_pairs(PxFilterObjectAttributes, PxFilterData, PxFilterObjectAttributes, PxFilterData, PxPairFlags&,
                       const void*, PxU32) {
    return PxFilterFlag::eKILL;
}

PxCookingParams cooking() { return PxCookingParams(physics().getTolerancesScale()); }

PxRigidStatic* height_field(const PeersGround& ground, PxMaterial& material) {
    const PxU32 side = ground.cells + 1;
    float highest = 1e-3f;
    for (PxU32 n = 0; n < side * side; n++) highest = std::max(highest, std::fabs(ground.heights[n]));
    const float scale = highest / 32767.0f;
    std::vector<PxHeightFieldSample> samples(side * side);
    for (PxU32 n = 0; n < side * side; n++) samples[n].height = PxI16(std::lround(ground.heights[n] / scale));
    PxHeightFieldDesc desc;
    desc.nbRows = desc.nbColumns = side;
    desc.samples.data = samples.data();
    desc.samples.stride = sizeof(PxHeightFieldSample);
    PxHeightField* field = PxCreateHeightField(desc, physics().getPhysicsInsertionCallback());
    const float corner = -0.5f * ground.cell * float(ground.cells);
    // Rows along y, heights along z, columns along x.
    const PxTransform pose(PxVec3(corner, corner, 0.0f), PxQuat(0.5f, 0.5f, 0.5f, 0.5f));
    PxRigidStatic* actor = physics().createRigidStatic(pose);
    PxRigidActorExt::createExclusiveShape(*actor, PxHeightFieldGeometry(field, {}, scale, ground.cell, ground.cell),
                                          material);
    field->release();
    return actor;
}

PxRigidStatic* mesh(const PeersGround& ground, PxMaterial& material) {
    const PxU32 side = ground.cells + 1;
    const float corner = -0.5f * ground.cell * float(ground.cells);
    std::vector<PxVec3> points(side * side);
    for (PxU32 n = 0; n < side * side; n++) {
        const float x = corner + ground.cell * float(n % side), y = corner + ground.cell * float(n / side);
        points[n] = PxVec3(x, y, ground.heights[n]);
    }
    std::vector<PxU32> triangles;
    for (PxU32 row = 0; row < ground.cells; row++) {
        for (PxU32 column = 0; column < ground.cells; column++) {
            const PxU32 a = row * side + column, b = a + 1, c = a + side, d = c + 1;
            triangles.insert(triangles.end(), {a, b, c, b, d, c});
        }
    }
    PxTriangleMeshDesc desc;
    desc.points.count = PxU32(points.size());
    desc.points.stride = sizeof(PxVec3);
    desc.points.data = points.data();
    desc.triangles.count = PxU32(triangles.size() / 3);
    desc.triangles.stride = 3 * sizeof(PxU32);
    desc.triangles.data = triangles.data();
    PxTriangleMesh* cooked = PxCreateTriangleMesh(cooking(), desc, physics().getPhysicsInsertionCallback());
    PxRigidStatic* actor = physics().createRigidStatic(PxTransform(PxIdentity));
    PxRigidActorExt::createExclusiveShape(*actor, PxTriangleMeshGeometry(cooked), material);
    cooked->release();
    return actor;
}

PxRigidStatic* ground_of(const PeersGround& ground, PxMaterial& material) {
    switch (ground.kind) {
        case 1: return height_field(ground, material);
        case 2: return mesh(ground, material);
        default: return PxCreatePlane(physics(), PxPlane(0.0f, 0.0f, 1.0f, 0.0f), material);
    }
}

// A cylinder of radius 1 and width 2 about y; shapes scale it.
PxConvexMesh* unit_cylinder() {
    std::vector<PxVec3> points;
    for (int n = 0; n < 16; n++) {
        const float angle = 2.0f * PxPi * float(n) / 16.0f;
        for (float y : {-1.0f, 1.0f}) points.push_back(PxVec3(std::cos(angle), y, std::sin(angle)));
    }
    PxConvexMeshDesc desc;
    desc.points.count = PxU32(points.size());
    desc.points.stride = sizeof(PxVec3);
    desc.points.data = points.data();
    desc.flags = PxConvexFlag::eCOMPUTE_CONVEX;
    return PxCreateConvexMesh(cooking(), desc, physics().getPhysicsInsertionCallback());
}

}  // namespace

Scene::Scene(const PeersGround& ground) {
    PxSceneDesc desc(physics().getTolerancesScale());
    // On the calling thread, whose time is taken.
    dispatcher = PxDefaultCpuDispatcherCreate(0);
    desc.gravity = PxVec3(0.0f, 0.0f, -GRAVITY);
    desc.cpuDispatcher = dispatcher;
    desc.filterShader = no_pairs;
    scene = physics().createScene(desc);
    material = physics().createMaterial(0.5f, 0.5f, 0.6f);
    PxRigidStatic* actor = ground_of(ground, *material);
    PxShape* shape;
    actor->getShapes(&shape, 1);
    shape->setQueryFilterData(PxFilterData(0, 0, 0, DRIVABLE));
    scene->addActor(*actor);
    wheel = unit_cylinder();
}

Scene::~Scene() {
    scene->release();
    dispatcher->release();
    wheel->release();
    material->release();
}

PxRigidDynamic* Scene::chassis(const PeersCar& car, const PeersStart& start) {
    PxRigidDynamic* actor = physics().createRigidDynamic(PxTransform(vec(start.place)));
    for (const PeersWheel& place : car.wheels) {
        const PxMeshScale scale(PxVec3(place.radius, 0.5f * place.width, place.radius));
        PxShape* shape =
            PxRigidActorExt::createExclusiveShape(*actor, PxConvexMeshGeometry(wheel, scale), *material);
        shape->setLocalPose(PxTransform(vec(place.center)));
    }
    PxShape* hull = PxRigidActorExt::createExclusiveShape(*actor, PxBoxGeometry(vec(car.half_extents)), *material);
    hull->setLocalPose(PxTransform(vec(car.hull_center)));
    actor->setMass(car.mass);
    actor->setMassSpaceInertiaTensor(vec(car.inertia));
    actor->setCMassLocalPose(PxTransform(PxIdentity));
    actor->setLinearVelocity(PxVec3(start.speed, 0.0f, 0.0f));
    scene->addActor(*actor);
    return actor;
}

void Scene::step(float dt) {
    scene->simulate(dt);
    scene->fetchResults(true);
}

void peers_free(PeersFleet* fleet) { delete fleet; }
void peers_command(PeersFleet* fleet, const PeersCommand* commands) { fleet->command(commands); }
void peers_probe(PeersFleet* fleet, float dt) { fleet->probe(dt); }
void peers_update(PeersFleet* fleet, float dt, uint32_t results) { fleet->update(dt, results != 0); }
void peers_step(PeersFleet* fleet, float dt) { fleet->step(dt); }
PeersState peers_state(const PeersFleet* fleet, uint32_t car) { return fleet->state(car); }

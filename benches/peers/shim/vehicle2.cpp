// Cars of vehicle2.
#include <memory>

#include "vehicle2_car.h"

namespace vehicle2_cars {

template <typename State, size_t N>
void set_each(State (&states)[N]) {
    for (State& state : states) state.setToDefault();
}

Car::Car(const Params& shared, PxRigidDynamic& chassis, float speed) : params(shared) {
    set_to_default();
    chassis.setActorFlag(PxActorFlag::eDISABLE_GRAVITY, true);
    actor.rigidBody = &chassis;
    chassis.getShapes(actor.wheelShapes, WHEELS);
    joints.setToDefault();
    PxVehicleConstraintsCreate(params.axles, physics(), chassis, joints);
    told.nbBrakes = 1;
    transmission.targetGear = PxVehicleEngineDriveTransmissionCommandState::eAUTOMATIC_GEAR;
    gearbox.currentGear = gearbox.targetGear = params.gearbox.neutralGear + 1;
    for (PxU32 n = 0; n < WHEELS; n++) spins[n].rotationSpeed = speed / params.wheels[n].radius;
    set_sequences();
}

void Car::set_to_default() {
    actor.setToDefault();
    told.setToDefault();
    transmission.setToDefault();
    throttle.setToDefault();
    anti_roll.setToDefault();
    body.setToDefault();
    engine.setToDefault();
    gearbox.setToDefault();
    autobox.setToDefault();
    clutch.setToDefault();
    clutch_slip.setToDefault();
    differential.setToDefault();
    steer_state.setToDefault();
    for (PxU32 n = 0; n < WHEELS; n++) brake_responses[n] = steer_responses[n] = 0.0f;
    set_each(grounds);
    set_each(actuations);
    set_each(suspensions);
    set_each(compliances);
    set_each(suspension_forces);
    set_each(grips);
    set_each(directions);
    set_each(speeds);
    set_each(slips);
    set_each(cambers);
    set_each(sticky);
    set_each(tire_forces);
    set_each(spins);
    set_each(poses);
}

// The snippet's order, but that rays are cast before the commands are read, so that they can be timed apart.
void Car::set_sequences() {
    probe.add(static_cast<PxVehiclePhysXActorBeginComponent*>(this));
    probe.add(static_cast<PxVehiclePhysXRoadGeometrySceneQueryComponent*>(this));
    rest.add(static_cast<PxVehicleEngineDriveCommandResponseComponent*>(this));
    rest.add(static_cast<PxVehicleMultiWheelDriveDifferentialStateComponent*>(this));
    rest.add(static_cast<PxVehicleEngineDriveActuationStateComponent*>(this));
    rest.beginSubstepGroup(PxU8(params.substeps));
    rest.add(static_cast<PxVehicleSuspensionComponent*>(this));
    rest.add(static_cast<PxVehicleTireComponent*>(this));
    rest.add(static_cast<PxVehiclePhysXConstraintComponent*>(this));
    rest.add(static_cast<PxVehicleEngineDrivetrainComponent*>(this));
    rest.add(static_cast<PxVehicleRigidBodyComponent*>(this));
    rest.endSubstepGroup();
    rest.add(static_cast<PxVehicleWheelComponent*>(this));
    rest.add(static_cast<PxVehiclePhysXActorEndComponent*>(this));
}

class Vehicle2Fleet final : public PeersFleet {
public:
    Vehicle2Fleet(const PeersCar& car, const PeersGround& ground, const PeersStart* starts, PxU32 count)
        : PeersFleet(ground), params(car) {
        context.setToDefault();
        context.physxScene = world.scene;
        for (PxU32 n = 0; n < count; n++) {
            PxRigidDynamic& chassis = *world.chassis(car, starts[n]);
            cars.emplace_back(new Car(params, chassis, starts[n].speed));
        }
    }
    void command(const PeersCommand* commands) override {
        for (auto& car : cars) {
            car->told.throttle = commands->throttle;
            car->told.brakes[0] = commands->brake;
            car->told.steer = commands->steer;
            commands++;
        }
    }
    void probe(float dt) override {
        for (auto& car : cars) car->probe.update(dt, context);
    }
    // What the wheels did is the cars' state.
    void update(float dt, bool) override {
        for (auto& car : cars) car->rest.update(dt, context);
    }
    PeersState state(uint32_t n) const override {
        const Car& car = *cars[n];
        const PxVec3 place = car.actor.rigidBody->getGlobalPose().p;
        PeersState state = {{place.x, place.y, place.z}, car.actor.rigidBody->getLinearVelocity().magnitude(), 0};
        for (const auto& ground : car.grounds) state.wheels_on_ground += ground.hitState ? 1 : 0;
        return state;
    }

private:
    Params params;
    PxVehiclePhysXSimulationContext context;
    std::vector<std::unique_ptr<Car>> cars;
};

}  // namespace vehicle2_cars

PeersFleet* peers_vehicle2(const PeersCar* car, const PeersGround* ground, const PeersStart* starts, uint32_t count) {
    return new vehicle2_cars::Vehicle2Fleet(*car, *ground, starts, count);
}

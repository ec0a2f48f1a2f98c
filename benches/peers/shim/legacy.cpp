// Cars of the legacy vehicle library (PxVehicleDrive4W).
#include "scene.h"

using namespace physx;

namespace {

// Rays pass through all but ground.
class GroundOnly : public PxQueryFilterCallback {
public:
    PxQueryHitType::Enum preFilter(const PxFilterData&, const PxShape* shape, const PxRigidActor*,
                                   PxHitFlags&) override {
        const bool drivable = shape->getQueryFilterData().word3 == DRIVABLE;
        return drivable ? PxQueryHitType::eBLOCK : PxQueryHitType::eNONE;
    }
    PxQueryHitType::Enum postFilter(const PxFilterData&, const PxQueryHit&, const PxShape*,
                                    const PxRigidActor*) override {
        return PxQueryHitType::eBLOCK;
    }
};

void start_library() {
    static const bool started = [] {
        PxInitVehicleSDK(physics());
        PxVehicleSetBasisVectors(PxVec3(0.0f, 0.0f, 1.0f), PxVec3(1.0f, 0.0f, 0.0f));
        PxVehicleSetUpdateMode(PxVehicleUpdateMode::eVELOCITY_CHANGE);
        return true;
    }();
    (void)started;
}

void set_wheel(PxVehicleWheelsSimData& wheels, PxU32 n, const PeersCar& car) {
    const PeersWheel& from = car.wheels[n];
    PxVehicleWheelData wheel;
    wheel.mRadius = from.radius;
    wheel.mWidth = from.width;
    wheel.mMass = from.mass;
    wheel.mMOI = from.inertia;
    wheel.mDampingRate = from.damping;
    wheel.mMaxBrakeTorque = from.brake;
    wheel.mMaxHandBrakeTorque = from.handbrake;
    wheel.mMaxSteer = from.max_steer;
    PxVehicleSuspensionData suspension;
    suspension.mSpringStrength = from.stiffness;
    suspension.mSpringDamperRate = from.damper;
    suspension.mMaxCompression = from.compression;
    suspension.mMaxDroop = from.droop;
    suspension.mSprungMass = from.sprung_mass;
    PxVehicleTireData tire;
    tire.mLatStiffX = car.lat_stiff_x;
    tire.mLatStiffY = car.lat_stiff_y;
    tire.mLongitudinalStiffnessPerUnitGravity = car.long_stiff_per_g;
    tire.mType = 0;
    const PxVec3 center = vec(from.center);
    const PxVec3 force_point(center.x, center.y, -0.3f);
    wheels.setWheelData(n, wheel);
    wheels.setSuspensionData(n, suspension);
    wheels.setTireData(n, tire);
    wheels.setSuspTravelDirection(n, PxVec3(0.0f, 0.0f, -1.0f));
    wheels.setWheelCenterOffset(n, center);
    wheels.setSuspForceAppPointOffset(n, force_point);
    wheels.setTireForceAppPointOffset(n, force_point);
    wheels.setWheelShapeMapping(n, PxI32(n));
}

void set_wheels(PxVehicleWheelsSimData& wheels, const PeersCar& car) {
    for (PxU32 n = 0; n < 4; n++) set_wheel(wheels, n, car);
    for (PxU32 axle = 0; axle < 2; axle++) {
        PxVehicleAntiRollBarData bar;
        bar.mWheel0 = 2 * axle;
        bar.mWheel1 = 2 * axle + 1;
        bar.mStiffness = 10000.0f;
        wheels.addAntiRollBarData(bar);
    }
    wheels.setSubStepCount(5.0f, car.substeps, car.substeps);
}

PxVehicleDriveSimData4W drive_of(const PeersCar& car) {
    PxVehicleDriveSimData4W drive;
    PxVehicleDifferential4WData differential;
    differential.mType = PxVehicleDifferential4WData::eDIFF_TYPE_OPEN_FRONTWD;
    drive.setDiffData(differential);
    PxVehicleEngineData engine;
    engine.mPeakTorque = car.peak_torque;
    engine.mMaxOmega = car.max_engine_speed;
    engine.mMOI = car.engine_inertia;
    drive.setEngineData(engine);
    PxVehicleGearsData gears;
    gears.mSwitchTime = 0.25f;
    drive.setGearsData(gears);
    PxVehicleClutchData clutch;
    clutch.mStrength = 10.0f;
    drive.setClutchData(clutch);
    PxVehicleAckermannGeometryData steering;
    const PeersWheel(&w)[4] = car.wheels;
    steering.mAccuracy = 1.0f;
    steering.mAxleSeparation = w[0].center[0] - w[2].center[0];
    steering.mFrontWidth = w[1].center[1] - w[0].center[1];
    steering.mRearWidth = w[3].center[1] - w[2].center[1];
    drive.setAckermannGeometryData(steering);
    return drive;
}

class LegacyFleet final : public PeersFleet {
public:
    LegacyFleet(const PeersCar& car, const PeersGround& ground, const PeersStart* starts, PxU32 count);
    ~LegacyFleet() override;
    void command(const PeersCommand*) override;
    void probe(float) override { PxVehicleSuspensionRaycasts(query, PxU32(cars.size()), cars.data()); }
    void update(float dt, bool results) override;
    PeersState state(uint32_t car) const override;

private:
    GroundOnly filter;
    PxBatchQueryExt* query;
    PxVehicleDrivableSurfaceToTireFrictionPairs* friction;
    std::vector<PxVehicleWheels*> cars;
    std::vector<PxWheelQueryResult> wheels;
    std::vector<PxVehicleWheelQueryResult> found;
};

LegacyFleet::LegacyFleet(const PeersCar& car, const PeersGround& ground, const PeersStart* starts, PxU32 count)
    : PeersFleet(ground) {
    start_library();
    query = PxCreateBatchQueryExt(*world.scene, &filter, 4 * count, 0, 0, 0, 0, 0);
    friction = PxVehicleDrivableSurfaceToTireFrictionPairs::allocate(1, 1);
    const PxMaterial* materials[] = {world.material};
    PxVehicleDrivableSurfaceType type;
    type.mType = 0;
    friction->setup(1, 1, materials, &type);
    friction->setTypePairFriction(0, 0, 1.0f);
    PxVehicleWheelsSimData* data = PxVehicleWheelsSimData::allocate(4);
    data->setChassisMass(car.mass);
    set_wheels(*data, car);
    const PxVehicleDriveSimData4W drive = drive_of(car);
    wheels.resize(4 * count);
    for (PxU32 n = 0; n < count; n++) {
        PxVehicleDrive4W* vehicle = PxVehicleDrive4W::allocate(4);
        vehicle->setup(&physics(), world.chassis(car, starts[n]), *data, drive, 0);
        vehicle->setToRestState();
        vehicle->mDriveDynData.forceGearChange(PxVehicleGearsData::eFIRST);
        vehicle->mDriveDynData.setUseAutoGears(true);
        vehicle->getRigidDynamicActor()->setLinearVelocity(PxVec3(starts[n].speed, 0.0f, 0.0f));
        for (PxU32 w = 0; w < 4; w++) {
            vehicle->mWheelsDynData.setWheelRotationSpeed(w, starts[n].speed / car.wheels[w].radius);
        }
        cars.push_back(vehicle);
        found.push_back({&wheels[4 * n], 4});
    }
    data->free();
}

LegacyFleet::~LegacyFleet() {
    for (PxVehicleWheels* car : cars) static_cast<PxVehicleDrive4W*>(car)->free();
    friction->release();
    query->release();
}

void LegacyFleet::command(const PeersCommand* commands) {
    for (PxVehicleWheels* car : cars) {
        PxVehicleDriveDynData& data = static_cast<PxVehicleDrive4W*>(car)->mDriveDynData;
        data.setAnalogInput(PxVehicleDrive4WControl::eANALOG_INPUT_ACCEL, commands->throttle);
        data.setAnalogInput(PxVehicleDrive4WControl::eANALOG_INPUT_BRAKE, commands->brake);
        data.setAnalogInput(PxVehicleDrive4WControl::eANALOG_INPUT_STEER_LEFT, 0.0f);
        data.setAnalogInput(PxVehicleDrive4WControl::eANALOG_INPUT_STEER_RIGHT, commands->steer);
        commands++;
    }
}

void LegacyFleet::update(float dt, bool results) {
    const PxVec3 gravity(0.0f, 0.0f, -GRAVITY);
    PxVehicleUpdates(dt, gravity, *friction, PxU32(cars.size()), cars.data(), results ? found.data() : nullptr);
}

PeersState LegacyFleet::state(uint32_t car) const {
    const PxRigidDynamic* actor = cars[car]->getRigidDynamicActor();
    const PxVec3 place = actor->getGlobalPose().p;
    PeersState state = {{place.x, place.y, place.z}, actor->getLinearVelocity().magnitude(), 0};
    for (PxU32 w = 0; w < 4; w++) state.wheels_on_ground += wheels[4 * car + w].isInAir ? 0 : 1;
    return state;
}

}  // namespace

PeersFleet* peers_legacy(const PeersCar* car, const PeersGround* ground, const PeersStart* starts, uint32_t count) {
    return new LegacyFleet(*car, *ground, starts, count);
}

#include "vehicle2_params.h"

#include <algorithm>

namespace vehicle2_cars {

Params::Params(const PeersCar& car) {
    axles.setToDefault();
    const PxU32 front[] = {0, 1}, rear[] = {2, 3};
    axles.addAxle(2, front);
    axles.addAxle(2, rear);
    body.mass = car.mass;
    body.moi = vec(car.inertia);
    calculation.suspensionJounceCalculationType = PxVehicleSuspensionJounceCalculationType::eRAYCAST;
    calculation.limitSuspensionExpansionVelocity = false;
    for (PxU32 n = 0; n < WHEELS; n++) set_wheel(n, car);
    for (PxU32 axle = 0; axle < 2; axle++) bars[axle] = {2 * axle, 2 * axle + 1, 10000.0f};
    query.roadGeometryQueryType = PxVehiclePhysXRoadGeometryQueryType::eRAYCAST;
    query.filterData = PxQueryFilterData(PxFilterData(0, 0, 0, 0), PxQueryFlag::eSTATIC);
    query.filterCallback = nullptr;
    set_commands(car);
    set_drive(car);
    substeps = car.substeps;
}

void Params::set_wheel(PxU32 n, const PeersCar& car) {
    const PeersWheel& from = car.wheels[n];
    wheels[n].radius = from.radius;
    wheels[n].halfWidth = 0.5f * from.width;
    wheels[n].mass = from.mass;
    wheels[n].moi = from.inertia;
    wheels[n].dampingRate = from.damping;
    const PxVec3 top = vec(from.center) + PxVec3(0.0f, 0.0f, from.compression);
    suspensions[n].suspensionAttachment = PxTransform(top);
    suspensions[n].suspensionTravelDir = PxVec3(0.0f, 0.0f, -1.0f);
    suspensions[n].suspensionTravelDist = from.compression + from.droop;
    suspensions[n].wheelAttachment = PxTransform(PxIdentity);
    compliances[n].suspForceAppPoint.addPair(0.0f, PxVec3(0.0f, 0.0f, -0.1f));
    compliances[n].tireForceAppPoint.addPair(0.0f, PxVec3(0.0f, 0.0f, -0.1f));
    springs[n] = {from.stiffness, from.damper, from.sprung_mass};
    const float load = from.sprung_mass * GRAVITY;
    PxVehicleTireForceParams& tire = tires[n];
    tire.latStiffX = car.lat_stiff_x;
    tire.latStiffY = car.lat_stiff_y * load;
    tire.longStiff = car.long_stiff_per_g * GRAVITY;
    tire.camberStiff = 0.0f;
    const float curve[3][2] = {{0.0f, 1.0f}, {0.1f, 1.0f}, {1.0f, 1.0f}};
    const float filter[2][2] = {{0.0f, 0.23f}, {3.0f, 3.0f}};
    std::copy(&curve[0][0], &curve[0][0] + 6, &tire.frictionVsSlip[0][0]);
    std::copy(&filter[0][0], &filter[0][0] + 4, &tire.loadFilter[0][0]);
    tire.restLoad = load;
    friction[n] = {nullptr, 0, 1.0f};
    limits[n].restitution = 0.0f;
    limits[n].directionForSuspensionLimitConstraint =
        PxVehiclePhysXSuspensionLimitConstraintParams::eROAD_GEOMETRY_NORMAL;
    shape_poses[n] = PxTransform(PxIdentity);
}

void Params::set_commands(const PeersCar& car) {
    const PeersWheel(&w)[4] = car.wheels;
    brakes[0].maxResponse = w[0].brake;
    steer.maxResponse = w[0].max_steer;
    for (PxU32 n = 0; n < WHEELS; n++) {
        brakes[0].wheelResponseMultipliers[n] = w[n].brake / w[0].brake;
        steer.wheelResponseMultipliers[n] = n < 2 ? 1.0f : 0.0f;
    }
    ackermann[0] = {{0, 1}, w[0].center[0] - w[2].center[0], w[1].center[1] - w[0].center[1], 1.0f};
}

void Params::set_drive(const PeersCar& car) {
    engine.torqueCurve.addPair(0.0f, 0.8f);
    engine.torqueCurve.addPair(0.33f, 1.0f);
    engine.torqueCurve.addPair(1.0f, 0.8f);
    engine.moi = car.engine_inertia;
    engine.peakTorque = car.peak_torque;
    engine.idleOmega = 0.0f;
    engine.maxOmega = car.max_engine_speed;
    engine.dampingRateFullThrottle = 0.15f;
    engine.dampingRateZeroThrottleClutchEngaged = 2.0f;
    engine.dampingRateZeroThrottleClutchDisengaged = 0.35f;
    const float ratios[] = {-4.0f, 0.0f, 4.0f, 2.0f, 1.5f, 1.1f, 1.0f};
    gearbox.neutralGear = 1;
    gearbox.nbRatios = 7;
    gearbox.finalRatio = 4.0f;
    gearbox.switchTime = 0.25f;
    for (PxU32 gear = 0; gear < 7; gear++) {
        gearbox.ratios[gear] = ratios[gear];
        autobox.upRatios[gear] = 0.65f;
        autobox.downRatios[gear] = 0.5f;
    }
    autobox.latency = 2.0f;
    clutch_response.maxResponse = 10.0f;
    clutch.accuracyMode = vehicle2::PxVehicleClutchAccuracyMode::eBEST_POSSIBLE;
    clutch.estimateIterations = 5;
    differential.setToDefault();
    for (PxU32 n = 0; n < 2; n++) differential.torqueRatios[n] = differential.aveWheelSpeedRatios[n] = 0.5f;
}

}  // namespace vehicle2_cars

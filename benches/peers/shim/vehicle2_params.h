// Parameters of vehicle2.
#pragma once

#include "scene.h"

constexpr physx::PxU32 WHEELS = 4;

namespace vehicle2_cars {

using namespace physx;
using namespace physx::vehicle2;

// What the cars of a fleet share.
struct Params {
    explicit Params(const PeersCar&);

    PxVehicleAxleDescription axles;
    PxVehicleRigidBodyParams body;
    PxVehicleSuspensionStateCalculationParams calculation;
    PxVehicleWheelParams wheels[WHEELS];
    PxVehicleSuspensionParams suspensions[WHEELS];
    PxVehicleSuspensionComplianceParams compliances[WHEELS];
    PxVehicleSuspensionForceParams springs[WHEELS];
    PxVehicleAntiRollForceParams bars[2];
    PxVehicleTireForceParams tires[WHEELS];
    PxVehiclePhysXMaterialFrictionParams friction[WHEELS];
    PxVehiclePhysXSuspensionLimitConstraintParams limits[WHEELS];
    PxVehiclePhysXRoadGeometryQueryParams query;
    PxVehicleBrakeCommandResponseParams brakes[1];
    PxVehicleSteerCommandResponseParams steer;
    PxVehicleAckermannParams ackermann[1];
    PxVehicleEngineParams engine;
    PxVehicleGearboxParams gearbox;
    PxVehicleAutoboxParams autobox;
    PxVehicleClutchCommandResponseParams clutch_response;
    PxVehicleClutchParams clutch;
    PxVehicleMultiWheelDriveDifferentialParams differential;
    PxTransform shape_poses[WHEELS];
    PxU32 substeps;

private:
    void set_wheel(PxU32 n, const PeersCar&);
    void set_commands(const PeersCar&);
    void set_drive(const PeersCar&);
};

}  // namespace vehicle2_cars

// A car of vehicle2: the components of NVIDIA's engine-drive snippet and their states.
#pragma once

#include "vehicle2_params.h"

namespace vehicle2_cars {

class Car final : public PxVehiclePhysXActorBeginComponent,
                  public PxVehicleEngineDriveCommandResponseComponent,
                  public PxVehicleMultiWheelDriveDifferentialStateComponent,
                  public PxVehicleEngineDriveActuationStateComponent,
                  public PxVehiclePhysXRoadGeometrySceneQueryComponent,
                  public PxVehicleSuspensionComponent,
                  public PxVehicleTireComponent,
                  public PxVehiclePhysXConstraintComponent,
                  public PxVehicleEngineDrivetrainComponent,
                  public PxVehicleRigidBodyComponent,
                  public PxVehicleWheelComponent,
                  public PxVehiclePhysXActorEndComponent {
public:
    Car(const Params&, PxRigidDynamic&, float speed);
    ~Car() override { PxVehicleConstraintsDestroy(joints); }
    // Sequences hold addresses of their components.
    Car(const Car&) = delete;

    PxVehicleComponentSequence probe, rest;
    PxVehicleCommandState told;
    PxVehiclePhysXActor actor;
    PxVehicleRoadGeometryState grounds[WHEELS];

private:
    void set_to_default();
    void set_sequences();

    const Params& params;
    PxVehicleEngineDriveTransmissionCommandState transmission;
    PxReal brake_responses[WHEELS], steer_responses[WHEELS];
    PxVehicleEngineDriveThrottleCommandResponseState throttle;
    PxVehicleWheelActuationState actuations[WHEELS];
    PxVehicleSuspensionState suspensions[WHEELS];
    PxVehicleSuspensionComplianceState compliances[WHEELS];
    PxVehicleSuspensionForce suspension_forces[WHEELS];
    PxVehicleAntiRollTorque anti_roll;
    PxVehicleTireGripState grips[WHEELS];
    PxVehicleTireDirectionState directions[WHEELS];
    PxVehicleTireSpeedState speeds[WHEELS];
    PxVehicleTireSlipState slips[WHEELS];
    PxVehicleTireCamberAngleState cambers[WHEELS];
    PxVehicleTireStickyState sticky[WHEELS];
    PxVehicleTireForce tire_forces[WHEELS];
    PxVehicleWheelRigidBody1dState spins[WHEELS];
    PxVehicleWheelLocalPose poses[WHEELS];
    PxVehicleRigidBodyState body;
    PxVehicleEngineState engine;
    PxVehicleGearboxState gearbox;
    PxVehicleAutoboxState autobox;
    PxVehicleClutchCommandResponseState clutch;
    PxVehicleClutchSlipState clutch_slip;
    PxVehicleDifferentialState differential;
    PxVehiclePhysXSteerState steer_state;
    PxVehiclePhysXConstraints joints;

public:
    void getDataForPhysXActorBeginComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleCommandState*& commands,
        const PxVehicleEngineDriveTransmissionCommandState*& transmissionCommands,
        const PxVehicleGearboxParams*& gearParams, const PxVehicleGearboxState*& gearState,
        const PxVehicleEngineParams*& engineParams, PxVehiclePhysXActor*& physxActor,
        PxVehiclePhysXSteerState*& physxSteerState, PxVehiclePhysXConstraints*& physxConstraints,
        PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<PxVehicleWheelRigidBody1dState>& wheelRigidBody1dStates,
        PxVehicleEngineState*& engineState) override {
        axleDescription = &params.axles;
        commands = &told;
        transmissionCommands = &transmission;
        gearParams = &params.gearbox;
        gearState = &gearbox;
        engineParams = &params.engine;
        physxActor = &actor;
        physxSteerState = &steer_state;
        physxConstraints = &joints;
        rigidBodyState = &body;
        wheelRigidBody1dStates.setData(spins);
        engineState = &engine;
    }

    void getDataForEngineDriveCommandResponseComponent(const PxVehicleAxleDescription*& axleDescription,
        PxVehicleSizedArrayData<const PxVehicleBrakeCommandResponseParams>& brakeResponseParams,
        const PxVehicleSteerCommandResponseParams*& steerResponseParams,
        PxVehicleSizedArrayData<const PxVehicleAckermannParams>& ackermannParams,
        const PxVehicleGearboxParams*& gearboxParams,
        const PxVehicleClutchCommandResponseParams*& clutchResponseParams,
        const PxVehicleEngineParams*& engineParams, const PxVehicleRigidBodyState*& rigidBodyState,
        const PxVehicleEngineState*& engineState, const PxVehicleAutoboxParams*& autoboxParams,
        const PxVehicleCommandState*& commands,
        const PxVehicleEngineDriveTransmissionCommandState*& transmissionCommands,
        PxVehicleArrayData<PxReal>& brakeResponseStates,
        PxVehicleEngineDriveThrottleCommandResponseState*& throttleResponseState,
        PxVehicleArrayData<PxReal>& steerResponseStates, PxVehicleGearboxState*& gearboxResponseState,
        PxVehicleClutchCommandResponseState*& clutchResponseState,
        PxVehicleAutoboxState*& autoboxState) override {
        axleDescription = &params.axles;
        brakeResponseParams.setDataAndCount(params.brakes, 1);
        steerResponseParams = &params.steer;
        ackermannParams.setDataAndCount(params.ackermann, 1);
        gearboxParams = &params.gearbox;
        clutchResponseParams = &params.clutch_response;
        engineParams = &params.engine;
        rigidBodyState = &body;
        engineState = &engine;
        autoboxParams = &params.autobox;
        commands = &told;
        transmissionCommands = &transmission;
        brakeResponseStates.setData(brake_responses);
        throttleResponseState = &throttle;
        steerResponseStates.setData(steer_responses);
        gearboxResponseState = &gearbox;
        clutchResponseState = &clutch;
        autoboxState = &autobox;
    }

    void getDataForMultiWheelDriveDifferentialStateComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleMultiWheelDriveDifferentialParams*& differentialParams,
        PxVehicleDifferentialState*& differentialState) override {
        axleDescription = &params.axles;
        differentialParams = &params.differential;
        differentialState = &differential;
    }

    void getDataForEngineDriveActuationStateComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleGearboxParams*& gearboxParams, PxVehicleArrayData<const PxReal>& brakeResponseStates,
        const PxVehicleEngineDriveThrottleCommandResponseState*& throttleResponseState,
        const PxVehicleGearboxState*& gearboxState, const PxVehicleDifferentialState*& differentialState,
        const PxVehicleClutchCommandResponseState*& clutchResponseState,
        PxVehicleArrayData<PxVehicleWheelActuationState>& actuationStates) override {
        axleDescription = &params.axles;
        gearboxParams = &params.gearbox;
        brakeResponseStates.setData(brake_responses);
        throttleResponseState = &throttle;
        gearboxState = &gearbox;
        differentialState = &differential;
        clutchResponseState = &clutch;
        actuationStates.setData(actuations);
    }

    void getDataForPhysXRoadGeometrySceneQueryComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehiclePhysXRoadGeometryQueryParams*& roadGeomParams,
        PxVehicleArrayData<const PxReal>& steerResponseStates, const PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams,
        PxVehicleArrayData<const PxVehicleSuspensionParams>& suspensionParams,
        PxVehicleArrayData<const PxVehiclePhysXMaterialFrictionParams>& materialFrictionParams,
        PxVehicleArrayData<PxVehicleRoadGeometryState>& roadGeometryStates,
        PxVehicleArrayData<PxVehiclePhysXRoadGeometryQueryState>& physxRoadGeometryStates) override {
        axleDescription = &params.axles;
        roadGeomParams = &params.query;
        steerResponseStates.setData(steer_responses);
        rigidBodyState = &body;
        wheelParams.setData(params.wheels);
        suspensionParams.setData(params.suspensions);
        materialFrictionParams.setData(params.friction);
        roadGeometryStates.setData(grounds);
        physxRoadGeometryStates.setEmpty();
    }

    void getDataForSuspensionComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleRigidBodyParams*& rigidBodyParams,
        const PxVehicleSuspensionStateCalculationParams*& suspensionStateCalculationParams,
        PxVehicleArrayData<const PxReal>& steerResponseStates, const PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams,
        PxVehicleArrayData<const PxVehicleSuspensionParams>& suspensionParams,
        PxVehicleArrayData<const PxVehicleSuspensionComplianceParams>& suspensionComplianceParams,
        PxVehicleArrayData<const PxVehicleSuspensionForceParams>& suspensionForceParams,
        PxVehicleSizedArrayData<const PxVehicleAntiRollForceParams>& antiRollForceParams,
        PxVehicleArrayData<const PxVehicleRoadGeometryState>& wheelRoadGeomStates,
        PxVehicleArrayData<PxVehicleSuspensionState>& suspensionStates,
        PxVehicleArrayData<PxVehicleSuspensionComplianceState>& suspensionComplianceStates,
        PxVehicleArrayData<PxVehicleSuspensionForce>& suspensionForces,
        PxVehicleAntiRollTorque*& antiRollTorque) override {
        axleDescription = &params.axles;
        rigidBodyParams = &params.body;
        suspensionStateCalculationParams = &params.calculation;
        steerResponseStates.setData(steer_responses);
        rigidBodyState = &body;
        wheelParams.setData(params.wheels);
        suspensionParams.setData(params.suspensions);
        suspensionComplianceParams.setData(params.compliances);
        suspensionForceParams.setData(params.springs);
        antiRollForceParams.setDataAndCount(params.bars, 2);
        wheelRoadGeomStates.setData(grounds);
        suspensionStates.setData(suspensions);
        suspensionComplianceStates.setData(compliances);
        suspensionForces.setData(suspension_forces);
        antiRollTorque = &anti_roll;
    }

    void getDataForTireComponent(const PxVehicleAxleDescription*& axleDescription,
        PxVehicleArrayData<const PxReal>& steerResponseStates, const PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<const PxVehicleWheelActuationState>& actuationStates,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams,
        PxVehicleArrayData<const PxVehicleSuspensionParams>& suspensionParams,
        PxVehicleArrayData<const PxVehicleTireForceParams>& tireForceParams,
        PxVehicleArrayData<const PxVehicleRoadGeometryState>& roadGeomStates,
        PxVehicleArrayData<const PxVehicleSuspensionState>& suspensionStates,
        PxVehicleArrayData<const PxVehicleSuspensionComplianceState>& suspensionComplianceStates,
        PxVehicleArrayData<const PxVehicleSuspensionForce>& suspensionForces,
        PxVehicleArrayData<const PxVehicleWheelRigidBody1dState>& wheelRigidBody1DStates,
        PxVehicleArrayData<PxVehicleTireGripState>& tireGripStates,
        PxVehicleArrayData<PxVehicleTireDirectionState>& tireDirectionStates,
        PxVehicleArrayData<PxVehicleTireSpeedState>& tireSpeedStates,
        PxVehicleArrayData<PxVehicleTireSlipState>& tireSlipStates,
        PxVehicleArrayData<PxVehicleTireCamberAngleState>& tireCamberAngleStates,
        PxVehicleArrayData<PxVehicleTireStickyState>& tireStickyStates,
        PxVehicleArrayData<PxVehicleTireForce>& tireForces) override {
        axleDescription = &params.axles;
        steerResponseStates.setData(steer_responses);
        rigidBodyState = &body;
        actuationStates.setData(actuations);
        wheelParams.setData(params.wheels);
        suspensionParams.setData(params.suspensions);
        tireForceParams.setData(params.tires);
        roadGeomStates.setData(grounds);
        suspensionStates.setData(suspensions);
        suspensionComplianceStates.setData(compliances);
        suspensionForces.setData(suspension_forces);
        wheelRigidBody1DStates.setData(spins);
        tireGripStates.setData(grips);
        tireDirectionStates.setData(directions);
        tireSpeedStates.setData(speeds);
        tireSlipStates.setData(slips);
        tireCamberAngleStates.setData(cambers);
        tireStickyStates.setData(sticky);
        tireForces.setData(tire_forces);
    }

    void getDataForPhysXConstraintComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<const PxVehicleSuspensionParams>& suspensionParams,
        PxVehicleArrayData<const PxVehiclePhysXSuspensionLimitConstraintParams>& suspensionLimitParams,
        PxVehicleArrayData<const PxVehicleSuspensionState>& suspensionStates,
        PxVehicleArrayData<const PxVehicleSuspensionComplianceState>& suspensionComplianceStates,
        PxVehicleArrayData<const PxVehicleRoadGeometryState>& wheelRoadGeomStates,
        PxVehicleArrayData<const PxVehicleTireDirectionState>& tireDirectionStates,
        PxVehicleArrayData<const PxVehicleTireStickyState>& tireStickyStates,
        PxVehiclePhysXConstraints*& constraints) override {
        axleDescription = &params.axles;
        rigidBodyState = &body;
        suspensionParams.setData(params.suspensions);
        suspensionLimitParams.setData(params.limits);
        suspensionStates.setData(suspensions);
        suspensionComplianceStates.setData(compliances);
        wheelRoadGeomStates.setData(grounds);
        tireDirectionStates.setData(directions);
        tireStickyStates.setData(sticky);
        constraints = &joints;
    }

    void getDataForEngineDrivetrainComponent(const PxVehicleAxleDescription*& axleDescription,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams, const PxVehicleEngineParams*& engineParams,
        const PxVehicleClutchParams*& clutchParams, const PxVehicleGearboxParams*& gearboxParams,
        PxVehicleArrayData<const PxReal>& brakeResponseStates,
        PxVehicleArrayData<const PxVehicleWheelActuationState>& actuationStates,
        PxVehicleArrayData<const PxVehicleTireForce>& tireForces,
        const PxVehicleEngineDriveThrottleCommandResponseState*& throttleResponseState,
        const PxVehicleClutchCommandResponseState*& clutchResponseState,
        const PxVehicleDifferentialState*& differentialState,
        const PxVehicleWheelConstraintGroupState*& constraintGroupState,
        PxVehicleArrayData<PxVehicleWheelRigidBody1dState>& wheelRigidBody1dStates,
        PxVehicleEngineState*& engineState, PxVehicleGearboxState*& gearboxState,
        PxVehicleClutchSlipState*& clutchState) override {
        axleDescription = &params.axles;
        wheelParams.setData(params.wheels);
        engineParams = &params.engine;
        clutchParams = &params.clutch;
        gearboxParams = &params.gearbox;
        brakeResponseStates.setData(brake_responses);
        actuationStates.setData(actuations);
        tireForces.setData(tire_forces);
        throttleResponseState = &throttle;
        clutchResponseState = &clutch;
        differentialState = &differential;
        constraintGroupState = nullptr;
        wheelRigidBody1dStates.setData(spins);
        engineState = &engine;
        gearboxState = &gearbox;
        clutchState = &clutch_slip;
    }

    void getDataForRigidBodyComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleRigidBodyParams*& rigidBodyParams,
        PxVehicleArrayData<const PxVehicleSuspensionForce>& suspensionForces,
        PxVehicleArrayData<const PxVehicleTireForce>& tireForces,
        const PxVehicleAntiRollTorque*& antiRollTorque, PxVehicleRigidBodyState*& rigidBodyState) override {
        axleDescription = &params.axles;
        rigidBodyParams = &params.body;
        suspensionForces.setData(suspension_forces);
        tireForces.setData(tire_forces);
        antiRollTorque = &anti_roll;
        rigidBodyState = &body;
    }

    void getDataForWheelComponent(const PxVehicleAxleDescription*& axleDescription,
        PxVehicleArrayData<const PxReal>& steerResponseStates,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams,
        PxVehicleArrayData<const PxVehicleSuspensionParams>& suspensionParams,
        PxVehicleArrayData<const PxVehicleWheelActuationState>& actuationStates,
        PxVehicleArrayData<const PxVehicleSuspensionState>& suspensionStates,
        PxVehicleArrayData<const PxVehicleSuspensionComplianceState>& suspensionComplianceStates,
        PxVehicleArrayData<const PxVehicleTireSpeedState>& tireSpeedStates,
        PxVehicleArrayData<PxVehicleWheelRigidBody1dState>& wheelRigidBody1dStates,
        PxVehicleArrayData<PxVehicleWheelLocalPose>& wheelLocalPoses) override {
        axleDescription = &params.axles;
        steerResponseStates.setData(steer_responses);
        wheelParams.setData(params.wheels);
        suspensionParams.setData(params.suspensions);
        actuationStates.setData(actuations);
        suspensionStates.setData(suspensions);
        suspensionComplianceStates.setData(compliances);
        tireSpeedStates.setData(speeds);
        wheelRigidBody1dStates.setData(spins);
        wheelLocalPoses.setData(poses);
    }

    void getDataForPhysXActorEndComponent(const PxVehicleAxleDescription*& axleDescription,
        const PxVehicleRigidBodyState*& rigidBodyState,
        PxVehicleArrayData<const PxVehicleWheelParams>& wheelParams,
        PxVehicleArrayData<const PxTransform>& wheelShapeLocalPoses,
        PxVehicleArrayData<const PxVehicleWheelRigidBody1dState>& wheelRigidBody1dStates,
        PxVehicleArrayData<const PxVehicleWheelLocalPose>& wheelLocalPoses,
        const PxVehicleGearboxState*& gearState, PxVehiclePhysXActor*& physxActor) override {
        axleDescription = &params.axles;
        rigidBodyState = &body;
        wheelParams.setData(params.wheels);
        wheelShapeLocalPoses.setData(params.shape_poses);
        wheelRigidBody1dStates.setData(spins);
        wheelLocalPoses.setData(poses);
        gearState = &gearbox;
        physxActor = &actor;
    }
};

}  // namespace vehicle2_cars

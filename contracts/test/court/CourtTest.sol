// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {OperationTest} from "../registry/OperationTest.sol";

/// @notice A dispute in any phase, and what a test says about disputes and arbitrators as a whole.
abstract contract CourtTest is OperationTest {
    uint16 internal constant WHOLE = 10_000;
    uint96 internal constant DISPUTE_BOND = TOTAL / 20;
    bytes32 private constant SETTLE_TYPEHASH = keccak256(
        "MutualSettlement(uint256 taskId,address poster,address worker,uint32 round,uint8 milestone,uint8 state,uint64 updatedAt,uint96 held,uint16 workerBps,uint64 validUntil)"
    );

    /// @dev Opened by the poster in every phase but NONE.
    function disputeIn(Phase phase) internal returns (uint256 taskId) {
        if (phase == Phase.NONE) return delivered();
        if (phase == Phase.PROPOSING) return disputed();
        if (phase == Phase.ASSIGNED) return assigned();
        taskId = escalated();
        if (phase == Phase.ESCALATED) return taskId;
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 5_000, REASON, REASON_URI);
    }

    function expectWrongPhase(Phase phase) internal {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, phase));
    }

    function propose(address party, uint256 taskId, address candidate) internal {
        vm.prank(party);
        court.proposeArbitrator(taskId, candidate);
    }

    function register(address candidate, uint96 amount, uint96 minHeld) internal {
        vm.prank(candidate);
        court.registerArbitrator(amount, minHeld);
    }

    function rule(address judge, uint256 taskId, uint16 workerBps) internal {
        vm.prank(judge);
        court.resolveDispute(taskId, workerBps, REASON, REASON_URI);
    }

    function recordOf(address candidate) internal view returns (IDisputeCourt.Arbitrator memory record) {
        (record,) = court.arbitratorOf(candidate);
    }

    function assertRecord(address candidate, IDisputeCourt.Arbitrator memory expected) internal view {
        IDisputeCourt.Arbitrator memory actual = recordOf(candidate);
        assertEq(actual.bond, expected.bond, "bond");
        assertEq(actual.openCases, expected.openCases, "openCases");
        assertEq(actual.unbondAt, expected.unbondAt, "unbondAt");
        assertEq(abi.encode(actual), abi.encode(expected), "arbitrator");
    }

    function assertDispute(uint256 taskId, IDisputeCourt.Dispute memory expected) internal view {
        IDisputeCourt.Dispute memory actual = court.disputeOf(taskId);
        assertEq(uint256(actual.phase), uint256(expected.phase), "phase");
        assertEq(actual.phaseEnds, expected.phaseEnds, "phaseEnds");
        assertEq(abi.encode(actual), abi.encode(expected), "dispute");
    }

    /// @dev The digest as a wallet computes it from the published types, not as the contracts say it is.
    function settlementDigest(uint256 taskId, uint16 workerBps, uint64 validUntil) internal view returns (bytes32) {
        TaskView memory task = taskOf(taskId);
        bytes memory parties =
            abi.encode(SETTLE_TYPEHASH, taskId, task.poster, task.worker, task.round, task.milestone);
        bytes memory moment =
            abi.encode(uint8(task.state), task.updatedAt, escrow.held(taskId), workerBps, validUntil);
        bytes32 domain = domainSeparator(8453, address(registry));
        return typedDigest(domain, keccak256(bytes.concat(parties, moment)));
    }
}

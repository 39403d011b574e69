// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../registry/OperationTest.sol";

/// @notice A dispute in any phase, and what a test says about disputes and arbitrators as a whole.
abstract contract CourtTest is OperationTest {
    uint16 internal constant WHOLE = 10_000;
    uint96 internal constant DISPUTE_BOND = TOTAL / 20;
    bytes32 private constant SETTLE_TYPEHASH = keccak256(
        "MutualSettlement(uint256 taskId,address poster,address worker,uint32 round,uint8 milestone,uint8 state,uint64 updatedAt,uint96 held,uint8 phase,uint16 workerBps,uint64 validUntil)"
    );

    /// @dev Answered by the worker with its bond in every phase after ANSWERING.
    function disputeIn(Phase phase) internal returns (uint256 taskId) {
        if (phase == Phase.NONE) return delivered();
        if (phase == Phase.ANSWERING) return disputed();
        if (phase == Phase.PROPOSING) return answered();
        if (phase == Phase.ASSIGNED) return assigned();
        taskId = escalated();
        if (phase == Phase.CLOSED) rule(fallbackArbitrator, taskId, 5_000);
    }

    /// @dev The phases in which a case runs.
    function openPhases() internal pure returns (Phase[4] memory) {
        return [Phase.ANSWERING, Phase.PROPOSING, Phase.ASSIGNED, Phase.ESCALATED];
    }

    /// @dev An answered dispute of a task of this size with one milestone.
    function answeredOver(uint96 total) internal returns (uint256 taskId) {
        taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        answerWithBond(taskId);
    }

    function propose(address party, uint256 taskId, address candidate) internal {
        courtAs(party).proposeArbitrator(taskId, candidate);
    }

    function register(address candidate, uint96 amount, uint96 minHeld) internal {
        courtAs(candidate).registerArbitrator(amount, minHeld);
    }

    function unbond(address candidate) internal returns (uint64 freeAfter) {
        courtAs(candidate).requestUnbond();
        return recordOf(candidate).unbondAt;
    }

    function rule(address judge, uint256 taskId, uint16 workerBps) internal {
        courtAs(judge).resolveDispute(taskId, workerBps, REASON, REASON_URI);
    }

    /// @dev Both parties settle, the poster by its own call.
    function settleByBoth(uint256 taskId, uint16 workerBps) internal {
        bytes memory workerSig = signWith(workerKey, settlementDigest(taskId, workerBps, clock()));
        courtAs(poster).mutualSettle(taskId, workerBps, clock(), "", workerSig);
    }

    /// @dev A new fallback arbitrator that accepted and is in force for tasks claimed from now on.
    function replaceFallback(address next) internal {
        courtAs(owner).scheduleFallback(next);
        courtAs(next).acceptFallback();
        // A term counts from the first midnight on or after its beginning.
        skip(31 days);
        assertEq(court.fallbackArbitrator(), next, "fallback arbitrator");
    }

    function recordOf(address candidate) internal view returns (IDisputeCourt.Arbitrator memory record) {
        (record, ) = court.arbitratorOf(candidate);
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
        assertEq(actual.judge, expected.judge, "judge");
        assertEq(abi.encode(actual), abi.encode(expected), "dispute");
        assertEq(uint256(court.phaseOf(taskId)), uint256(expected.phase), "phaseOf");
    }

    /// @dev The digest as a wallet computes it from the published types, not as the contracts say it is.
    function settlementDigest(uint256 taskId, uint16 workerBps, uint64 validUntil) internal view returns (bytes32) {
        TaskView memory task = taskOf(taskId);
        bytes memory parties = abi.encode(
            SETTLE_TYPEHASH,
            taskId,
            task.poster,
            task.worker,
            task.round,
            task.milestone
        );
        bytes memory moment = abi.encode(uint8(task.state), task.updatedAt, escrow.heldOf(taskId));
        bytes memory offer = abi.encode(uint8(court.phaseOf(taskId)), workerBps, validUntil);
        bytes32 domain = domainSeparator(8453, address(registry));
        return typedDigest(domain, keccak256(bytes.concat(parties, moment, offer)));
    }
}

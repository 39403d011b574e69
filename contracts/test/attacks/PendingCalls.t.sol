// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Somebody orders transactions so that a call meant for one moment lands in another: a redelivery after its
/// acceptance, a withdrawal after the start, a dismissal or a payment that hits the next worker, a dispute over work
/// that the poster has not seen.
/// Answer: every such call names the milestone, state, delivery or digest that its sender saw, and fails on any
/// other.
abstract contract PendingCalls is CourtAttackTest {
    /// @dev In the first edition a redelivery of milestone 0 that landed after its acceptance became the delivery of
    /// milestone 1, and a correct ruling about that was nothing for the worker.
    function test_aRedeliveryThatLandsAfterItsAcceptanceIsRefused() public atEveryAmount {
        uint256 taskId = activeWith(2 * roomy(atStake), pair(roomy(atStake), roomy(atStake)));
        deliver(taskId);
        accept(taskId);
        Wealth memory victim = wealthOf(worker);
        expectWrongMilestone(1);
        deliverJunk(taskId, 0);
        assertState(taskId, State.ACTIVE);
        assertOutcome(worker, victim, 0, 0);
    }

    /// @dev The worker improves its work; the poster's dispute was about the work before and must not hit the new
    /// one.
    function test_aRedeliveryThatLandsBeforeTheDisputeVoidsTheDispute() public atEveryAmount {
        uint256 taskId = deliveredWorth(atStake);
        uint64 seen = taskOf(taskId).updatedAt;
        skip(1 hours);
        deliver(taskId);
        expectDeliveredAgain(clock());
        openDisputeOf(taskId, seen);
        assertOutcome(poster, posterThen, 0, 0);
        assertState(taskId, State.DELIVERED);
    }

    /// @dev A worker that delivers again in front of every dispute keeps money locked, to press for a settlement. A
    /// poster that has seen enough waives the check: its dispute then lands on whichever delivery there is.
    function test_deliveringInFrontOfEveryDisputeStopsNoPosterThatWaivesTheCheck() public atEveryAmount {
        uint256 taskId = deliveredWorth(atStake);
        for (uint256 turn = 0; turn < 5; ++turn) {
            uint64 seen = taskOf(taskId).updatedAt;
            skip(REVIEW);
            deliver(taskId);
            expectDeliveredAgain(clock());
            openDisputeOf(taskId, seen);
        }
        openDisputeOf(taskId, type(uint64).max);
        lapse(taskId);
        assertEnd(taskId, int256(uint256(atStake)), collateral(), 0, -collateral());
    }

    function test_aPendingCompletionNeverPaysTheNextWorker() public atEveryAmount {
        uint256 taskId = activeWith(roomy(atStake), noMilestones());
        bytes32 meant = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        bytes32 stored = digestOf(taskId);
        worker = rival;
        start(taskId);
        Wealth memory attacker = wealthOf(rival);
        expectDigestMismatch(stored);
        registryAs(poster).completeTask(taskId, meant);
        assertOutcome(rival, attacker, 0, 0);
        assertEq(escrow.held(taskId), roomy(atStake));
    }

    /// @dev The worker withdraws its good work in front of the poster's acceptance; an accomplice claims the task,
    /// starts it after the poster's day of silence and delivers junk. The acceptance, still pending, would pay it.
    function test_aPendingAcceptanceCannotPayTheNextWorkersDelivery() public atEveryAmount {
        uint256 taskId = activeWith(roomy(atStake), noMilestones());
        deliver(taskId);
        uint64 seen = taskOf(taskId).updatedAt;
        leaveTask(taskId);
        claim(taskId, rival);
        skip(1 days + 1);
        bytes32 digest = digestOf(taskId);
        vm.startPrank(rival);
        registry.startWork(taskId, digest);
        registry.submitProof(taskId, 0, keccak256("junk"), "");
        vm.stopPrank();
        Wealth memory attacker = wealthOf(rival);
        expectDeliveredAgain(clock());
        registryAs(poster).acceptMilestone(taskId, 0, seen);
        assertOutcome(rival, attacker, 0, 0);
        assertEq(escrow.held(taskId), roomy(atStake));
    }

    /// @dev The worker swaps its work in front of the acceptance: the poster pays only what it saw.
    function test_aDeliverySwappedInFrontOfItsAcceptanceIsNotPaid() public atEveryAmount {
        uint256 taskId = deliveredWorth(atStake);
        uint64 seen = taskOf(taskId).updatedAt;
        uint8 milestone = taskOf(taskId).milestone;
        skip(12);
        deliverJunk(taskId, milestone);
        expectDeliveredAgain(clock());
        registryAs(poster).acceptMilestone(taskId, milestone, seen);
        assertOutcome(worker, workerThen, 0, 0);
        assertState(taskId, State.DELIVERED);
    }

    /// @dev The poster moves the deadline in front of a claim: the claim fails instead of taking other terms.
    function test_aMovedDeadlineInFrontOfAClaimVoidsTheClaim() public {
        uint256 taskId = posted();
        bytes32 read = registry.openDigest(taskId, worker);
        registryAs(poster).extendDeadline(taskId, clock() + 300 days);
        Wealth memory victim = wealthOf(worker);
        bytes32 stored = registry.openDigest(taskId, worker);
        expectDigestMismatch(stored);
        registryAs(worker).claimTask(taskId, read);
        assertOutcome(worker, victim, 0, 0);
    }

    /// @dev After the claim it only gives the worker time: the digest, the bond and the ways out are what they were.
    function testFuzz_aMovedDeadlineAfterTheClaimTakesNothingFromTheWorker(uint256 more, bool started) public {
        uint256 taskId = started ? active() : claimed();
        bytes32 digest = digestOf(taskId);
        uint64 deadline = taskOf(taskId).deadline;
        uint64 later = uint64(bound(more, deadline + 1, clock() + 365 days));
        registryAs(poster).extendDeadline(taskId, later);
        assertEq(digestOf(taskId), digest);
        if (!started) start(taskId);
        vm.warp(later + 1 days);
        deliver(taskId);
        Wealth memory before = wealthOf(worker);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, before, int256(uint256(TOTAL)), 0);
    }

    /// @dev The worker sees the dispute coming and withdraws its work in front of it. It pays the fee for leaving and
    /// half of its bond, more than a concession takes while the fee is worth more than the other half; the poster has its bond untouched and the task back in the list.
    function test_leavingInFrontOfADisputeCostsMoreThanConceding() public atEveryAmount {
        uint256 taskId = deliveredWorth(atStake);
        uint64 seen = taskOf(taskId).updatedAt;
        leaveTask(taskId);
        expectWrongState(taskId, State.POSTED);
        openDisputeOf(taskId, seen);
        assertOutcome(poster, posterThen, 0, collateral() / 2);
        assertOutcome(worker, workerThen, -int256(uint256(FEE)), -collateral() / 2);
        registryAs(poster).cancelTask(taskId);
        assertOutcome(poster, posterThen, int256(uint256(atStake)), collateral() / 2);
    }

    /// @dev Where a whole task is needed, at least the smallest one.
    function roomy(uint96 amount) private pure returns (uint96) {
        return amount < 100e18 ? 100e18 : amount;
    }
}

contract PendingCallsStandardTest is PendingCalls {}

contract PendingCallsMicroTest is OnMicro, PendingCalls {}

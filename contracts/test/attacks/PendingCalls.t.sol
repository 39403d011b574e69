// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev Somebody orders transactions so that a call meant for one moment lands in another: a redelivery after its
/// acceptance, a withdrawal after the start, a dismissal or a payment that hits the next worker, a dispute over work
/// that the poster has not seen.
/// Answer: every such call names the milestone, state, delivery or digest that its sender saw, and fails on any
/// other.
abstract contract PendingCalls is CourtAttackTest {
    /// @dev In the first edition a redelivery of milestone 0 that landed after its acceptance became the delivery of
    /// milestone 1, and a correct ruling about that was nothing for the worker.
    function test_aRedeliveryThatLandsAfterItsAcceptanceIsRefused() public {
        atEveryAmount(redeliverLate);
    }

    function redeliverLate(uint96 amount) private {
        uint256 taskId = activeWith(2 * roomy(amount), pair(roomy(amount), roomy(amount)));
        deliver(taskId);
        accept(taskId);
        Wealth memory victim = wealthOf(worker);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongMilestone.selector, 1));
        deliverJunk(taskId, 0);
        assertState(taskId, State.ACTIVE);
        assertOutcome(worker, victim, 0, 0);
    }

    /// @dev The worker improves its work; the poster's dispute was about the work before and must not hit the new
    /// one.
    function test_aRedeliveryThatLandsBeforeTheDisputeVoidsTheDispute() public {
        atEveryAmount(redeliverInFront);
    }

    function redeliverInFront(uint96 amount) private {
        uint256 taskId = deliveredWorth(amount);
        uint64 seen = taskOf(taskId).updatedAt;
        skip(1 hours);
        deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeliveredAgain.selector, clock()));
        openDisputeOf(taskId, seen);
        assertOutcome(poster, posterThen, 0, 0);
        assertState(taskId, State.DELIVERED);
    }

    /// @dev A worker that delivers again in front of every dispute keeps money locked, to press for a settlement. A
    /// poster that has seen enough waives the check: its dispute then lands on whichever delivery there is.
    function test_deliveringInFrontOfEveryDisputeStopsNoPosterThatWaivesTheCheck() public {
        atEveryAmount(blockDisputes);
    }

    function blockDisputes(uint96 amount) private {
        uint256 taskId = deliveredWorth(amount);
        for (uint256 turn = 0; turn < 5; ++turn) {
            uint64 seen = taskOf(taskId).updatedAt;
            skip(REVIEW);
            deliver(taskId);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeliveredAgain.selector, clock()));
            openDisputeOf(taskId, seen);
        }
        openDisputeOf(taskId, type(uint64).max);
        lapse(taskId);
        assertEnd(taskId, int256(uint256(amount)), collateral(), 0, -collateral());
    }

    /// @dev Waiving the check does not waive the review period.
    function testFuzz_reverts_whenTheReviewIsOver(uint256 wait, bool waive) public {
        uint256 taskId = deliveredWorth(1_000e18);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        uint64 ends = deliveredAt + REVIEW;
        vm.warp(bound(wait, ends - 1, ends + 1 days));
        bool over = clock() > ends;
        if (over) vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewOver.selector, ends));
        openDisputeOf(taskId, waive ? type(uint64).max : deliveredAt);
        assertState(taskId, over ? State.DELIVERED : State.DISPUTED);
    }

    /// @dev Leaving before the start is free of a bond; if the poster starts first, the leaving worker must not be
    /// slashed.
    function test_leavingBeforeTheStartNeverBecomesASlash() public {
        uint256 taskId = claimed();
        Wealth memory victim = wealthOf(worker);
        start(taskId);
        expectWrongState(taskId, State.ACTIVE);
        vm.prank(worker);
        registry.leaveTask(taskId, State.CLAIMED);
        assertOutcome(worker, victim, 0, 0);
        assertEq(taskOf(taskId).worker, worker);
    }

    /// @dev Nor does leaving from ACTIVE land on work that was delivered meanwhile, or in a dispute.
    function test_leavingNeverLandsInAnotherState() public {
        uint256 taskId = active();
        deliver(taskId);
        expectWrongState(taskId, State.DELIVERED);
        vm.prank(worker);
        registry.leaveTask(taskId, State.ACTIVE);
        openDispute(taskId);
        expectWrongState(taskId, State.DISPUTED);
        vm.prank(worker);
        registry.leaveTask(taskId, State.DELIVERED);
        expectWrongState(taskId, State.DISPUTED);
        vm.prank(worker);
        registry.leaveTask(taskId, State.DISPUTED);
    }

    /// @dev The poster means one claimant; that one leaves and another claims. The digests name worker and round.
    function test_aPendingDismissalNeverHitsTheNextClaimant() public {
        uint256 taskId = claimed();
        bytes32 meant = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        Wealth memory victim = wealthOf(rival);
        bytes32 stored = digestOf(taskId);
        expectDigestMismatch(stored);
        vm.prank(poster);
        registry.dismissWorker(taskId, meant);
        worker = rival;
        start(taskId);
        expectDigestMismatch(stored);
        vm.prank(poster);
        registry.giveDismissNotice(taskId, meant);
        assertOutcome(rival, victim, 0, 0);
        assertEq(taskOf(taskId).worker, rival);
    }

    /// @dev Even the same worker in another round is another engagement.
    function test_aPendingDismissalNeverHitsTheSameWorkersNextRound() public {
        uint256 taskId = claimed();
        bytes32 meant = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, worker);
        bytes32 stored = digestOf(taskId);
        expectDigestMismatch(stored);
        vm.prank(poster);
        registry.dismissWorker(taskId, meant);
    }

    function test_aPendingCompletionNeverPaysTheNextWorker() public {
        atEveryAmount(completeLate);
    }

    function completeLate(uint96 amount) private {
        uint256 taskId = activeWith(roomy(amount), noMilestones());
        bytes32 meant = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        bytes32 stored = digestOf(taskId);
        worker = rival;
        start(taskId);
        Wealth memory attacker = wealthOf(rival);
        expectDigestMismatch(stored);
        vm.prank(poster);
        registry.completeTask(taskId, meant);
        assertOutcome(rival, attacker, 0, 0);
        assertEq(escrow.held(taskId), roomy(amount));
    }

    /// @dev The worker withdraws its good work in front of the poster's acceptance; an accomplice claims the task,
    /// starts it after the poster's day of silence and delivers junk. The acceptance, still pending, would pay it.
    function test_aPendingAcceptanceCannotPayTheNextWorkersDelivery() public {
        atEveryAmount(acceptNextDelivery);
    }

    function acceptNextDelivery(uint96 amount) private {
        uint256 taskId = activeWith(roomy(amount), noMilestones());
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
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeliveredAgain.selector, clock()));
        vm.prank(poster);
        registry.acceptMilestone(taskId, 0, seen);
        assertOutcome(rival, attacker, 0, 0);
        assertEq(escrow.held(taskId), roomy(amount));
    }

    /// @dev The worker swaps its work in front of the acceptance: the poster pays only what it saw.
    function test_aDeliverySwappedInFrontOfItsAcceptanceIsNotPaid() public {
        atEveryAmount(swapDelivery);
    }

    function swapDelivery(uint96 amount) private {
        uint256 taskId = deliveredWorth(amount);
        uint64 seen = taskOf(taskId).updatedAt;
        uint8 milestone = taskOf(taskId).milestone;
        skip(12);
        deliverJunk(taskId, milestone);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeliveredAgain.selector, clock()));
        vm.prank(poster);
        registry.acceptMilestone(taskId, milestone, seen);
        assertOutcome(worker, workerThen, 0, 0);
        assertState(taskId, State.DELIVERED);
    }

    /// @dev The poster moves the deadline in front of a claim: the claim fails instead of taking other terms.
    function test_aMovedDeadlineInFrontOfAClaimVoidsTheClaim() public {
        uint256 taskId = posted();
        bytes32 read = registry.openDigest(taskId, worker);
        extend(taskId, 300 days);
        Wealth memory victim = wealthOf(worker);
        bytes32 stored = registry.openDigest(taskId, worker);
        expectDigestMismatch(stored);
        vm.prank(worker);
        registry.claimTask(taskId, read);
        assertOutcome(worker, victim, 0, 0);
    }

    /// @dev After the claim it only gives the worker time: the digest, the bond and the ways out are what they were.
    function testFuzz_aMovedDeadlineAfterTheClaimTakesNothingFromTheWorker(uint256 more, bool started) public {
        uint256 taskId = started ? active() : claimed();
        bytes32 digest = digestOf(taskId);
        uint64 deadline = taskOf(taskId).deadline;
        uint64 later = uint64(bound(more, deadline + 1, clock() + 365 days));
        vm.prank(poster);
        registry.extendDeadline(taskId, later);
        assertEq(digestOf(taskId), digest);
        if (!started) start(taskId);
        vm.warp(later + 1 days);
        deliver(taskId);
        Wealth memory before = wealthOf(worker);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, before, int256(uint256(TOTAL)), 0);
    }

    function testFuzz_reverts_whenADeadlineIsMovedBackOrTooFar(uint256 deadline) public {
        uint256 taskId = active();
        uint64 current = taskOf(taskId).deadline;
        bool tooFar = deadline % 2 == 0;
        uint64 wanted =
            tooFar
                ? uint64(bound(deadline, clock() + 365 days + 1, type(uint64).max))
                : uint64(bound(deadline, 0, current));
        expectBadTerms("deadline");
        vm.prank(poster);
        registry.extendDeadline(taskId, wanted);
    }

    /// @dev The worker sees the dispute coming and withdraws its work in front of it. It pays the fee for leaving and
    /// its bond, more than a concession takes; the poster has its bond untouched and the task back in the list.
    function test_leavingInFrontOfADisputeCostsMoreThanConceding() public {
        atEveryAmount(leaveInFront);
    }

    function leaveInFront(uint96 amount) private {
        uint256 taskId = deliveredWorth(amount);
        uint64 seen = taskOf(taskId).updatedAt;
        leaveTask(taskId);
        expectWrongState(taskId, State.POSTED);
        openDisputeOf(taskId, seen);
        assertOutcome(poster, posterThen, 0, collateral());
        assertOutcome(worker, workerThen, -int256(uint256(FEE)), -collateral());
        vm.prank(poster);
        registry.cancelTask(taskId);
        assertOutcome(poster, posterThen, int256(uint256(amount)), collateral());
    }

    /// @dev A worker that delivered in time and withdraws after the deadline gives the task back with the time it had
    /// left; in the first draft the task was over and the poster had lost its place in the list.
    function testFuzz_withdrawnWorkLeavesTheNextWorkerTheTimeThatWasLeft(uint256 deliverAt, uint256 wait) public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(bound(deliverAt, START, deadline + 1 days));
        uint64 deliveredAt = clock();
        deliver(taskId);
        skip(bound(wait, 0, 60 days));
        Wealth memory victim = wealthOf(poster);
        leaveTask(taskId);
        bool inTime = deliveredAt <= deadline;
        assertState(taskId, inTime ? State.POSTED : State.CANCELLED);
        if (inTime) assertEq(taskOf(taskId).deadline - clock(), deadline - deliveredAt);
        assertOutcome(poster, victim, inTime ? int256(0) : int256(uint256(TOTAL)), collateral());
    }

    /// @dev A time-out and a dispute on their way at once: the first one counts, and the second one costs nobody
    /// anything.
    function test_theSecondOfTwoCallsThatExcludeEachOtherCostsNothing() public {
        uint256 taskId = delivered();
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        skip(REVIEW + 1);
        Wealth memory before = wealthOf(poster);
        registry.resolveTimedOut(taskId);
        expectWrongState(taskId, State.COMPLETED);
        openDisputeOf(taskId, deliveredAt);
        expectWrongState(taskId, State.COMPLETED);
        registry.resolveTimedOut(taskId);
        assertOutcome(poster, before, 0, 0);
    }

    function extend(uint256 taskId, uint64 ahead) private {
        vm.prank(poster);
        registry.extendDeadline(taskId, clock() + ahead);
    }

    /// @dev Where a whole task is needed, at least the smallest one.
    function roomy(uint96 amount) private pure returns (uint96) {
        return amount < 100e18 ? 100e18 : amount;
    }
}

contract PendingCallsStandardTest is PendingCalls {}

contract PendingCallsMicroTest is PendingCalls {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

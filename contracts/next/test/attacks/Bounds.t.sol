// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./WealthTest.sol";
import {RoundsFeed} from "../mocks/Feeds.sol";

/// @notice Rules with two facts in them, where each fact is tried beside the other: bounds of terms, clocks of several kinds, and who
/// has which bond.
abstract contract BoundsTest is WealthTest {
    uint96 private constant CAP = 20_000e18;
    RoundsFeed private _sequencer;

    function setUp() public virtual override {
        vm.warp(START - 30 days);
        _sequencer = new RoundsFeed();
        sequencerFeed = address(_sequencer);
        super.setUp();
    }

    function launchCap() internal pure override returns (uint96) {
        return CAP;
    }

    function expectBadAmount() private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadMilestones.selector, bytes32("amount")));
    }

    function test_aMilestoneHasACapAndTheTotalHasNone() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = CAP + 1;
        expectBadAmount();
        registryAs(poster).postTask(params);
        params.totalAmount = CAP;
        registryAs(poster).postTask(params);
        params.totalAmount = 2 * CAP;
        params.milestones = pair(CAP, CAP);
        registryAs(poster).postTask(params);
        params.milestones = pair(CAP + 1, CAP - 1);
        expectBadAmount();
        registryAs(poster).postTask(params);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MaxMilestoneRaised(CAP + 1);
        registryAs(owner).raiseMaxMilestone(CAP + 1);
        registryAs(poster).postTask(params);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("maxMilestone")));
        registryAs(owner).raiseMaxMilestone(CAP + 1);
    }

    function test_theSmallestPartIsATwentieth() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = 20_000e18;
        params.milestones = pair(1_000e18, 19_000e18);
        registryAs(poster).postTask(params);
        params.milestones = pair(1_000e18 - 1, 19_000e18 + 1);
        expectBadAmount();
        registryAs(poster).postTask(params);
        uint256 short = parameters().minTotal - 1;
        params.milestones = noMilestones();
        params.totalAmount = uint96(short);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("totalAmount")));
        registryAs(poster).postTask(params);
    }

    function test_pausesDoNotAddUp() public {
        registryAs(owner).setEntriesPaused(true);
        skip(7 days);
        uint64 until = clock() + 14 days;
        vm.expectEmit(address(registry));
        emit ITaskRegistry.EntriesPaused(true, until);
        registryAs(owner).setEntriesPaused(true);
        vm.warp(until);
        assertTrue(registry.entriesPaused());
        skip(1);
        assertFalse(registry.entriesPaused());
    }

    function test_aDeadlineIsNotShortenedAndEndsWithinAYear() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("deadline")));
        registryAs(poster).extendDeadline(taskId, deadline - 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("deadline")));
        registryAs(poster).extendDeadline(taskId, deadline);
        registryAs(poster).extendDeadline(taskId, deadline + 10 days);
        // The bound counts from what the worker accepted, not from what the poster has set since.
        uint64 accepted = deadline - parameters().minReview;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("deadline")));
        registryAs(poster).extendDeadline(taskId, accepted + 30 days + 1);
        uint256 open = posted();
        uint64 year = clock() + 365 days;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("deadline")));
        registryAs(poster).extendDeadline(open, year + 1);
        registryAs(poster).extendDeadline(open, year);
    }

    function test_theReviewAndNotTheTrialBoundsADispute() public {
        uint256 taskId = delivered();
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        vm.warp(deliveredAt + REVIEW);
        uint256 snapshot = vm.snapshotState();
        registryAs(poster).openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
        vm.revertToState(snapshot);
        skip(1);
        bytes memory over = abi.encodeWithSelector(ITaskRegistry.ReviewOver.selector, deliveredAt + REVIEW);
        vm.expectRevert(over);
        registryAs(poster).openDispute(taskId, type(uint64).max, EVIDENCE, EVIDENCE_URI);
    }

    function test_workIsDeliveredUpToADayAfterTheMovedDeadline() public {
        uint256 taskId = active();
        uint64 end = taskOf(taskId).deadline + 1 days;
        vm.warp(end);
        uint256 snapshot = vm.snapshotState();
        deliver(taskId);
        vm.revertToState(snapshot);
        dismiss(taskId);
        vm.revertToState(snapshot);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, end));
        registryAs(worker).submitProof(taskId, 0, PROOF, "");
        bytes32 digest = taskOf(taskId).settlementDigest;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, end));
        registryAs(poster).dismissWorker(taskId, digest);
    }

    /// @dev The day runs from the claim, however old the post is.
    function test_aClaimIsFundedWithinADayOfTheClaim() public {
        uint256 taskId = postedUnfunded();
        skip(5 days);
        claim(taskId, worker);
        uint64 end = clock() + 1 days;
        vm.warp(end);
        expectTooEarly(end);
        registry.resolveTimedOut(taskId);
        uint256 snapshot = vm.snapshotState();
        registryAs(poster).fundTask(taskId, TOTAL);
        assertEq(taskOf(taskId).trialEnds, clock() + parameters().minReview);
        vm.revertToState(snapshot);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, end));
        registryAs(poster).fundTask(taskId, TOTAL);
    }

    /// @dev What is left of a task is claimed by a second worker: funded in full once, though escrow holds less.
    function test_aSecondWorkerGetsAPaidTaskAtOnce() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        skip(1 days);
        uint64 deadline = taskOf(taskId).deadline;
        leaveTask(taskId);
        assertEq(taskOf(taskId).deadline, deadline, "work in progress gives no time back");
        claim(taskId, rival);
        assertState(taskId, State.ACTIVE);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        deliver(taskId);
        skip(2 hours);
        deadline = taskOf(taskId).deadline;
        leaveTask(taskId);
        assertEq(taskOf(taskId).deadline, deadline + 2 hours, "a delivery under review does");
        TaskView memory task = taskOf(taskId);
        assertEq(task.milestone, 2);
        claim(taskId, worker);
        TaskTerms memory terms = signedTerms(Scope.OPEN, noMilestones());
        terms.totalAmount = 3_000e18;
        terms.deadline = task.deadline;
        terms.salt = bytes32((taskId << 32) | 2);
        terms.acceptBy = 0;
        assertEq(taskOf(taskId).settlementDigest, registry.hashTerms(terms), "terms of what is left");
        registryAs(poster).extendDeadline(taskId, task.deadline + 20 days);
        assertEq(taskOf(taskId).settlementDigest, registry.hashTerms(terms), "a moved deadline changes no terms");
        start(taskId);
        deliver(taskId);
        accept(taskId);
        assertState(taskId, State.COMPLETED);
        assertNothingLeft(taskId);
    }

    function test_theRestIsPaidAndSettledAsItIsHeld() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        start(taskId);
        uint256 snapshot = vm.snapshotState();
        Wealth memory before = wealthOf(worker);
        complete(taskId);
        assertWon(worker, before, D, 0, "all of it");
        vm.revertToState(snapshot);
        bytes32 digest = registry.hashSettlement(taskId, 10_000, clock());
        courtAs(poster).mutualSettle(taskId, 10_000, clock(), "", signWith(workerKey, digest));
        assertWon(worker, before, D, 0, "all of it by agreement");
        assertNothingLeft(taskId);
    }

    function test_aListedTaskEndsWithItsMovedDeadline() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline);
        uint256 snapshot = vm.snapshotState();
        leaveTask(taskId);
        assertState(taskId, State.POSTED);
        vm.revertToState(snapshot);
        skip(1);
        leaveTask(taskId);
        assertState(taskId, State.CANCELLED);
        assertNothingLeft(taskId);
    }

    function test_leavingBeforeTheFundingGivesTheTimeBack() public {
        uint256 taskId = claimed();
        uint64 deadline = taskOf(taskId).deadline;
        skip(10 hours);
        leaveTask(taskId);
        assertEq(taskOf(taskId).deadline, deadline + 10 hours);
    }

    // Vouched work ends in every state with both bonds of the poster

    function test_aDismissedVouchedWorkerFreesThePostersBond() public {
        (uint256 taskId, ) = vouched(noMilestones());
        dismiss(taskId);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertEq(lockedOf(poster), parameters().bondUsdc);
        assertState(taskId, State.POSTED);
    }

    function test_onlyTheWorkersMoneyIsTakenWithoutVouching() public {
        Wealth memory ofPoster = wealthOf(poster);
        Wealth memory ofWorker = wealthOf(worker);
        uint256 taskId = created(Scope.PRIVATE);
        assertWon(poster, ofPoster, -A - D, 0, "poster");
        assertWon(worker, ofWorker, -A, 0, "worker");
        assertEq(lockedOf(poster), parameters().bondUsdc);
        assertEq(lockedOf(worker), parameters().bondUsdc);
        assertEq(taskOf(taskId).trialEnds, 0, "chosen by name");
    }

    function test_signedTermsAreGoodUntilTheirDay() public {
        TaskTerms memory terms = signedTerms(Scope.OPEN, noMilestones());
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        vm.warp(terms.acceptBy + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, terms.acceptBy));
        registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 0);
        vm.warp(terms.acceptBy);
        registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 0);
    }

    // The court

    /// @dev The fallback of the day of the claim judges: not that of the post, of the dispute or of today.
    function test_theDayOfTheClaimDecidesTheFallback() public {
        ITaskRegistry.PostParams memory params = postParams();
        (params.deadline, params.fundNow) = (clock() + 100 days, TOTAL);
        uint256 early = registryAs(poster).postTask(params);
        uint256 late = registryAs(poster).postTask(params);
        claim(early, worker);
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        skip(32 days);
        claim(late, worker);
        start(late);
        uint256[2] memory tasks = [early, late];
        address[2] memory judges = [fallbackArbitrator, stranger];
        for (uint256 index = 0; index < 2; ++index) {
            deliver(tasks[index]);
            openDispute(tasks[index]);
            answerWithoutBond(tasks[index]);
            assertEq(court.disputeOf(tasks[index]).judge, judges[index]);
        }
    }

    function test_aPartyThatIsTheFallbackLosesByItsSilence() public {
        courtAs(owner).scheduleFallback(worker);
        courtAs(worker).acceptFallback();
        skip(32 days);
        uint256 taskId = disputed();
        answerWithBond(taskId);
        // Another term has begun since.
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        skip(32 days);
        court.escalate(taskId);
        assertEq(court.disputeOf(taskId).judge, address(0));
        skip(7 days + 1);
        Wealth memory before = wealthOf(poster);
        court.resolveTimedOut(taskId);
        assertWon(poster, before, D + F, 0, "the poster");
    }

    function test_theWindowsOfTheFallback() public {
        uint256 first = disputed();
        answerWithoutBond(first);
        assertEq(court.disputeOf(first).phaseEnds, clock() + 4 days, "without a bond");
        uint256 second = answered();
        assertEq(court.disputeOf(second).phaseEnds, clock() + 3 days, "naming");
        skip(3 days + 1);
        court.escalate(second);
        assertEq(court.disputeOf(second).phaseEnds, clock() + 7 days, "with bonds");
    }

    function test_rulingsOfTheFallbackAreNoRecord() public {
        uint256 taskId = escalated();
        rule(taskId, 10_000);
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(fallbackArbitrator);
        assertEq(record.resolved, 0);
        taskId = assigned();
        rule(taskId, 10_000);
        (record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.resolved, 1);
        assertEq(record.pairs, 1);
        assertEq(record.judgedAmount, TOTAL);
        assertEq(record.openCases, 0);
    }

    function test_theEventSaysWhatTheJudgeGot() public {
        uint256 taskId = escalated();
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, fallbackArbitrator, 4_000, REASON, TOTAL / 20, REASON_URI);
        rule(taskId, 4_000);
        taskId = unbonded();
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, fallbackArbitrator, 4_000, REASON, 0, REASON_URI);
        rule(taskId, 4_000);
        taskId = escalated();
        skip(8 days);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, fallbackArbitrator, 4_000, REASON, 0, REASON_URI);
        rule(taskId, 4_000);
    }

    /// @dev One side that was heard is not enough.
    function test_bothSidesAreHeard() public {
        for (uint256 way = 0; way < 2; ++way) {
            uint256 taskId = disputed();
            answerWithoutBond(taskId);
            courtAs(way == 0 ? poster : worker).submitEvidence(taskId, 0, "");
            uint64 from = clock() + parameters().hearing;
            expectTooEarly(from - 1);
            courtAs(fallbackArbitrator).resolveDispute(taskId, 0, REASON, REASON_URI);
            vm.warp(from);
            rule(taskId, 0);
        }
    }

    function test_aMissCostsTheArbitratorWhatWasAtStake() public {
        courtAs(arbitrator).registerArbitrator(10 * MIN_BOND, 0);
        uint256 taskId = post(noMilestones(), 0);
        ITaskRegistry.PostParams memory params = postParams();
        (params.totalAmount, params.fundNow) = (CAP, CAP);
        taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        openDispute(taskId);
        answerWithBond(taskId);
        agree(taskId, arbitrator);
        skip(5 days + 1);
        uint256 before = tok.balanceOf(treasury);
        court.escalate(taskId);
        assertEq(tok.balanceOf(treasury) - before, CAP / 20);
    }

    function test_anOutageHoldsTheClocksThatRunOutInIt() public {
        uint256 taskId = disputed();
        skip(3 days - 1 hours);
        _sequencer.set(true);
        skip(2 hours);
        uint64 end = court.disputeOf(taskId).phaseEnds;
        expectTooEarly(end);
        court.resolveTimedOut(taskId);
        _sequencer.set(false);
        skip(1 hours);
        expectTooEarly(end);
        court.resolveTimedOut(taskId);
        skip(1);
        court.resolveTimedOut(taskId);
    }

    function test_theRegistrysClocksWaitForTheChain() public {
        uint256 taskId = delivered();
        skip(REVIEW - 1 hours);
        _sequencer.set(true);
        skip(2 hours);
        expectTooEarly(taskOf(taskId).updatedAt + REVIEW);
        registry.resolveTimedOut(taskId);
        openDispute(taskId);
        assertState(taskId, State.DISPUTED);
    }
}

contract BoundsStandardTest is BoundsTest {}

contract BoundsMicroTest is OnMicro, BoundsTest {}

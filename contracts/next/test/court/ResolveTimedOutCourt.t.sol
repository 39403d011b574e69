// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev resolveTimedOut of the court, called by anyone
///   before the window has passed                     reverts, at its last second too
///   in ANSWERING: nobody answered                    milestone, bond and the worker's collateral go to the poster;
///                                                    counted as a ruling
///   in ESCALATED: the fallback arbitrator was silent; both bonds return, collateral is unlocked, nobody is marked
///     both put up a bond                             the milestone is halved
///     only the poster did                            the milestone goes to the poster
///     the fallback arbitrator is a party             the milestone goes to the other one
contract ResolveTimedOutCourtTest is EndingTest {
    function test_reverts_untilTheFallbacksTimeIsOver() public {
        uint256 afterEscalation = escalated();
        passTheLastSecond(afterEscalation);
        crank(afterEscalation);
        assertState(afterEscalation, State.RESOLVED);
        uint256 withoutBond = unbonded();
        passTheLastSecond(withoutBond);
        crank(withoutBond);
        assertState(withoutBond, State.RESOLVED);
    }

    function test_aDisputeNobodyAnsweredGoesToThePosterLikeARuling() public {
        assertTimesOut(disputed(), SettlementKind.RULING, 0);
    }

    function test_picksAndEvidenceAreNoAnswer() public {
        uint256 taskId = disputed();
        agree(taskId, arbitrator);
        courtAs(worker).submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
        assertTimesOut(taskId, SettlementKind.RULING, 0);
        assertEq(recordOf(arbitrator).openCases, 0);
    }

    function test_aSilentFallbackHalvesWhatBothPutABondUpForAndElseLeavesItToThePoster() public {
        assertTimesOut(escalated(), SettlementKind.SILENCE, BPS / 2);
        assertTimesOut(unbonded(), SettlementKind.SILENCE, 0);
    }

    function test_aFallbackThatIsThePosterLosesByItsSilence() public {
        replaceFallback(poster);
        assertOtherSideGetsAll(escalated(), BPS);
        assertOtherSideGetsAll(unbonded(), BPS);
    }

    function test_aFallbackThatIsTheWorkerLosesByItsSilence() public {
        replaceFallback(worker);
        assertOtherSideGetsAll(escalated(), 0);
        assertOtherSideGetsAll(unbonded(), 0);
    }

    /// @dev The fallback of the claim's day stays silent; that today's is a party changes nothing.
    function test_theSilenceOfTheFallbackOfTheClaimCounts() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.deadline = clock() + 60 days;
        params.fundNow = TOTAL;
        uint256 taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
        replaceFallback(worker);
        deliver(taskId);
        openDispute(taskId);
        answerWithBond(taskId);
        skip(3 days + 1);
        court.escalate(taskId);
        assertTimesOut(taskId, SettlementKind.SILENCE, BPS / 2);
    }

    function test_aDisputeEndsWithinTheAnswerWindowAndFifteenDays() public {
        uint256 taskId = disputed();
        uint64 openedAt = taskOf(taskId).updatedAt;
        skip(3 days);
        answerWithBond(taskId);
        skip(3 days);
        agree(taskId, arbitrator);
        skip(5 days + 1);
        court.escalate(taskId);
        skip(7 days + 1);
        crank(taskId);
        assertState(taskId, State.RESOLVED);
        assertEq(clock() - openedAt, 3 days + 15 days + 2, "four windows and the second after two of them");
    }

    function testFuzz_anOddWeiGoesToThePoster(uint256 amount, uint256 wait) public {
        uint96 total = uint96(bound(amount, MIN_TOTAL, 1_000_000e18));
        uint256 taskId = answeredOver(total);
        skip(3 days + 1);
        court.escalate(taskId);
        skip(bound(wait, 7 days + 1, 400 days));
        crank(taskId);
        TaskView memory task = taskOf(taskId);
        assertEq(task.released, total / 2);
        assertEq(task.refunded, total - total / 2);
        assertEq(tok.balanceOf(address(court)), court.totalBonded());
    }

    function crank(uint256 taskId) private {
        courtAs(stranger).resolveTimedOut(taskId);
    }

    function passTheLastSecond(uint256 taskId) private {
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds);
        expectTooEarly(phaseEnds);
        crank(taskId);
        vm.warp(phaseEnds + 1);
    }

    function assertTimesOut(uint256 taskId, SettlementKind kind, uint16 workerBps) private {
        vm.warp(court.disputeOf(taskId).phaseEnds + 1);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeTimedOut(taskId, court.phaseOf(taskId), workerBps);
        expectEnding(taskId, ending(taskId, kind, workerBps));
        crank(taskId);
        assertEnded(taskId);
    }

    /// @dev The fallback arbitrator is a party, so its books are kept twice; balances say enough.
    function assertOtherSideGetsAll(uint256 taskId, uint16 workerBps) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        assertEq(dispute.judge, address(0), "nobody may rule");
        bool hasTwoBonds = dispute.isBonded;
        uint256 posterBefore = tok.balanceOf(poster);
        uint256 workerBefore = tok.balanceOf(worker);
        (uint96 posterLocked, uint96 workerLocked) = (lockedOf(poster), lockedOf(worker));
        vm.warp(dispute.phaseEnds + 1);
        crank(taskId);
        uint256 toWorker = workerBps == BPS ? TOTAL : 0;
        assertEq(tok.balanceOf(poster), posterBefore + TOTAL - toWorker + DISPUTE_BOND, "poster");
        assertEq(tok.balanceOf(worker), workerBefore + toWorker + (hasTwoBonds ? DISPUTE_BOND : 0), "worker");
        assertEq(lockedOf(poster), posterLocked - BOND, "the poster's collateral is free");
        assertEq(lockedOf(worker), workerLocked - BOND, "the worker's collateral is free");
        assertEq(readHolding(poster).record.disputesWon + readHolding(poster).record.disputesLost, 0, "no mark");
        assertEq(readHolding(worker).record.disputesWon + readHolding(worker).record.disputesLost, 0, "no mark");
    }
}

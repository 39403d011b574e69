// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, State} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev A poster disputes good work: to get it for nothing, to press the worker into a discount, or to delay.
/// Answer: the poster puts up F, 5 % of the milestone. A worker that is right loses nothing when it puts up F as
/// well, F at most when it cannot, and it is heard either way. The poster loses F and its collateral in front of a
/// judge, half of F and its collateral when it gives in before.
abstract contract FreeDisputes is CourtAttackTest {
    /// @dev The poster's bond pays the judge; the worker has its F back, all of D, and the poster's collateral.
    function test_disputingGoodWorkCostsFAndTheCollateral() public {
        atEveryAmount(disputeGoodWork);
    }

    function disputeGoodWork(uint96 amount) private {
        uint256 taskId = escalatedWorth(amount);
        Wealth memory judge = wealthOf(fallbackArbitrator);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(amount), -collateral(), int256(uint256(amount)), collateral());
        assertOutcome(fallbackArbitrator, judge, feeOf(amount), 0);
        assertEq(scoreOf(poster), -10);
    }

    /// @dev The first draft took D from a worker that held less than F, at no cost to the poster.
    function test_aWorkerWithoutTokIsHeardAndThePosterGainsNothing() public {
        atEveryAmount(disputePoorWorker);
    }

    function disputePoorWorker(uint96 amount) private {
        uint256 taskId = deliveredWorth(amount);
        leaveTok(worker, 0);
        remember();
        openDispute(taskId);
        answerWithoutBond(taskId);
        rule(taskId, WHOLE);
        int256 fee = feeOf(amount);
        assertEnd(taskId, -fee, -collateral(), int256(uint256(amount)) - fee, collateral());
        assertTrue(posterNet() < 0, "the attack costs the poster more than nothing");
    }

    /// @dev A worker with TOK for one bond is disputed five times on one day.
    function test_fiveDisputesAtOnceAreAllHeard() public {
        atEveryAmount(disputeFiveTimes);
    }

    function disputeFiveTimes(uint96 amount) private {
        uint256[5] memory taskIds;
        for (uint256 index = 0; index < 5; ++index) taskIds[index] = deliveredWorth(amount);
        leaveTok(worker, uint256(feeOf(amount)));
        remember();
        for (uint256 index = 0; index < 5; ++index) openDispute(taskIds[index]);
        answerWithBond(taskIds[0], worker);
        for (uint256 index = 1; index < 5; ++index) answerWithoutBond(taskIds[index]);
        skip(3 days + 1);
        court.escalate(taskIds[0]);
        for (uint256 index = 0; index < 5; ++index) rule(taskIds[index], WHOLE);
        int256 fee = feeOf(amount);
        assertOutcome(poster, posterThen, -5 * fee, -5 * collateral());
        assertOutcome(worker, workerThen, 5 * int256(uint256(amount)) - 4 * fee, 5 * collateral());
        for (uint256 index = 0; index < 5; ++index) assertClosed(taskIds[index]);
    }

    /// @dev Try whether the worker sleeps; give in if it does not.
    function test_openingAndConcedingWhenAnsweredCostsHalfOfFAndTheCollateral() public {
        atEveryAmount(openAndConcede);
    }

    function openAndConcede(uint96 amount) private {
        uint256 taskId = answeredWorth(amount);
        concede(poster, taskId);
        int256 half = feeOf(amount) / 2;
        assertEnd(taskId, -half, -collateral(), int256(uint256(amount)) + half, collateral());
        assertEq(scoreOf(poster), -10);
    }

    /// @dev Even before an answer it is not free: the worker is paid and gets the collateral.
    function test_openingAndConcedingBeforeAnAnswerCostsTheCollateral() public {
        atEveryAmount(openAndConcedeUnanswered);
    }

    function openAndConcedeUnanswered(uint96 amount) private {
        uint256 taskId = disputedWorth(amount);
        concede(poster, taskId);
        assertEnd(taskId, 0, -collateral(), int256(uint256(amount)), collateral());
    }

    /// @dev "Take 96 % or I dispute." Carried out, the threat costs its author more than the discount that it asks
    /// for, and a worker with F gets everything.
    function test_aThreatToDisputeCostsItsAuthorMoreThanTheDiscount() public {
        atEveryAmount(extort);
    }

    function extort(uint96 amount) private {
        uint256 snapshot = vm.snapshotState();
        rule(escalatedWorth(amount), WHOLE);
        int256 carriedOut = posterNet();
        int256 withBond = tokGain(worker, workerThen);
        vm.revertToState(snapshot);
        rule(unbondedWorth(amount), WHOLE);
        int256 withoutBond = tokGain(worker, workerThen);
        assertTrue(carriedOut < -share(int256(uint256(amount)), 400), "the poster loses more than it asked for");
        assertEq(withBond, int256(uint256(amount)));
        assertEq(withoutBond, share(int256(uint256(amount)), 9_500), "without a bond a discount of 5 % is the most");
    }

    /// @dev The first draft let the worker open a dispute on the first day of a long review.
    function test_reverts_whenTheWorkerOpensToShortenTheReview() public {
        uint256 taskId = deliveredWorth(100_000e18);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        expectNotPoster(worker);
        vm.prank(worker);
        registry.openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
        assertState(taskId, State.DELIVERED);
    }

    /// @dev Without liquid TOK a poster with one milestone cannot dispute: a residual risk that pages warn of.
    function test_reverts_whenThePosterHasNothingToPutUp() public {
        uint256 taskId = deliveredWorth(1_000e18);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        leaveTok(poster, 0);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, poster, 0, 50e18));
        openDisputeOf(taskId, deliveredAt);
    }

    /// @dev With later milestones it can: they return first and pay the bond.
    function test_aPosterWhoseTokIsAllInLaterMilestonesCanDispute() public {
        atEveryAmount(disputeFromEscrow);
    }

    function disputeFromEscrow(uint96 amount) private {
        uint256 taskId = activeWith(2 * max(amount, 100e18), pair(amount, 2 * max(amount, 100e18) - amount));
        deliver(taskId);
        leaveTok(poster, 0);
        remember();
        openDispute(taskId);
        lapse(taskId);
        assertEnd(taskId, int256(2 * uint256(max(amount, 100e18))), collateral(), 0, -collateral());
    }

    /// @dev Worth a milestone of 10 TOK, the dispute takes the other 999,990 TOK out of escrow at once. They were for
    /// work that nobody delivered. The delivered milestone stays, and ending the engagement this way costs one
    /// collateral.
    function test_disputingACrumbTakesNothingThatWasDelivered() public {
        uint256 taskId = activeWith(1_000_000e18, pair(10e18, 999_990e18));
        deliver(taskId);
        remember();
        openDispute(taskId);
        assertEq(escrow.held(taskId), 10e18, "only the disputed milestone waits");
        concede(poster, taskId);
        assertEnd(taskId, 999_990e18, -collateral(), 10e18, collateral());
    }

    /// @dev "Only the opener's hash is on chain": a judge saw no words, and the worker had no place for its own. Now both
    /// sides and the ruling leave words, as often as they like and in every phase.
    function test_bothSidesAndTheJudgePutTheirWordsOnChain() public {
        uint256 taskId = deliveredWorth(1_000e18);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, poster, EVIDENCE, EVIDENCE_URI);
        openDisputeOf(taskId, clock());
        hear(taskId);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeAnswered(taskId, worker, true, clock() + 3 days, EVIDENCE, EVIDENCE_URI);
        answerWithBond(taskId, worker);
        hear(taskId);
        agree(taskId, arbitrator);
        hear(taskId);
        skip(5 days + 1);
        court.escalate(taskId);
        hear(taskId);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, fallbackArbitrator, 5_000, REASON, 50e18, REASON_URI);
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 5_000, REASON, REASON_URI);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, Phase.CLOSED));
        vm.prank(worker);
        court.submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
    }

    function hear(uint256 taskId) private {
        for (uint256 index = 0; index < 4; ++index) {
            address party = index % 2 == 0 ? worker : poster;
            vm.expectEmit(address(court));
            emit IDisputeCourt.EvidenceSubmitted(taskId, party, EVIDENCE, EVIDENCE_URI);
            vm.prank(party);
            court.submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
        }
    }

    function test_reverts_whenAnEndedDisputeIsOpenedAgain() public {
        uint256 taskId = escalatedWorth(1_000e18);
        rule(taskId, WHOLE);
        uint64 updatedAt = taskOf(taskId).updatedAt;
        expectWrongState(taskId, State.RESOLVED);
        openDisputeOf(taskId, updatedAt);
    }

    /// @dev Whatever the ruling says, each side pays of F what it lost of D.
    function testFuzz_eachSidePaysTheJudgeForWhatItLost(uint256 amount, uint16 workerBps) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 1, WHOLE - 1));
        uint256 taskId = assignedWorth(worth);
        Wealth memory judge = wealthOf(arbitrator);
        rule(taskId, workerBps);
        int256 won = share(int256(uint256(worth)), workerBps);
        int256 posterPays = share(feeOf(worth), workerBps);
        assertEnd(taskId, int256(uint256(worth)) - won - posterPays, 0, won - (feeOf(worth) - posterPays), 0);
        assertOutcome(arbitrator, judge, feeOf(worth), 0);
    }

    /// @dev A bond is better for a worker that expects to win more than every second case, and no cheaper otherwise.
    function test_aBondIsBetterForAWorkerThatWinsEverySecondCase() public {
        atEveryAmount(compareAnswers);
    }

    function compareAnswers(uint96 worth) private {
        uint256 snapshot = vm.snapshotState();
        int256[4] memory results;
        for (uint256 way = 0; way < 4; ++way) {
            rule(way < 2 ? escalatedWorth(worth) : unbondedWorth(worth), way % 2 == 0 ? WHOLE : 0);
            results[way] = tokGain(worker, workerThen);
            vm.revertToState(snapshot);
            snapshot = vm.snapshotState();
        }
        assertEq(results[0] + results[1], results[2] + results[3], "every second case: the same");
        assertTrue(results[0] > results[2], "more often: better with a bond");
    }

    function max(uint96 left, uint96 right) private pure returns (uint96) {
        return left > right ? left : right;
    }
}

contract FreeDisputesStandardTest is FreeDisputes {}

contract FreeDisputesMicroTest is FreeDisputes {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

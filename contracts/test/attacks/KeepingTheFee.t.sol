// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../../src/Types.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev A party sees the ruling coming and gives in, or both settle, just in front of it, so that the judge worked
/// for nothing. Or one uses what the other signed or sent for an earlier, cheaper phase.
/// Answer: as soon as a judge is in office it earns F by a concession and by a settlement as well. A concession names
/// its phase and a settlement signature contains it.
abstract contract KeepingTheFee is CourtAttackTest {
    function test_concedingInFrontOfARulingKeepsNoFee() public {
        atEveryAmount(concedeInFront);
    }

    function concedeInFront(uint96 amount) private {
        int256 fee = feeOf(amount);
        int256 d = int256(uint256(amount));
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way < 2 ? assignedWorth(amount) : escalatedWorth(amount);
            Wealth memory judge = wealthOf(judgeOf(taskId));
            address expected = judgeOf(taskId);
            if (way % 2 == 0) {
                concede(worker, taskId);
                assertEnd(taskId, d, collateral(), -fee, -collateral());
                assertEq(scoreOf(worker), -10, "counted as in a ruling");
            } else {
                concede(poster, taskId);
                assertEnd(taskId, -fee, -collateral(), d, collateral());
            }
            assertOutcome(expected, judge, fee, 0);
            vm.revertToState(snapshot);
        }
    }

    function test_settlingInFrontOfARulingKeepsNoFee() public {
        atEveryAmount(settleInFront);
    }

    function settleInFront(uint96 amount) private {
        int256 half = feeOf(amount) / 2;
        for (uint256 way = 0; way < 2; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way == 0 ? assignedWorth(amount) : escalatedWorth(amount);
            address judge = judgeOf(taskId);
            Wealth memory before = wealthOf(judge);
            settle(taskId, 4_000);
            int256 won = share(int256(uint256(amount)), 4_000);
            assertEnd(taskId, int256(uint256(amount)) - won - half, 0, won - half, 0);
            assertOutcome(judge, before, 2 * half, 0);
            vm.revertToState(snapshot);
        }
    }

    /// @dev A worker without a bond has none to lose; the poster pays its half of F.
    function test_settlingWithoutAWorkersBondPaysTheJudgeHalfOfF() public {
        atEveryAmount(settleUnbonded);
    }

    function settleUnbonded(uint96 amount) private {
        uint256 taskId = unbondedWorth(amount);
        Wealth memory before = wealthOf(fallbackArbitrator);
        settle(taskId, WHOLE);
        assertEnd(taskId, -(feeOf(amount) / 2), 0, int256(uint256(amount)), 0);
        assertOutcome(fallbackArbitrator, before, feeOf(amount) / 2, 0);
    }

    /// @dev For that worker a concession is worth exactly a ruling of nothing: no better, no worse.
    function test_concedingWithoutABondIsWorthALostRuling() public {
        atEveryAmount(concedeUnbonded);
    }

    function concedeUnbonded(uint96 amount) private {
        uint256 snapshot = vm.snapshotState();
        rule(unbondedWorth(amount), 0);
        (int256 ruledWorker, int256 ruledPoster) = (workerNet(), posterNet());
        int256 score = scoreOf(worker);
        vm.revertToState(snapshot);
        uint256 taskId = unbondedWorth(amount);
        concede(worker, taskId);
        assertEq(workerNet(), ruledWorker);
        assertEq(posterNet(), ruledPoster);
        assertEq(scoreOf(worker), score);
    }

    /// @dev Before a judge is in office both have their bonds back.
    function test_settlingBeforeAJudgeIsInOfficeCostsNothing() public {
        atEveryAmount(settleEarly);
    }

    function settleEarly(uint96 amount) private {
        int256 half = int256(uint256(amount) / 2);
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = disputedWorth(amount);
        settle(taskId, 5_000);
        assertEnd(taskId, int256(uint256(amount)) - half, 0, half, 0);
        vm.revertToState(snapshot);
        taskId = answeredWorth(amount);
        settle(taskId, 5_000);
        assertEnd(taskId, int256(uint256(amount)) - half, 0, half, 0);
    }

    /// @dev The worker signed 40 % while both bonds would have come back, and the poster uses it after the
    /// assignment, when the worker would pay half of F.
    function test_aSettlementSignedInOnePhaseIsVoidInEveryOther() public {
        uint256 taskId = disputedWorth(100_000e18);
        bytes memory whileAnswering = sign(taskId);
        answerWithBond(taskId, worker);
        expectVoid(taskId, whileAnswering);
        bytes memory whileProposing = sign(taskId);
        agree(taskId, arbitrator);
        expectVoid(taskId, whileProposing);
        bytes memory whileAssigned = sign(taskId);
        skip(5 days + 1);
        court.escalate(taskId);
        expectVoid(taskId, whileAssigned);
    }

    function sign(uint256 taskId) private view returns (bytes memory) {
        return signWith(workerKey, registry.hashSettlement(taskId, 4_000, START + 300 days));
    }

    function expectVoid(uint256 taskId, bytes memory workerSig) private {
        expectBadSignature(worker);
        vm.prank(poster);
        court.mutualSettle(taskId, 4_000, START + 300 days, "", workerSig);
    }

    /// @dev Sent while it costs nothing, a concession must not land where it costs half of F or all of it.
    function test_aConcessionNeverLandsInALaterPhase() public {
        uint256 taskId = disputedWorth(100_000e18);
        answerWithBond(taskId, worker);
        expectRefused(taskId, Phase.ANSWERING, Phase.PROPOSING);
        agree(taskId, arbitrator);
        expectRefused(taskId, Phase.PROPOSING, Phase.ASSIGNED);
        skip(5 days + 1);
        court.escalate(taskId);
        expectRefused(taskId, Phase.ASSIGNED, Phase.ESCALATED);
        rule(taskId, 5_000);
        expectRefused(taskId, Phase.ESCALATED, Phase.CLOSED);
        expectRefused(taskId, Phase.CLOSED, Phase.CLOSED);
    }

    function expectRefused(uint256 taskId, Phase meant, Phase current) private {
        for (uint256 index = 0; index < 2; ++index) {
            expectWrongPhase(current);
            vm.prank(index == 0 ? poster : worker);
            court.concede(taskId, meant);
        }
    }

    /// @dev A concession and a settlement are on their way at once: the first one ends the case, the second one
    /// fails.
    function test_aConcessionAndASettlementInARaceEndTheCaseOnce() public {
        atEveryAmount(race);
    }

    function race(uint96 amount) private {
        uint256 taskId = answeredWorth(amount);
        bytes memory workerSig = sign(taskId);
        uint256 snapshot = vm.snapshotState();
        concede(poster, taskId);
        int256 half = feeOf(amount) / 2;
        assertEnd(taskId, -half, -collateral(), int256(uint256(amount)) + half, collateral());
        expectVoid(taskId, workerSig);
        vm.revertToState(snapshot);
        vm.prank(poster);
        court.mutualSettle(taskId, 4_000, START + 300 days, "", workerSig);
        int256 won = share(int256(uint256(amount)), 4_000);
        assertEnd(taskId, int256(uint256(amount)) - won, 0, won, 0);
        expectRefused(taskId, Phase.PROPOSING, Phase.CLOSED);
    }

    /// @dev Nobody but a party concedes, and nobody concedes what is not disputed.
    function test_reverts_whenThereIsNothingToConcede() public {
        uint256 taskId = deliveredWorth(100_000e18);
        expectRefused(taskId, Phase.NONE, Phase.NONE);
        expectRefused(taskId, Phase.ANSWERING, Phase.NONE);
    }

    /// @dev Rounding at amounts that no percentage divides: nobody gains a wei and none is left behind.
    function testFuzz_everyEndingAddsUpToTheWei(uint256 amount, uint16 workerBps, uint8 way) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint256 taskId = way % 2 == 0 ? escalatedWorth(worth) : unbondedWorth(worth);
        uint256 pending = gateway.pendingFees();
        uint256 judged = tok.balanceOf(fallbackArbitrator);
        way = (way / 2) % 5;
        if (way == 0) rule(taskId, workerBps);
        else if (way == 1) settle(taskId, workerBps);
        else if (way == 2) concede(poster, taskId);
        else if (way == 3) concede(worker, taskId);
        else lapse(taskId);
        assertClosed(taskId);
        int256 fees = int256(gateway.pendingFees() - pending + tok.balanceOf(fallbackArbitrator) - judged);
        assertEq(
            tokGain(poster, posterThen) + tokGain(worker, workerThen) + fees,
            int256(uint256(worth)),
            "the sum is D"
        );
    }

    function judgeOf(uint256 taskId) private view returns (address) {
        return court.disputeOf(taskId).judge;
    }
}

contract KeepingTheFeeStandardTest is KeepingTheFee {}

contract KeepingTheFeeMicroTest is KeepingTheFee {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev Somebody speculates on the silence of the fallback arbitrator, or is the fallback arbitrator itself.
/// Answer: silence halves only between two sides that both put up F; otherwise D goes to the one that did. A fallback
/// arbitrator that is a party cannot rule, and its silence counts for the other side. How often a fallback may be
/// silent before frivolous disputes pay is computed here: 4.8 % of cases against a worker without a bond, 9.1 % with
/// one.
abstract contract SilentFallback is CourtAttackTest {
    function test_silenceHalvesBetweenTwoBondedSidesAndCostsNoBond() public {
        atEveryAmount(halve);
    }

    function halve(uint96 amount) private {
        uint256 taskId = escalatedWorth(amount);
        lapse(taskId);
        int256 half = int256(uint256(amount) / 2);
        assertEnd(taskId, int256(uint256(amount)) - half, 0, half, 0);
        assertEq(scoreOf(worker) + scoreOf(poster), 0);
    }

    /// @dev "Vanished side gets half" no longer holds: a worker that answers and puts up nothing gets nothing by
    /// silence.
    function test_silencePaysAWorkerWithoutABondNothing() public {
        atEveryAmount(silentUnbonded);
    }

    function silentUnbonded(uint96 amount) private {
        uint256 taskId = unbondedWorth(amount);
        lapse(taskId);
        assertEnd(taskId, int256(uint256(amount)), 0, 0, 0);
    }

    /// @dev q D = (1 - q) F: above 4.8 % of silent cases a dispute of good work pays, against a worker without a
    /// bond.
    function test_frivolousDisputesPayAboveFivePercentOfSilenceAgainstAWorkerWithoutABond() public {
        atEveryAmount(breakEvenUnbonded);
    }

    function breakEvenUnbonded(uint96 amount) private {
        uint256 snapshot = vm.snapshotState();
        lapse(unbondedWorth(amount));
        int256 gain = tokGain(poster, posterThen);
        vm.revertToState(snapshot);
        rule(unbondedWorth(amount), WHOLE);
        assertBreakEven(gain, -tokGain(poster, posterThen), 476);
    }

    /// @dev q D/2 = (1 - q) F: above 9.1 % it pays against a worker with a bond. The same holds for junk with a bond.
    function test_frivolousDisputesPayAboveNinePercentOfSilenceAgainstAWorkerWithABond() public {
        atEveryAmount(breakEvenBonded);
    }

    function breakEvenBonded(uint96 amount) private {
        uint256 snapshot = vm.snapshotState();
        lapse(escalatedWorth(amount));
        int256 gain = tokGain(poster, posterThen);
        int256 junkGain = tokGain(worker, workerThen);
        vm.revertToState(snapshot);
        snapshot = vm.snapshotState();
        rule(escalatedWorth(amount), WHOLE);
        assertBreakEven(gain, -tokGain(poster, posterThen), 909);
        vm.revertToState(snapshot);
        rule(escalatedWorth(amount), 0);
        assertBreakEven(junkGain, -tokGain(worker, workerThen), 909);
    }

    /// @dev A gamble that wins `gain` in `bps` of cases and loses `loss` in the others just fails to pay; at one
    /// hundredth of a percent more it pays. The collateral, which is lost besides, is left out: it is nothing beside
    /// a large D.
    function assertBreakEven(int256 gain, int256 loss, int256 bps) private pure {
        assertTrue(gain * bps <= loss * (10_000 - bps), "does not pay yet");
        assertTrue(gain * (bps + 1) > loss * (10_000 - bps - 1), "pays from here on");
    }

    /// @dev A worker asleep is the cheaper gamble: half of F when it is awake, D when it sleeps. One case in 41.
    function test_disputesPayWhenOneWorkerIn41Sleeps() public {
        atEveryAmount(breakEvenAsleep);
    }

    function breakEvenAsleep(uint96 amount) private {
        uint256 snapshot = vm.snapshotState();
        lapse(disputedWorth(amount));
        int256 gain = tokGain(poster, posterThen);
        vm.revertToState(snapshot);
        uint256 taskId = answeredWorth(amount);
        concede(poster, taskId);
        assertBreakEven(gain, -tokGain(poster, posterThen), 243);
    }

    /// @dev The worker is the fallback arbitrator: it cannot rule, wait, or concede its way to money.
    function test_aFallbackThatIsTheWorkerGainsNothing() public {
        atEveryAmount(fallbackWorks);
    }

    function fallbackWorks(uint96 amount) private {
        becomeFallback();
        uint256 taskId = escalatedWorth(amount);
        assertEq(court.disputeOf(taskId).judge, address(0));
        expectNotArbitrator(worker);
        vm.prank(worker);
        court.resolveDispute(taskId, WHOLE, REASON, REASON_URI);
        lapse(taskId);
        assertEnd(taskId, int256(uint256(amount)), 0, 0, 0);
    }

    /// @dev The poster is: its silence pays the worker, and it cannot keep F for itself by ruling.
    function test_aFallbackThatIsThePosterGainsNothing() public {
        atEveryAmount(fallbackPosts);
    }

    function fallbackPosts(uint96 amount) private {
        // The fallback arbitrator of the fixture posts; it has no other part in the case.
        poster = fallbackArbitrator;
        equip(poster);
        tok.transfer(poster, 10_000_000e18);
        uint256 taskId = unbondedWorth(amount);
        expectNotArbitrator(poster);
        vm.prank(poster);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        lapse(taskId);
        assertEnd(taskId, 0, 0, int256(uint256(amount)), 0);
    }

    /// @dev With no judge in office a concession or a settlement costs no F.
    function test_withoutAJudgeInOfficeNoFeeIsPaid() public {
        becomeFallback();
        uint256 taskId = escalatedWorth(100_000e18);
        concede(worker, taskId);
        assertEnd(taskId, 100_000e18, collateral(), 0, -collateral());
    }

    /// @dev Parties that agree on an arbitrator do not need the fallback, even when it is one of them.
    function test_anAgreedArbitratorJudgesTheFallbacksOwnTask() public {
        becomeFallback();
        uint256 taskId = assignedWorth(100_000e18);
        rule(taskId, WHOLE);
        assertEnd(taskId, -5_000e18, -collateral(), 100_000e18, collateral());
    }

    /// @dev It may not sponsor an answer in a case that it may have to judge.
    function test_reverts_whenTheFallbackSponsorsAnAnswer() public {
        equip(fallbackArbitrator);
        uint256 taskId = disputedWorth(100_000e18);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.ArbitratorIsParty.selector, fallbackArbitrator));
        vm.prank(fallbackArbitrator);
        court.answerDispute(taskId, true, EVIDENCE, EVIDENCE_URI);
        assertPhase(taskId, Phase.ANSWERING);
    }

    /// @dev The fallback earns by the worker's share when the worker has no bond, so refusing such a worker earns
    /// nothing. A trusted role has to live with that; the security page says so.
    function testFuzz_theFallbackEarnsByTheSharesOfBothSides(uint256 amount, uint16 workerBps, bool bonded) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint256 taskId = bonded ? escalatedWorth(worth) : unbondedWorth(worth);
        Wealth memory judge = wealthOf(fallbackArbitrator);
        uint256 pending = gateway.pendingFees();
        rule(taskId, workerBps);
        int256 byShare = share(feeOf(worth), workerBps);
        assertOutcome(fallbackArbitrator, judge, bonded ? feeOf(worth) : byShare, 0);
        assertEq(int256(gateway.pendingFees() - pending), bonded ? int256(0) : byShare, "the protocol's fee");
        assertClosed(taskId);
    }

    /// @dev From here on the worker is the fallback arbitrator in force.
    function becomeFallback() private {
        vm.prank(owner);
        court.scheduleFallback(worker);
        vm.prank(worker);
        court.acceptFallback();
        skip(31 days);
        assertEq(court.fallbackArbitrator(), worker);
    }

    function expectNotArbitrator(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, caller));
    }
}

contract SilentFallbackStandardTest is SilentFallback {}

contract SilentFallbackMicroTest is SilentFallback {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

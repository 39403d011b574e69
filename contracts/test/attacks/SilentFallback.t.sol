// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Somebody speculates on the silence of the fallback arbitrator, or is the fallback arbitrator itself.
/// Answer: silence halves only between two sides that both put up F; otherwise D goes to the one that did. A fallback
/// arbitrator that is a party cannot rule, and its silence counts for the other side. How often a fallback may be
/// silent before frivolous disputes pay is computed here: 4.8 % of cases against a worker without a bond, 9.1 % with
/// one.
abstract contract SilentFallback is CourtAttackTest {
    /// @dev "Vanished side gets half" no longer holds: a worker that answers and puts up nothing gets nothing by
    /// silence.
    function test_silencePaysAWorkerWithoutABondNothing() public atEveryAmount {
        uint256 taskId = unbondedWorth(atStake);
        lapse(taskId);
        assertEnd(taskId, int256(uint256(atStake)), 0, 0, 0);
    }

    /// @dev q D = (1 - q) F: above 4.8 % of silent cases a dispute of good work pays, against a worker without a
    /// bond.
    function test_frivolousDisputesPayAboveFivePercentOfSilenceAgainstAWorkerWithoutABond() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        lapse(unbondedWorth(atStake));
        int256 gain = tokGain(poster, posterThen);
        vm.revertToState(snapshot);
        rule(unbondedWorth(atStake), WHOLE);
        assertBreakEven(gain, -tokGain(poster, posterThen), 476);
    }

    /// @dev q D/2 = (1 - q) F: above 9.1 % it pays against a worker with a bond. The same holds for junk with a bond.
    function test_frivolousDisputesPayAboveNinePercentOfSilenceAgainstAWorkerWithABond() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        lapse(escalatedWorth(atStake));
        int256 gain = tokGain(poster, posterThen);
        int256 junkGain = tokGain(worker, workerThen);
        vm.revertToState(snapshot);
        snapshot = vm.snapshotState();
        rule(escalatedWorth(atStake), WHOLE);
        assertBreakEven(gain, -tokGain(poster, posterThen), 909);
        vm.revertToState(snapshot);
        rule(escalatedWorth(atStake), 0);
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
    function test_disputesPayWhenOneWorkerIn41Sleeps() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        lapse(disputedWorth(atStake));
        int256 gain = tokGain(poster, posterThen);
        vm.revertToState(snapshot);
        uint256 taskId = answeredWorth(atStake);
        concede(poster, taskId);
        assertBreakEven(gain, -tokGain(poster, posterThen), 243);
    }

    /// @dev The worker is the fallback arbitrator: it cannot rule, wait, or concede its way to money.
    function test_aFallbackThatIsTheWorkerGainsNothing() public atEveryAmount {
        becomeFallback();
        uint256 taskId = escalatedWorth(atStake);
        assertEq(court.disputeOf(taskId).judge, address(0));
        expectNotArbitrator(worker);
        courtAs(worker).resolveDispute(taskId, WHOLE, REASON, REASON_URI);
        uint256 snapshot = vm.snapshotState();
        lapse(taskId);
        assertEnd(taskId, int256(uint256(atStake)), 0, 0, 0);
        vm.revertToState(snapshot);
        concede(worker, taskId);
        (Reputation memory record, ) = reputation.reputationOf(worker);
        assertEq(record.disputesLost, 1, "giving in before the judge counts as lost, also where nobody may judge");
        assertEq(record.left, 0, "not as left");
    }

    /// @dev The poster is: its silence pays the worker, and it cannot keep F for itself by ruling.
    function test_aFallbackThatIsThePosterGainsNothing() public atEveryAmount {
        // The fallback arbitrator of the fixture posts; it has no other part in the case.
        poster = fallbackArbitrator;
        equip(poster);
        tok.transfer(poster, 10_000_000e18);
        uint256 taskId = unbondedWorth(atStake);
        expectNotArbitrator(poster);
        courtAs(poster).resolveDispute(taskId, 0, REASON, REASON_URI);
        lapse(taskId);
        assertEnd(taskId, 0, 0, int256(uint256(atStake)), 0);
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
        courtAs(owner).scheduleFallback(worker);
        courtAs(worker).acceptFallback();
        skip(31 days);
        assertEq(court.fallbackArbitrator(), worker);
    }
}

contract SilentFallbackStandardTest is SilentFallback {}

contract SilentFallbackMicroTest is OnMicro, SilentFallback {}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev A poster wants work and refund both: it dawdles on every turn of its own until the worker's deadline has
/// passed, then calls the time-out that refunds it and takes the worker's bond.
/// Answer: the deadline stands still while the poster is to act, so the worker keeps every second it agreed to.
contract PosterRunsOutTheClockTest is AttackTest {
    function test_theDawdlerPaysInFullAndGainsNothing() public {
        Wealth memory attacker = wealthOf(poster);
        Wealth memory victim = wealthOf(worker);
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        uint64 postedDeadline = taskOf(taskId).deadline;
        skip(2 days);
        start(taskId);
        for (uint8 milestone = 0; milestone < 3; ++milestone) {
            skip(3 days);
            deliver(taskId);
            skip(REVIEW + 1);
            registry.resolveTimedOut(taskId);
        }
        assertState(taskId, State.COMPLETED);
        assertGt(vm.getBlockTimestamp(), postedDeadline + 1 days, "the first deadline is long past");
        assertOutcome(poster, attacker, -int256(uint256(TOTAL + FEE)), 0);
        assertOutcome(worker, victim, int256(uint256(TOTAL - FEE)), 0);
    }

    function testFuzz_noWaitOfThePosterLetsItTimeTheWorkerOut(
        uint256 startWait,
        uint256 reviewWait,
        uint256 work
    ) public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        uint256 timeLeft = taskOf(taskId).deadline - vm.getBlockTimestamp();
        skip(bound(startWait, 0, 2 days));
        start(taskId);
        work = bound(work, 0, timeLeft);
        skip(work);
        deliver(taskId);
        skip(bound(reviewWait, 0, 300 days));
        accept(taskId);
        assertEq(taskOf(taskId).deadline - vm.getBlockTimestamp(), timeLeft - work);
        expectTooEarly(taskOf(taskId).deadline + 1 days);
        registryAs(poster).resolveTimedOut(taskId);
    }

    /// @dev A new delivery must not swallow the time the poster took for the one before.
    function testFuzz_aNewDeliveryKeepsTheTimeAlreadyGivenBack(uint256 firstWait, uint256 secondWait) public {
        uint256 taskId = activeWithMilestones();
        uint256 timeLeft = taskOf(taskId).deadline - vm.getBlockTimestamp();
        deliver(taskId);
        skip(bound(firstWait, 1, REVIEW));
        deliver(taskId);
        skip(bound(secondWait, 0, 300 days));
        accept(taskId);
        assertEq(taskOf(taskId).deadline - vm.getBlockTimestamp(), timeLeft);
    }
}

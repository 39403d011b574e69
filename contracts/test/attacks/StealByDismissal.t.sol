// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev A poster takes the work and sends the worker away before it has to pay.
/// Answer: delivered work cannot be dismissed; before a delivery a dismissal takes a day's notice and a fee, and any
/// delivery within that day voids it.
contract StealByDismissalTest is AttackTest {
    function test_reverts_whenDeliveredWorkIsDismissed() public {
        uint256 taskId = delivered();
        expectWrongState(taskId, State.DELIVERED);
        dismiss(taskId);
    }

    /// @dev The poster saw the finished work in the messages and gives notice just before the delivery.
    function test_theThiefPaysTheWorkAndTwoFees() public {
        Wealth memory attacker = wealthOf(poster);
        Wealth memory victim = wealthOf(worker);
        uint256 taskId = active();
        dismiss(taskId);
        skip(1 days);
        deliver(taskId);
        skip(1);
        expectWrongState(taskId, State.DELIVERED);
        dismiss(taskId);
        skip(REVIEW);
        registry.resolveTimedOut(taskId);
        assertOutcome(poster, attacker, -int256(uint256(TOTAL + 2 * FEE)), 0);
        assertOutcome(worker, victim, int256(uint256(TOTAL - FEE)), 0);
    }

    function test_noticesInARowNeverTakeEffectOnAWorkerThatDelivers() public {
        Wealth memory attacker = wealthOf(poster);
        uint256 taskId = activeWithMilestones();
        for (uint8 milestone = 0; milestone < 3; ++milestone) {
            dismiss(taskId);
            skip(1 days);
            vm.expectRevert(
                abi.encodeWithSelector(IMarketErrors.TooEarly.selector, taskOf(taskId).dismissAt)
            );
            dismiss(taskId);
            deliver(taskId);
            skip(REVIEW + 1);
            registry.resolveTimedOut(taskId);
        }
        assertState(taskId, State.COMPLETED);
        assertOutcome(poster, attacker, -int256(uint256(TOTAL + 4 * FEE)), 0);
    }

    /// @dev What was accepted stays paid when the worker is sent away afterwards.
    function test_aDismissalTakesNoPaidMilestoneBack() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        Wealth memory victim = wealthOf(worker);
        dismiss(taskId);
        skip(1 days + 1);
        dismiss(taskId);
        assertOutcome(worker, victim, 0, 0);
        assertEq(taskOf(taskId).released, 1_000e18);
        assertEq(lockedOf(worker), 0);
    }

    function testFuzz_aDeliveryWithinTheNoticeIsPaid(uint256 noticeAt, uint256 answer) public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(bound(noticeAt, START, deadline - 1 days));
        dismiss(taskId);
        skip(bound(answer, 0, 1 days));
        uint256 balance = tok.balanceOf(worker);
        deliver(taskId);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertEq(tok.balanceOf(worker) - balance, TOTAL);
    }
}

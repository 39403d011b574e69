// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev A poster takes the work and sends the worker away before it has to pay.
/// Answer: delivered work cannot be dismissed; before a delivery a dismissal takes a day's notice and a fee, any
/// delivery voids it, and a notice that was not used for a day lapses. There is no second notice before the first has
/// lapsed.
abstract contract StealByDismissal is CourtAttackTest {
    /// @dev The poster saw the finished work in the messages and gives notice just before the delivery.
    function test_theThiefPaysTheWorkAndTwoFees() public atEveryAmount {
        uint256 taskId = activeWorth(atStake);
        bytes32 digest = digestOf(taskId);
        remember();
        giveNotice(taskId);
        skip(1 days);
        deliver(taskId);
        skip(1);
        expectWrongState(taskId, State.DELIVERED);
        dismissNow(taskId, digest);
        skip(REVIEW);
        registry.resolveTimedOut(taskId);
        assertOutcome(poster, posterThen, -int256(uint256(FEE)), 0);
        assertOutcome(worker, workerThen, int256(uint256(atStake)), 0);
    }

    /// @dev In the first edition a notice of day 0 was a right for ever: the poster dismissed in front of the
    /// delivery on day 9 and had the work for nothing.
    function test_aNoticeOfDayZeroIsWorthNothingOnDayNine() public atEveryAmount {
        uint256 taskId = activeWorth(atStake);
        bytes32 digest = digestOf(taskId);
        remember();
        giveNotice(taskId);
        uint64 lapses = taskOf(taskId).dismissAt + 1 days;
        skip(9 days);
        expectExpired(lapses);
        dismissNow(taskId, digest);
        deliver(taskId);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(poster, posterThen, -int256(uint256(FEE)), 0);
        assertOutcome(worker, workerThen, int256(uint256(atStake)), 0);
    }

    function testFuzz_aDeliveryWithinTheNoticeIsPaid(uint256 noticeAt, uint256 answer) public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(bound(noticeAt, START, deadline - 1 days));
        giveNotice(taskId);
        skip(bound(answer, 0, 1 days));
        uint256 balance = tok.balanceOf(worker);
        deliver(taskId);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertEq(tok.balanceOf(worker) - balance, TOTAL);
    }

    function dismissNow(uint256 taskId, bytes32 digest) private {
        registryAs(poster).dismissWorker(taskId, digest);
    }
}

contract StealByDismissalStandardTest is StealByDismissal {}

contract StealByDismissalMicroTest is OnMicro, StealByDismissal {}

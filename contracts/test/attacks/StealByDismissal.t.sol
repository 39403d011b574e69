// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev A poster takes the work and sends the worker away before it has to pay.
/// Answer: delivered work cannot be dismissed; before a delivery a dismissal takes a day's notice and a fee, any
/// delivery voids it, and a notice that was not used for a day lapses. There is no second notice before the first has
/// lapsed.
abstract contract StealByDismissal is CourtAttackTest {
    function test_reverts_whenDeliveredWorkIsDismissed() public {
        uint256 taskId = delivered();
        bytes32 digest = digestOf(taskId);
        expectWrongState(taskId, State.DELIVERED);
        dismissNow(taskId, digest);
    }

    /// @dev The poster saw the finished work in the messages and gives notice just before the delivery.
    function test_theThiefPaysTheWorkAndTwoFees() public {
        atEveryAmount(steal);
    }

    function steal(uint96 amount) private {
        uint256 taskId = activeWorth(amount);
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
        assertOutcome(worker, workerThen, int256(uint256(amount)), 0);
    }

    /// @dev In the first edition a notice of day 0 was a right for ever: the poster dismissed in front of the
    /// delivery on day 9 and had the work for nothing.
    function test_aNoticeOfDayZeroIsWorthNothingOnDayNine() public {
        atEveryAmount(useOldNotice);
    }

    function useOldNotice(uint96 amount) private {
        uint256 taskId = activeWorth(amount);
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
        assertOutcome(worker, workerThen, int256(uint256(amount)), 0);
    }

    /// @dev To the second: not before a day has run, for one day after that, then no more.
    function testFuzz_aNoticeWorksForOneDayAfterItHasRun(uint256 wait) public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        giveNotice(taskId);
        uint64 effective = taskOf(taskId).dismissAt;
        assertEq(effective, clock() + 1 days);
        skip(bound(wait, 0, 4 days));
        bool early = clock() <= effective;
        bool lapsed = clock() > effective + 1 days;
        if (early) vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, effective));
        if (lapsed) expectExpired(effective + 1 days);
        dismissNow(taskId, digest);
        assertState(taskId, early || lapsed ? State.ACTIVE : State.POSTED);
    }

    /// @dev A second notice before the first has lapsed would make one that never ends.
    function testFuzz_noSecondNoticeBeforeTheFirstHasLapsed(uint256 wait) public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        giveNotice(taskId);
        uint64 lapses = taskOf(taskId).dismissAt + 1 days;
        skip(bound(wait, 0, 5 days));
        bool early = clock() <= lapses;
        if (early) vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, lapses));
        vm.prank(poster);
        registry.giveDismissNotice(taskId, digest);
        assertEq(taskOf(taskId).dismissAt, early ? lapses - 1 days : clock() + 1 days);
    }

    function test_reverts_whenThereWasNoNotice() public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoNotice.selector, taskId));
        dismissNow(taskId, digest);
    }

    /// @dev Under notices all the time, a worker that delivers is paid; each notice costs a fee.
    function test_noticesInARowNeverTakeEffectOnAWorkerThatDelivers() public {
        Wealth memory attacker = wealthOf(poster);
        uint256 taskId = activeWithMilestones();
        for (uint8 milestone = 0; milestone < 3; ++milestone) {
            giveNotice(taskId);
            skip(1 days);
            deliver(taskId);
            assertEq(taskOf(taskId).dismissAt, 0, "a delivery clears the notice");
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
        giveNotice(taskId);
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
        giveNotice(taskId);
        skip(bound(answer, 0, 1 days));
        uint256 balance = tok.balanceOf(worker);
        deliver(taskId);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertEq(tok.balanceOf(worker) - balance, TOTAL);
    }

    function dismissNow(uint256 taskId, bytes32 digest) private {
        vm.prank(poster);
        registry.dismissWorker(taskId, digest);
    }
}

contract StealByDismissalStandardTest is StealByDismissal {}

contract StealByDismissalMicroTest is StealByDismissal {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

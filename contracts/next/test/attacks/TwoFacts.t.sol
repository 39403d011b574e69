// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./WealthTest.sol";

/// @notice Rules that look right until a second fact is tried beside the first.
abstract contract TwoFactsTest is WealthTest {
    /// @dev A day belongs to whoever was in force when it began.
    function test_aTermThatBeginsAtNoonJudgesFromTheNextDayOn() public {
        vm.warp((uint256(START) / 1 days) * 1 days + 12 hours);
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        uint16 day = uint16(vm.getBlockTimestamp() / 1 days) + 30;
        assertEq(court.fallbackOn(day), fallbackArbitrator, "the day in which it begins");
        assertEq(court.fallbackOn(day + 1), stranger, "the next day");
    }

    /// @dev As the ruling would have been: the judge has its bond of collateral, whoever gives in.
    function test_aConcessionPaysTheJudge() public {
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way < 2 ? unbonded() : escalated();
            Wealth memory judge = wealthOf(fallbackArbitrator);
            Wealth memory ofPoster = wealthOf(poster);
            Wealth memory ofWorker = wealthOf(worker);
            bool byPoster = way % 2 == 0;
            concede(byPoster ? poster : worker, taskId);
            assertWon(fallbackArbitrator, judge, way < 2 ? int256(0) : F, way < 2 ? bondUsdc() : int256(0), "judge");
            int256 loss = -bondUsdc();
            int256 gain = way < 2 ? int256(0) : bondUsdc();
            int256 worth = way < 2 ? int256(0) : F;
            if (byPoster) {
                assertWon(poster, ofPoster, 0, loss, "poster");
                assertWon(worker, ofWorker, D + worth, gain, "worker");
            } else {
                assertWon(poster, ofPoster, D + F, gain, "poster");
                assertWon(worker, ofWorker, 0, loss, "worker");
            }
            vm.revertToState(snapshot);
        }
    }

    /// @dev The day of a dismissal may end after the deadline: it comes first up to the end of the grace.
    function test_aDismissalThatEndsInTheGraceFreesTheBond() public {
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline - 12 hours);
        dismiss(taskId);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(reputation.reputationOf(poster).dismissed, 1);
        assertEq(reputation.reputationOf(worker).lastActive, 0, "no mark");
        assertNothingLeft(taskId);
    }

    /// @dev The poster's turn is added to the deadline as it is, with the trial in it.
    function test_aTurnOfThePosterMovesTheDeadlineAsItIs() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        deliver(taskId);
        skip(1 hours);
        deliver(taskId);
        assertEq(taskOf(taskId).deadline, deadline + 1 hours);
    }

    /// @dev The bounds of the fee are those of the launch, not of the fee before.
    function test_theFeeDoesNotFallStepByStep() public {
        paymentGatewayAs(owner).setAccessFee(FEE / 10);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadFee.selector, FEE / 100));
        paymentGatewayAs(owner).setAccessFee(FEE / 100);
    }
}

contract TwoFactsStandardTest is TwoFactsTest {}

contract TwoFactsMicroTest is OnMicro, TwoFactsTest {}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev A poster disputes good work: to get it for nothing, to press the worker into a discount, or to delay.
/// Answer: the poster puts up F, 5 % of the milestone. A worker that is right loses nothing when it puts up F as
/// well, F at most when it cannot, and it is heard either way. The poster loses F and its collateral in front of a
/// judge, half of F and its collateral when it gives in before.
abstract contract FreeDisputes is CourtAttackTest {
    /// @dev The poster's bond pays the judge; the worker has its F back, all of D, and the poster's collateral.
    function test_disputingGoodWorkCostsFAndTheCollateral() public atEveryAmount {
        uint256 taskId = escalatedWorth(atStake);
        Wealth memory judge = wealthOf(fallbackArbitrator);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(atStake), -collateral(), int256(uint256(atStake)), collateral());
        assertOutcome(fallbackArbitrator, judge, feeOf(atStake), 0);
        assertEq(scoreOf(poster), -10);
    }

    /// @dev A worker with TOK for one bond is disputed five times on one day.
    function test_fiveDisputesAtOnceAreAllHeard() public atEveryAmount {
        uint256[5] memory taskIds;
        for (uint256 index = 0; index < 5; ++index) taskIds[index] = deliveredWorth(atStake);
        leaveTok(worker, uint256(feeOf(atStake)));
        remember();
        for (uint256 index = 0; index < 5; ++index) openDispute(taskIds[index]);
        answerWithBond(taskIds[0], worker);
        for (uint256 index = 1; index < 5; ++index) answerWithoutBond(taskIds[index]);
        skip(3 days + 1);
        court.escalate(taskIds[0]);
        for (uint256 index = 0; index < 5; ++index) rule(taskIds[index], WHOLE);
        int256 fee = feeOf(atStake);
        assertOutcome(poster, posterThen, -5 * fee, -5 * collateral());
        assertOutcome(worker, workerThen, 5 * int256(uint256(atStake)) - 4 * fee, 5 * collateral());
        for (uint256 index = 0; index < 5; ++index) assertClosed(taskIds[index]);
    }

    /// @dev Try whether the worker sleeps; give in if it does not.
    function test_openingAndConcedingWhenAnsweredCostsHalfOfFAndTheCollateral() public atEveryAmount {
        uint256 taskId = answeredWorth(atStake);
        concede(poster, taskId);
        int256 half = feeOf(atStake) / 2;
        assertEnd(taskId, -half, -collateral(), int256(uint256(atStake)) + half, collateral());
        assertEq(scoreOf(poster), -10);
    }

    /// @dev "Take 96 % or I dispute." Carried out, the threat costs its author more than the discount that it asks
    /// for, and a worker with F gets everything.
    function test_aThreatToDisputeCostsItsAuthorMoreThanTheDiscount() public atEveryAmount {
        uint256 snapshot = vm.snapshotState();
        rule(escalatedWorth(atStake), WHOLE);
        int256 carriedOut = posterNet();
        int256 withBond = tokGain(worker, workerThen);
        vm.revertToState(snapshot);
        rule(unbondedWorth(atStake), WHOLE);
        int256 withoutBond = tokGain(worker, workerThen);
        assertTrue(carriedOut < -share(int256(uint256(atStake)), 400), "the poster loses more than it asked for");
        assertEq(withBond, int256(uint256(atStake)));
        assertEq(withoutBond, share(int256(uint256(atStake)), 9_500), "without a bond a discount of 5 % is the most");
    }

    /// @dev Without liquid TOK a poster with one milestone cannot put up a bond; see 13 of ThirdReading.
    function test_reverts_whenThePosterHasNothingToPutUp() public {
        uint256 taskId = deliveredWorth(1_000e18);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        leaveTok(poster, 0);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, poster, 0, 50e18));
        openDisputeOf(taskId, deliveredAt);
    }

    /// @dev With later milestones it can: they return first and pay the bond.
    function test_aPosterWhoseTokIsAllInLaterMilestonesCanDispute() public atEveryAmount {
        uint256 taskId = activeWith(2 * max(atStake, 100e18), pair(atStake, 2 * max(atStake, 100e18) - atStake));
        deliver(taskId);
        leaveTok(poster, 0);
        remember();
        openDispute(taskId);
        lapse(taskId);
        assertEnd(taskId, int256(2 * uint256(max(atStake, 100e18))), collateral(), 0, -collateral());
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
        assertEnd(taskId, 999_990e18 - 0.25e18, -collateral(), 10.25e18, collateral());
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

    function max(uint96 left, uint96 right) private pure returns (uint96) {
        return left > right ? left : right;
    }
}

contract FreeDisputesStandardTest is FreeDisputes {}

contract FreeDisputesMicroTest is OnMicro, FreeDisputes {}

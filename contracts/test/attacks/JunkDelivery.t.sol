// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev A worker delivers rubbish and asks for a "settlement": in the first edition it was cheaper for the poster to
/// pay 4 % of a large task than to win the dispute.
/// Answer: a poster that wins pays nothing, whether the worker vanishes, concedes, answers with a bond or without
/// one. The worker loses its collateral and, if it put up F, that as well.
abstract contract JunkDelivery is CourtAttackTest {
    /// @dev The demand of 4 % is refused. Whatever the worker does next, the poster has everything back.
    function test_refusingARansomCostsThePosterNothing() public atEveryAmount {
        int256 ransom = share(int256(uint256(atStake)), 400);
        for (uint256 way = 0; way < 5; ++way) {
            uint256 snapshot = vm.snapshotState();
            insist(deliveredWorth(atStake), way);
            assertEq(tokGain(poster, posterThen), int256(uint256(atStake)) + consolation(atStake, way));
            assertOutcomeUsdc();
            assertTrue(posterNet() > int256(uint256(atStake)) - ransom, "winning is cheaper than the ransom");
            assertTrue(workerNet() <= inTok(0, -collateral()), "the attacker loses its bond as well as its fee");
            vm.revertToState(snapshot);
        }
    }

    /// @dev Vanishes, concedes at once, answers without bond, answers with bond and concedes, or goes to the end.
    function insist(uint256 taskId, uint256 way) private {
        openDispute(taskId);
        if (way == 0) return lapse(taskId);
        if (way == 1) return concede(worker, taskId);
        if (way == 2) {
            answerWithoutBond(taskId);
            return rule(taskId, 0);
        }
        answerWithBond(taskId, worker);
        if (way == 3) return concede(worker, taskId);
        agree(taskId, arbitrator);
        rule(taskId, 0);
    }

    /// @dev Conceding before a judge is in office pays the poster half of the worker's bond.
    function consolation(uint96 amount, uint256 way) private pure returns (int256) {
        return way == 3 ? feeOf(amount) / 2 : int256(0);
    }

    function assertOutcomeUsdc() private view {
        assertEq(int256(wealthOf(poster).usdc) - int256(posterThen.usdc), collateral());
        assertEq(int256(wealthOf(worker).usdc) - int256(workerThen.usdc), -collateral());
    }

    /// @dev The longest that junk can hold the money: the answer window, then fifteen days. Nothing is lost
    /// meanwhile.
    function test_junkHoldsTheMoneyForALimitedTime() public atEveryAmount {
        uint256 taskId = disputedWorth(atStake);
        uint64 openedAt = clock();
        vm.warp(court.disputeOf(taskId).phaseEnds);
        answerWithBond(taskId, worker);
        vm.warp(court.disputeOf(taskId).phaseEnds);
        agree(taskId, arbitrator);
        skip(5 days + 1);
        court.escalate(taskId);
        rule(taskId, 0);
        assertEq(clock() - openedAt, 3 days + 3 days + 5 days + 1);
        assertEnd(taskId, int256(uint256(atStake)), collateral(), -feeOf(atStake), -collateral());
    }

    /// @dev Delivered when nobody expects it: after deadline and grace it is refused.
    function test_afterTheGraceJunkIsRefusedAndTheWorkerHasLostFeeAndBond() public {
        Wealth memory attacker = wealthOf(worker);
        Wealth memory victim = wealthOf(poster);
        uint256 taskId = active();
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        deliverJunk(taskId, 0);
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, attacker, -int256(uint256(FEE)), -collateral());
        assertOutcome(poster, victim, -int256(uint256(FEE)), collateral());
    }
}

contract JunkDeliveryStandardTest is JunkDelivery {}

contract JunkDeliveryMicroTest is OnMicro, JunkDelivery {}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev The owner changes a plan in front of its buyer, or never opens staking, so that the stakers' share of all
/// fees stays locked, or opens it late and takes what has piled up.
/// Answer: a buyer names the highest price, the smallest limit and the fewest days; before staking is open the
/// stakers' share is burned.
abstract contract PlansAndFees is CourtAttackTest {
    function test_reverts_whenThePlanShrinksInFrontOfItsBuyer() public {
        Wealth memory victim = wealthOf(poster);
        policyAs(owner).setPlan("basic", 1, 20e6, 1_000, true);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, 1, 30));
        buy(PayWith.USDC, 25, 30);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, 1, 30));
        buy(PayWith.TOK, 25, 30);
        assertOutcome(poster, victim, 0, 0);
    }

    /// @dev A poster that owns all stake gets 40 % of that fee back. Disputing good work still costs it most of F.
    function test_aPosterThatOwnsAllStakeStillLosesByDisputingGoodWork() public atEveryAmount {
        openStaking();
        stakingAs(poster).stake(1_000_000e18);
        uint256 taskId = deliveredWorth(atStake);
        gateway.flush();
        skip(8 days);
        deliver(taskId);
        remember();
        openDispute(taskId);
        answerWithoutBond(taskId);
        rule(taskId, WHOLE);
        gateway.flush();
        skip(8 days);
        int256 gain = tokGain(poster, posterThen);
        assertTrue(gain <= -share(feeOf(atStake), 6_000), "three fifths of F at least");
        assertTrue(gain > -feeOf(atStake), "it did get its share");
    }

    function buy(PayWith payWith, uint32 minLimit, uint16 minDays) private {
        gatewayAs(poster).purchasePlan("basic", payWith, type(uint256).max, minLimit, minDays);
    }
}

contract PlansAndFeesStandardTest is PlansAndFees {}

contract PlansAndFeesMicroTest is OnMicro, PlansAndFees {}

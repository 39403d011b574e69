// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PayWith} from "../../src/Types.sol";
import {IPaymentGateway} from "../../src/interfaces/IPaymentGateway.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev The owner changes a plan in front of its buyer, or never opens staking, so that the stakers' share of all
/// fees stays locked, or opens it late and takes what has piled up.
/// Answer: a buyer names the highest price, the smallest limit and the fewest days; before staking is open the
/// stakers' share is burned.
abstract contract PlansAndFees is CourtAttackTest {
    function test_reverts_whenThePlanShrinksInFrontOfItsBuyer() public {
        Wealth memory victim = wealthOf(poster);
        vm.prank(owner);
        policy.setPlan("basic", 1, 20e6, 1_000, true);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, 1, 30));
        buy(PayWith.USDC, 25, 30);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, 1, 30));
        buy(PayWith.TOK, 25, 30);
        assertOutcome(poster, victim, 0, 0);
    }

    function testFuzz_aPlanIsBoughtOnlyWithWhatItsBuyerExpects(uint32 limit, uint32 minLimit, uint16 minDays) public {
        limit = uint32(bound(limit, 1, type(uint32).max));
        vm.prank(owner);
        policy.setPlan("basic", limit, 20e6, 1_000, true);
        bool good = limit >= minLimit && minDays <= 30;
        Wealth memory before = wealthOf(poster);
        if (!good) vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, limit, 30));
        buy(PayWith.USDC, minLimit, minDays);
        assertOutcome(poster, before, 0, good ? -20e6 : int256(0));
    }

    /// @dev In the first edition 40 % of all fees stayed locked for ever if staking never started.
    function test_beforeStakingIsOpenItsShareOfTheFeesIsBurned() public {
        atEveryAmount(collectUnstaked);
    }

    function collectUnstaked(uint96 amount) private {
        uint256 supply = tok.totalSupply();
        activeWorth(amount);
        uint256 pending = gateway.pendingFees();
        gateway.flush();
        assertEq(tok.balanceOf(address(staking)), 0);
        assertEq(supply - tok.totalSupply(), (pending * 8) / 10);
        assertEq(tok.balanceOf(treasury), (pending * 2) / 10);
        assertEq(tok.balanceOf(address(gateway)), 0);
    }

    /// @dev Opened right in front of a split, by an owner that holds the only stake: the most it can get is 40 % of
    /// the fees since the last daily split, over seven days; what came before is gone.
    function test_openingStakingLateCollectsNoBacklog() public {
        equip(owner);
        for (uint256 day = 0; day < 5; ++day) {
            postedUnfunded();
            skip(1 days);
        }
        postedUnfunded();
        assertEq(gateway.pendingFees(), 0, "split a moment ago");
        openStaking();
        vm.prank(owner);
        staking.stake(1_000_000e18);
        Wealth memory before = wealthOf(owner);
        gateway.flush();
        skip(30 days);
        assertOutcome(owner, before, 0, 0);
    }

    /// @dev The fee of an answer without bond is split like every other fee.
    function test_theFeeOfAnAnswerWithoutBondIsSplitLikeOthers() public {
        gateway.flush();
        uint256 taskId = unbondedWorth(1_000_000e18);
        uint256 pending = gateway.pendingFees();
        rule(taskId, WHOLE);
        assertEq(gateway.pendingFees() - pending, 50_000e18);
        uint256 supply = tok.totalSupply();
        gateway.flush();
        assertEq(supply - tok.totalSupply(), ((pending + 50_000e18) * 8) / 10);
    }

    /// @dev A poster that owns all stake gets 40 % of that fee back. Disputing good work still costs it most of F.
    function test_aPosterThatOwnsAllStakeStillLosesByDisputingGoodWork() public {
        openStaking();
        atEveryAmount(disputeAsStaker);
    }

    function disputeAsStaker(uint96 amount) private {
        vm.prank(poster);
        staking.stake(1_000_000e18);
        uint256 taskId = deliveredWorth(amount);
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
        assertTrue(gain <= -share(feeOf(amount), 6_000), "three fifths of F at least");
        assertTrue(gain > -feeOf(amount), "it did get its share");
    }

    function buy(PayWith payWith, uint32 minLimit, uint16 minDays) private {
        vm.prank(poster);
        gateway.purchasePlan("basic", payWith, type(uint256).max, minLimit, minDays);
    }
}

contract PlansAndFeesStandardTest is PlansAndFees {}

contract PlansAndFeesMicroTest is PlansAndFees {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

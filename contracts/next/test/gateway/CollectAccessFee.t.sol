// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev collectAccessFee
///   refused when the payer has neither credits nor TOK
///   without credits: 1000 TOK move to the gateway and wait there, for each of the four actions
///   with credits for the whole fee: credits pay and no TOK moves; with less, TOK pays all of it
///   a fee in TOK splits what is pending from a day after the last split on, not a second earlier; credits never do
contract CollectAccessFeeTest is MarketTest {
    uint96 private constant STAKE = 10_000e18;
    uint256 private constant TASK = 12;
    // A stake of 10,000 TOK earns one access fee in 30 days, to the second.
    uint256 private constant FEE_TIME = 30 days;

    function test_paysWithCreditsOnceTheyCoverTheWholeFee() public {
        stakeAsPoster();
        skip(FEE_TIME);
        uint256 credits = staking.stakerOf(poster).credits;
        assertGe(credits, FEE, "credits");
        uint256 walletBefore = tok.balanceOf(poster);

        vm.expectEmit(address(staking));
        emit IStakingVault.CreditsConsumed(poster, FEE);
        expectFeeLog(poster, FeeAction.CLAIM, TASK, true);
        collect(FeeAction.CLAIM);

        assertEq(staking.stakerOf(poster).credits, credits - FEE, "credits left");
        assertEq(tok.balanceOf(poster), walletBefore, "payer's wallet");
        assertEq(paymentGateway.pendingFees(), 0, "pending");
    }

    function test_creditsStayGoodAfterTheStakeIsGone() public {
        stakeAsPoster();
        skip(FEE_TIME);
        stakingAs(poster).unstake(STAKE);
        expectFeeLog(poster, FeeAction.POST, TASK, true);
        collect(FeeAction.POST);
    }

    function test_anotherWalletsCreditsPayNothing() public {
        stakeAsPoster();
        skip(FEE_TIME);
        uint256 credits = staking.stakerOf(poster).credits;
        expectFeeLog(worker, FeeAction.CLAIM, TASK, false);
        paymentGatewayAs(address(registry)).collectAccessFee(worker, FeeAction.CLAIM, TASK);
        assertEq(staking.stakerOf(poster).credits, credits);
    }

    function test_oneSecondBeforeADayTheFeeWaits() public {
        skip(1 days - 1);
        vm.recordLogs();
        collect(FeeAction.POST);
        assertEq(countOf(vm.getRecordedLogs(), IPaymentGateway.FeesFlushed.selector), 0, "FeesFlushed");
        assertEq(paymentGateway.pendingFees(), FEE, "pending");
        assertEq(paymentGateway.lastFlush(), START, "last flush");
    }

    function test_aDayAfterTheLastSplitTheFeeSplitsEverything() public {
        openStaking();
        collect(FeeAction.POST);
        skip(1 days);
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.FeesFlushed(800e18, 800e18, 400e18);
        collect(FeeAction.POST);
        assertEq(paymentGateway.pendingFees(), 0, "pending");
        assertEq(paymentGateway.lastFlush(), START + 1 days, "last flush");
        assertEq(tok.balanceOf(treasury), 400e18, "treasury");
        assertEq(staking.rewardReserve(), 800e18, "reward reserve");

        skip(1 days - 1);
        collect(FeeAction.POST);
        assertEq(paymentGateway.pendingFees(), FEE, "pending the next day");
    }

    function test_aFeePaidWithCreditsSplitsNothing() public {
        stakeAsPoster();
        collect(FeeAction.POST);
        skip(FEE_TIME);
        collect(FeeAction.POST);
        assertEq(paymentGateway.pendingFees(), FEE, "pending");
        assertEq(paymentGateway.lastFlush(), START, "last flush");
    }

    function collect(FeeAction action) private {
        paymentGatewayAs(address(registry)).collectAccessFee(poster, action, TASK);
    }

    function stakeAsPoster() private {
        openStaking();
        stakingAs(poster).stake(STAKE);
    }
}

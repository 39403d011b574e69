// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev flush
///   anyone may, at any time
///   splits all TOK the gateway holds: 40 % burnt, 40 % to the stakers' reserve, the rest to the treasury
///   before staking starts the stakers' share is burnt as well, and nothing reaches the staking vault
///   plan payments in TOK and plain transfers are split with the fees; rounding goes to the treasury
///   nothing pending: nothing moves and no event is emitted; only the daily clock restarts
contract FlushTest is MarketTest {
    function setUp() public override {
        super.setUp();
        openStaking();
    }

    function test_anyoneSplitsWhatIsPending() public {
        tok.transfer(address(paymentGateway), 1_000e18);
        uint256 supplyBefore = tok.totalSupply();
        skip(5 hours);

        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.FeesFlushed(400e18, 400e18, 200e18);
        vm.expectEmit(address(staking));
        emit IStakingVault.RewardAdded(400e18, 400e18);
        paymentGatewayAs(stranger).flush();

        assertEq(tok.totalSupply(), supplyBefore - 400e18, "supply");
        assertEq(tok.balanceOf(address(staking)), 400e18, "staking's TOK");
        assertEq(staking.rewardReserve(), 400e18, "reward reserve");
        assertEq(tok.balanceOf(treasury), 200e18, "treasury");
        assertEq(paymentGateway.pendingFees(), 0, "pending");
        assertEq(paymentGateway.lastFlush(), START + 5 hours, "last flush");
    }

    function test_aSecondSplitInTheSameBlockFindsNothing() public {
        tok.transfer(address(paymentGateway), 1_000e18);
        paymentGateway.flush();
        vm.recordLogs();
        paymentGateway.flush();
        assertEq(vm.getRecordedLogs().length, 0, "logs");
        assertEq(staking.rewardReserve(), 400e18, "reward reserve");
        assertEq(tok.balanceOf(treasury), 200e18, "treasury");
    }

    function test_beforeStakingStartsTheStakersShareIsBurnt() public {
        closeStaking();
        tok.transfer(address(paymentGateway), 1_000e18);
        uint256 supplyBefore = tok.totalSupply();
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.FeesFlushed(800e18, 0, 200e18);
        vm.recordLogs();
        paymentGateway.flush();
        assertEq(vm.getRecordedLogs().length, 3, "the split, what is burnt and what the treasury gets");
        assertEq(tok.totalSupply(), supplyBefore - 800e18, "supply");
        assertEq(tok.balanceOf(address(staking)), 0, "staking's TOK");
        assertEq(staking.rewardReserve(), 0, "reward reserve");
        assertEq(tok.balanceOf(treasury), 200e18, "treasury");
        assertEq(paymentGateway.pendingFees(), 0, "pending");
    }

    function testFuzz_beforeStakingStartsTwoPartsAreAllThereIs(uint256 pending) public {
        closeStaking();
        pending = bound(pending, 1, tok.balanceOf(address(this)));
        uint256 burned = 2 * ((pending * 4) / 10);
        assertSplit(pending, burned, 0, pending - burned);
    }

    function testFuzz_theThreePartsAreAllThereIs(uint256 pending) public {
        pending = bound(pending, 1, tok.balanceOf(address(this)));
        assertSplit(pending, (pending * 4) / 10, (pending * 4) / 10, pending - 2 * ((pending * 4) / 10));
    }

    /// @dev A market of its own, where staking has not started.
    function closeStaking() private {
        deployMarket(address(tok), address(usdc));
        assertFalse(staking.stakingActive());
    }

    function assertSplit(uint256 pending, uint256 burned, uint256 toStaking, uint256 toTreasury) private {
        tok.transfer(address(paymentGateway), pending);
        uint256 supplyBefore = tok.totalSupply();
        uint256 stakingBefore = tok.balanceOf(address(staking));
        uint256 reserveBefore = staking.rewardReserve();
        uint256 treasuryBefore = tok.balanceOf(treasury);
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.FeesFlushed(burned, toStaking, toTreasury);
        paymentGateway.flush();
        assertEq(tok.totalSupply(), supplyBefore - burned, "burnt");
        assertEq(tok.balanceOf(address(staking)), stakingBefore + toStaking, "staking's TOK");
        assertEq(staking.rewardReserve(), reserveBefore + toStaking, "reward reserve");
        assertEq(tok.balanceOf(treasury), treasuryBefore + toTreasury, "treasury");
        assertEq(paymentGateway.pendingFees(), 0, "pending");
    }
}

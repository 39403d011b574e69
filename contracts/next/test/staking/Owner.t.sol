// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev activate, closeCreditIssuance
///   activate: once; the time is emitted
///   closeCreditIssuance: counts up to now, then no more is issued; credits and rewards earned stay good, stakes move
///          freely; closing again changes nothing
contract OwnerTest is StakingTest {
    function test_activate_opensTheVaultOnce() public {
        deployMarket(address(tok), address(usdc));
        assertFalse(staking.stakingActive(), "before");
        vm.expectEmit(address(staking));
        emit IStakingVault.StakingActivated(START);
        openStaking();
        assertTrue(staking.stakingActive(), "after");
        (bool active, , , , , ) = staking.overview();
        assertTrue(active, "in the overview");
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.AlreadyActive.selector, address(staking)));
        stakingAs(owner).activate();
    }

    function test_close_leavesStakesRewardsAndCreditsGood() public {
        stake(alice, MIN_STAKE);
        addReward(700e18);
        skip(1 days);
        close();
        skip(6 days);
        stake(bob, MIN_STAKE);
        assertTrue(consume(alice, MIN_STAKE_CREDIT_RATE * 1 days), "credits");
        assertGt(claim(alice), 100e18, "rewards go on");
        unstake(alice, MIN_STAKE);
        assertEq(staking.totalStaked(), MIN_STAKE, "stakes move");
        assertAccounted();
    }

    function test_close_againChangesNothing() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        close();
        skip(1 days);
        vm.expectEmit(address(staking));
        emit IStakingVault.CreditIssuanceClosed(MIN_STAKE_CREDIT_RATE * 1 days);
        close();
        assertEq(staking.totalCreditsIssued(), MIN_STAKE_CREDIT_RATE * 1 days);
    }

    function close() private {
        stakingAs(owner).closeCreditIssuance();
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev unstake
///   refused: amount 0; more than is staked; less than a day after the last stake; a rest that is neither nothing
///            nor 10,000 TOK
///   from the first second of the second day on the stake goes back one to one
///   rewards and credits earned so far are kept, and nothing more is earned on what went
contract UnstakeTest is StakingTest {
    function test_reverts_forAmountsThatAreNotFreeOrLeaveTooLittle() public {
        stake(bob, MIN_STAKE);
        stake(alice, 3 * uint128(MIN_STAKE));
        skip(1 days);
        expectRefused(0, abi.encodeWithSelector(IMarketErrors.ZeroAmount.selector, alice));
        uint128 above = 3 * uint128(MIN_STAKE) + 1;
        expectRefused(above, abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, above - 1, above));
        bytes memory tooLittle = abi.encodeWithSelector(IStakingVault.BelowMinStake.selector, MIN_STAKE - 1, MIN_STAKE);
        expectRefused(2 * uint128(MIN_STAKE) + 1, tooLittle);
    }

    function test_reverts_inTheLastSecondOfTheFirstDay() public {
        stake(alice, MIN_STAKE);
        skip(1 days - 1);
        expectRefused(MIN_STAKE, abi.encodeWithSelector(IStakingVault.StakeLocked.selector, uint64(START) + 1 days));
    }

    function test_givesTheStakeBackOneToOneAndTellsIt() public {
        stake(alice, 3 * uint128(MIN_STAKE));
        skip(1 days);
        vm.expectEmit(address(staking));
        emit IStakingVault.Unstaked(alice, 2 * uint256(MIN_STAKE), MIN_STAKE);
        unstake(alice, 2 * uint128(MIN_STAKE));
        assertStaked(alice, MIN_STAKE, START);
        assertEq(staking.totalStaked(), MIN_STAKE, "total");
        assertEq(tok.balanceOf(alice), WALLET_TOK - MIN_STAKE, "wallet");

        vm.expectEmit(address(staking));
        emit IStakingVault.Unstaked(alice, MIN_STAKE, 0);
        unstake(alice, MIN_STAKE);
        assertEq(staking.totalStaked(), 0, "total");
        assertEq(tok.balanceOf(alice), WALLET_TOK, "wallet");
        assertEq(tok.balanceOf(address(staking)), 0, "vault");
    }

    function test_keepsWhatWasEarnedAndEarnsNoMore() public {
        stake(alice, MIN_STAKE);
        stake(bob, MIN_STAKE);
        addReward(1_400e18);
        skip(1 days);
        unstake(alice, MIN_STAKE);
        assertEq(rewardsOf(alice), 100e18, "rewards");
        assertEq(creditsOf(alice), MIN_STAKE_CREDIT_RATE * 1 days, "credits");

        skip(30 days);
        assertEq(rewardsOf(alice), 100e18, "rewards a month later");
        assertEq(creditsOf(alice), MIN_STAKE_CREDIT_RATE * 1 days, "credits a month later");
        assertEq(claim(alice), 100e18);
        assertEq(tok.balanceOf(alice), WALLET_TOK + 100e18, "wallet");
        assertAccounted();
    }

    function test_anotherStakersTimeDoesNotMatter() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        stake(bob, MIN_STAKE);
        unstake(alice, MIN_STAKE);
        assertStaked(bob, MIN_STAKE, START + 1 days);
        assertEq(staking.totalStaked(), MIN_STAKE, "total");
    }

    function testFuzz_aStakeLeavesWholeOrLeavesTheMinimum(uint96 staked, uint96 amount) public {
        staked = uint96(bound(staked, MIN_STAKE, WALLET_TOK));
        amount = uint96(bound(amount, 1, staked));
        stake(alice, staked);
        skip(1 days);
        uint96 left = staked - amount;
        bool allowed = left == 0 || left >= MIN_STAKE;
        vm.prank(alice);
        if (!allowed) {
            vm.expectRevert(abi.encodeWithSelector(IStakingVault.BelowMinStake.selector, left, MIN_STAKE));
        }
        staking.unstake(amount);
        assertEq(staking.totalStaked(), allowed ? left : staked, "total");
        assertEq(tok.balanceOf(alice), WALLET_TOK - (allowed ? left : staked), "wallet");
        assertAccounted();
    }

    function expectRefused(uint128 amount, bytes memory refusal) private {
        vm.expectRevert(refusal);
        unstake(alice, amount);
    }
}

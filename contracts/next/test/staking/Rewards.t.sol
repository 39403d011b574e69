// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev addReward, claimReward and the drip between them
///   addReward: adds to the reserve, which it does not stretch
///   the reserve drips over seven days: t/7 d of it at t, all of it from seven days on, never more
///   it drips by stake, to those who stake at that time; while nobody stakes nothing drips and nothing is lost
///   what cannot be divided stays in the reserve
///   claimReward: pays all that was earned, once; nothing earned pays nothing
/// That roundings of many drips never promise more than was set aside stands in RewardRounding.t.sol.
contract RewardsTest is StakingTest {
    function test_addReward_countsTheDripUpToNowFirst() public {
        stake(alice, MIN_STAKE);
        addReward(700e18);
        skip(1 days);
        tok.transfer(address(staking), 100e18);
        vm.expectEmit(address(staking));
        emit IStakingVault.Accrued(100e18, MIN_STAKE_CREDIT_RATE * 1 days, 0.01e18, 3_333_333_333_369_600);
        vm.expectEmit(address(staking));
        emit IStakingVault.RewardAdded(100e18, 700e18);
        announceReward(100e18);
        assertEq(staking.rewardsAllocated(), 100e18, "allocated");
        assertEq(staking.accReward(), 0.01e18, "reward per wei");
        assertEq(staking.lastUpdate(), START + 1 days, "last update");
        assertEq(rewardsOf(alice), 100e18, "earned");
        assertAccounted();
    }

    function test_theReserveDripsEvenlyUntilTheSeventhDay() public {
        stake(alice, MIN_STAKE);
        addReward(604_800e18);
        assertEq(rewardsOf(alice), 0, "at once");
        skip(1);
        assertEq(rewardsOf(alice), 1e18, "after a second");
        skip(DRIP / 2 - 1);
        assertEq(rewardsOf(alice), 302_400e18, "after half of it");
        skip(DRIP / 2 - 1);
        assertEq(rewardsOf(alice), 604_799e18, "a second before the end");
        skip(1);
        assertEq(rewardsOf(alice), 604_800e18, "at the end");
        skip(365 days);
        assertEq(rewardsOf(alice), 604_800e18, "a year later");
        assertReserveNow(0);
    }

    function test_aDustRewardStretchesNothing() public {
        stake(alice, MIN_STAKE);
        addReward(700e18);
        for (uint256 day = 0; day < 7; ++day) {
            skip(1 days);
            addReward(1);
        }
        // Drips of drips: six sevenths of the rest stay each day, no matter who sends what.
        assertApproxEqAbs(staking.rewardReserve(), (700e18 * uint256(6 ** 7)) / 7 ** 7, 1e6, "reserve");
    }

    function test_nothingDripsWhileNobodyStakes() public {
        addReward(700e18);
        skip(100 days);
        assertReserveNow(700e18);
        vm.recordLogs();
        stake(alice, MIN_STAKE);
        assertEq(countOf(vm.getRecordedLogs(), IStakingVault.Accrued.selector), 0, "Accrued");
        assertEq(rewardsOf(alice), 0, "at once");
        assertReserveNow(700e18);
        skip(1 days);
        assertEq(rewardsOf(alice), 100e18, "a day later");

        unstake(alice, MIN_STAKE);
        skip(100 days);
        assertReserveNow(600e18);
        assertEq(rewardsOf(alice), 100e18, "without a stake");
        stake(bob, MIN_STAKE);
        skip(DRIP);
        assertEq(rewardsOf(bob), 600e18, "the next staker gets the rest");
    }

    function test_stakingJustInTimeForASplitEarnsASeventhADayAtMost() public {
        stake(alice, MIN_STAKE);
        stake(bob, 99 * uint128(MIN_STAKE));
        addReward(700e18);
        skip(1 days);
        unstake(bob, 99 * uint128(MIN_STAKE));
        assertEq(rewardsOf(bob), 99e18, "99 % of a seventh");
        skip(DRIP);
        assertEq(rewardsOf(alice), 1e18 + 600e18, "who stays gets the rest");
    }

    function test_claim_byAWalletThatNeverStakedPaysNothing() public {
        stake(alice, MIN_STAKE);
        addReward(700e18);
        skip(DRIP);
        vm.expectEmit(address(staking));
        emit IStakingVault.RewardClaimed(stranger, 0);
        assertEq(claim(stranger), 0);
        assertEq(tok.balanceOf(stranger), 0, "wallet");
        assertEq(rewardsOf(alice), 700e18, "the staker's");
    }

    function assertReserveNow(uint256 expected) private view {
        (, , , , , uint256 reserve) = staking.overview();
        assertEq(reserve, expected, "reserve now");
    }
}

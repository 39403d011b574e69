// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IStakingVault} from "../../src/interfaces/IStakingVault.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev Somebody with nine times the stake of all others stakes just before fees are split, takes nine tenths of them
/// and is gone.
/// Answer: a split only fills a reserve that drips over seven days, stake is locked for one, and fees are split
/// every day, so that there is no hoard to wait for. A day's stake earns a day's part, the same as everyone's.
contract JustInTimeStakingTest is AttackTest {
    uint256 private constant RESERVE = 4_000e18;
    uint128 private constant HONEST = 100_000e18;
    uint128 private constant HUGE = 900_000e18;
    address private whale;

    function setUp() public override {
        super.setUp();
        openStaking();
        whale = stranger;
        equip(whale);
        vm.prank(rival);
        staking.stake(HONEST);
        for (uint256 index = 0; index < 10; ++index) {
            postedUnfunded();
        }
    }

    function test_reverts_whenTheWhaleLeavesWithinTheDay() public {
        dive();
        uint64 until = uint64(vm.getBlockTimestamp()) + 1 days;
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.StakeLocked.selector, until));
        vm.prank(whale);
        staking.unstake(HUGE);
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.StakeLocked.selector, until));
        vm.prank(whale);
        staking.unstake(HUGE);
    }

    function test_theSplitItselfPaysTheWhaleNothing() public {
        Wealth memory attacker = wealthOf(whale);
        dive();
        assertEq(staking.rewardReserve(), RESERVE);
        assertOutcome(whale, attacker, 0, 0);
    }

    function test_theWhaleGetsASeventhOfWhatItCameFor() public {
        Wealth memory attacker = wealthOf(whale);
        Wealth memory honest = wealthOf(rival);
        dive();
        skip(1 days);
        surface();
        uint256 hoped = (RESERVE * 9) / 10;
        uint256 won = uint256(tokGain(whale, attacker));
        assertApproxEqAbs(won, hoped / 7, 1e6);
        assertApproxEqAbs(uint256(tokGain(rival, honest)), won / 9, 1e6, "the same as every staked TOK that day");

        skip(100 days);
        uint256 honestWon = uint256(tokGain(rival, honest));
        assertApproxEqAbs(honestWon, RESERVE - won, 1e6, "the rest is for those who stay");
    }

    function test_feesAreSplitEveryDaySoThatNoHoardBuildsUp() public {
        assertEq(gateway.pendingFees(), 10_000e18);
        skip(1 days);
        postedUnfunded();
        assertEq(gateway.pendingFees(), 0);
        assertEq(gateway.lastFlush(), vm.getBlockTimestamp());
    }

    /// @dev Whatever share and however long, nobody gets more than its part of what dripped while it was there.
    function testFuzz_nobodyEarnsMoreThanItsShareOfTheTime(uint256 amount, uint256 stay) public {
        amount = bound(amount, 10_000e18, 9_000_000e18);
        stay = bound(stay, 1 days, 7 days);
        Wealth memory attacker = wealthOf(whale);
        vm.prank(whale);
        staking.stake(uint128(amount));
        gateway.flush();
        skip(stay);
        vm.prank(whale);
        staking.unstake(uint128(amount));
        uint256 dripped = (RESERVE * stay) / 7 days;
        assertLe(uint256(tokGain(whale, attacker)), (dripped * amount) / (amount + HONEST));
    }

    function dive() private {
        vm.prank(whale);
        staking.stake(HUGE);
        gateway.flush();
    }

    function surface() private {
        vm.startPrank(whale);
        staking.unstake(HUGE);
        staking.claimReward();
        vm.stopPrank();
    }
}

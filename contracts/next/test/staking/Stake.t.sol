// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev stake
///   refused: before the launch; amount 0; a total below 10,000 TOK; a total beyond 96 bits; a wallet that has
///            approved or holds too little
///   from 10,000 TOK on any addition is taken; it moves TOK to the vault, one to one, and restarts the minimum time
///   what was earned before an addition is kept, and the addition earns from now on
contract StakeTest is StakingTest {
    function test_reverts_beforeTheLaunch() public {
        deployMarket(address(tok), address(usdc));
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.StakingNotActive.selector, address(staking)));
        stakingAs(alice).stake(MIN_STAKE);
    }

    function test_reverts_forNothingAndOneWeiBelowTheMinimum() public {
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.BelowMinStake.selector, MIN_STAKE - 1, MIN_STAKE));
        stake(alice, MIN_STAKE - 1);
        stake(alice, MIN_STAKE);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ZeroAmount.selector, alice));
        stake(alice, 0);
    }

    function test_movesTheMinimumOneToOneAndTellsIt() public {
        vm.expectEmit(address(staking));
        emit IStakingVault.Staked(alice, MIN_STAKE, MIN_STAKE);
        stake(alice, MIN_STAKE);
        assertStaked(alice, MIN_STAKE, START);
        assertEq(staking.totalStaked(), MIN_STAKE, "total");
        assertEq(tok.balanceOf(alice), WALLET_TOK - MIN_STAKE, "wallet");
        assertEq(tok.balanceOf(address(staking)), MIN_STAKE, "vault");
    }

    function test_anAdditionOfOneWeiIsTakenAndRestartsTheMinimumTime() public {
        stake(alice, MIN_STAKE);
        skip(1 days - 1);
        vm.expectEmit(address(staking));
        emit IStakingVault.Staked(alice, 1, uint256(MIN_STAKE) + 1);
        stake(alice, 1);
        assertStaked(alice, uint256(MIN_STAKE) + 1, START + 1 days - 1);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.StakeLocked.selector, uint64(START) + 2 days - 1));
        stakingAs(alice).unstake(MIN_STAKE);
    }

    function test_anAdditionKeepsWhatWasEarnedAndEarnsFromNowOn() public {
        stake(alice, MIN_STAKE);
        stake(bob, MIN_STAKE);
        addReward(1_400e18);
        skip(1 days);
        stake(alice, 2 * uint128(MIN_STAKE));
        assertEq(rewardsOf(alice), 100e18, "half of a seventh");
        assertEq(creditsOf(alice), MIN_STAKE_CREDIT_RATE * 1 days, "credits of a day");

        skip(1 days);
        uint256 secondDay = 1_200e18 / uint256(7);
        assertApproxEqAbs(rewardsOf(alice), 100e18 + (secondDay * 3) / 4, 1e5, "three quarters of the next");
        assertApproxEqAbs(rewardsOf(bob), 100e18 + secondDay / 4, 1e5, "one quarter of the next");
    }

    function testFuzz_stakesAddUp(uint96[6] memory amounts) public {
        address[3] memory accounts = [alice, bob, carol];
        uint256 sum;
        for (uint256 index = 0; index < amounts.length; ++index) {
            uint96 amount = uint96(bound(amounts[index], MIN_STAKE, WALLET_TOK / 2));
            address account = accounts[index % 3];
            uint256 before = staking.stakerOf(account).staked;
            stake(account, amount);
            assertEq(staking.stakerOf(account).staked, before + amount, "staked");
            sum += amount;
        }
        assertEq(staking.totalStaked(), sum, "total");
        assertAccounted();
    }
}

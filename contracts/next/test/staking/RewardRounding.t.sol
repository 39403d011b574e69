// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev Rounding on the way from the reserve to a staker:
///   a stake of an odd number of wei, and several splits between two of its claims
///     the claim pays, whatever the splits rounded away
///     what was released covers what was earned, to the wei
contract RewardRoundingTest is MarketTest {
    uint128 private constant ODD_STAKE = 12_345_678_901_234_567_890_123;

    function setUp() public override {
        super.setUp();
        openStaking();
        stakingAs(rival).stake(ODD_STAKE);
    }

    function test_theOnlyStakerCanClaimAfterManySplits() public {
        splitFeesOnDays(9);
        uint256 earned = staking.stakerOf(rival).rewards;
        uint256 before = tok.balanceOf(rival);
        stakingAs(rival).claimReward();
        assertGt(earned, 0, "the splits earned something");
        assertEq(tok.balanceOf(rival), before + earned, "all of it is paid");
    }

    function testFuzz_whatIsReleasedCoversWhatIsEarned(uint256 stakeSeed, uint256 days_) public {
        uint128 amount = uint128(bound(stakeSeed, 10_000e18, 1_000_000e18));
        stakingAs(worker).stake(amount);
        splitFeesOnDays(bound(days_, 1, 12));
        uint256 earned = staking.stakerOf(rival).rewards + staking.stakerOf(worker).rewards;
        uint256 credits = staking.stakerOf(rival).credits + staking.stakerOf(worker).credits;
        (, , uint256 issued, , , uint256 reserve) = staking.overview();
        uint256 released = staking.rewardsAllocated() + staking.rewardReserve() - reserve;
        assertLe(earned, released, "rewards");
        assertLe(credits, issued, "credits");
    }

    function splitFeesOnDays(uint256 count) private {
        for (uint256 day = 1; day <= count; ++day) {
            postedUnfunded();
            skip(1 days + day * 17);
            paymentGateway.flush();
        }
    }
}

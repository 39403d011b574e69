// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev Random histories of three stakers, rewards, spent credits and passing time. After every step:
///   every TOK is a stake, an allocated reward or in the reserve
///   what stakers have earned is never more than what was allocated
///   credits held and spent are never more than issued, and issued never more than the cap
///   the views say what a write in the same block would find
/// In the end everyone can leave with stake and rewards, and what stays is dust.
contract AccumulatorsTest is StakingTest {
    uint256 private constant STEPS = 24;

    address[3] private accounts;
    uint256 private consumed;
    uint256 private paidIn;
    uint256 private paidOut;

    function setUp() public override {
        super.setUp();
        accounts = [alice, bob, carol];
    }

    function testFuzz_historiesKeepTheBooks(uint256[STEPS] memory seeds) public {
        for (uint256 index = 0; index < STEPS; ++index) {
            step(seeds[index]);
            assertBooks();
        }
        leaveAll();
    }

    function testFuzz_viewsSayWhatAWriteWouldFind(
        uint96 aliceStake,
        uint96 bobStake,
        uint96 reward,
        uint32 time
    ) public {
        stake(alice, uint96(bound(aliceStake, MIN_STAKE, WALLET_TOK)));
        stake(bob, uint96(bound(bobStake, MIN_STAKE, WALLET_TOK)));
        addReward(uint96(bound(reward, 0, 1_000_000e18)));
        skip(time);
        IStakingVault.Staker memory seen = staking.stakerOf(alice);
        (, , uint256 issued, , , uint256 reserve) = staking.overview();
        uint256 paid = claim(alice);
        assertEq(paid, seen.rewards, "rewards");
        assertEq(staking.totalCreditsIssued(), issued, "issued");
        assertEq(staking.rewardReserve(), reserve, "reserve");
        IStakingVault.Staker memory found = staking.stakerOf(alice);
        assertEq(found.credits, seen.credits, "credits");
        assertEq(found.rewardPaid, seen.rewardPaid, "reward accumulator");
        assertEq(found.creditPaid, seen.creditPaid, "credit accumulator");
    }

    /// @dev The low bits choose the action, the rest its size; actions that are not possible now let time pass.
    function step(uint256 seed) private {
        address account = accounts[seed % 3];
        uint256 action = (seed >> 8) % 6;
        uint256 size = seed >> 16;
        IStakingVault.Staker memory staker = staking.stakerOf(account);
        if (action == 0 && tok.balanceOf(account) >= MIN_STAKE) {
            stake(account, uint128(bound(size, MIN_STAKE, tok.balanceOf(account))));
        } else if (action == 1 && staker.staked != 0) {
            skip(1 days);
            bool partly = staker.staked > MIN_STAKE && size % 2 == 0;
            unstake(account, partly ? uint128(bound(size, 1, staker.staked - MIN_STAKE)) : staker.staked);
        } else if (action == 2) {
            paidOut += claim(account);
        } else if (action == 3) {
            uint96 amount = uint96(bound(size, 0, 100_000e18));
            paidIn += amount;
            addReward(amount);
        } else if (action == 4) {
            uint256 amount = bound(size, 0, uint256(staker.credits) * 2);
            if (consume(account, amount)) consumed += amount;
        } else {
            skip(bound(size, 0, 400 days));
        }
    }

    function assertBooks() private view {
        assertAccounted();
        (, uint256 staked, uint256 issued, uint256 remaining, , uint256 reserve) = staking.overview();
        uint256 stakes;
        uint256 earned;
        uint256 credits;
        for (uint256 index = 0; index < accounts.length; ++index) {
            IStakingVault.Staker memory staker = staking.stakerOf(accounts[index]);
            stakes += staker.staked;
            earned += staker.rewards;
            credits += staker.credits;
        }
        assertEq(stakes, staked, "stakes");
        assertLe(earned, paidIn - paidOut - reserve, "earned within what left the reserve");
        assertLe(credits + consumed, issued, "credits within what was issued");
        assertLe(issued, CREDIT_CAP, "issued within the cap");
        assertEq(remaining, CREDIT_CAP - issued, "remaining");
    }

    function leaveAll() private {
        skip(1 days);
        for (uint256 index = 0; index < accounts.length; ++index) {
            paidOut += claim(accounts[index]);
            uint96 staked = staking.stakerOf(accounts[index]).staked;
            if (staked != 0) unstake(accounts[index], staked);
            paidOut += claim(accounts[index]);
        }
        assertEq(staking.totalStaked(), 0, "stakes");
        assertEq(tok.balanceOf(alice) + tok.balanceOf(bob) + tok.balanceOf(carol), 3 * uint256(WALLET_TOK) + paidOut);
        assertEq(tok.balanceOf(address(staking)), paidIn - paidOut, "reserve and dust");
        assertLe(staking.rewardsAllocated(), 1e3, "allocated dust");
    }
}

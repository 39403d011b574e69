// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @notice An open vault, three wallets with TOK, and rewards and credits moved in the gateway's name.
abstract contract StakingTest is MarketTest {
    uint96 internal constant MIN_STAKE = 10_000e18;
    uint256 internal constant DRIP = 7 days;
    uint256 internal constant CREDIT_CAP = 1_000_000e18;
    // Credit wei per second: for the minimum stake, and for the whole vault at most.
    uint256 internal constant MIN_STAKE_CREDIT_RATE = 385_802_469_140_000;
    uint256 internal constant CREDIT_RATE = 0.01e18;
    // From this stake on the vault's rate is the limit, not the stake's.
    uint96 internal constant FULL_RATE_STAKE = 259_200e18;

    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal carol = makeAddr("carol");

    function setUp() public virtual override {
        super.setUp();
        openStaking();
        giveTok(alice);
        giveTok(bob);
        giveTok(carol);
    }

    function giveTok(address to) private {
        tok.transfer(to, WALLET_TOK);
        tokAs(to).approve(address(paymentGateway), type(uint256).max);
    }

    function stake(address account, uint128 amount) internal {
        stakingAs(account).stake(amount);
    }

    function unstake(address account, uint128 amount) internal {
        stakingAs(account).unstake(amount);
    }

    function claim(address account) internal returns (uint256) {
        return stakingAs(account).claimReward();
    }

    /// @dev As the gateway does: first the TOK, then the word.
    function addReward(uint96 amount) internal {
        tok.transfer(address(staking), amount);
        announceReward(amount);
    }

    function announceReward(uint96 amount) internal {
        stakingAs(address(paymentGateway)).addReward(amount);
    }

    function consume(address account, uint256 amount) internal returns (bool) {
        return stakingAs(address(paymentGateway)).consumeCredits(account, amount);
    }

    function rewardsOf(address account) internal view returns (uint256) {
        return staking.stakerOf(account).rewards;
    }

    function creditsOf(address account) internal view returns (uint256) {
        return staking.stakerOf(account).credits;
    }

    function assertStaked(address account, uint256 amount, uint256 stakedAt) internal view {
        IStakingVault.Staker memory staker = staking.stakerOf(account);
        assertEq(staker.staked, amount, "staked");
        assertEq(staker.stakedAt, stakedAt, "stakedAt");
    }

    /// @dev Every TOK in the vault is somebody's stake, somebody's reward, or in the reserve.
    function assertAccounted() internal view {
        assertEq(
            tok.balanceOf(address(staking)),
            uint256(staking.totalStaked()) + staking.rewardReserve() + staking.rewardsAllocated(),
            "TOK in the vault"
        );
    }
}

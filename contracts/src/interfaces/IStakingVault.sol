// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The Union: staked TOK earns a share of the fees and Action Credits that pay access fees
/// @notice Stake is never slashed. Rewards drip from a reserve while somebody stakes, so none is lost when nobody does.
interface IStakingVault is IMarketErrors {
    /// @param staked own TOK in the vault
    /// @param credits Action Credits; one credit wei pays one TOK wei of access fee
    /// @param stakedAt the last stake, from which the minimum time counts
    /// @param rewards TOK earned and not yet claimed
    /// @param rewardPaid accumulator up to which rewards are counted
    /// @param creditPaid accumulator up to which credits are counted
    struct Staker {
        uint96 staked;
        uint96 credits;
        uint40 stakedAt;
        uint96 rewards;
        uint128 rewardPaid;
        uint128 creditPaid;
    }

    event Accrued(uint256 rewardReleased, uint256 creditsIssued, uint256 accReward, uint256 accCredit);
    event CreditIssuanceClosed(uint256 issued);
    event CreditsConsumed(address indexed account, uint256 amount);
    event RewardAdded(uint256 amount, uint256 reserve);
    event RewardClaimed(address indexed account, uint256 amount);
    event Staked(address indexed account, uint256 amount, uint256 total);
    event StakingActivated(uint64 activatedAt);
    event Unstaked(address indexed account, uint256 amount, uint256 total);

    error AlreadyActive(address vault);
    error BelowMinStake(uint256 staked, uint256 required);
    error InsufficientStake(uint256 staked, uint256 wanted);
    error StakeLocked(uint64 until);
    error StakingNotActive(address vault);

    /// @notice Owner only, once: opens the vault.
    function activate() external;

    /// @notice Owner only, once: no further credits are issued; those issued stay good.
    function closeCreditIssuance() external;

    function stake(uint128 amount) external;

    /// @notice Takes stake out, a day after the last stake; what stays is nothing or the minimum.
    function unstake(uint128 amount) external;

    function claimReward() external returns (uint256 amount);

    /// @notice Gateway only, after it has sent the TOK.
    function addReward(uint256 amount) external;

    /// @notice Gateway only: pays an access fee from the account's credits if they cover all of it.
    function consumeCredits(address account, uint256 amount) external returns (bool);

    /// @notice The vault as of now, not as of its last write.
    function overview()
        external
        view
        returns (bool active, uint256 staked, uint256 issued, uint256 remaining, bool closed, uint256 reserve);

    /// @notice The account as of now: rewards and credits earned so far are counted in.
    function stakerOf(address account) external view returns (Staker memory);

    function creditsRemaining() external view returns (uint256);
    function creditIssuanceClosed() external view returns (bool);
    function creditsClosedByOwner() external view returns (bool);
    function stakingActive() external view returns (bool);
    function totalStaked() external view returns (uint96);
    function rewardReserve() external view returns (uint96);
    function rewardsAllocated() external view returns (uint128);
    function totalCreditsIssued() external view returns (uint128);
    function accReward() external view returns (uint128);
    function accCredit() external view returns (uint128);
    function lastUpdate() external view returns (uint40);
}

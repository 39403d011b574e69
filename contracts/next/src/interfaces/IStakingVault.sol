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

    /// @notice Rewards (TOK wei) and credits (credit wei) were given to all stakers up to now.
    event Accrued(uint256 rewardReleased, uint256 creditsIssued, uint256 accReward, uint256 accCredit);
    /// @notice No further credits are issued; `issued` credit wei were.
    event CreditIssuanceClosed(uint256 issued);
    /// @notice `amount` credit wei paid an access fee.
    event CreditsConsumed(address indexed account, uint256 amount);
    /// @notice `amount` TOK wei of fees joined the reserve, which is now `reserve`.
    event RewardAdded(uint256 amount, uint256 reserve);
    /// @notice The account took its rewards of `amount` TOK wei.
    event RewardClaimed(address indexed account, uint256 amount);
    /// @notice The account added `amount` TOK wei to its stake, which is now `total`.
    event Staked(address indexed account, uint256 amount, uint256 total);
    /// @notice The owner opened the vault.
    event StakingActivated(uint64 activatedAt);
    /// @notice The account took `amount` TOK wei out of its stake, which is now `total`.
    event Unstaked(address indexed account, uint256 amount, uint256 total);

    /// @notice The vault can be opened only once.
    error AlreadyActive(address vault);
    /// @notice A stake is nothing, or at least `required` TOK wei.
    error BelowMinStake(uint256 staked, uint256 required);
    /// @notice The account has staked less than it wants to take out.
    error InsufficientStake(uint256 staked, uint256 wanted);
    /// @notice The stake can be taken out after `until`, in Unix seconds.
    error StakeLocked(uint64 until);
    /// @notice The vault is not open yet.
    error StakingNotActive(address vault);

    /// @notice Owner only, once: opens the vault.
    /// @dev Emits StakingActivated.
    function activate() external;

    /// @notice Owner only, once: no further credits are issued; those issued stay good.
    /// @dev Emits CreditIssuanceClosed.
    function closeCreditIssuance() external;

    /// @notice Stakes TOK of the caller, who approved the payment gateway.
    /// @dev Emits Accrued when something accrued, and Staked. `amount` in TOK wei.
    function stake(uint128 amount) external;

    /// @notice Takes stake out, a day after the last stake; what stays is nothing or the minimum.
    /// @dev The staker itself. Emits Accrued when something accrued, and Unstaked. `amount` in TOK wei.
    function unstake(uint128 amount) external;

    /// @notice Takes all rewards of the caller.
    /// @dev The staker itself. Emits Accrued when something accrued, and RewardClaimed; `amount` in TOK wei.
    function claimReward() external returns (uint256 amount);

    /// @notice Gateway only, after it has sent the TOK.
    /// @dev Emits Accrued when something accrued, and RewardAdded. `amount` in TOK wei.
    function addReward(uint256 amount) external;

    /// @notice Gateway only: pays an access fee from the account's credits if they cover all of it.
    /// @dev Emits CreditsConsumed when it pays. `amount` in TOK wei.
    function consumeCredits(address account, uint256 amount) external returns (bool);

    /// @notice The vault as of now, not as of its last write.
    function overview()
        external
        view
        returns (bool active, uint256 staked, uint256 issued, uint256 remaining, bool closed, uint256 reserve);

    /// @notice The account as of now: rewards and credits earned so far are counted in.
    function stakerOf(address account) external view returns (Staker memory);

    /// @notice Credit wei that can still be issued.
    function creditsRemaining() external view returns (uint256);
    /// @notice Whether no further credits are issued, by the owner or because all are.
    function creditIssuanceClosed() external view returns (bool);
    /// @notice Whether the owner ended the issuance of credits.
    function creditsClosedByOwner() external view returns (bool);
    /// @notice Whether the vault is open.
    function stakingActive() external view returns (bool);
    /// @notice All stakes together, in TOK wei.
    function totalStaked() external view returns (uint96);
    /// @notice TOK wei that wait to drip to stakers, as of the last write.
    function rewardReserve() external view returns (uint96);
    /// @notice TOK wei that stakers have earned and not claimed, as of the last write.
    function rewardsAllocated() external view returns (uint128);
    /// @notice Credit wei issued so far, as of the last write.
    function totalCreditsIssued() external view returns (uint128);
    /// @notice Rewards per staked TOK since the beginning, scaled, as of the last write.
    function accReward() external view returns (uint128);
    /// @notice Credits per staked TOK since the beginning, scaled, as of the last write.
    function accCredit() external view returns (uint128);
    /// @notice When rewards and credits were last counted, in Unix seconds.
    function lastUpdate() external view returns (uint40);
}

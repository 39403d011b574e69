// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeAction, PayWith} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The one contract of a market that users approve for TOK
/// @notice Collects access fees and plan payments, and moves TOK into escrow, court and staking on their request.
/// It holds nothing but fees that are not yet split.
interface IPaymentGateway is IMarketErrors {
    /// @notice An access fee of `amount` TOK wei was paid, in Action Credits when `withCredits`.
    event AccessFeePaid(
        address indexed payer,
        FeeAction indexed action,
        uint256 indexed taskId,
        uint256 amount,
        bool withCredits
    );
    /// @notice An access fee is `fee` TOK wei from now on.
    event AccessFeeSet(uint96 fee);
    /// @notice The pending fees were split; all figures in TOK wei.
    event FeesFlushed(uint256 burned, uint256 toStaking, uint256 toTreasury);
    /// @notice A posting plan was bought for `amount` TOK wei or USDC units; `listUsdc` is its list price in USDC
    /// units.
    /// @param dailyLimit posts per day that were bought
    /// @param periodDays for how many days
    event PlanPurchased(
        address indexed payer,
        bytes32 indexed tier,
        PayWith payWith,
        uint256 amount,
        uint256 listUsdc,
        uint32 dailyLimit,
        uint16 periodDays
    );

    /// @notice The fee is not between a tenth of the highest and the highest.
    error BadFee(uint96 fee);
    /// @notice A free plan is not for sale.
    error FreePlan(bytes32 tier);
    /// @notice The plan gives less than the buyer asked for.
    error PlanBelowMin(uint32 dailyLimit, uint16 periodDays);
    /// @notice The plan costs `price` now, more than the caller agreed to.
    error PriceAboveMax(uint256 price, uint256 maxPay);
    /// @notice The TOK price is stale or missing: pay in USDC.
    error TokNotAllowed(bytes32 tier);

    /// @notice Registry only: takes the access fee, first from Action Credits, else in TOK.
    /// @dev Emits AccessFeePaid, and FeesFlushed with the first fee in TOK a day after the last split.
    function collectAccessFee(address payer, FeeAction action, uint256 taskId) external;

    /// @notice Escrow, court and staking only: moves TOK from the payer to the caller itself.
    /// @dev Reverts when less than `amount` TOK wei arrive. It emits nothing itself.
    function pull(address payer, uint256 amount) external;

    /// @notice The policy's owner only: sets what an access fee costs, between a tenth of the highest and the highest.
    /// @dev Emits AccessFeeSet. `fee` in TOK wei.
    function setAccessFee(uint96 fee) external;

    /// @notice Splits the collected fees: burnt, to stakers, to the treasury. The stakers' share is burnt as long as
    /// staking has not started.
    /// @dev Anyone. Emits FeesFlushed, or nothing when nothing is pending.
    function flush() external;

    /// @notice Buys a posting plan for the caller.
    /// @dev Anyone. Emits PlanPurchased.
    /// @param maxPay the most the caller agrees to pay, in the currency's smallest unit
    /// @param minDailyLimit the fewest posts per day the caller accepts
    /// @param minDays the shortest period the caller accepts, in days
    function purchasePlan(
        bytes32 tier,
        PayWith payWith,
        uint256 maxPay,
        uint32 minDailyLimit,
        uint16 minDays
    ) external returns (uint256 paid);

    /// @notice The fee of a post, claim, dismissal or leave, in TOK wei.
    function accessFee() external view returns (uint96);

    /// @notice The most that the fee can be set to, in TOK wei; never more than at the launch.
    function maxAccessFee() external view returns (uint96);

    /// @notice TOK wei that wait for the next split.
    function pendingFees() external view returns (uint256);

    /// @notice When fees were last split; the first fee a day later splits again.
    function lastFlush() external view returns (uint64);
}

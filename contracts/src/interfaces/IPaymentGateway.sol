// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeAction, PayWith} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The one contract of a market that users approve for TOK
/// @notice Collects access fees and plan payments, and moves TOK into escrow, court and staking on their request.
/// It holds nothing but fees that are not yet split.
interface IPaymentGateway is IMarketErrors {
    event AccessFeePaid(
        address indexed payer, FeeAction indexed action, uint256 indexed taskId, uint256 amount, bool withCredits
    );
    event FeesFlushed(uint256 burned, uint256 toStaking, uint256 toTreasury);
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

    /// @notice A free plan is not for sale.
    error FreePlan(bytes32 tier);
    /// @notice The plan gives less than the buyer asked for.
    error PlanBelowMin(uint32 dailyLimit, uint16 periodDays);
    error PriceAboveMax(uint256 price, uint256 maxPay);
    /// @notice The TOK price is stale or missing: pay in USDC.
    error TokNotAllowed(bytes32 tier);

    /// @notice Registry only: takes the access fee, first from Action Credits, else in TOK.
    function collectAccessFee(address payer, FeeAction action, uint256 taskId) external;

    /// @notice Escrow, court and staking only: moves TOK from the payer to the caller itself.
    function pull(address payer, uint256 amount) external;

    /// @notice Splits the collected fees: burnt, to stakers, to the treasury. The stakers' share is burnt as long as
    /// staking has not started.
    function flush() external;

    /// @notice Buys a posting plan for the caller.
    /// @param maxPay the most the caller agrees to pay, in the currency's smallest unit
    /// @param minDailyLimit the fewest posts per day the caller accepts
    /// @param minDays the shortest period the caller accepts, in days
    function purchasePlan(bytes32 tier, PayWith payWith, uint256 maxPay, uint32 minDailyLimit, uint16 minDays)
        external
        returns (uint256 paid);

    function pendingFees() external view returns (uint256);

    /// @notice When fees were last split; the first fee a day later splits again.
    function lastFlush() external view returns (uint64);
}

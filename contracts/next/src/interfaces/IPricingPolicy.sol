// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IUsdOracle} from "./IUsdOracle.sol";

/// @title What things cost on one market
/// @notice Collateral figures never change; the owner may set posting plans, and the access fee between a tenth of the first one
/// and the first one.
interface IPricingPolicy {
    struct Plan {
        uint32 dailyLimit;
        uint96 priceUsdc;
        uint16 tokDiscountBps;
        bool active;
    }

    struct Figures {
        uint96 maxAccessFee;
        uint96 entryUsdc;
        uint96 recommendedUsdc;
        uint96 pauseUsdc;
        uint96 bondUsdc;
    }

    /// @notice The owner added or changed a plan; `priceUsdc` in USDC units, the discount for TOK in basis points.
    event PlanSet(bytes32 indexed id, uint32 dailyLimit, uint96 priceUsdc, uint16 tokDiscountBps, bool active);

    /// @notice The plan table is full, the discount above half, or the id or limit empty.
    error BadPlan(bytes32 id);
    /// @notice The bond does not divide by 10,000: a judge paid out of two bonds would get less by some rulings.
    error BadBond(uint96 bondUsdc);
    /// @notice There is no active plan of this name.
    error UnknownPlan(bytes32 id);

    /// @notice Owner only: adds or changes a plan.
    /// @dev Emits PlanSet. `priceUsdc` in USDC units.
    function setPlan(bytes32 id, uint32 dailyLimit, uint96 priceUsdc, uint16 tokDiscountBps, bool active) external;

    /// @notice The oracle that knows of outages of the chain; zero where the chain has no feed of its sequencer.
    function outageOracle() external view returns (IUsdOracle);

    /// @notice A plan as it is now; all zero when there is none.
    function planOf(bytes32 id) external view returns (Plan memory);

    /// @notice How many days a bought plan lasts. It never changes.
    function PERIOD_DAYS() external view returns (uint16);

    /// @notice All plans, also inactive ones, in the order they were added.
    function allPlans() external view returns (bytes32[] memory ids, Plan[] memory table);

    /// @notice What an active plan costs now.
    /// @return listUsdc the list price, 6 decimals
    /// @return discountedUsd the price when paid in TOK, in USD with 6 decimals, rounded up
    /// @return priceE8 USD per TOK with 8 decimals, 0 when there is no good price
    /// @return tokAmount TOK wei to pay, rounded up; 0 when TOK is not allowed
    /// @return tokAllowed whether the plan can be paid in TOK now
    function quote(
        bytes32 id
    )
        external
        view
        returns (uint256 listUsdc, uint256 discountedUsd, uint256 priceE8, uint256 tokAmount, bool tokAllowed);

    /// @notice The access fee at the launch, in TOK wei; the owner may set a lower one in the payment gateway.
    function maxAccessFee() external view returns (uint96);
    /// @notice The deposit that a new engagement asks for, in USDC units.
    function entryUsdc() external view returns (uint96);
    /// @notice The deposit that lasts for several engagements, in USDC units.
    function recommendedUsdc() external view returns (uint96);
    /// @notice Below this deposit, in USDC units, an engaged agent is paused.
    function pauseUsdc() external view returns (uint96);
    /// @notice The bond that each engagement locks, in USDC units.
    function bondUsdc() external view returns (uint96);
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What things cost on one market
/// @notice Fee and collateral figures never change; the owner may set posting plans.
interface IPricingPolicy {
    struct Plan {
        uint32 dailyLimit;
        uint96 priceUsdc;
        uint16 tokDiscountBps;
        bool active;
    }

    struct Figures {
        uint96 accessFee;
        uint96 entryUsdc;
        uint96 recommendedUsdc;
        uint96 pauseUsdc;
        uint96 bondUsdc;
    }

    event PlanSet(bytes32 indexed id, uint32 dailyLimit, uint96 priceUsdc, uint16 tokDiscountBps, bool active);

    /// @notice The plan table is full, the discount above half, or the id or limit empty.
    error BadPlan(bytes32 id);
    error UnknownPlan(bytes32 id);

    /// @notice Owner only: adds or changes a plan.
    function setPlan(bytes32 id, uint32 dailyLimit, uint96 priceUsdc, uint16 tokDiscountBps, bool active) external;

    /// @notice A plan as it is now; all zero when there is none.
    function planOf(bytes32 id) external view returns (Plan memory);

    /// @notice How many days a bought plan lasts. It never changes.
    function PERIOD_DAYS() external view returns (uint16);

    function getPlans() external view returns (bytes32[] memory ids, Plan[] memory table);

    /// @return listUsdc the list price, 6 decimals
    /// @return discountedUsd the price when paid in TOK, in USD with 6 decimals, rounded up
    /// @return priceE8 USD per TOK with 8 decimals, 0 when there is no good price
    /// @return tokAmount TOK wei to pay, rounded up; 0 when TOK is not allowed
    /// @return tokAllowed whether the plan can be paid in TOK now
    function quote(bytes32 id)
        external
        view
        returns (uint256 listUsdc, uint256 discountedUsd, uint256 priceE8, uint256 tokAmount, bool tokAllowed);

    function accessFee() external view returns (uint96);
    function entryUsdc() external view returns (uint96);
    function recommendedUsdc() external view returns (uint96);
    function pauseUsdc() external view returns (uint96);
    function bondUsdc() external view returns (uint96);
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BPS} from "./Types.sol";
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";
import {IUsdOracle} from "./interfaces/IUsdOracle.sol";

/// @title PricingPolicy
/// @notice See IPricingPolicy.
contract PricingPolicy is IPricingPolicy, Ownable2Step {
    uint256 public constant MAX_PLANS = 16;
    uint16 public constant PERIOD_DAYS = 30;
    uint16 public constant MAX_DISCOUNT_BPS = 5_000;

    IUsdOracle public immutable oracle;
    uint96 public immutable maxAccessFee;
    uint96 public immutable entryUsdc;
    uint96 public immutable recommendedUsdc;
    uint96 public immutable pauseUsdc;
    uint96 public immutable bondUsdc;

    bytes32[] public planIds;
    mapping(bytes32 id => Plan) public plans;

    constructor(address owner_, IUsdOracle oracle_, Figures memory figures) Ownable(owner_) {
        oracle = oracle_;
        require(figures.bondUsdc % BPS == 0, BadBond(figures.bondUsdc));
        maxAccessFee = figures.maxAccessFee;
        entryUsdc = figures.entryUsdc;
        recommendedUsdc = figures.recommendedUsdc;
        pauseUsdc = figures.pauseUsdc;
        bondUsdc = figures.bondUsdc;
    }

    /// @inheritdoc IPricingPolicy
    function setPlan(
        bytes32 id,
        uint32 dailyLimit,
        uint96 priceUsdc,
        uint16 tokDiscountBps,
        bool active
    ) external onlyOwner {
        // Check: every stored plan has a limit, so a limit of 0 marks an id that is new.
        bool isNew = plans[id].dailyLimit == 0;
        bool fits = id != 0 && dailyLimit != 0 && tokDiscountBps <= MAX_DISCOUNT_BPS;
        require(fits && (!isNew || planIds.length < MAX_PLANS), BadPlan(id));

        // Effect:
        if (isNew) planIds.push(id);
        plans[id] = Plan(dailyLimit, priceUsdc, tokDiscountBps, active);
        emit PlanSet(id, dailyLimit, priceUsdc, tokDiscountBps, active);
    }

    /// @inheritdoc IPricingPolicy
    function outageOracle() external view returns (IUsdOracle) {
        return address(oracle.sequencer()) == address(0) ? IUsdOracle(address(0)) : oracle;
    }

    /// @inheritdoc IPricingPolicy
    function planOf(bytes32 id) external view returns (Plan memory) {
        return plans[id];
    }

    /// @inheritdoc IPricingPolicy
    function allPlans() external view returns (bytes32[] memory ids, Plan[] memory table) {
        ids = planIds;
        table = new Plan[](ids.length);
        for (uint256 index = 0; index < ids.length; ++index) {
            table[index] = plans[ids[index]];
        }
    }

    /// @inheritdoc IPricingPolicy
    function quote(
        bytes32 id
    )
        external
        view
        returns (uint256 listUsdc, uint256 discountedUsd, uint256 priceE8, uint256 tokAmount, bool tokAllowed)
    {
        Plan memory plan = plans[id];
        require(plan.active, UnknownPlan(id));
        listUsdc = plan.priceUsdc;
        discountedUsd = Math.ceilDiv(listUsdc * (BPS - plan.tokDiscountBps), BPS);
        (bool priced, uint256 current, ) = oracle.tryPrice();
        if (!priced) return (listUsdc, discountedUsd, 0, 0, false);
        priceE8 = current;
        tokAllowed = listUsdc != 0;
        if (tokAllowed) tokAmount = oracle.usdToTok(discountedUsd);
    }
}

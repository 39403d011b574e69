// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev setPlan, allPlans, quote, figures; the fixture has two plans, free and basic
///   setPlan: refused for an empty id, a limit of 0, a discount above half, a 17th plan
///            the 16th plan and a change of one of 16 are taken; a change keeps the plan's place
///   quote: refused for unknown and inactive plans; free plans and missing prices give no TOK amount
///          USD and TOK are rounded up, so that the buyer never pays less than the discounted price
///   the figures are those of the deployment and nothing can change them
contract PricingPolicyTest is MarketTest {
    function test_setPlan_reverts_withoutAnId() public {
        expectBadPlan(bytes32(0));
        policy.setPlan(bytes32(0), 1, 1, 0, true);
    }

    function test_setPlan_reverts_withALimitOfZero() public {
        expectBadPlan("gold");
        policy.setPlan("gold", 0, 1, 0, true);
        expectBadPlan("basic");
        policy.setPlan("basic", 0, 1, 0, true);
    }

    function test_setPlan_reverts_withADiscountAboveHalf() public {
        expectBadPlan("gold");
        policy.setPlan("gold", 1, 1, 5_001, true);
        policyAs(owner).setPlan("gold", 1, 1, 5_000, true);
    }

    function test_setPlan_reverts_forTheSeventeenthPlan() public {
        fillTable();
        expectBadPlan("one too many");
        policy.setPlan("one too many", 1, 1, 0, true);
        (bytes32[] memory ids, ) = policy.allPlans();
        assertEq(ids.length, 16);
    }

    function test_setPlan_changesAPlanOfAFullTable() public {
        fillTable();
        policyAs(owner).setPlan("basic", 30, 25e6, 500, false);
        (bytes32[] memory ids, IPricingPolicy.Plan[] memory table) = policy.allPlans();
        assertEq(ids.length, 16, "plans");
        assertEq(ids[1], "basic", "place");
        assertEq(abi.encode(table[1]), abi.encode(IPricingPolicy.Plan(30, 25e6, 500, false)), "plan");
    }

    function test_setPlan_tellsAndStoresEveryField() public {
        vm.expectEmit(address(policy));
        emit IPricingPolicy.PlanSet("gold", type(uint32).max, type(uint96).max, 5_000, true);
        policyAs(owner).setPlan("gold", type(uint32).max, type(uint96).max, 5_000, true);
        (bytes32[] memory ids, IPricingPolicy.Plan[] memory table) = policy.allPlans();
        assertEq(ids.length, 3, "plans");
        assertEq(ids[0], "free");
        assertEq(ids[1], "basic");
        assertEq(ids[2], "gold");
        assertEq(abi.encode(table[0]), abi.encode(IPricingPolicy.Plan(3, 0, 0, true)));
        assertEq(abi.encode(table[1]), abi.encode(IPricingPolicy.Plan(25, 20e6, 1_000, true)));
        assertEq(
            abi.encode(table[2]),
            abi.encode(IPricingPolicy.Plan(type(uint32).max, type(uint96).max, 5_000, true))
        );
    }

    function test_quote_reverts_forAnUnknownOrInactivePlan() public {
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.UnknownPlan.selector, bytes32("gold")));
        policy.quote("gold");
        policyAs(owner).setPlan("basic", 25, 20e6, 1_000, false);
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.UnknownPlan.selector, bytes32("basic")));
        policy.quote("basic");
    }

    function test_quote_withoutAPriceAllowsNoTok() public {
        skip(1 days);
        assertQuote("basic", 20e6, 18e6, 500_000, 3_600e18, true);
        skip(1);
        assertQuote("basic", 20e6, 18e6, 0, 0, false);
        assertQuote("free", 0, 0, 0, 0, false);
    }

    function test_quote_ofTheDearestPlanDoesNotOverflow() public {
        policyAs(owner).setPlan("dear", 1, type(uint96).max, 0, true);
        uint256 price = type(uint96).max;
        assertQuote("dear", price, price, 500_000, price * 200e12, true);
    }

    function test_quote_ofTheSmallestPriceIsNeverNothing() public {
        policyAs(owner).setPlan("dust", 1, 1, 5_000, true);
        assertQuote("dust", 1, 1, 500_000, 200e12, true);
    }

    function testFuzz_quote_neverUnderchargesAndNeverByMoreThanAUnit(
        uint96 price,
        uint16 discountBps,
        uint256 answer
    ) public {
        discountBps = uint16(bound(discountBps, 0, 5_000));
        answer = bound(answer, 400_000, 600_000);
        policyAs(owner).setPlan("fuzz", 1, price, discountBps, true);
        skip(60);
        feedAs(publisher).publish(int256(answer));

        (uint256 list, uint256 discounted, uint256 priceE8, uint256 tokAmount, bool allowed) = policy.quote("fuzz");

        assertEq(list, price, "list price");
        assertEq(priceE8, answer, "rate");
        assertEq(allowed, price != 0, "allowed");
        uint256 exact = uint256(price) * (10_000 - discountBps);
        assertGe(discounted * 10_000, exact, "never below the discounted price");
        assertLt(discounted * 10_000, exact + 10_000, "less than one unit above it");
        assertGe(tokAmount * answer, discounted * 1e20, "TOK worth at least that");
        assertLt(tokAmount * answer, discounted * 1e20 + answer, "less than one wei above it");
    }

    function fillTable() private {
        for (uint256 index = 3; index <= 16; ++index) {
            policyAs(owner).setPlan(bytes32(index), 1, 1, 0, true);
        }
        (bytes32[] memory ids, ) = policy.allPlans();
        assertEq(ids.length, 16, "plans");
    }

    function expectBadPlan(bytes32 id) private {
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.BadPlan.selector, id));
    }

    function assertQuote(
        bytes32 id,
        uint256 listUsdc,
        uint256 discountedUsd,
        uint256 priceE8,
        uint256 tokAmount,
        bool tokAllowed
    ) private view {
        (uint256 list, uint256 discounted, uint256 price, uint256 amount, bool allowed) = policy.quote(id);
        assertEq(list, listUsdc, "list price");
        assertEq(discounted, discountedUsd, "discounted price");
        assertEq(price, priceE8, "rate");
        assertEq(amount, tokAmount, "TOK amount");
        assertEq(allowed, tokAllowed, "TOK allowed");
    }
}

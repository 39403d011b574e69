// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev purchasePlan
///   refused: an unknown or inactive plan; a free one; TOK without a good price; a price above maxPay; fewer posts a
///            day or fewer days than the buyer asked for; a payer that has approved or holds too little
///   in TOK: the discounted price at the current rate moves to the gateway and waits for the split
///   in USDC: the list price moves straight to the treasury, price feed or not
///   the event has payer, tier, currency, amount, list price, posts a day and days: all that the service needs
contract PurchasePlanTest is MarketTest {
    // 20 USD less 10 %, at 0.005 USD a TOK.
    uint256 private constant PRICE_TOK = 3_600e18;
    uint256 private constant PRICE_USDC = 20e6;
    uint32 private constant LIMIT = 25;
    uint16 private constant DAYS = 30;

    function test_reverts_whenThePlanIsFree() public {
        expectRevertAsPoster(abi.encodeWithSelector(IPaymentGateway.FreePlan.selector, bytes32("free")));
        paymentGateway.purchasePlan("free", PayWith.TOK, type(uint256).max, 0, 0);
        expectRevertAsPoster(abi.encodeWithSelector(IPaymentGateway.FreePlan.selector, bytes32("free")));
        paymentGateway.purchasePlan("free", PayWith.USDC, type(uint256).max, 0, 0);
    }

    function test_reverts_inTokWhenThePriceIsTooOld() public {
        skip(1 days + 1);
        expectRevertAsPoster(abi.encodeWithSelector(IPaymentGateway.TokNotAllowed.selector, bytes32("basic")));
        paymentGateway.purchasePlan("basic", PayWith.TOK, type(uint256).max, 0, 0);
    }

    function test_reverts_whenThePriceIsAboveTheMost() public {
        expectRevertAsPoster(abi.encodeWithSelector(IPaymentGateway.PriceAboveMax.selector, PRICE_TOK, PRICE_TOK - 1));
        paymentGateway.purchasePlan("basic", PayWith.TOK, PRICE_TOK - 1, 0, 0);
        expectRevertAsPoster(
            abi.encodeWithSelector(IPaymentGateway.PriceAboveMax.selector, PRICE_USDC, PRICE_USDC - 1)
        );
        paymentGateway.purchasePlan("basic", PayWith.USDC, PRICE_USDC - 1, 0, 0);
    }

    function test_reverts_whenThePlanGivesFewerPostsOrDaysThanAskedFor() public {
        PayWith[2] memory currencies = [PayWith.TOK, PayWith.USDC];
        for (uint256 index = 0; index < currencies.length; ++index) {
            expectBelowMin(LIMIT, DAYS);
            paymentGateway.purchasePlan("basic", currencies[index], type(uint256).max, LIMIT + 1, DAYS);
            expectBelowMin(LIMIT, DAYS);
            paymentGateway.purchasePlan("basic", currencies[index], type(uint256).max, LIMIT, DAYS + 1);
        }
    }

    function test_aBetterPlanThanAskedForIsBoughtAsItIs() public {
        policyAs(owner).setPlan("basic", LIMIT + 5, 20e6, 1_000, true);
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.PlanPurchased(poster, "basic", PayWith.USDC, PRICE_USDC, PRICE_USDC, LIMIT + 5, DAYS);
        paymentGatewayAs(poster).purchasePlan("basic", PayWith.USDC, PRICE_USDC, LIMIT, DAYS);
    }

    function testFuzz_onlyAPlanWithinTheBuyersBoundsIsSold(uint32 minDailyLimit, uint16 minDays) public {
        bool fits = minDailyLimit <= LIMIT && minDays <= DAYS;
        if (fits) vm.prank(poster);
        else expectBelowMin(LIMIT, DAYS);
        paymentGateway.purchasePlan("basic", PayWith.USDC, PRICE_USDC, minDailyLimit, minDays);
        assertEq(usdc.balanceOf(treasury), fits ? PRICE_USDC : 0, "treasury");
    }

    function test_inTokTheDiscountedPriceWaitsInTheGateway() public {
        uint256 walletBefore = tok.balanceOf(poster);
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.PlanPurchased(poster, "basic", PayWith.TOK, PRICE_TOK, PRICE_USDC, LIMIT, DAYS);
        vm.prank(poster);
        assertEq(paymentGateway.purchasePlan("basic", PayWith.TOK, PRICE_TOK, LIMIT, DAYS), PRICE_TOK);
        assertEq(tok.balanceOf(poster), walletBefore - PRICE_TOK, "wallet");
        assertEq(paymentGateway.pendingFees(), PRICE_TOK, "pending");
        assertEq(usdc.balanceOf(treasury), 0, "treasury's USDC");
    }

    function test_inUsdcTheListPriceGoesToTheTreasury() public {
        uint256 walletBefore = usdc.balanceOf(poster);
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.PlanPurchased(poster, "basic", PayWith.USDC, PRICE_USDC, PRICE_USDC, LIMIT, DAYS);
        vm.prank(poster);
        assertEq(paymentGateway.purchasePlan("basic", PayWith.USDC, PRICE_USDC, LIMIT, DAYS), PRICE_USDC);
        assertEq(usdc.balanceOf(poster), walletBefore - PRICE_USDC, "wallet");
        assertEq(usdc.balanceOf(treasury), PRICE_USDC, "treasury");
        assertEq(usdc.balanceOf(address(paymentGateway)), 0, "gateway's USDC");
        assertEq(paymentGateway.pendingFees(), 0, "pending");
    }

    function test_usdcPaysWhenThereIsNoPrice() public {
        skip(10 days);
        vm.prank(poster);
        assertEq(paymentGateway.purchasePlan("basic", PayWith.USDC, PRICE_USDC, 0, 0), PRICE_USDC);
    }

    function testFuzz_thePriceIsWhatTheQuoteSays(uint96 priceUsdc, uint16 discountBps, uint256 answer) public {
        priceUsdc = uint96(bound(priceUsdc, 1, 600e6));
        discountBps = uint16(bound(discountBps, 0, 5_000));
        policyAs(owner).setPlan("fuzz", 1, priceUsdc, discountBps, true);
        skip(60);
        feedAs(publisher).publish(int256(bound(answer, 400_000, 600_000)));
        (, , , uint256 quoted, ) = policy.quote("fuzz");
        uint256 walletBefore = tok.balanceOf(poster);
        vm.prank(poster);
        assertEq(paymentGateway.purchasePlan("fuzz", PayWith.TOK, quoted, 0, 0), quoted);
        assertEq(tok.balanceOf(poster), walletBefore - quoted, "wallet");
        assertGt(quoted, 0, "nothing is sold for nothing");
    }

    function expectBelowMin(uint32 dailyLimit, uint16 periodDays) private {
        expectRevertAsPoster(abi.encodeWithSelector(IPaymentGateway.PlanBelowMin.selector, dailyLimit, periodDays));
    }

    function expectRevertAsPoster(bytes memory data) private {
        vm.prank(poster);
        vm.expectRevert(data);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";
import {MockFeed} from "../mocks/Feeds.sol";

/// @dev tryPrice, price, tokToUsd, usdToTok over a feed that answers properly
///   a good price: positive, inside [min, max], not older than the age limit, not from the future
///   no good price: tryPrice says so with the feed's time and without reverting, the three others revert StalePrice
///   sequencer feed: none is asked for; up for more than an hour; down; up for an hour or less; from the future; silent
///   conversions: USD rounded down, TOK rounded up, so that a round trip never gains
/// Feeds that do not answer properly stand in BrokenFeeds.t.sol.
contract UsdOracleTest is MarketTest {
    uint256 private constant MAX_AGE = 1 hours;
    uint256 private constant MIN = 1_000;
    uint256 private constant MAX = 1e10;
    int256 private constant PRICE = 500_000;

    MockFeed private source;
    MockFeed private sequencer;

    function setUp() public override {
        super.setUp();
        source = new MockFeed();
        sequencer = new MockFeed();
        source.set(PRICE, START, START);
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(source, address(0), MAX_AGE, MIN, MAX)));
    }

    function test_aPriceIsGoodUntilTheLastSecondOfItsAge() public {
        skip(MAX_AGE);
        assertPriced(uint256(PRICE), START);
        skip(1);
        assertUnpriced(START);
    }

    function test_aPriceFromTheFutureIsNoPrice() public {
        source.set(PRICE, START, START + 1);
        assertUnpriced(START + 1);
        skip(1);
        assertPriced(uint256(PRICE), START + 1);
        source.set(PRICE, START, type(uint256).max);
        assertUnpriced(type(uint256).max);
    }

    function test_zeroAndNegativeAnswersAreNoPrice() public {
        int256[4] memory answers = [int256(0), -1, -PRICE, type(int256).min];
        for (uint256 index = 0; index < answers.length; ++index) {
            source.set(answers[index], START, START);
            assertUnpriced(START);
        }
    }

    function test_anAnswerOfZeroIsNoPriceEvenWithoutALowerBound() public {
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(source, address(0), MAX_AGE, 0, MAX)));
        source.set(0, START, START);
        assertUnpriced(START);
        source.set(1, START, START);
        assertPriced(1, START);
    }

    function test_boundsAreInclusive() public {
        source.set(int256(MIN), START, START);
        assertPriced(MIN, START);
        source.set(int256(MIN) - 1, START, START);
        assertUnpriced(START);
        source.set(int256(MAX), START, START);
        assertPriced(MAX, START);
        source.set(int256(MAX) + 1, START, START);
        assertUnpriced(START);
        source.set(type(int256).max, START, START);
        assertUnpriced(START);
    }

    function test_withASequencerFeedAPriceNeedsMoreThanAnHourOfUptime() public {
        useSequencer();
        sequencer.set(0, START, START);
        skip(1 hours);
        assertUnpriced(START);
        skip(1);
        source.set(PRICE, START, vm.getBlockTimestamp());
        assertPriced(uint256(PRICE), START + 1 hours + 1);
    }

    function test_withTheSequencerDownOrFromTheFutureThereIsNoPrice() public {
        useSequencer();
        sequencer.set(0, START - 2 hours, START);
        assertPriced(uint256(PRICE), START);
        sequencer.set(1, START - 2 hours, START);
        assertUnpriced(START);
        sequencer.set(-1, START - 2 hours, START);
        assertUnpriced(START);
        sequencer.set(0, START + 1, START);
        assertUnpriced(START);
        sequencer.set(0, type(uint256).max, START);
        assertUnpriced(START);
    }

    function test_aSequencerFeedThatNeverBeganGivesNoPrice() public {
        useSequencer();
        sequencer.set(0, 0, START);
        assertUnpriced(START);
    }

    function test_aSequencerFeedWithoutCodeGivesNoPrice() public {
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(source, stranger, MAX_AGE, MIN, MAX)));
        assertUnpriced(START);
    }

    function testFuzz_tokForUsdIsWorthAtLeastThatAndOneWeiLessIsNot(uint96 usd6, uint256 answer) public {
        answer = bound(answer, MIN, MAX);
        source.set(int256(answer), START, START);
        uint256 tokWei = oracle.usdToTok(usd6);
        assertGe(tokWei * answer, uint256(usd6) * 1e20, "worth at least the price");
        if (tokWei != 0) assertLt((tokWei - 1) * answer, uint256(usd6) * 1e20, "one wei less is worth less");
        assertGe(oracle.tokToUsd(tokWei), usd6, "a round trip from USD");
    }

    function testFuzz_aRoundTripNeverGains(uint96 tokWei, uint256 answer) public {
        answer = bound(answer, MIN, MAX);
        source.set(int256(answer), START, START);
        assertLe(oracle.usdToTok(oracle.tokToUsd(tokWei)), tokWei);
    }

    function testFuzz_aPriceIsGivenExactlyWhenTheRulesAllow(int256 answer, uint256 updatedAt, bool nearby) public {
        if (nearby) {
            answer = int256(bound(uint256(answer), MIN - 1, MAX + 1));
            updatedAt = bound(updatedAt, START - MAX_AGE - 1, START + 1);
        }
        source.set(answer, START, updatedAt);
        bool fresh = updatedAt <= START && updatedAt >= START - MAX_AGE;
        bool inBounds = answer >= int256(MIN) && answer <= int256(MAX);
        if (fresh && inBounds) assertPriced(uint256(answer), updatedAt);
        else assertUnpriced(updatedAt);
    }

    function useSequencer() private {
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(source, sequencer, MAX_AGE, MIN, MAX)));
    }

    function assertPriced(uint256 expected, uint256 updatedAt) private view {
        (bool ok, uint256 priceE8, uint256 writtenAt) = oracle.tryPrice();
        assertTrue(ok, "ok");
        assertEq(priceE8, expected, "price");
        assertEq(writtenAt, updatedAt, "updatedAt");
        assertEq(oracle.price(), expected, "price()");
    }

    function assertUnpriced(uint256 updatedAt) private {
        (bool ok, uint256 priceE8, uint256 writtenAt) = oracle.tryPrice();
        assertFalse(ok, "ok");
        assertEq(priceE8, 0, "price");
        assertEq(writtenAt, updatedAt, "updatedAt");
        bytes memory stale = abi.encodeWithSelector(IUsdOracle.StalePrice.selector, updatedAt);
        vm.expectRevert(stale);
        oracle.price();
        vm.expectRevert(stale);
        oracle.tokToUsd(1e18);
        vm.expectRevert(stale);
        oracle.usdToTok(1e6);
    }
}

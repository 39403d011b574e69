// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";
import {BrokenFeed, MockFeed} from "../mocks/Feeds.sol";

/// @dev tryPrice over feeds that do not answer properly, as the price feed and as the sequencer feed
///   no code; reverting; looping or hitting an invalid opcode until its gas is gone; too little data, down to none;
///   garbage of the right length; an answer made to be expensive to copy
///   each time: no revert, no price, gas use bounded, and a plan can still be paid in USDC
contract BrokenFeedsTest is MarketTest {
    // Twice what one feed may burn, and what is left of it: a caller with this much always gets its answer.
    uint256 private constant GAS_ENOUGH = 1_000_000;

    function test_aFeedWithoutCodeHasNoPrice() public {
        assertDead(stranger);
        assertDead(address(0));
    }

    function test_aFeedThatBurnsItsGasHasNoPriceAndLeavesTheCallersGas() public {
        assertDead(broken(BrokenFeed.Fault.LOOPS, ""));
        assertDead(broken(BrokenFeed.Fault.HITS_AN_INVALID_OPCODE, ""));
    }

    function test_tooLittleDataIsNoPrice() public {
        bytes memory proper = abi.encode(1, 500_000, START, START, 1);
        for (uint256 length = 0; length < 160; length += length == 128 ? 31 : 32) {
            bytes memory short = new bytes(length);
            for (uint256 index = 0; index < length; ++index) {
                short[index] = proper[index];
            }
            assertDead(broken(BrokenFeed.Fault.ANSWERS_RAW, short));
        }
    }

    function test_moreDataThanNeededIsReadAsUsual() public {
        address feedWithTail = broken(BrokenFeed.Fault.ANSWERS_RAW, abi.encode(1, 500_000, START, START, 1, 77));
        useFeed(feedWithTail, address(0));
        (bool ok, uint256 priceE8, uint256 updatedAt) = oracle.tryPrice();
        assertTrue(ok);
        assertEq(priceE8, 500_000);
        assertEq(updatedAt, START);
    }

    function test_garbageOfTheRightLengthIsNoPrice() public {
        uint256 ones = type(uint256).max;
        useFeed(broken(BrokenFeed.Fault.ANSWERS_RAW, abi.encode(ones, ones, ones, ones, ones)), address(0));
        assertUnpriced(ones);
    }

    function test_anAnswerThatIsExpensiveToCopyIsNoPrice() public {
        assertDead(broken(BrokenFeed.Fault.RETURNS_A_BOMB, ""));
    }

    function testFuzz_noAnswerMakesTryPriceRevert(bytes memory raw) public {
        useFeed(broken(BrokenFeed.Fault.ANSWERS_RAW, raw), address(0));
        (bool ok, uint256 priceE8, ) = oracle.tryPrice{gas: GAS_ENOUGH}();
        if (!ok) assertEq(priceE8, 0);
        useFeed(properFeed(), broken(BrokenFeed.Fault.ANSWERS_RAW, raw));
        (ok, priceE8, ) = oracle.tryPrice{gas: GAS_ENOUGH}();
        assertEq(priceE8, ok ? 500_000 : 0);
    }

    /// @dev The same dead thing as the price feed and, behind a proper price, as the sequencer feed.
    function assertDead(address dead) private {
        useFeed(dead, address(0));
        assertUnpriced(0);
        if (dead == address(0)) return;
        useFeed(properFeed(), dead);
        assertUnpriced(START);
    }

    function assertUnpriced(uint256 expectedAt) private {
        (bool ok, uint256 priceE8, uint256 updatedAt) = oracle.tryPrice{gas: GAS_ENOUGH}();
        assertFalse(ok, "ok");
        assertEq(priceE8, 0, "price");
        assertEq(updatedAt, expectedAt, "updatedAt");
        vm.expectRevert(abi.encodeWithSelector(IUsdOracle.StalePrice.selector, expectedAt));
        oracle.price();
    }

    function broken(BrokenFeed.Fault fault, bytes memory raw) private returns (address) {
        return address(new BrokenFeed(fault, raw));
    }

    function properFeed() private returns (address) {
        MockFeed proper = new MockFeed();
        proper.set(500_000, START, START);
        return address(proper);
    }

    function useFeed(address source, address sequencer) private {
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(source, sequencer, 1 hours, 1, 1e12)));
    }
}

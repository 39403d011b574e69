// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev publish, setPublisher, latestRoundData; the fixture's feed allows 20 % steps, one a minute
///   publish: refused for 0 and below, within a minute of the last, and for a step of
///            more than 20 % up or down; the first answer is free
///   neither an absurd first answer nor the smallest one locks the feed: publishers can step away from both
///   setPublisher: a publisher taken out can publish no more
contract PostedPriceFeedTest is MarketTest {
    int256 private constant FIRST = 500_000;

    function test_publish_reverts_forZeroAndBelow() public {
        skip(60);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.BadPrice.selector, int256(0)));
        feed.publish(0);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.BadPrice.selector, type(int256).min));
        feed.publish(type(int256).min);
    }

    function test_publish_reverts_withinAMinuteOfTheLast() public {
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.TooSoon.selector, uint256(START) + 60));
        feed.publish(FIRST);
        skip(59);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.TooSoon.selector, uint256(START) + 60));
        feed.publish(FIRST);
        skip(1);
        publish(FIRST);
        assertRound(2, FIRST, START + 60);
    }

    function test_publish_reverts_oneUnitBeyondTheStep() public {
        skip(60);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, FIRST, int256(600_001)));
        feed.publish(600_001);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, FIRST, int256(399_999)));
        feed.publish(399_999);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, FIRST, type(int256).max));
        feed.publish(type(int256).max);
    }

    function test_publish_stepsAwayFromAnAbsurdFirstAnswer() public {
        feed = freshFeed();
        publish(type(int256).max);
        skip(60);
        int256 lowest = type(int256).max - type(int256).max / 5 - 1;
        expectRevertAsPublisher(
            abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, type(int256).max, lowest - 1)
        );
        feed.publish(lowest - 1);
        publish(lowest);
        assertRound(2, lowest, START + 60);
    }

    function test_publish_stepsAwayFromTheSmallestAnswer() public {
        feed = freshFeed();
        publish(1);
        skip(60);
        expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, int256(1), int256(3)));
        feed.publish(3);
        publish(2);
        assertRound(2, 2, START + 60);
    }

    function test_setPublisher_letsInAndTakesOut() public {
        vm.expectEmit(address(feed));
        emit PostedPriceFeed.PublisherSet(stranger, true);
        feed.setPublisher(stranger, true);
        assertTrue(feed.isPublisher(stranger));
        skip(60);
        feedAs(stranger).publish(FIRST);

        vm.expectEmit(address(feed));
        emit PostedPriceFeed.PublisherSet(stranger, false);
        feed.setPublisher(stranger, false);
        assertFalse(feed.isPublisher(stranger));
        skip(60);
        vm.expectRevert(abi.encodeWithSelector(PostedPriceFeed.NotPublisher.selector, stranger));
        feedAs(stranger).publish(FIRST);
    }

    function testFuzz_aStepIsTakenExactlyWhenItIsWithinAFifthRoundedUp(int256 from, int256 to) public {
        from = int256(bound(uint256(from), 1, uint256(type(int256).max)));
        to = int256(bound(uint256(to), 1, uint256(type(int256).max)));
        feed = freshFeed();
        publish(from);
        skip(60);
        int256 step = to > from ? to - from : from - to;
        bool within = step <= from / 5 + (from % 5 == 0 ? int256(0) : int256(1));
        if (!within) {
            expectRevertAsPublisher(abi.encodeWithSelector(PostedPriceFeed.StepTooLarge.selector, from, to));
            feed.publish(to);
        } else {
            publish(to);
        }
        (, int256 answer, , , ) = feed.latestRoundData();
        assertEq(answer, within ? to : from);
    }

    function freshFeed() private returns (PostedPriceFeed fresh) {
        fresh = PostedPriceFeed(deploy("PostedPriceFeed", abi.encode(address(this), 2_000, 60)));
        fresh.setPublisher(publisher, true);
    }

    function publish(int256 answer) private {
        feedAs(publisher).publish(answer);
    }

    function expectRevertAsPublisher(bytes memory data) private {
        vm.prank(publisher);
        vm.expectRevert(data);
    }

    function assertRound(uint256 expectedRound, int256 expectedAnswer, uint256 expectedAt) private view {
        (uint80 round, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredIn) = feed.latestRoundData();
        assertEq(round, expectedRound, "round");
        assertEq(answer, expectedAnswer, "answer");
        assertEq(startedAt, expectedAt, "startedAt");
        assertEq(updatedAt, expectedAt, "updatedAt");
        assertEq(answeredIn, expectedRound, "answeredInRound");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";
import {BrokenFeed, RoundsFeed} from "../mocks/Feeds.sol";

/// @notice A clock that is over stays over, however the feed goes up, down and flaps; and a feed moves no end by more than a week
/// and an hour.
contract ClocksTest is Test {
    uint256 private constant START = 1_780_000_000;

    function deployOracle(address sequencer) private returns (IUsdOracle oracle) {
        bytes memory code = bytes.concat(
            vm.getCode("UsdOracle.sol:UsdOracle"),
            abi.encode(address(1), sequencer, 1 days, 1, 1e12)
        );
        assembly ("memory-safe") {
            oracle := create(0, add(code, 0x20), mload(code))
        }
    }

    function testFuzz_clocksAreMonotone(uint256 seed) public {
        vm.warp(START);
        RoundsFeed rounds = new RoundsFeed();
        IUsdOracle outages = deployOracle(address(rounds));
        skip(2 days);
        uint64[6] memory ends;
        bool[6] memory over;
        for (uint256 index = 0; index < 6; ++index) {
            ends[index] = uint64(vm.getBlockTimestamp() + (uint256(keccak256(abi.encode(seed, index))) % 12 days));
        }
        for (uint256 step = 0; step < 120; ++step) {
            uint256 dice = uint256(keccak256(abi.encode(seed, "step", step)));
            // Minutes, hours or days pass; the feed flaps, or stays.
            skip(
                dice % 7 == 0
                    ? dice % 5 days
                    : dice % 3 == 0
                        ? dice % 2 hours
                        : dice % 10 minutes
            );
            if (dice % 2 == 0) rounds.set(dice % 4 == 0);
            uint256 current = vm.getBlockTimestamp();
            for (uint256 index = 0; index < 6; ++index) {
                bool isOver = current > ends[index] && !outages.isOutage(ends[index]);
                assertTrue(isOver || !over[index], "a clock ran back");
                assertTrue(isOver || current <= ends[index] + 7 days + 1 hours, "held too long");
                over[index] = isOver;
            }
        }
    }

    function test_whatEndsWithinAnOutageHasAnHour() public {
        vm.warp(START);
        RoundsFeed rounds = new RoundsFeed();
        IUsdOracle outages = deployOracle(address(rounds));
        skip(1 days);
        uint64 began = uint64(vm.getBlockTimestamp());
        rounds.set(true);
        skip(3 hours);
        assertTrue(outages.isOutage(began), "from its first second");
        assertFalse(outages.isOutage(began - 1), "not what ended before");
        rounds.set(false);
        uint64 ended = uint64(vm.getBlockTimestamp());
        skip(1 hours);
        assertTrue(outages.isOutage(began));
        assertTrue(outages.isOutage(ended + 1 hours), "also what ends in the hour after");
        assertFalse(outages.isOutage(ended + 1 hours + 1));
        assertFalse(outages.isOutage(began - 1));
        skip(1);
        assertFalse(outages.isOutage(began));
    }

    function test_anOutageOfMoreThanAWeekMovesNothing() public {
        vm.warp(START);
        RoundsFeed rounds = new RoundsFeed();
        IUsdOracle outages = deployOracle(address(rounds));
        skip(1 days);
        uint64 began = uint64(vm.getBlockTimestamp());
        rounds.set(true);
        skip(7 days);
        assertTrue(outages.isOutage(began));
        uint256 snapshot = vm.snapshotState();
        rounds.set(false);
        assertTrue(outages.isOutage(began), "a week still counts");
        vm.revertToState(snapshot);
        skip(1);
        assertFalse(outages.isOutage(began));
        rounds.set(false);
        assertFalse(outages.isOutage(began), "and stays over when the chain is back");
    }

    /// @dev What a feed says, round by round: a state, when it began, and what the round before says.
    function isOutageBy(bytes memory latest, bytes memory previous, uint64 end) private returns (bool) {
        return deployOracle(address(new TwoRounds(latest, previous))).isOutage(end);
    }

    function test_aFeedThatLiesHoldsNobody() public {
        vm.warp(START);
        uint64 end = uint64(START - 10 minutes);
        uint256 up = START - 5 minutes;
        bytes memory down = abi.encode(1, 1, START - 1 hours, START, 1);
        bytes memory latest = abi.encode(2, 0, up, START, 2);
        assertTrue(isOutageBy(latest, down, end), "an outage it was");
        assertFalse(isOutageBy(latest, abi.encode(1, 0, START - 1 hours, START, 1), end), "the round before was up");
        assertFalse(isOutageBy(latest, abi.encode(1, 1, up + 1, START, 1), end), "began after its end");
        assertFalse(isOutageBy(latest, abi.encode(1, 1, up - 7 days - 1, START, 1), end), "longer than a week");
        assertTrue(isOutageBy(latest, abi.encode(1, 1, up - 7 days, START, 1), end), "a week");
        assertFalse(isOutageBy(latest, "", end), "no answer");
        assertFalse(isOutageBy(abi.encode(0, 0, up, START, 0), down, end), "no round before it");
        assertFalse(isOutageBy(abi.encode(1, 1, 0, START, 1), down, end), "a round without a beginning");
        assertFalse(isOutageBy(abi.encode(1, 1, START + 1, START, 1), down, uint64(START + 2)), "from the future");
        assertTrue(isOutageBy(abi.encode(1, 1, START, START, 1), down, uint64(START)), "this second");
        // Malformed numbers may not revert either.
        bytes memory large = abi.encode(type(uint256).max, 0, up, START, 2);
        assertTrue(isOutageBy(large, down, end));
    }

    function test_aBrokenFeedNeverReverts() public {
        vm.warp(START);
        for (uint8 fault = 1; fault <= uint8(type(BrokenFeed.Fault).max); ++fault) {
            IUsdOracle outages = deployOracle(address(new BrokenFeed(BrokenFeed.Fault(fault), "")));
            assertFalse(outages.isOutage(uint64(START)) && fault != uint8(BrokenFeed.Fault.RETURNS_A_BOMB));
        }
        assertFalse(deployOracle(address(0)).isOutage(uint64(START)));
        assertFalse(deployOracle(makeAddr("nobody")).isOutage(uint64(START)));
    }
}

/// @dev Answers the two calls of a feed with whatever bytes it is given.
contract TwoRounds {
    bytes private _latest;
    bytes private _previous;

    constructor(bytes memory latest, bytes memory previous) {
        (_latest, _previous) = (latest, previous);
    }

    fallback(bytes calldata data) external returns (bytes memory) {
        return data.length == 4 ? _latest : _previous;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev The fallback arbitrator and its successors
///   scheduleFallback: a name replaces the one before, zero withdraws it
///   acceptFallback: by another than the named one reverts; before the last accepted one is in force reverts
///   in force 30 days after acceptance, counted at midnight UTC
///   a case is judged by the one in force on the day of its claim, whatever happens later
contract FallbackTest is CourtTest {
    uint64 private constant DAY = 1 days;
    address private second = makeAddr("second fallback");
    address private third = makeAddr("third fallback");

    function testFuzz_reverts_whenAnotherThanTheNamedOneAccepts(address caller) public {
        vm.assume(caller != second);
        schedule(second);
        expectNotAuthorized(caller);
        accept(caller);
    }

    function test_reverts_whenNobodyIsNamed() public {
        expectNotAuthorized(owner);
        accept(owner);
        schedule(second);
        accept(second);
        expectNotAuthorized(second);
        accept(second);
    }

    function test_aNameReplacesTheOneBeforeAndZeroWithdrawsIt() public {
        vm.expectEmit(address(court));
        emit IDisputeCourt.FallbackScheduled(second);
        schedule(second);
        assertEq(court.scheduledFallback(), second);
        schedule(third);
        expectNotAuthorized(second);
        accept(second);
        vm.expectEmit(address(court));
        emit IDisputeCourt.FallbackScheduled(address(0));
        schedule(address(0));
        expectNotAuthorized(third);
        accept(third);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
    }

    function test_aNameAloneChangesNothingHoweverOldItIs() public {
        schedule(second);
        skip(400 days);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        // Accepted late, it is still not in force at once.
        accept(second);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        assertLast(second, clock() + 30 days);
    }

    function test_theAcceptedOneIsInForceAtTheFirstMidnightAfterThirtyDays() public {
        uint64 acceptedAt = START - (START % DAY) + 5 hours;
        acceptAt(second, acceptedAt);
        uint64 since = acceptedAt + 30 days;
        assertLast(second, since);
        uint64 midnight = since - (since % DAY) + DAY;
        vm.warp(since);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator, "on the day it begins");
        vm.warp(midnight - 1);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator, "a second before midnight");
        vm.warp(midnight);
        assertEq(court.fallbackArbitrator(), second, "at midnight");
        assertEq(court.fallbackOn(uint16(midnight / DAY) - 1), fallbackArbitrator);
        assertEq(court.fallbackOn(uint16(midnight / DAY)), second);
    }

    function test_oneAcceptedAtMidnightIsInForceToTheSecond() public {
        uint64 acceptedAt = START - (START % DAY) + DAY;
        acceptAt(second, acceptedAt);
        vm.warp(acceptedAt + 30 days - 1);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        vm.warp(acceptedAt + 30 days);
        assertEq(court.fallbackArbitrator(), second);
    }

    function test_acceptanceIsAnnounced() public {
        schedule(second);
        skip(3 days);
        vm.expectEmit(address(court));
        emit IDisputeCourt.FallbackAccepted(second, clock() + 30 days);
        vm.recordLogs();
        accept(second);
        assertLogCount(1);
        assertEq(court.scheduledFallback(), address(0));
    }

    /// @dev No other fallback can be accepted while an accepted one waits for its day.
    function test_reverts_whenTheLastOneIsNotYetInForce() public {
        schedule(second);
        accept(second);
        uint64 since = clock() + 30 days;
        schedule(third);
        vm.warp(since - 1);
        expectTooEarly(since);
        accept(third);
        vm.warp(since);
        accept(third);
        assertLast(third, since + 30 days);
        vm.warp(since + 1 days);
        assertEq(court.fallbackArbitrator(), second);
        vm.warp(since + 31 days);
        assertEq(court.fallbackArbitrator(), third);
    }

    function test_aCaseKeepsTheFallbackOfTheDayOfItsClaim() public {
        uint256 taskId = answered();
        replaceFallback(second);
        court.escalate(taskId);
        assertEq(court.disputeOf(taskId).judge, fallbackArbitrator, "judge");
        expectNotArbitrator(second);
        rule(second, taskId, WHOLE);
        waiveHearing(taskId);
        rule(fallbackArbitrator, taskId, WHOLE);
        assertState(taskId, State.RESOLVED);
    }

    function test_manyTermsAreFoundByTheirDay() public {
        uint64[6] memory since;
        address[6] memory holders;
        for (uint256 index = 0; index < holders.length; ++index) {
            holders[index] = makeAddr(vm.toString(index));
            schedule(holders[index]);
            accept(holders[index]);
            since[index] = clock() + 30 days;
            skip(30 days + index * 17 hours);
        }
        skip(40 days);
        for (uint256 index = 0; index < holders.length; ++index) {
            uint16 day = uint16((since[index] + DAY - 1) / DAY);
            assertEq(court.fallbackOn(day), holders[index], "on its first day");
            assertEq(court.fallbackOn(day - 1), index == 0 ? fallbackArbitrator : holders[index - 1], "the day before");
        }
        assertEq(court.fallbackArbitrator(), holders[5]);
    }

    function schedule(address next) private {
        courtAs(owner).scheduleFallback(next);
    }

    function accept(address next) private {
        courtAs(next).acceptFallback();
    }

    function acceptAt(address next, uint64 time) private {
        schedule(next);
        vm.warp(time);
        accept(next);
    }

    function assertLast(address expected, uint64 inForceAt) private view {
        (address last, uint64 since) = court.lastFallback();
        assertEq(last, expected, "last accepted");
        assertEq(since, inForceAt, "in force at");
    }
}

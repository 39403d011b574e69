// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Scope} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev The owner brings in a judge of its own for work that runs already, or so quickly that nobody can react.
/// Answer: a new fallback arbitrator must accept, is in force 30 days after that, and judges only what is claimed
/// from then on; one that waits for its day cannot be replaced. A claim is judged by the one in force at the
/// beginning of its day.
abstract contract FallbackRotation is CourtAttackTest {
    address private crony = makeAddr("crony");

    function test_aNewFallbackNeverJudgesRunningWork() public {
        atEveryAmount(rotateMidCase);
    }

    /// @dev The work is claimed before the change and disputed long after it.
    function rotateMidCase(uint96 amount) private {
        uint256 taskId = activeWorth(amount);
        installCrony();
        skip(60 days);
        extendAndDeliver(taskId);
        remember();
        openDispute(taskId);
        answerWithoutBond(taskId);
        assertEq(court.fallbackArbitrator(), crony, "it is in force for new claims");
        expectNotArbitrator();
        vm.prank(crony);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(amount), -collateral(), int256(uint256(amount)) - feeOf(amount), collateral());
    }

    /// @dev In the middle of the fallback's own seven days nothing changes either.
    function test_aRotationDuringTheFallbacksWindowChangesNothing() public {
        scheduleCrony();
        uint256 taskId = active();
        vm.prank(crony);
        court.acceptFallback();
        skip(29 days);
        extendAndDeliver(taskId);
        openDispute(taskId);
        answerWithoutBond(taskId);
        skip(5 days);
        assertEq(court.fallbackArbitrator(), crony);
        assertEq(court.disputeOf(taskId).judge, fallbackArbitrator);
    }

    /// @dev The first draft counted the 30 days from the owner's call: accepted late, it was in force at once.
    function testFuzz_aLateAcceptanceStillTakesThirtyDays(uint256 wait) public {
        scheduleCrony();
        skip(bound(wait, 0, 3_650 days));
        vm.prank(crony);
        court.acceptFallback();
        (address last, uint64 since) = court.lastFallback();
        assertEq(last, crony);
        assertEq(since, clock() + 30 days);
        vm.warp(since - 1);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        vm.warp(since + 1 days);
        assertEq(court.fallbackArbitrator(), crony);
    }

    function test_oneThatWaitsForItsDayCannotBeReplaced() public {
        scheduleCrony();
        vm.prank(crony);
        court.acceptFallback();
        (, uint64 since) = court.lastFallback();
        vm.prank(owner);
        court.scheduleFallback(stranger);
        skip(29 days);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, since));
        vm.prank(stranger);
        court.acceptFallback();
        vm.warp(since + 1 days);
        assertEq(court.fallbackArbitrator(), crony);
        vm.prank(stranger);
        court.acceptFallback();
        assertEq(court.fallbackArbitrator(), crony, "not before another thirty days");
    }

    function test_reverts_whenNobodyWasNamedOrTheNameWasWithdrawn() public {
        expectNotAuthorized(crony);
        vm.prank(crony);
        court.acceptFallback();
        scheduleCrony();
        vm.prank(owner);
        court.scheduleFallback(address(0));
        expectNotAuthorized(crony);
        vm.prank(crony);
        court.acceptFallback();
    }

    function testFuzz_reverts_whenAnyoneElseNamesAFallback(address caller) public {
        vm.assume(caller != owner);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        court.scheduleFallback(caller);
    }

    /// @dev A term that begins at noon: the whole day belongs to the one before, the next midnight to the new one.
    function test_theDayOfTheClaimDecidesToTheSecond() public {
        uint64 midnight = (uint64(START) / 1 days + 40) * 1 days;
        vm.warp(midnight - 30 days + 12 hours);
        scheduleCrony();
        vm.prank(crony);
        court.acceptFallback();
        assertJudgeOfAClaimAt(midnight - 1, fallbackArbitrator);
        assertJudgeOfAClaimAt(midnight, fallbackArbitrator);
        assertJudgeOfAClaimAt(midnight + 12 hours, fallbackArbitrator);
        assertJudgeOfAClaimAt(midnight + 1 days - 1, fallbackArbitrator);
        assertJudgeOfAClaimAt(midnight + 1 days, crony);
    }

    /// @dev One that begins at midnight exactly has that day.
    function test_aTermThatBeginsAtMidnightHasItsWholeDay() public {
        uint64 midnight = (uint64(START) / 1 days + 40) * 1 days;
        vm.warp(midnight - 30 days);
        scheduleCrony();
        vm.prank(crony);
        court.acceptFallback();
        assertJudgeOfAClaimAt(midnight - 1, fallbackArbitrator);
        assertJudgeOfAClaimAt(midnight, crony);
    }

    /// @dev A task that is listed again is judged by the day of the new claim, not of the one before.
    function test_anotherRoundIsJudgedByItsOwnDay() public {
        uint256 taskId = claimed();
        installCrony();
        extend(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        worker = rival;
        start(taskId);
        deliver(taskId);
        openDispute(taskId);
        answerWithoutBond(taskId);
        assertEq(court.disputeOf(taskId).judge, crony);
    }

    /// @dev Signed tasks as well: the day on which they were made counts.
    function test_aSignedTaskIsJudgedByTheDayItWasMade() public {
        uint256 taskId = created(Scope.PRIVATE);
        start(taskId);
        installCrony();
        extendAndDeliver(taskId);
        openDispute(taskId);
        answerWithoutBond(taskId);
        assertEq(court.fallbackArbitrator(), crony);
        assertEq(court.disputeOf(taskId).judge, fallbackArbitrator);
    }

    /// @dev The look back over old terms stays short: at most one begins in thirty days.
    function test_tenYearsOfRotationsLeaveOldClaimsWithTheirJudge() public {
        uint16 firstDay = uint16(START / 1 days);
        for (uint256 turn = 0; turn < 120; ++turn) {
            address next = address(uint160(0x1000 + turn));
            vm.prank(owner);
            court.scheduleFallback(next);
            vm.prank(next);
            court.acceptFallback();
            skip(30 days);
        }
        assertEq(court.fallbackOn(firstDay), fallbackArbitrator);
        assertEq(court.fallbackOn(firstDay + 31), address(0x1000));
    }

    function assertJudgeOfAClaimAt(uint64 moment, address expected) private {
        uint256 snapshot = vm.snapshotState();
        vm.warp(moment);
        uint256 taskId = delivered();
        openDispute(taskId);
        answerWithoutBond(taskId);
        assertEq(court.disputeOf(taskId).judge, expected);
        vm.revertToState(snapshot);
    }

    function scheduleCrony() private {
        vm.prank(owner);
        court.scheduleFallback(crony);
    }

    function installCrony() private {
        scheduleCrony();
        vm.prank(crony);
        court.acceptFallback();
        skip(31 days);
    }

    function extend(uint256 taskId) private {
        vm.prank(poster);
        registry.extendDeadline(taskId, clock() + 10 days);
    }

    function extendAndDeliver(uint256 taskId) private {
        extend(taskId);
        deliver(taskId);
    }

    function expectNotArbitrator() private {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, crony));
    }

    function expectNotAuthorized(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, caller));
    }
}

contract FallbackRotationStandardTest is FallbackRotation {}

contract FallbackRotationMicroTest is FallbackRotation {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

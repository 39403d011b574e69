// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev The owner brings in a judge of its own for work that runs already, or so quickly that nobody can react.
/// Answer: a new fallback arbitrator must accept, is in force 30 days after that, and judges only what is claimed
/// from then on; one that waits for its day cannot be replaced. A claim is judged by the one in force at the
/// beginning of its day.
abstract contract FallbackRotation is CourtAttackTest {
    address private crony = makeAddr("crony");

    /// @dev The work is claimed before the change and disputed long after it.
    function test_aNewFallbackNeverJudgesRunningWork() public atEveryAmount {
        uint256 taskId = activeWorth(atStake);
        installCrony();
        skip(60 days);
        registryAs(poster).extendDeadline(taskId, clock() + 10 days);
        deliver(taskId);
        remember();
        openDispute(taskId);
        answerWithoutBond(taskId);
        assertEq(court.fallbackArbitrator(), crony, "it is in force for new claims");
        expectNotArbitrator(crony);
        courtAs(crony).resolveDispute(taskId, 0, REASON, REASON_URI);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(atStake), -collateral(), int256(uint256(atStake)) - feeOf(atStake), collateral());
    }

    /// @dev The first draft counted the 30 days from the owner's call: accepted late, it was in force at once.
    function testFuzz_aLateAcceptanceStillTakesThirtyDays(uint256 wait) public {
        scheduleCrony();
        skip(bound(wait, 0, 3_650 days));
        courtAs(crony).acceptFallback();
        (address last, uint64 since) = court.lastFallback();
        assertEq(last, crony);
        assertEq(since, clock() + 30 days);
        vm.warp(since - 1);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        vm.warp(since + 1 days);
        assertEq(court.fallbackArbitrator(), crony);
    }

    function scheduleCrony() private {
        courtAs(owner).scheduleFallback(crony);
    }

    function installCrony() private {
        scheduleCrony();
        courtAs(crony).acceptFallback();
        skip(31 days);
    }
}

contract FallbackRotationStandardTest is FallbackRotation {}

contract FallbackRotationMicroTest is OnMicro, FallbackRotation {}

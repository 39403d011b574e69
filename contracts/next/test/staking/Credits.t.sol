// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev Action Credits: how they are issued, and consumeCredits
///   issue: by stake and time up to 259,200 TOK staked; above that the vault's whole rate, shared by stake
///          nothing while nobody stakes; never beyond the cap, and the cap is reached to the wei
///   consumeCredits
///          a wallet that never staked: false, and nothing is written
///          credits that cover the amount: taken, without accruing when the stored ones suffice; exactly enough is
///          enough; otherwise false, and what was earned is kept
contract CreditsTest is StakingTest {
    function test_fromTheFullRateOnStakersShareTheStream() public {
        stake(alice, FULL_RATE_STAKE);
        skip(100);
        assertApproxEqAbs(creditsOf(alice), CREDIT_RATE * 100, 1e10, "alone at the full rate");
        uint256 before = creditsOf(alice);
        stake(bob, FULL_RATE_STAKE);
        skip(100);
        assertApproxEqAbs(creditsOf(alice) - before, (CREDIT_RATE * 100) / 2, 1e6, "half of it");
        assertApproxEqAbs(creditsOf(bob), (CREDIT_RATE * 100) / 2, 1e6, "the other half");
    }

    function test_theCapIsReachedToTheWeiAndNoFurther() public {
        // A total that divides nothing evenly, so that rounding would show.
        stake(alice, 300_000e18 + 7);
        stake(bob, 123_456_789e13 + MIN_STAKE);
        skip(CREDIT_CAP / CREDIT_RATE - 1);
        assertIssued(CREDIT_CAP - CREDIT_RATE);
        assertFalse(staking.creditIssuanceClosed(), "closed a second before");
        skip(1);
        assertIssued(CREDIT_CAP);
        skip(365 days);
        claim(alice);
        assertIssued(CREDIT_CAP);
        assertEq(staking.totalCreditsIssued(), CREDIT_CAP, "issued");
        assertEq(staking.creditsRemaining(), 0, "remaining");
        assertTrue(staking.creditIssuanceClosed(), "closed");
        (, , , uint256 remaining, bool closed, ) = staking.overview();
        assertEq(remaining, 0, "remaining in the overview");
        assertTrue(closed, "closed in the overview");
        assertLe(creditsOf(alice) + creditsOf(bob), CREDIT_CAP, "handed out");
        assertApproxEqAbs(creditsOf(alice) + creditsOf(bob), CREDIT_CAP, 1e7, "all but dust");

        uint256 before = creditsOf(alice);
        skip(365 days);
        assertEq(creditsOf(alice), before, "a year after the cap");
    }

    function test_consume_ofAWalletThatNeverStakedIsRefusedAndWritesNothing() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        vm.recordLogs();
        assertFalse(consume(stranger, 1));
        assertEq(vm.getRecordedLogs().length, 0, "logs");
        assertEq(staking.lastUpdate(), START, "last update");
    }

    function test_consume_takesExactlyWhatIsThere() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        uint256 earned = MIN_STAKE_CREDIT_RATE * 1 days;
        assertFalse(consume(alice, earned + 1), "one wei too many");
        assertEq(creditsOf(alice), earned, "kept");
        vm.expectEmit(address(staking));
        emit IStakingVault.CreditsConsumed(alice, earned);
        assertTrue(consume(alice, earned), "exactly enough");
        assertEq(creditsOf(alice), 0, "left");
        assertFalse(consume(alice, 1), "nothing left");
        assertIssued(earned);
    }

    function test_consume_countsWhatTimeHasAddedWhenStoredCreditsFallShort() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        claim(alice);
        skip(1 days);
        assertTrue(consume(alice, MIN_STAKE_CREDIT_RATE * 2 days));
        assertEq(creditsOf(alice), 0);
    }

    function assertIssued(uint256 expected) private view {
        (, , uint256 issued, uint256 remaining, , ) = staking.overview();
        assertEq(issued, expected, "issued");
        assertEq(remaining, CREDIT_CAP - expected, "remaining");
    }
}

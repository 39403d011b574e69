// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Crumbs as a weapon: a dispute about 10 TOK that freezes a million, and two wallets of one person that dispute
/// with each other so that an honest arbitrator works for half a TOK or loses a part of its bond.
/// Answer: only the disputed milestone waits; no milestone is smaller than a tenth of the smallest task; an
/// arbitrator says what it accepts; a dispute ends its task, so each one takes two access fees. A miss costs no more
/// than the F that the parties themselves pay to the fallback, or a tenth of the smallest bond.
abstract contract DustDisputes is CourtAttackTest {
    /// @dev "The miss penalty grows with the bond": a tenth of a large bond was lost against two parties that spent
    /// 2,000 TOK. Now those two pay F to the fallback arbitrator, and the arbitrator loses no more than F.
    function test_anArbitratorWithALargeBondIsHarmedLessThanTheAttackCosts() public atEveryAmount {
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        Wealth memory victim = wealthOf(arbitrator);
        uint256 taskId = disputedWorth(atStake);
        missAndRule(taskId, arbitrator);
        int256 loss = -tokGain(arbitrator, victim);
        int256 smallest = int256(uint256(MIN_BOND) / 10);
        int256 largest = int256(uint256(1_000_000e18 + MIN_BOND) / 10);
        int256 fee = feeOf(atStake);
        assertEq(
            loss,
            fee < smallest
                ? smallest
                : fee > largest
                    ? largest
                    : fee
        );
        int256 attackers = tokGain(poster, asPoster) + tokGain(worker, asWorker);
        assertEq(attackers, -2 * int256(uint256(FEE)) - fee);
        assertTrue(loss < -attackers, "the victim loses less than the attackers");
    }

    /// @dev The known rest: if the fallback is silent as well, the two have F back and paid two access fees only. The
    /// arbitrator still loses no more than F, and it could have ruled within five days and earned F.
    function test_aSilentFallbackMakesAMissCheapForItsAuthors() public atEveryAmount {
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        Wealth memory victim = wealthOf(arbitrator);
        uint256 taskId = assignedWorth(atStake);
        skip(5 days + 1);
        court.escalate(taskId);
        lapse(taskId);
        assertEq(tokGain(poster, asPoster) + tokGain(worker, asWorker), -2 * int256(uint256(FEE)));
        int256 loss = -tokGain(arbitrator, victim);
        int256 smallest = int256(uint256(MIN_BOND) / 10);
        assertTrue(loss <= (feeOf(atStake) > smallest ? feeOf(atStake) : smallest));
    }

    /// @dev Eleven cases at once for the smallest bond: ten misses empty it, and the eleventh must not get stuck.
    function test_elevenMissesLeaveNoDisputeWithoutAnExit() public {
        address small = smallArbitrator();
        uint256[11] memory taskIds;
        for (uint256 index = 0; index < 11; ++index) {
            taskIds[index] = answeredWorth(100_000e18);
            agree(taskIds[index], small);
        }
        skip(5 days + 1);
        for (uint256 index = 0; index < 11; ++index) court.escalate(taskIds[index]);
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(small);
        assertEq(record.bond, 0);
        assertEq(record.openCases, 0);
        assertEq(record.missed, 11);
        for (uint256 index = 0; index < 11; ++index) {
            rule(taskIds[index], 5_000);
            assertState(taskIds[index], State.RESOLVED);
        }
        assertEq(tok.balanceOf(address(court)), court.totalBonded());
        assertListedOnce(small);
    }

    /// @dev An arbitrator that lost everything and comes back stands in the list once.
    function assertListedOnce(address small) private {
        courtAs(small).registerArbitrator(MIN_BOND, 0);
        (address[] memory list, , ) = court.arbitrators(0, 100);
        uint256 found;
        for (uint256 index = 0; index < list.length; ++index) if (list[index] == small) ++found;
        assertEq(found, 1, "listed once");
    }

    function missAndRule(uint256 taskId, address absent) private {
        answerWithBond(taskId, worker);
        agree(taskId, absent);
        skip(5 days + 1);
        court.escalate(taskId);
        rule(taskId, 5_000);
    }

    function smallArbitrator() private returns (address small) {
        small = rival;
        courtAs(small).registerArbitrator(MIN_BOND, 0);
    }
}

contract DustDisputesStandardTest is DustDisputes {}

contract DustDisputesMicroTest is OnMicro, DustDisputes {}

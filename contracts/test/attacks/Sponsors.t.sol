// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev Anyone may put up the worker's bond. A sponsor could be the poster's friend who answers to spoil the worker's
/// case, and a worker could have itself sponsored to rob the sponsor.
/// Answer: a hostile sponsor can only improve the worker's position and pays for it. A sponsor that trusts the wrong
/// worker loses F at most; that risk is its own, and the security page names it.
abstract contract Sponsors is CourtAttackTest {
    /// @dev The poster's friend answers in the worker's place, so that the worker cannot answer without a bond.
    /// Whatever follows, the worker does at least as well as without it, and poster and friend together no better.
    function test_aHostileSponsorHelpsTheWorker() public atEveryAmount {
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            end(unbondedWorth(atStake), way);
            (int256 workerAlone, int256 posterAlone) = (workerNet(), posterNet());
            vm.revertToState(snapshot);
            snapshot = vm.snapshotState();
            Wealth memory friend = wealthOf(sponsor);
            end(sponsoredWorth(atStake), way);
            assertTrue(workerNet() >= workerAlone, "the worker does no worse");
            assertTrue(posterNet() + net(sponsor, friend) <= posterAlone, "poster and friend do no better");
            vm.revertToState(snapshot);
        }
    }

    function end(uint256 taskId, uint256 way) private {
        if (way == 0) rule(taskId, WHOLE);
        else if (way == 1) rule(taskId, 5_000);
        else if (way == 2) rule(taskId, 0);
        else lapse(taskId);
    }

    /// @dev It costs the worker three days, no more: nobody has to agree on an arbitrator.
    function test_aHostileSponsorDelaysByThreeDaysAtMost() public {
        uint256 taskId = disputedWorth(100_000e18);
        uint64 answeredAt = clock();
        answerWithBond(taskId, sponsor);
        assertEq(court.disputeOf(taskId).phaseEnds, answeredAt + 3 days);
        expectWrongPhase(Phase.PROPOSING);
        courtAs(worker).answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev Poster and worker are one person and rob the sponsor by a concession. They get half of F for two access
    /// fees. The row is accepted: nobody has to sponsor a stranger.
    function test_aSponsorRobbedByAConcessionLosesHalfOfF() public atEveryAmount {
        Wealth memory victim = wealthOf(sponsor);
        uint256 taskId = disputedWorth(atStake);
        answerWithBond(taskId, sponsor);
        concede(worker, taskId);
        int256 half = feeOf(atStake) / 2;
        assertOutcome(sponsor, victim, -half, 0);
        assertEnd(taskId, int256(uint256(atStake)) + half, collateral(), 0, -collateral());
    }

    /// @dev With an arbitrator of their own they get all of it, never more.
    function testFuzz_noSponsorLosesMoreThanF(uint256 amount, uint16 workerBps, uint8 way) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        Wealth memory victim = wealthOf(sponsor);
        uint256 taskId = disputedWorth(worth);
        answerWithBond(taskId, sponsor);
        agree(taskId, arbitrator);
        way %= 4;
        if (way == 0) rule(taskId, workerBps);
        else if (way == 1) concede(worker, taskId);
        else if (way == 2) settle(taskId, workerBps);
        else concede(poster, taskId);
        int256 lost = -tokGain(sponsor, victim);
        assertTrue(lost >= 0 && lost <= feeOf(worth));
        assertClosed(taskId);
    }

    /// @dev In ESCALATED, as a case without bond is at once.
    function sponsoredWorth(uint96 amount) private returns (uint256 taskId) {
        taskId = disputedWorth(amount);
        answerWithBond(taskId, sponsor);
        skip(3 days + 1);
        court.escalate(taskId);
    }
}

contract SponsorsStandardTest is Sponsors {}

contract SponsorsMicroTest is OnMicro, Sponsors {}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../../src/Types.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {CourtAttackTest} from "./CourtAttackTest.sol";

/// @dev Anyone may put up the worker's bond. A sponsor could be the poster's friend who answers to spoil the worker's
/// case, and a worker could have itself sponsored to rob the sponsor.
/// Answer: a hostile sponsor can only improve the worker's position and pays for it. A sponsor that trusts the wrong
/// worker loses F at most; that risk is its own, and the security page names it.
abstract contract Sponsors is CourtAttackTest {
    /// @dev The bond returns to its payer.
    function test_aSponsorHasItsBondBackWhenTheWorkerWins() public {
        atEveryAmount(sponsorWinner);
    }

    function sponsorWinner(uint96 amount) private {
        Wealth memory helper = wealthOf(sponsor);
        uint256 taskId = sponsoredWorth(amount);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(amount), -collateral(), int256(uint256(amount)), collateral());
        assertOutcome(sponsor, helper, 0, 0);
    }

    /// @dev The poster's friend answers in the worker's place, so that the worker cannot answer without a bond.
    /// Whatever follows, the worker does at least as well as without it, and poster and friend together no better.
    function test_aHostileSponsorHelpsTheWorker() public {
        atEveryAmount(spoil);
    }

    function spoil(uint96 amount) private {
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            end(unbondedWorth(amount), way);
            (int256 workerAlone, int256 posterAlone) = (workerNet(), posterNet());
            vm.revertToState(snapshot);
            snapshot = vm.snapshotState();
            Wealth memory friend = wealthOf(sponsor);
            end(sponsoredWorth(amount), way);
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
        vm.prank(worker);
        court.answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev A hostile answer does not take the worker's words away, and a sponsor has none in the case.
    function test_theWorkerIsStillHeardAndTheSponsorHasNoSay() public {
        uint256 taskId = disputedWorth(100_000e18);
        answerWithBond(taskId, sponsor);
        vm.prank(worker);
        court.submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
        vm.startPrank(sponsor);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, sponsor));
        court.submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, sponsor));
        court.concede(taskId, Phase.PROPOSING);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, sponsor));
        court.proposeArbitrator(taskId, arbitrator);
        vm.stopPrank();
    }

    /// @dev Poster and worker are one person and rob the sponsor by a concession. They get half of F for two access
    /// fees. The row is accepted: nobody has to sponsor a stranger.
    function test_aSponsorRobbedByAConcessionLosesHalfOfF() public {
        atEveryAmount(robByConcession);
    }

    function robByConcession(uint96 amount) private {
        Wealth memory victim = wealthOf(sponsor);
        uint256 taskId = disputedWorth(amount);
        answerWithBond(taskId, sponsor);
        concede(worker, taskId);
        int256 half = feeOf(amount) / 2;
        assertOutcome(sponsor, victim, -half, 0);
        assertEnd(taskId, int256(uint256(amount)) + half, collateral(), 0, -collateral());
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

    /// @dev The poster may not answer itself to keep the worker from being heard, with or without a bond.
    function test_reverts_whenThePosterAnswersOrAStrangerAnswersWithoutABond() public {
        uint256 taskId = disputedWorth(100_000e18);
        expectNotParty(poster);
        vm.prank(poster);
        court.answerDispute(taskId, true, EVIDENCE, EVIDENCE_URI);
        expectNotParty(poster);
        vm.prank(poster);
        court.answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
        expectNotParty(sponsor);
        vm.prank(sponsor);
        court.answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev A worker that is paused because it lost its bonds can still answer, be heard and win.
    function test_aPausedWorkerIsHeard() public {
        uint256 taskId = deliveredWorth(100_000e18);
        loseBonds(worker);
        remember();
        openDispute(taskId);
        answerWithBond(taskId, worker);
        skip(3 days + 1);
        court.escalate(taskId);
        rule(taskId, WHOLE);
        assertEnd(taskId, -5_000e18, -collateral(), 100_000e18, collateral());
    }

    /// @dev And a paused poster can still dispute junk.
    function test_aPausedPosterCanDispute() public {
        uint256 taskId = deliveredWorth(100_000e18);
        loseBonds(poster);
        remember();
        openDispute(taskId);
        lapse(taskId);
        assertEnd(taskId, 100_000e18, collateral(), 0, -collateral());
    }

    /// @dev One of its tasks is running; with all others it loses so many bonds that its deposit is below the
    /// threshold.
    function loseBonds(address agent) private {
        leaveDeposit(agent, ENTRY);
        uint256[] memory taskIds = new uint256[](ENTRY / parameters().bondUsdc - 1);
        for (uint256 index = 0; index < taskIds.length; ++index) taskIds[index] = disputed();
        for (uint256 index = 0; index < taskIds.length; ++index) concede(agent, taskIds[index]);
        assertTrue(deposits.isPaused(agent));
    }

    /// @dev In ESCALATED, as a case without bond is at once.
    function sponsoredWorth(uint96 amount) private returns (uint256 taskId) {
        taskId = disputedWorth(amount);
        answerWithBond(taskId, sponsor);
        skip(3 days + 1);
        court.escalate(taskId);
    }

    function expectNotParty(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, caller));
    }
}

contract SponsorsStandardTest is Sponsors {}

contract SponsorsMicroTest is Sponsors {
    function parameters() internal pure override returns (Parameters memory) {
        return microParameters();
    }
}

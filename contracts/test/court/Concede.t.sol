// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev concede, called
///   in another phase than the caller expects           reverts
///   by a party                                         the other side gets the milestone and the party's collateral
///     in ANSWERING, PROPOSING      half of the party's bond goes to the other side; a worker has none to lose in
///                                  ANSWERING
///     in ASSIGNED, ESCALATED       all of it goes to the judge, or to the other side when nobody may judge or the
///                                  judge's time is over; a worker without a bond has none to lose
///   counted as a ruling; a worker's concession before a judge is in office counts as leaving
contract ConcedeTest is EndingTest {
    function test_reverts_whenThePhaseIsAnother() public {
        Phase[4] memory phases = openPhases();
        for (uint256 index = 0; index < phases.length; ++index) {
            uint256 taskId = disputeIn(phases[index]);
            for (uint8 expected = 0; expected <= uint8(type(Phase).max); ++expected) {
                if (Phase(expected) == phases[index]) continue;
                expectWrongPhase(phases[index]);
                concede(poster, taskId, Phase(expected));
                expectWrongPhase(phases[index]);
                concede(worker, taskId, Phase(expected));
            }
        }
    }

    function test_beforeAnAnswerThePosterLosesHalfOfItsBond() public {
        assertConcedes(disputed(), poster, worker, DISPUTE_BOND / 2);
        assertConcedes(disputed(), worker, address(0), 0);
    }

    function test_afterTheTimeToAnswerAConcessionIsStillTaken() public {
        uint256 taskId = disputed();
        skip(60 days);
        assertConcedes(taskId, poster, worker, DISPUTE_BOND / 2);
    }

    function test_afterAnAnswerHalfOfThePartysBondGoesToTheOtherSide() public {
        assertConcedes(answered(), poster, worker, DISPUTE_BOND / 2);
        assertConcedes(answered(), worker, poster, DISPUTE_BOND / 2);
        assertConcedes(sponsored(rival), worker, poster, DISPUTE_BOND / 2);
        assertConcedes(sponsored(rival), poster, worker, DISPUTE_BOND / 2);
    }

    function test_theJudgeGetsTheWholeBondOfTheSideThatGivesIn() public {
        assertConcedes(escalated(), poster, fallbackArbitrator, DISPUTE_BOND);
        assertConcedes(escalated(), worker, fallbackArbitrator, DISPUTE_BOND);
        assertConcedes(unbonded(), poster, fallbackArbitrator, DISPUTE_BOND);
        assertConcedes(unbonded(), worker, address(0), 0);
        assertConcedes(assigned(), poster, arbitrator, DISPUTE_BOND);
        assertConcedes(assigned(), worker, arbitrator, DISPUTE_BOND);
        uint256 taskId = sponsored(rival);
        agree(taskId, arbitrator);
        assertConcedes(taskId, worker, arbitrator, DISPUTE_BOND);
    }

    /// @dev Counted as lost, not as left: the case had come to a judge, even if there was none.
    function test_theOtherSideIsPaidWhenTheFallbackIsAParty() public {
        uint256 snapshot = vm.snapshotState();
        replaceFallback(worker);
        uint256 taskId = escalated();
        uint256 before = tok.balanceOf(worker);
        concede(poster, taskId, Phase.ESCALATED);
        assertEq(tok.balanceOf(worker), before + TOTAL + 2 * DISPUTE_BOND, "both bonds");
        vm.revertToState(snapshot);
        replaceFallback(poster);
        taskId = escalated();
        before = tok.balanceOf(poster);
        concede(worker, taskId, Phase.ESCALATED);
        assertEq(tok.balanceOf(poster), before + TOTAL + 2 * DISPUTE_BOND, "both bonds");
        Reputation memory record = readHolding(worker).record;
        assertEq(record.disputesLost, 1, "lost");
        assertEq(record.left, 0, "not left");
    }

    function testFuzz_everyConcessionAddsUp(uint96 total, uint8 phaseIndex, bool byPoster, bool bySponsor) public {
        total = uint96(bound(total, MIN_TOTAL, 5_000_000e18));
        Phase phase = openPhases()[phaseIndex % 4];
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        if (phase != Phase.ANSWERING) answerWithBond(taskId, bySponsor ? rival : worker);
        if (phase == Phase.ASSIGNED) agree(taskId, arbitrator);
        if (phase == Phase.ESCALATED) {
            skip(3 days + 1);
            court.escalate(taskId);
        }
        uint96 bond = court.disputeOf(taskId).bond;
        address caller = byPoster ? poster : worker;
        if (phase == Phase.ANSWERING) assertConcedes(taskId, caller, worker, byPoster ? bond / 2 : 0);
        else if (phase == Phase.PROPOSING) assertConcedes(taskId, caller, byPoster ? worker : poster, bond / 2);
        else assertConcedes(taskId, caller, court.disputeOf(taskId).judge, bond);
        assertEq(tok.balanceOf(address(court)), court.totalBonded(), "no dispute bond stays behind");
    }

    function concede(address caller, uint256 taskId, Phase expectedPhase) private {
        courtAs(caller).concede(taskId, expectedPhase);
    }

    function assertConcedes(uint256 taskId, address caller, address paid, uint96 lost) private {
        Phase phase = court.phaseOf(taskId);
        bool hasJudge = phase == Phase.ASSIGNED || phase == Phase.ESCALATED;
        bool withdrawn = caller == worker && !hasJudge;
        Ending memory made = ending(
            withdrawn ? SettlementKind.WITHDRAWN : SettlementKind.RULING,
            caller == poster ? BPS : 0
        );
        made.bondsTo = paid;
        made.posterPays = caller == poster ? lost : 0;
        made.workerPays = caller == poster ? 0 : lost;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        if (phase == Phase.ASSIGNED) record.openCases -= 1;

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeConceded(taskId, caller, phase);
        expectEnding(taskId, made);
        concede(caller, taskId, phase);

        assertEnded(taskId);
        assertRecord(arbitrator, record);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev concede, called
///   in another phase than the caller expects           reverts
///   by a party                                         the other side gets the milestone and the party's collateral
///     in ANSWERING, PROPOSING      half of the party's bond goes to the other side; a worker has none to lose in
///                                  ANSWERING
///     in ASSIGNED, ESCALATED       as a ruling: the judge has its pay, unless nobody may judge or its time is over
///   counted as a ruling
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
        assertConcedes(disputed(), poster);
        assertConcedes(disputed(), worker);
    }

    function test_afterTheTimeToAnswerAConcessionIsStillTaken() public {
        uint256 taskId = disputed();
        skip(60 days);
        assertConcedes(taskId, poster);
    }

    function test_afterAnAnswerHalfOfThePartysBondGoesToTheOtherSide() public {
        assertConcedes(answered(), poster);
        assertConcedes(answered(), worker);
    }

    function test_withAJudgeItIsTheRulingThatItWouldHaveBeen() public {
        assertConcedes(escalated(), poster);
        assertConcedes(escalated(), worker);
        assertConcedes(unbonded(), poster);
        assertConcedes(unbonded(), worker);
        assertConcedes(assigned(), poster);
        assertConcedes(assigned(), worker);
    }

    function test_bothBondsReturnWhenTheFallbackIsAParty() public {
        uint256 snapshot = vm.snapshotState();
        replaceFallback(worker);
        uint256 taskId = escalated();
        uint256 before = tok.balanceOf(worker);
        concede(poster, taskId, Phase.ESCALATED);
        assertEq(tok.balanceOf(worker), before + TOTAL + DISPUTE_BOND, "its own bond");
        vm.revertToState(snapshot);
        replaceFallback(poster);
        taskId = escalated();
        before = tok.balanceOf(poster);
        concede(worker, taskId, Phase.ESCALATED);
        assertEq(tok.balanceOf(poster), before + TOTAL + DISPUTE_BOND, "its own bond");
        assertEq(readHolding(worker).record.disputesLost, 1, "lost");
    }

    /// @dev A late arbitrator pays for its miss, whichever call ends its case, and earns nothing.
    function test_aConcessionToALateArbitratorRecordsTheMiss() public {
        uint256 taskId = assigned();
        skip(5 days + 1);
        uint256 before = tok.balanceOf(poster);
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorSlashed(
            arbitrator,
            taskId,
            MIN_BOND / 10 > DISPUTE_BOND ? MIN_BOND / 10 : DISPUTE_BOND,
            MIN_BOND - MIN_BOND / 10
        );
        concede(worker, taskId, Phase.ASSIGNED);
        assertEq(tok.balanceOf(poster), before + TOTAL + DISPUTE_BOND);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        assertEq(record.missed, 1);
        assertEq(record.openCases, 0);
    }

    function testFuzz_everyConcessionAddsUp(uint96 total, uint8 phaseIndex, bool byPoster) public {
        total = uint96(bound(total, MIN_TOTAL, 4_000_000e18));
        Phase phase = openPhases()[phaseIndex % 4];
        register(arbitrator, 300_000e18, 0);
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        if (phase != Phase.ANSWERING) answerWithBond(taskId);
        if (phase == Phase.ASSIGNED) agree(taskId, arbitrator);
        if (phase == Phase.ESCALATED) {
            skip(3 days + 1);
            court.escalate(taskId);
        }
        assertConcedes(taskId, byPoster ? poster : worker);
        assertEq(tok.balanceOf(address(court)), court.totalBonded(), "no dispute bond stays behind");
    }

    function concede(address caller, uint256 taskId, Phase expectedPhase) private {
        courtAs(caller).concede(taskId, expectedPhase);
    }

    function assertConcedes(uint256 taskId, address caller) private {
        Phase phase = court.phaseOf(taskId);
        uint16 workerBps = caller == poster ? WHOLE : 0;
        Ending memory made;
        if (phase == Phase.ASSIGNED || phase == Phase.ESCALATED) {
            made = ruled(taskId, workerBps);
        } else {
            made = ending(taskId, SettlementKind.RULING, workerBps);
            uint96 half = court.disputeOf(taskId).bond / 2;
            if (caller == poster) (made.toPoster, made.toWorker) = (made.toPoster - half, made.toWorker + half);
            else if (made.toWorker != 0) (made.toPoster, made.toWorker) = (made.toPoster + half, made.toWorker - half);
        }
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

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev answerDispute, called
///   by one that cannot pay the bond                     reverts
///   in time, or later as long as nobody timed it out
///     without a bond                                    ESCALATED for four days, no money moves
///     with the worker's bond                           PROPOSING for three days
///       both parties named the same eligible arbitrator before     ASSIGNED for five days
///       that one cannot judge any more                             PROPOSING, quietly
///   by a paused worker, or while entries are paused     as well
contract AnswerDisputeTest is CourtTest {
    function test_aWorkerThatIsTheFallbackArbitratorMayAnswer() public {
        replaceFallback(worker);
        uint256 withBond = disputed();
        answer(worker, withBond, true);
        assertPhase(withBond, Phase.PROPOSING);
        uint256 without = disputed();
        answer(worker, without, false);
        assertPhase(without, Phase.ESCALATED);
        assertEq(court.disputeOf(without).judge, address(0), "nobody judges its own case");
    }

    function test_reverts_whenThePayerCannotPayTheBond() public {
        uint256 taskId = disputed();
        uint256 balance = tok.balanceOf(worker);
        tokAs(worker).transfer(stranger, balance - DISPUTE_BOND + 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector,
                worker,
                DISPUTE_BOND - 1,
                DISPUTE_BOND
            )
        );
        answer(worker, taskId, true);
        assertPhase(taskId, Phase.ANSWERING);
        answer(worker, taskId, false);
        assertPhase(taskId, Phase.ESCALATED);
    }

    function test_anAnswerIsTakenUntilSomebodyTimedTheCaseOut() public {
        uint256 taskId = disputed();
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds);
        uint256 snapshot = vm.snapshotState();
        assertAnswers(taskId, worker);
        vm.revertToState(snapshot);
        vm.warp(phaseEnds + 30 days);
        snapshot = vm.snapshotState();
        assertAnswers(taskId, worker);
        vm.revertToState(snapshot);
        court.resolveTimedOut(taskId);
        expectWrongPhase(Phase.CLOSED);
        answer(worker, taskId, true);
    }

    function test_withoutABondTheFallbackHasTheCaseAndNoMoneyMoves() public {
        uint256 taskId = disputed();
        skip(1 days);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.ESCALATED;
        dispute.phaseEnds = clock() + 4 days;
        dispute.rulingFrom = clock() + HEARING;
        dispute.judge = fallbackArbitrator;
        Books memory books = readBooks();
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeAnswered(taskId, worker, false, dispute.phaseEnds, EVIDENCE, EVIDENCE_URI);
        vm.recordLogs();
        answer(worker, taskId, false);
        assertLogCount(1);
        assertDispute(taskId, dispute);
        assertBooks(books);
    }

    function test_anAgreementFromBeforeIsAssignedWithTheAnswer() public {
        uint256 taskId = disputed();
        agree(taskId, arbitrator);
        assertPhase(taskId, Phase.ANSWERING);
        skip(1 days);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.ASSIGNED;
        dispute.phaseEnds = clock() + 5 days;
        dispute.rulingFrom = clock() + HEARING;
        dispute.judge = arbitrator;
        dispute.isBonded = true;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.openCases = 1;

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeAnswered(taskId, worker, true, clock() + 3 days, EVIDENCE, EVIDENCE_URI);
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorAssigned(taskId, arbitrator, dispute.phaseEnds);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBond(taskId, worker, DISPUTE_BOND);
        vm.recordLogs();
        answer(worker, taskId, true);
        assertLogCount(4);

        assertDispute(taskId, dispute);
        assertRecord(arbitrator, record);
    }

    function test_anArbitratorThatLeftIsNotAssigned() public {
        uint256 taskId = disputed();
        agree(taskId, arbitrator);
        unbond(arbitrator);
        assertAnswers(taskId, worker);
    }

    /// @dev The agreement still stands: either side only has to repeat it once the arbitrator can judge.
    function test_anAgreementThatFailedIsTakenUpWhenAPartyRepeatsIt() public {
        uint256 taskId = disputed();
        agree(taskId, arbitrator);
        unbond(arbitrator);
        answer(worker, taskId, true);
        register(arbitrator, 0, 0);
        assertPhase(taskId, Phase.PROPOSING);
        propose(worker, taskId, arbitrator);
        assertPhase(taskId, Phase.ASSIGNED);
    }

    function test_aPauseBlocksNoAnswer() public {
        uint256 taskId = disputed();
        pauseWorker();
        registryAs(owner).setEntriesPaused(true);
        uint256 snapshot = vm.snapshotState();
        answer(worker, taskId, true);
        assertPhase(taskId, Phase.PROPOSING);
        vm.revertToState(snapshot);
        answer(worker, taskId, false);
        assertPhase(taskId, Phase.ESCALATED);
        assertState(taskId, State.DISPUTED);
    }

    function testFuzz_theBondIsFivePercentRoundedDown(uint96 total) public {
        total = uint96(bound(total, MIN_TOTAL, 5_000_000e18));
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        uint256 before = tok.balanceOf(worker);
        answer(worker, taskId, true);
        assertEq(before - tok.balanceOf(worker), total / 20);
        assertEq(tok.balanceOf(address(court)), court.totalBonded() + 2 * uint256(total / 20));
    }

    function answer(address caller, uint256 taskId, bool withBond) private {
        courtAs(caller).answerDispute(taskId, withBond, EVIDENCE, EVIDENCE_URI);
    }

    function assertAnswers(uint256 taskId, address payer) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.PROPOSING;
        dispute.phaseEnds = clock() + 3 days;
        dispute.isBonded = true;
        TaskView memory task = taskOf(taskId);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        Books memory books = readBooks();
        holdingOf(books, payer).tok -= DISPUTE_BOND;
        books.court += DISPUTE_BOND;

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeAnswered(taskId, payer, true, dispute.phaseEnds, EVIDENCE, EVIDENCE_URI);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBond(taskId, payer, DISPUTE_BOND);
        expectTransferLog(payer, address(court), DISPUTE_BOND);
        vm.recordLogs();
        answer(payer, taskId, true);
        assertLogCount(3);

        assertDispute(taskId, dispute);
        assertTask(task);
        assertRecord(arbitrator, record);
        assertBooks(books);
    }
}

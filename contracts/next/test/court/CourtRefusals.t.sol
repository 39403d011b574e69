// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev What every operation of the court on a dispute refuses, and with which error:
///   a phase in which it is not possible, no dispute and an ended one included
///   a caller that is neither party nor, for a ruling, the judge in office
contract CourtRefusalsTest is CourtTest {
    /// @dev One bit for each phase in which the operation is possible.
    struct Row {
        bytes4 operation;
        address caller;
        uint256 phases;
    }

    uint256 private constant ANSWERING = 1 << uint256(Phase.ANSWERING);
    uint256 private constant PROPOSING = 1 << uint256(Phase.PROPOSING);
    uint256 private constant ASSIGNED = 1 << uint256(Phase.ASSIGNED);
    uint256 private constant ESCALATED = 1 << uint256(Phase.ESCALATED);
    uint256 private constant ANY = ANSWERING | PROPOSING | ASSIGNED | ESCALATED;

    function test_reverts_inEveryOtherPhase() public {
        assertWrongPhase(NO_TASK, Phase.NONE);
        for (uint8 phase = 0; phase <= uint8(type(Phase).max); ++phase) {
            assertWrongPhase(disputeIn(Phase(phase)), Phase(phase));
        }
    }

    function test_reverts_whenTheCallerIsNoParty() public {
        uint256 open = disputed();
        uint256 unassigned = answered();
        uint256 judged = answered();
        agree(judged, arbitrator);
        address[5] memory others = [rival, stranger, arbitrator, fallbackArbitrator, owner];
        for (uint256 index = 0; index < others.length; ++index) {
            expectNotParty(others[index]);
            courtAs(others[index]).answerDispute(open, false, EVIDENCE, EVIDENCE_URI);
            expectNotParty(others[index]);
            propose(others[index], unassigned, arbitrator);
            expectNotParty(others[index]);
            courtAs(others[index]).submitEvidence(judged, EVIDENCE, "");
            expectNotParty(others[index]);
            courtAs(others[index]).concede(judged, Phase.ASSIGNED);
        }
    }

    function test_reverts_whenThePosterAnswersItself() public {
        uint256 taskId = disputed();
        expectNotParty(poster);
        courtAs(poster).answerDispute(taskId, true, 0, "");
        expectNotParty(poster);
        courtAs(poster).answerDispute(taskId, false, 0, "");
    }

    function test_reverts_whenAnotherThanTheJudgeRules() public {
        register(rival, MIN_BOND, 0);
        uint256[2] memory tasks = [assigned(), escalated()];
        address[7] memory callers = [poster, worker, rival, stranger, owner, arbitrator, fallbackArbitrator];
        for (uint256 which = 0; which < tasks.length; ++which) {
            for (uint256 index = 0; index < callers.length; ++index) {
                if (callers[index] == court.disputeOf(tasks[which]).judge) continue;
                expectNotArbitrator(callers[index]);
                rule(callers[index], tasks[which], 5_000);
            }
        }
    }

    function assertWrongPhase(uint256 taskId, Phase phase) private {
        Row[11] memory rows = [
            Row(court.answerDispute.selector, worker, ANSWERING),
            Row(court.proposeArbitrator.selector, poster, ANSWERING | PROPOSING),
            Row(court.proposeArbitrator.selector, worker, ANSWERING | PROPOSING),
            Row(court.submitEvidence.selector, poster, ANY),
            Row(court.submitEvidence.selector, worker, ANY),
            Row(court.concede.selector, poster, ANY),
            Row(court.concede.selector, worker, ANY),
            Row(court.resolveDispute.selector, arbitrator, ASSIGNED | ESCALATED),
            Row(court.resolveDispute.selector, fallbackArbitrator, ASSIGNED | ESCALATED),
            Row(court.escalate.selector, stranger, PROPOSING | ASSIGNED),
            Row(court.resolveTimedOut.selector, stranger, ANSWERING | ESCALATED)
        ];
        for (uint256 which = 0; which < rows.length; ++which) {
            if (rows[which].phases & (1 << uint256(phase)) != 0) continue;
            vm.prank(rows[which].caller);
            (bool success, bytes memory answer) = address(court).call(callOf(rows[which].operation, taskId, phase));
            string memory name = string.concat("row ", vm.toString(which), " in phase ", vm.toString(uint256(phase)));
            assertFalse(success, name);
            assertEq(answer, abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, phase), name);
        }
    }

    function callOf(bytes4 operation, uint256 taskId, Phase phase) private view returns (bytes memory) {
        if (operation == court.answerDispute.selector)
            return abi.encodeCall(court.answerDispute, (taskId, true, EVIDENCE, EVIDENCE_URI));
        if (operation == court.proposeArbitrator.selector)
            return abi.encodeCall(court.proposeArbitrator, (taskId, arbitrator));
        if (operation == court.submitEvidence.selector)
            return abi.encodeCall(court.submitEvidence, (taskId, EVIDENCE, ""));
        if (operation == court.concede.selector) return abi.encodeCall(court.concede, (taskId, phase));
        if (operation == court.resolveDispute.selector)
            return abi.encodeCall(court.resolveDispute, (taskId, 5_000, REASON, REASON_URI));
        return abi.encodeWithSelector(operation, taskId);
    }
}

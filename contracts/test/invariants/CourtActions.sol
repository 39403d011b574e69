// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Operation} from "./Operation.sol";
import "./TransitionTable.sol";

/// @notice What parties and arbitrators do in court, settlements by both parties included.
abstract contract CourtActions is TransitionTable {
    /// @dev The worker answers with or without a bond, somebody else only with one.
    function answerDispute(TaskView memory task, address by) internal {
        bool withBond = chance(by == task.worker ? 65 : 97);
        Act memory act = newCourtAct(Operation.ANSWER, task, by);
        // Now and then a sponsor tries to speak for the worker.
        bool speaks = by == task.worker || chance(5);
        string memory uri = speaks ? EVIDENCE_URI : "";
        act.data = abi.encodeCall(court.answerDispute, (task.id, withBond, speaks ? EVIDENCE : bytes32(0), uri));
        act.allowed = act.allowed && (withBond ? canPayBond(by, task) : by == task.worker);
        act.allowed = act.allowed && (by == task.worker || !speaks);
        perform(act);
    }

    function submitEvidence(TaskView memory task, address by) internal {
        Act memory act = newCourtAct(Operation.EVIDENCE, task, by);
        act.data = abi.encodeCall(court.submitEvidence, (task.id, EVIDENCE, EVIDENCE_URI));
        perform(act);
    }

    /// @dev Now and then for a phase that is over or has not come yet.
    function concede(TaskView memory task, address by) internal {
        Phase phase = court.disputeOf(task.id).phase;
        Phase expected = chance(95) ? phase : Phase(roll(uint256(type(Phase).max) + 1));
        Act memory act = newCourtAct(Operation.CONCEDE, task, by);
        act.data = abi.encodeCall(court.concede, (task.id, expected));
        act.allowed = act.allowed && expected == phase;
        perform(act);
    }

    /// @dev The owner names one of the agents, and that one accepts unless another one waits for its day.
    function rotateFallback() internal {
        address next = anAgent();
        (, uint64 inForceAt) = court.lastFallback();
        courtAs(owner).scheduleFallback(next);
        Act memory act = newAct(Operation.ROTATE_FALLBACK, next, address(court));
        act.data = abi.encodeCall(court.acceptFallback, ());
        act.allowed = time() >= inForceAt;
        perform(act);
    }

    /// @dev Mostly the other party's choice, or one that may be chosen, so that cases get assigned.
    function proposeArbitrator(TaskView memory task, address by) internal {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        address wanted = by == task.poster ? dispute.workerPick : dispute.posterPick;
        if (wanted == address(0) || chance(20)) wanted = aJudge();
        for (uint256 tries = 0; tries < 3 && !mayArbitrate(wanted, task); ++tries) wanted = aJudge();
        Act memory act = newCourtAct(Operation.PROPOSE, task, by);
        act.data = abi.encodeCall(court.proposeArbitrator, (task.id, wanted));
        act.allowed = act.allowed && mayArbitrate(wanted, task);
        perform(act);
    }

    function resolveDispute(TaskView memory task, address by) internal {
        uint16 share = chance(97) ? someShare() : BPS + 1;
        Act memory act = newCourtAct(Operation.RULE, task, by);
        act.share = share;
        act.data = abi.encodeCall(court.resolveDispute, (task.id, share, REASON, REASON_URI));
        act.allowed = act.allowed && share <= BPS;
        perform(act);
    }

    function escalate(TaskView memory task, address by) internal {
        Act memory act = newCourtAct(Operation.ESCALATE, task, by);
        act.data = abi.encodeCall(court.escalate, (task.id));
        perform(act);
    }

    function timeOutDispute(TaskView memory task, address by) internal {
        Act memory act = newCourtAct(Operation.TIME_OUT_DISPUTE, task, by);
        act.data = abi.encodeCall(court.resolveTimedOut, (task.id));
        perform(act);
    }

    /// @dev Anyone may hand in both signatures; sometimes the worker's is for another share, or the time is over.
    function mutualSettle(TaskView memory task, address by) internal {
        uint16 share = someShare();
        uint64 validUntil = uint64(chance(95) ? time() + roll(DAY) : time() - 1);
        uint16 signedShare = chance(95) ? share : BPS - share;
        bytes memory posterSig = signatureOf(task.poster, registry.hashSettlement(task.id, share, validUntil));
        bytes memory workerSig = signatureOf(task.worker, registry.hashSettlement(task.id, signedShare, validUntil));
        Act memory act = newCourtAct(Operation.SETTLE, task, by);
        act.share = share;
        act.data = abi.encodeCall(court.mutualSettle, (task.id, share, validUntil, posterSig, workerSig));
        bool workerAgrees = by == task.worker || signedShare == share;
        act.allowed = act.allowed && workerAgrees && time() <= validUntil;
        perform(act);
    }

    /// @dev A new arbitrator, a higher bond, another minimum, or a way back from unbonding.
    function registerArbitrator(address by) internal {
        uint96 amount = chance(20) ? 0 : uint96(between(MIN_BOND - 1, 2 * MIN_BOND));
        uint96 minHeld = chance(70) ? 0 : uint96(between(1, 5_000e18));
        Act memory act = newAct(Operation.REGISTER, by, address(court));
        act.data = abi.encodeCall(court.registerArbitrator, (amount, minHeld));
        act.allowed = recordOf(by).bond + amount >= MIN_BOND;
        perform(act);
    }

    function requestUnbond(address by) internal {
        IDisputeCourt.Arbitrator memory record = recordOf(by);
        Act memory act = newAct(Operation.UNBOND, by, address(court));
        act.data = abi.encodeCall(court.requestUnbond, ());
        act.allowed = record.bond != 0 && record.unbondAt == 0;
        perform(act);
    }

    function withdrawBond(address by) internal {
        IDisputeCourt.Arbitrator memory record = recordOf(by);
        Act memory act = newAct(Operation.WITHDRAW_BOND, by, address(court));
        act.data = abi.encodeCall(court.withdrawBond, ());
        bool isFree = record.unbondAt != 0 && time() > record.unbondAt && record.openCases == 0;
        act.allowed = record.bond != 0 && isFree;
        perform(act);
    }

    function recordOf(address judge) internal view returns (IDisputeCourt.Arbitrator memory record) {
        (record, ) = court.arbitratorOf(judge);
    }

    function newCourtAct(Operation operation, TaskView memory task, address by) private view returns (Act memory act) {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        act = newAct(operation, task, by);
        act.target = address(court);
        act.allowed = allows(operation, task, by);
        act.concerned.beneficiary = dispute.judge;
        act.concerned.sponsor = dispute.workerPayer;
    }

    /// @dev Often the shares at which somebody wins all, or nobody wins.
    function someShare() private returns (uint16) {
        uint16[4] memory marked = [uint16(0), BPS, BPS / 2, BPS / 2 + 1];
        return chance(60) ? marked[roll(marked.length)] : uint16(roll(BPS + 1));
    }
}

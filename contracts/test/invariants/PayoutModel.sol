// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./BalanceWatch.sol";
import {Operation} from "./Operation.sol";

/// @notice Who gets how much when a call succeeds, from the rules of docs/operations and not from the code under test.
/// It is held against the transfers that the token itself announces, and against deposits.
abstract contract PayoutModel is BalanceWatch {
    /// @dev The roles that escrow and court ever pay. One wallet may have several.
    struct Payouts {
        uint256 poster;
        uint256 worker;
        uint256 judge;
        uint256 sponsor;
        uint256 treasury;
        uint256 gateway;
        uint256 posterDeposit;
        uint256 workerDeposit;
    }

    /// @dev Calls after which somebody had another amount than the rules say, and the last of them in words.
    uint256 internal wrongPayouts;
    string internal lastWrongPayout;

    function expectPayouts(
        Operation operation,
        TaskView memory task,
        IDisputeCourt.Dispute memory dispute,
        address caller,
        uint16 share
    ) internal view returns (Payouts memory pay) {
        if (task.id == 0) return pay;
        pay.posterDeposit = depositOf(task.poster);
        pay.workerDeposit = task.worker == address(0) ? 0 : depositOf(task.worker);
        uint256 held = task.funded - task.released - task.refunded - task.fees;
        if (task.state == State.DISPUTED) {
            expectCourtPayouts(pay, operation, task, dispute, caller == task.poster, share);
        } else if (operation == Operation.SETTLE) {
            pay.worker = (held * share) / BPS;
            pay.poster = held - pay.worker;
        } else if (operation == Operation.COMPLETE) {
            pay.worker = held;
        } else if (operation == Operation.CANCEL) {
            pay.poster = held;
        } else if (operation == Operation.DISPUTE) {
            pay.poster = held - milestoneOf(task);
        } else if (operation == Operation.ACCEPT) {
            pay.worker = milestoneOf(task);
        } else if (operation == Operation.TIME_OUT) {
            expectSilence(pay, task, held);
        } else if (operation == Operation.LEAVE || operation == Operation.DISMISS) {
            expectGoing(pay, operation, task, held);
        }
    }

    /// @dev What each wallet got out of escrow and court in this call, by the logs of the token.
    function comparePayouts(
        Payouts memory pay,
        Operation operation,
        TaskView memory task,
        IDisputeCourt.Dispute memory dispute,
        Vm.Log[] memory logs
    ) internal {
        if (task.id == 0) return;
        address[6] memory to = [
            task.poster,
            task.worker,
            dispute.judge,
            dispute.workerPayer,
            treasury,
            address(gateway)
        ];
        uint256[6] memory due = [pay.poster, pay.worker, pay.judge, pay.sponsor, pay.treasury, pay.gateway];
        bool fits = paidInAll(logs) == pay.poster + pay.worker + pay.judge + pay.sponsor + pay.treasury + pay.gateway;
        for (uint256 index = 0; index < to.length; ++index) {
            uint256 wanted;
            for (uint256 other = 0; other < to.length; ++other) if (to[other] == to[index]) wanted += due[other];
            fits = fits && (to[index] == address(0) || paidTo(logs, to[index]) == wanted);
        }
        bool isSlashed = depositOf(task.poster) == pay.posterDeposit;
        isSlashed = isSlashed && (task.worker == address(0) || depositOf(task.worker) == pay.workerDeposit);
        if (fits && isSlashed) return;
        ++wrongPayouts;
        lastWrongPayout = string.concat(
            fits ? "deposits after operation " : "payouts of operation ",
            vm.toString(uint256(operation)),
            " on task ",
            vm.toString(task.id),
            " in state ",
            vm.toString(uint256(task.state)),
            " and phase ",
            vm.toString(uint256(dispute.phase))
        );
    }

    function paidTo(Vm.Log[] memory logs, address to) private view returns (uint256 sum) {
        for (uint256 index = 0; index < logs.length; ++index) {
            if (isPayout(logs[index]) && address(uint160(uint256(logs[index].topics[2]))) == to) {
                sum += abi.decode(logs[index].data, (uint256));
            }
        }
    }

    function paidInAll(Vm.Log[] memory logs) private view returns (uint256 sum) {
        for (uint256 index = 0; index < logs.length; ++index) {
            if (isPayout(logs[index])) sum += abi.decode(logs[index].data, (uint256));
        }
    }

    function isPayout(Vm.Log memory log) private view returns (bool) {
        if (log.emitter != address(tok) || log.topics[0] != IERC20.Transfer.selector) return false;
        address from = address(uint160(uint256(log.topics[1])));
        return from == address(escrow) || from == address(court);
    }

    function expectSilence(Payouts memory pay, TaskView memory task, uint256 held) private view {
        if (task.state == State.DELIVERED) {
            pay.worker = milestoneOf(task);
        } else if (task.state == State.CLAIMED && task.funded == task.totalAmount && task.scope == Scope.OPEN) {
            return;
        } else {
            pay.poster = held;
            if (task.state == State.ACTIVE) moveDeposit(pay, true, parameters().bondUsdc);
        }
    }

    /// @dev The worker leaves or is sent away: the task is listed again, or ends and is refunded.
    function expectGoing(Payouts memory pay, Operation operation, TaskView memory task, uint256 held) private view {
        uint256 time = vm.getBlockTimestamp();
        uint256 deadline = task.deadline;
        if (task.state != State.ACTIVE) deadline += time - task.updatedAt;
        if (task.scope == Scope.PRIVATE || time > deadline) pay.poster = held;
        if (task.state == State.CLAIMED) return;
        if (operation == Operation.LEAVE) moveDeposit(pay, true, parameters().bondUsdc / 2);
        else if (!task.noticeAnswered) moveDeposit(pay, true, parameters().bondUsdc);
    }

    function expectCourtPayouts(
        Payouts memory pay,
        Operation operation,
        TaskView memory task,
        IDisputeCourt.Dispute memory dispute,
        bool byPoster,
        uint16 share
    ) private view {
        uint256 bond = dispute.bond;
        bool late = vm.getBlockTimestamp() > dispute.phaseEnds;
        bool judging = dispute.phase == Phase.ASSIGNED || dispute.phase == Phase.ESCALATED;
        bool isJudgePaid = judging && !late && dispute.judge != address(0);
        uint256 posterPays;
        uint256 workerPays;
        if (operation == Operation.RULE) {
            posterPays = late ? 0 : (bond * share) / BPS;
            workerPays = late ? 0 : bond - posterPays;
        } else if (operation == Operation.CONCEDE) {
            share = byPoster ? BPS : 0;
            uint256 lost = judging ? bond : bond / 2;
            (posterPays, workerPays) = byPoster ? (lost, uint256(0)) : (uint256(0), lost);
        } else if (operation == Operation.SETTLE) {
            if (isJudgePaid) (posterPays, workerPays) = (bond / 2, bond / 2);
        } else if (operation == Operation.TIME_OUT_DISPUTE) {
            share = silentShare(task, dispute);
        } else {
            if (operation == Operation.ESCALATE && dispute.phase == Phase.ASSIGNED) pay.treasury = missOf(dispute);
            return;
        }
        if (dispute.phase == Phase.ASSIGNED && late) pay.treasury = missOf(dispute);
        splitMilestone(pay, dispute, share);
        if (operation == Operation.RULE && dispute.posterPayer == address(0)) {
            (pay.judge, pay.poster) = (workerPays, pay.poster - workerPays);
        } else if (operation == Operation.RULE && dispute.workerPayer == address(0)) {
            (pay.gateway, pay.worker) = (posterPays, pay.worker - posterPays);
        }
        bool ruled = operation == Operation.RULE && !late;
        if (dispute.posterPayer != address(0)) {
            payLoss(pay, posterPays, isJudgePaid || ruled, true);
            pay.poster += bond - posterPays;
        }
        if (dispute.workerPayer != address(0)) {
            payLoss(pay, workerPays, isJudgePaid || ruled, false);
            pay.sponsor += bond - workerPays;
        }
        bool counts = operation == Operation.RULE || operation == Operation.CONCEDE || dispute.phase == Phase.ANSWERING;
        if (operation == Operation.SETTLE || !counts) return;
        if (share == 0) moveDeposit(pay, true, parameters().bondUsdc);
        if (share == BPS) moveDeposit(pay, false, parameters().bondUsdc);
    }

    /// @dev What a side loses of its dispute bond goes to a judge in its time, otherwise to the other side.
    function payLoss(Payouts memory pay, uint256 lost, bool toJudge, bool ofPoster) private pure {
        if (toJudge) pay.judge += lost;
        else if (ofPoster) pay.worker += lost;
        else pay.poster += lost;
    }

    function splitMilestone(Payouts memory pay, IDisputeCourt.Dispute memory dispute, uint16 share) private pure {
        pay.worker = (uint256(dispute.amount) * share) / BPS;
        pay.poster = dispute.amount - pay.worker;
    }

    function silentShare(TaskView memory task, IDisputeCourt.Dispute memory dispute) private view returns (uint16) {
        if (dispute.phase == Phase.ANSWERING) return 0;
        address judge = fallbackOf(task.id);
        if (judge == task.poster) return BPS;
        if (judge == task.worker) return 0;
        if (dispute.posterPayer == address(0)) return BPS;
        return dispute.workerPayer == address(0) ? 0 : BPS / 2;
    }

    /// @dev The fallback arbitrator in force when the worker came, as the handler remembers it.
    function fallbackOf(uint256 taskId) internal view virtual returns (address);

    function missOf(IDisputeCourt.Dispute memory dispute) private view returns (uint256 amount) {
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(dispute.judge);
        amount = record.bond / 10 < dispute.bond ? record.bond / 10 : dispute.bond;
        if (amount < MIN_BOND / 10) amount = MIN_BOND / 10;
        if (amount > record.bond) amount = record.bond;
    }

    function milestoneOf(TaskView memory task) private view returns (uint256) {
        return registry.milestonesOf(task.id)[task.milestone];
    }

    function moveDeposit(Payouts memory pay, bool fromWorker, uint256 amount) private pure {
        if (fromWorker)
            (pay.workerDeposit, pay.posterDeposit) = (pay.workerDeposit - amount, pay.posterDeposit + amount);
        else (pay.posterDeposit, pay.workerDeposit) = (pay.posterDeposit - amount, pay.workerDeposit + amount);
    }
}

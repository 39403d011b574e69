// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CallWatch.sol";
import {Operation} from "./Operation.sol";

/// @notice The rules of docs/operations/README.md once more, in words of their own: who may do what to a task, and
/// when. A random run asks them before each call, and the contracts must agree.
abstract contract TransitionTable is CallWatch {
    uint256 internal constant DAY = 1 days;
    uint96 internal constant PAUSE = 8e6;

    /// @dev Whether the operation would succeed with fitting arguments; what fits is for the caller to judge.
    function allows(Operation operation, TaskView memory task, address caller) internal view returns (bool) {
        bool isPoster = caller == task.poster;
        bool isWorker = caller == task.worker;
        if (operation == Operation.CLAIM) {
            return !isPoster && task.state == State.POSTED && time() <= task.deadline && canEngage(caller);
        }
        if (operation == Operation.FUND) return isPoster && isFundable(task) && !isPaused(caller);
        if (operation == Operation.START) return isStartable(task, isPoster, isWorker) && !isPaused(caller);
        if (operation == Operation.PROVE) return isWorker && isDeliverable(task) && !isPaused(caller);
        if (operation == Operation.ACCEPT) return isPoster && task.state == State.DELIVERED;
        if (operation == Operation.COMPLETE)
            return isPoster && (task.state == State.ACTIVE || task.state == State.DELIVERED);
        if (operation == Operation.LEAVE)
            return isWorker && task.state >= State.CLAIMED && task.state <= State.DELIVERED;
        if (operation == Operation.NOTICE) return isPoster && isNoticeable(task);
        if (operation == Operation.ANSWER_NOTICE) return isWorker && task.state == State.ACTIVE && task.dismissAt != 0;
        if (operation == Operation.DISMISS) return isPoster && isDismissible(task);
        if (operation == Operation.EXTEND) return isPoster && task.state >= State.POSTED && task.state <= State.ACTIVE;
        if (operation == Operation.CANCEL) return isPoster && task.state == State.POSTED;
        if (operation == Operation.TIME_OUT) return isTimedOut(task);
        if (operation == Operation.DISPUTE) return isPoster && task.state == State.DELIVERED && !isTimedOut(task);
        if (operation == Operation.SETTLE) return task.state >= State.CLAIMED && task.state <= State.DISPUTED;
        return allowsInCourt(operation, task, caller);
    }

    function allowsInCourt(Operation operation, TaskView memory task, address caller) private view returns (bool) {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        bool inTime = time() <= dispute.phaseEnds;
        bool isParty = caller == task.poster || caller == task.worker;
        bool isOpen = dispute.phase != Phase.NONE && dispute.phase != Phase.CLOSED;
        if (operation == Operation.EVIDENCE || operation == Operation.CONCEDE) return isOpen && isParty;
        if (operation == Operation.PROPOSE) {
            return isParty && (dispute.phase == Phase.ANSWERING || (dispute.phase == Phase.PROPOSING && inTime));
        }
        if (operation == Operation.ANSWER) {
            bool mayPay = caller == task.worker || (caller != task.poster && caller != fallbackAtClaim[task.id]);
            return dispute.phase == Phase.ANSWERING && mayPay;
        }
        if (operation == Operation.RULE) {
            if (time() < dispute.rulingFrom) return false;
            if (dispute.phase == Phase.ASSIGNED) return inTime && caller == dispute.judge;
            return dispute.phase == Phase.ESCALATED && caller == fallbackAtClaim[task.id] && !isParty;
        }
        if (operation == Operation.ESCALATE) {
            return !inTime && (dispute.phase == Phase.PROPOSING || dispute.phase == Phase.ASSIGNED);
        }
        require(operation == Operation.TIME_OUT_DISPUTE, "the table has no such row");
        return !inTime && (dispute.phase == Phase.ANSWERING || dispute.phase == Phase.ESCALATED);
    }

    function mayArbitrate(address judge, TaskView memory task) internal view returns (bool) {
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(judge);
        bool isParty = judge == task.poster || judge == task.worker;
        bool isBonded = record.bond >= MIN_BOND && record.unbondAt == 0;
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        return !isParty && isBonded && dispute.amount >= record.minHeld && judge != dispute.workerPayer;
    }

    function canPayBond(address payer, TaskView memory task) internal view returns (bool) {
        uint96 bond = court.disputeOf(task.id).bond;
        return tok.balanceOf(payer) >= bond && tok.allowance(payer, address(gateway)) >= bond;
    }

    function canEngage(address agent) internal view returns (bool) {
        IDepositVault.Account memory account = accountOf(agent);
        return
            !registry.entriesPaused() &&
            account.balance >= ENTRY &&
            account.balance - account.locked >= parameters().bondUsdc;
    }

    function isPaused(address agent) internal view returns (bool) {
        IDepositVault.Account memory account = accountOf(agent);
        return account.engagements != 0 && account.balance < PAUSE;
    }

    function accountOf(address agent) internal view returns (IDepositVault.Account memory account) {
        (account, , , ) = deposits.accountOf(agent);
    }

    function isFullyFunded(TaskView memory task) internal pure returns (bool) {
        return task.funded == task.totalAmount;
    }

    /// @dev Read from the cheatcodes: the compiler takes block.timestamp for a constant of the call.
    function time() internal view returns (uint256) {
        return vm.getBlockTimestamp();
    }

    function isFundable(TaskView memory task) private view returns (bool) {
        if (isFullyFunded(task)) return false;
        return task.state == State.POSTED || (task.state == State.CLAIMED && time() <= task.updatedAt + DAY);
    }

    function isStartable(TaskView memory task, bool isPoster, bool isWorker) private view returns (bool) {
        if (task.state != State.CLAIMED || !isFullyFunded(task) || time() > task.updatedAt + 2 * DAY) return false;
        return isPoster || (isWorker && time() > task.updatedAt + DAY);
    }

    function isDeliverable(TaskView memory task) private view returns (bool) {
        if (task.state == State.DELIVERED) return time() > task.updatedAt;
        return (task.state == State.ACTIVE && time() <= task.deadline + DAY);
    }

    /// @dev A notice that has run can be used for a day; only then may another be given.
    function isNoticeable(TaskView memory task) private view returns (bool) {
        bool hasLapsed = task.dismissAt == 0 || time() > task.dismissAt + DAY;
        return task.state == State.ACTIVE && time() <= task.deadline + DAY && hasLapsed;
    }

    function isDismissible(TaskView memory task) private view returns (bool) {
        if (task.state == State.CLAIMED) return true;
        bool noticeFits = task.dismissAt != 0 && time() > task.dismissAt && time() <= task.dismissAt + DAY;
        return task.state == State.ACTIVE && time() <= task.deadline + DAY && noticeFits;
    }

    function isTimedOut(TaskView memory task) private view returns (bool) {
        if (task.state == State.POSTED) return time() > task.deadline;
        if (task.state == State.CLAIMED) return time() > task.updatedAt + (isFullyFunded(task) ? 2 * DAY : DAY);
        if (task.state == State.ACTIVE) return time() > task.deadline + DAY;
        return task.state == State.DELIVERED && time() > task.updatedAt + task.reviewPeriod;
    }
}

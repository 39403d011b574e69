// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./RecordModel.sol";
import {Ending, Operation} from "./Operation.sol";

/// @notice Makes every call of a random run, and writes down what it did: the books against which the invariants
/// hold the contracts.
abstract contract CallWatch is RecordModel {
    /// @dev What is called, and whether the rules allow it. The task is as it was read before; number 0 is none.
    struct Act {
        Operation operation;
        TaskView task;
        address caller;
        address target;
        bytes data;
        bool allowed;
        uint16 share; // of a ruling or a settlement
        Concerned concerned;
    }

    /// @dev What escrow announced for one task.
    struct Ledger {
        uint256 funded;
        uint256 released;
        uint256 refunded;
        uint256 fees;
    }

    mapping(Operation operation => uint256) internal done;
    mapping(Operation operation => uint256) internal refused;
    mapping(Ending ending => uint256) internal endings;
    /// @dev How often a dispute was ended by an operation, by the phase it was in.
    mapping(Phase phase => mapping(Operation operation => uint256)) internal endedIn;
    /// @dev Disputes that ended after an answer without a bond, and after one that somebody else paid.
    uint256 internal endedUnbonded;
    uint256 internal endedSponsored;
    /// @dev The fallback arbitrator in force when the worker came.
    mapping(uint256 taskId => address) internal fallbackAtClaim;
    /// @dev Calls that the contracts judged otherwise than the rules, and the last of them in words.
    uint256 internal surprises;
    string internal lastSurprise;

    uint256[] internal liveTasks;
    mapping(uint256 taskId => uint256) internal orderKeys;
    /// @dev Tasks whose order key fell, or that moved after their end.
    uint256 internal backwardMoves;

    /// @dev What each task's worker accepted, zero while there is none.
    mapping(uint256 taskId => bytes32) internal agreedDigests;
    mapping(uint256 taskId => Ledger) internal ledgers;
    uint256 internal feesTaken;
    uint256 internal feesSplit;
    uint256 internal burned;
    uint256 internal creditsConsumed;
    mapping(address vault => uint256) internal donatedTok;
    mapping(address vault => uint256) internal donatedUsdc;

    function newAct(Operation operation, address caller) internal pure returns (Act memory act) {
        act.operation = operation;
        act.caller = caller;
        act.allowed = true;
        act.concerned.caller = caller;
    }

    function newAct(Operation operation, address caller, address target) internal pure returns (Act memory act) {
        act = newAct(operation, caller);
        act.target = target;
    }

    function newAct(Operation operation, TaskView memory task, address caller) internal pure returns (Act memory act) {
        act = newAct(operation, caller);
        act.task = task;
        act.concerned.poster = task.poster;
        act.concerned.worker = task.worker;
    }

    function perform(Act memory act) internal returns (bool succeeded) {
        IDisputeCourt.Dispute memory dispute;
        if (act.task.state == State.DISPUTED) dispute = court.disputeOf(act.task.id);
        bytes memory answer;
        Payouts memory pay;
        Marks memory marks;
        if (act.allowed) {
            pay = expectPayouts(act.operation, act.task, dispute, act.caller, act.share);
            marks = expectMarks(act.operation, act.task, dispute.phase, act.caller == act.task.poster, act.share);
        }

        vm.recordLogs();
        vm.prank(act.caller);
        (succeeded, answer) = act.target.call(act.data);

        if (succeeded != act.allowed) recordSurprise(act, succeeded, answer);
        comparePurses(act.concerned);
        if (!succeeded) {
            ++refused[act.operation];
            return false;
        }
        ++done[act.operation];
        // Only now: the recorder keeps what a reverted call announced, too.
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (act.allowed) {
            comparePayouts(pay, act.operation, act.task, dispute, logs);
            compareMarks(marks, act.operation, act.task);
        }
        readLogs(logs);
        if (act.task.id != 0) follow(act, dispute);
    }

    /// @dev A new task is numbered by the registry, so it can be followed only from here on.
    function admitNewTask(bytes32 agreedDigest) internal {
        uint256 taskId = registry.taskCount();
        liveTasks.push(taskId);
        orderKeys[taskId] = orderKeyOf(registry.getTask(taskId));
        agreedDigests[taskId] = agreedDigest;
        fallbackAtClaim[taskId] = court.fallbackArbitrator();
    }

    function fallbackOf(uint256 taskId) internal view override returns (address) {
        return fallbackAtClaim[taskId];
    }

    function orderKeyOf(TaskView memory task) internal pure returns (uint256) {
        return (uint256(task.round) << 16) | (uint256(task.milestone) << 8) | uint256(task.state);
    }

    function isTerminal(State state) internal pure returns (bool) {
        return state == State.COMPLETED || state == State.RESOLVED || state == State.CANCELLED;
    }

    function follow(Act memory act, IDisputeCourt.Dispute memory dispute) private {
        TaskView memory task = act.task;
        TaskView memory next = registry.getTask(task.id);
        uint256 key = orderKeyOf(next);
        if (key < orderKeys[task.id]) ++backwardMoves;
        if (isTerminal(task.state) && key != orderKeys[task.id]) ++backwardMoves;
        orderKeys[task.id] = key;
        if (next.state == State.POSTED) agreedDigests[task.id] = 0;
        if (isTerminal(task.state) || !isTerminal(next.state)) return;
        ++endings[endingOf(act, dispute.phase)];
        if (dispute.phase != Phase.NONE) {
            ++endedIn[dispute.phase][act.operation];
            if (dispute.phase == Phase.ESCALATED && dispute.workerPayer == address(0)) ++endedUnbonded;
            if (dispute.workerPayer != address(0) && dispute.workerPayer != task.worker) ++endedSponsored;
        }
        for (uint256 index = 0; index < liveTasks.length; ++index) {
            if (liveTasks[index] != task.id) continue;
            liveTasks[index] = liveTasks[liveTasks.length - 1];
            liveTasks.pop();
            return;
        }
    }

    function endingOf(Act memory act, Phase phase) private pure returns (Ending) {
        Operation operation = act.operation;
        State from = act.task.state;
        if (operation == Operation.ACCEPT) return Ending.ACCEPTED;
        if (operation == Operation.COMPLETE) return Ending.COMPLETED_AT_ONCE;
        if (operation == Operation.SETTLE) return Ending.SETTLED;
        if (operation == Operation.CANCEL) return Ending.CANCELLED_BY_POSTER;
        if (operation == Operation.LEAVE) return Ending.WORKER_LEFT;
        if (operation == Operation.DISMISS) return Ending.WORKER_DISMISSED;
        if (operation == Operation.CONCEDE) {
            return act.caller == act.task.poster ? Ending.CONCEDED_BY_POSTER : Ending.CONCEDED_BY_WORKER;
        }
        if (operation == Operation.TIME_OUT_DISPUTE) {
            return phase == Phase.ANSWERING ? Ending.NOT_ANSWERED : Ending.FALLBACK_SILENT;
        }
        if (operation == Operation.RULE) {
            return phase == Phase.ASSIGNED ? Ending.RULED_BY_ARBITRATOR : Ending.RULED_BY_FALLBACK;
        }
        require(operation == Operation.TIME_OUT, "an operation ended a task that should not");
        if (from == State.DELIVERED) return Ending.REVIEW_TIMED_OUT;
        if (from == State.POSTED) return Ending.POST_TIMED_OUT;
        return from == State.CLAIMED ? Ending.CLAIM_TIMED_OUT : Ending.DELIVERY_TIMED_OUT;
    }

    /// @dev Money is counted by what the contracts announce, not by the figures that are held against it.
    function readLogs(Vm.Log[] memory logs) private {
        for (uint256 index = 0; index < logs.length; ++index) {
            if (logs[index].emitter == address(escrow)) readEscrowLog(logs[index]);
            else if (logs[index].emitter == address(gateway)) readGatewayLog(logs[index]);
            else if (logs[index].topics[0] == IStakingVault.CreditsConsumed.selector) {
                creditsConsumed += abi.decode(logs[index].data, (uint256));
            }
        }
    }

    function readEscrowLog(Vm.Log memory log) private {
        Ledger storage ledger = ledgers[uint256(log.topics[1])];
        uint256 amount = abi.decode(log.data, (uint256));
        if (log.topics[0] == IEscrowVault.Funded.selector) ledger.funded += amount;
        else if (log.topics[0] == IEscrowVault.Released.selector) ledger.released += amount;
        else if (log.topics[0] == IEscrowVault.Refunded.selector) ledger.refunded += amount;
        else if (log.topics[0] == IEscrowVault.FeePaid.selector) {
            ledger.fees += amount;
            if (address(uint160(uint256(log.topics[2]))) == address(gateway)) feesTaken += amount;
        }
    }

    function readGatewayLog(Vm.Log memory log) private {
        if (log.topics[0] == IPaymentGateway.AccessFeePaid.selector) {
            (uint256 amount, bool withCredits) = abi.decode(log.data, (uint256, bool));
            if (!withCredits) feesTaken += amount;
        } else if (log.topics[0] == IPaymentGateway.PlanPurchased.selector) {
            (PayWith payWith, uint256 amount, ) = abi.decode(log.data, (PayWith, uint256, uint256));
            if (payWith == PayWith.TOK) feesTaken += amount;
        } else if (log.topics[0] == IPaymentGateway.FeesFlushed.selector) {
            (uint256 burnt, uint256 toStaking, uint256 toTreasury) = abi.decode(log.data, (uint256, uint256, uint256));
            burned += burnt;
            feesSplit += burnt + toStaking + toTreasury;
        }
    }

    function recordSurprise(Act memory act, bool succeeded, bytes memory answer) private {
        ++surprises;
        lastSurprise = string.concat(
            succeeded ? "done against the rules: operation " : "refused against the rules: operation ",
            vm.toString(uint256(act.operation)),
            " on task ",
            vm.toString(act.task.id),
            " by ",
            vm.toString(act.caller),
            " answered ",
            vm.toString(answer)
        );
    }
}

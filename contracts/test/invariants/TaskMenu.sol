// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtActions.sol";
import {Operation} from "./Operation.sol";
import "./TaskActions.sol";

/// @notice Chooses what is done to a task: something that fits its state, anything at all, or nothing but waiting.
abstract contract TaskMenu is TaskActions, CourtActions {
    /// @dev What may be done to a task now, each with its weight.
    struct Menu {
        Operation[16] operations;
        address[16] callers;
        uint256[16] weights;
        uint256 count;
        uint256 total;
    }

    function work(TaskView memory task) internal {
        Menu memory menu = menuOf(task);
        uint256 choice = roll(menu.total);
        uint256 index = 0;
        while (choice >= menu.weights[index]) choice -= menu.weights[index++];
        attempt(menu.operations[index], task, menu.callers[index]);
    }

    /// @dev Any operation by anybody: nearly always against the rules.
    function overstep(TaskView memory task) internal {
        Operation operation = Operation(between(uint256(Operation.CLAIM), uint256(Operation.SETTLE)));
        address[3] memory near = [task.poster, task.worker, aJudge()];
        address by = chance(50) ? near[roll(near.length)] : aPerson();
        if (by == address(0)) by = stranger;
        attempt(operation, task, by);
    }

    /// @dev Waiting stands on every menu, so that each clock gets its chance to run out.
    function menuOf(TaskView memory task) private returns (Menu memory menu) {
        State state = task.state;
        offer(
            menu,
            state < State.ACTIVE
                ? 2
                : state == State.DISPUTED
                    ? 9
                    : 6,
            Operation.WAIT,
            task,
            stranger
        );
        if (state == State.POSTED) {
            offer(menu, 15, Operation.FUND, task, task.poster);
            offer(menu, 40, Operation.CLAIM, task, aClaimant(task));
            offer(menu, 3, Operation.CANCEL, task, task.poster);
            offer(menu, 2, Operation.EXTEND, task, task.poster);
            offer(menu, 20, Operation.TIME_OUT, task, stranger);
        } else if (state == State.CLAIMED) {
            offer(menu, 40, Operation.FUND, task, task.poster);
            offer(menu, 40, Operation.START, task, task.poster);
            offer(menu, 30, Operation.START, task, task.worker);
            offer(menu, 3, Operation.LEAVE, task, task.worker);
            offer(menu, 3, Operation.DISMISS, task, task.poster);
            offer(menu, 1, Operation.SETTLE, task, task.poster);
            offer(menu, 8, Operation.TIME_OUT, task, stranger);
        } else if (state == State.ACTIVE) {
            offer(menu, task.worker == careless ? 2 : 40, Operation.PROVE, task, task.worker);
            offer(menu, 1, Operation.COMPLETE, task, task.poster);
            offer(menu, task.worker == careless ? 0 : 3, Operation.LEAVE, task, task.worker);
            offer(menu, 6, Operation.NOTICE, task, task.poster);
            offer(menu, 5, Operation.ANSWER_NOTICE, task, task.worker);
            offer(menu, 50, Operation.DISMISS, task, task.poster);
            offer(menu, 2, Operation.EXTEND, task, task.poster);
            offer(menu, 1, Operation.SETTLE, task, task.worker);
            offer(menu, 40, Operation.TIME_OUT, task, stranger);
        } else if (state == State.DELIVERED) {
            offer(menu, 25, Operation.ACCEPT, task, task.poster);
            offer(menu, 2, Operation.COMPLETE, task, task.poster);
            offer(menu, 48, Operation.DISPUTE, task, task.poster);
            offer(menu, 4, Operation.PROVE, task, task.worker);
            offer(menu, 1, Operation.LEAVE, task, task.worker);
            offer(menu, 1, Operation.SETTLE, task, stranger);
            offer(menu, 100, Operation.TIME_OUT, task, stranger);
        } else {
            offer(menu, 30, Operation.ANSWER, task, task.worker);
            offer(menu, 18, Operation.ANSWER, task, anAgent());
            IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
            uint256 hearing = dispute.rulingFrom > time() ? 90 : 2;
            offer(menu, hearing, Operation.EVIDENCE, task, task.poster);
            offer(menu, hearing, Operation.EVIDENCE, task, task.worker);
            offer(menu, 40, Operation.PROPOSE, task, task.poster);
            offer(menu, 40, Operation.PROPOSE, task, task.worker);
            offer(menu, dispute.phase == Phase.ASSIGNED ? 60 : 7, Operation.RULE, task, dispute.judge);
            offer(menu, 3, Operation.CONCEDE, task, task.poster);
            offer(menu, 3, Operation.CONCEDE, task, task.worker);
            offer(menu, 40, Operation.ESCALATE, task, stranger);
            offer(menu, 60, Operation.TIME_OUT_DISPUTE, task, stranger);
            offer(menu, 3, Operation.SETTLE, task, task.poster);
        }
    }

    function offer(
        Menu memory menu,
        uint256 weight,
        Operation operation,
        TaskView memory task,
        address caller
    ) private view {
        if (operation != Operation.WAIT && !allows(operation, task, caller)) return;
        menu.operations[menu.count] = operation;
        menu.callers[menu.count] = caller;
        menu.weights[menu.count] = weight;
        ++menu.count;
        menu.total += weight;
    }

    function attempt(Operation operation, TaskView memory task, address by) private {
        if (operation == Operation.WAIT) passTime(task);
        else if (operation == Operation.CLAIM) claimTask(task, by);
        else if (operation == Operation.FUND) fundTask(task, by);
        else if (operation == Operation.START) startWork(task, by);
        else if (operation == Operation.PROVE) submitProof(task, by);
        else if (operation == Operation.ACCEPT) acceptMilestone(task, by);
        else if (operation == Operation.EXTEND) extendDeadline(task, by);
        else if (operation == Operation.LEAVE) leaveTask(task, by);
        else if (operation == Operation.DISPUTE) openDispute(task, by);
        else if (operation == Operation.ANSWER) answerDispute(task, by);
        else if (operation == Operation.EVIDENCE) submitEvidence(task, by);
        else if (operation == Operation.CONCEDE) concede(task, by);
        else if (operation == Operation.PROPOSE) proposeArbitrator(task, by);
        else if (operation == Operation.RULE) resolveDispute(task, by);
        else if (operation == Operation.ESCALATE) escalate(task, by);
        else if (operation == Operation.TIME_OUT_DISPUTE) timeOutDispute(task, by);
        else if (operation == Operation.SETTLE) mutualSettle(task, by);
        else callRegistry(operation, task, by);
    }

    /// @dev To the last moment of what the task waits for, or to the first one after it; sometimes just some hours.
    function passTime(TaskView memory task) private {
        uint256 moment = nextMoment(task);
        uint256 patience = chance(75) ? 8 days : 40 days;
        bool waits = moment >= time() && moment <= time() + patience && chance(70);
        if (waits) vm.warp(moment + roll(2));
        else skip(between(1, 12 hours));
        ++done[Operation.WAIT];
    }

    function nextMoment(TaskView memory task) private returns (uint256) {
        if (task.state == State.CLAIMED) return task.updatedAt + between(1, 2) * DAY;
        if (task.state == State.DELIVERED) return task.updatedAt + task.reviewPeriod;
        if (task.state == State.DISPUTED) return court.disputeOf(task.id).phaseEnds;
        if (task.dismissAt != 0) return task.dismissAt + roll(2) * DAY;
        return task.state == State.ACTIVE ? task.deadline + DAY : task.deadline;
    }

    function aClaimant(TaskView memory task) private returns (address claimant) {
        for (uint256 tries = 0; tries < 3; ++tries) {
            claimant = anAgent();
            if (claimant != task.poster && canEngage(claimant)) return claimant;
        }
    }
}

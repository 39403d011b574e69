// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {CourtActions} from "./CourtActions.sol";
import {MoneyActions} from "./MoneyActions.sol";
import {Operation} from "./Operation.sol";
import {RestrictedActions} from "./RestrictedActions.sol";
import {StakeActions} from "./StakeActions.sol";

/// @notice One step of a random run: mostly something that fits the state of a task, now and then something wrong,
/// and always something whose outcome the rules foretell.
abstract contract Handler is RestrictedActions, CourtActions, MoneyActions, StakeActions {
    /// @dev Enough for every state at once, few enough that each task gets its turn.
    uint256 private constant MOST_LIVE = 16;
    uint256 private constant FEW_LIVE = 9;

    /// @dev What may be done to a task now, each with its weight.
    struct Menu {
        Operation[9] operations;
        address[9] callers;
        uint256[9] weights;
        uint256 count;
        uint256 total;
    }

    uint256 internal steps;

    function step(uint256 seed) external {
        shuffle(seed);
        ++steps;
        if (registry.entriesPaused() && chance(30)) return setEntriesPaused(false);
        if (isPaused(careless) && chance(10)) return rescue(careless, anAgent());
        if (liveTasks.length == 0) return enter();
        uint256 choice = roll(100);
        if (choice < (liveTasks.length < FEW_LIVE ? 30 : 8)) enter();
        else if (choice < 75) work(aLiveTask());
        else if (choice < 79) beCareless();
        else if (choice < 91) moveMoney();
        else if (choice < 97) overstep(chance(70) ? aLiveTask() : aTask());
        else if (choice < 99) callRestricted(anIntruder(), anAgent(), aTask().id);
        else replayCreation();
    }

    function enter() private {
        address by = anAgent();
        if (by == careless) return beCareless();
        if (!canEngage(by) && chance(80)) return restock(by);
        if (chance(55)) return postTask(by);
        address with = canEngage(careless) && chance(50) ? careless : anAgent();
        createTask(by, with);
    }

    function work(TaskView memory task) private {
        Menu memory menu = menuOf(task);
        uint256 choice = roll(menu.total);
        uint256 index = 0;
        while (choice >= menu.weights[index]) choice -= menu.weights[index++];
        attempt(menu.operations[index], task, menu.callers[index]);
    }

    /// @dev Any operation by anybody: nearly always against the rules.
    function overstep(TaskView memory task) private {
        Operation operation = Operation(between(uint256(Operation.CLAIM), uint256(Operation.SETTLE)));
        address[3] memory near = [task.poster, task.worker, aJudge()];
        address by = chance(50) ? near[roll(near.length)] : aPerson();
        if (by == address(0)) by = stranger;
        attempt(operation, task, by);
    }

    /// @dev Waiting stands on every menu, so that each clock gets its chance to run out.
    function menuOf(TaskView memory task) private returns (Menu memory menu) {
        State state = task.state;
        offer(menu, state < State.ACTIVE ? 2 : 6, Operation.WAIT, task, stranger);
        if (state == State.POSTED) {
            offer(menu, 15, Operation.FUND, task, task.poster);
            offer(menu, 40, Operation.CLAIM, task, aClaimant(task));
            offer(menu, 3, Operation.CANCEL, task, task.poster);
            offer(menu, 20, Operation.TIME_OUT, task, stranger);
        } else if (state == State.CLAIMED) {
            offer(menu, 40, Operation.FUND, task, task.poster);
            offer(menu, 40, Operation.START, task, task.poster);
            offer(menu, 30, Operation.START, task, task.worker);
            offer(menu, 3, Operation.LEAVE, task, task.worker);
            offer(menu, 3, Operation.DISMISS, task, task.poster);
            offer(menu, 1, Operation.SETTLE, task, task.poster);
            offer(menu, 20, Operation.TIME_OUT, task, stranger);
        } else if (state == State.ACTIVE) {
            offer(menu, task.worker == careless ? 2 : 40, Operation.PROVE, task, task.worker);
            offer(menu, 1, Operation.COMPLETE, task, task.poster);
            offer(menu, task.worker == careless ? 0 : 3, Operation.LEAVE, task, task.worker);
            offer(menu, task.dismissAt == 0 ? 4 : 50, Operation.DISMISS, task, task.poster);
            offer(menu, 1, Operation.SETTLE, task, task.worker);
            offer(menu, 40, Operation.TIME_OUT, task, stranger);
        } else if (state == State.DELIVERED) {
            offer(menu, 25, Operation.ACCEPT, task, task.poster);
            offer(menu, 2, Operation.COMPLETE, task, task.poster);
            offer(menu, 12, Operation.DISPUTE, task, task.poster);
            offer(menu, 12, Operation.DISPUTE, task, task.worker);
            offer(menu, 4, Operation.PROVE, task, task.worker);
            offer(menu, 1, Operation.SETTLE, task, stranger);
            offer(menu, 100, Operation.TIME_OUT, task, stranger);
        } else {
            address judge = court.disputeOf(task.id).arbitrator;
            offer(menu, 20, Operation.PROPOSE, task, task.poster);
            offer(menu, 20, Operation.PROPOSE, task, task.worker);
            offer(menu, 20, Operation.RULE, task, judge);
            offer(menu, 5, Operation.RULE, task, fallbackArbitrator);
            offer(menu, 60, Operation.ESCALATE, task, stranger);
            offer(menu, 20, Operation.TIME_OUT_DISPUTE, task, stranger);
            offer(menu, 1, Operation.SETTLE, task, task.poster);
        }
    }

    function offer(Menu memory menu, uint256 weight, Operation operation, TaskView memory task, address caller)
        private
        view
    {
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
        else if (operation == Operation.DISPUTE) openDispute(task, by);
        else if (operation == Operation.PROPOSE) proposeArbitrator(task, by);
        else if (operation == Operation.RULE) resolveDispute(task, by);
        else if (operation == Operation.ESCALATE) escalate(task, by);
        else if (operation == Operation.TIME_OUT_DISPUTE) timeOutDispute(task, by);
        else if (operation == Operation.SETTLE) mutualSettle(task, by);
        else callRegistry(operation, task, by);
    }

    function moveMoney() private {
        address by = anAgent();
        uint256 choice = roll(100);
        if (choice < 12) stake(by);
        else if (choice < 20) unstake(by);
        else if (choice < 30) claimReward(by);
        else if (choice < 36) flushFees(aPerson());
        else if (choice < 44) donate(by);
        else if (choice < 50) withdraw(by, chance(80) ? by : stranger);
        else if (choice < 54) restock(by);
        else if (choice < 56) rescue(by, anAgent());
        else if (choice < 66) buyAPlan(by);
        else if (choice < 80) registerArbitrator(anIdleJudge());
        else if (choice < 84) requestUnbond(aJudge());
        else if (choice < 97) withdrawBond(anUnbondingJudge());
        else if (choice < 99) setEntriesPaused(true);
        else if (chance(5)) closeCredits();
    }

    function aClaimant(TaskView memory task) private returns (address claimant) {
        for (uint256 tries = 0; tries < 3; ++tries) {
            claimant = anAgent();
            if (claimant != task.poster && canEngage(claimant)) return claimant;
        }
    }

    /// @dev The careless agent takes all it can get, and then drops one after the other until it is paused.
    function beCareless() private {
        if (accountOf(careless).engagements == 0 && depositOf(careless) < ENTRY) return topUp(careless);
        bool takes = canEngage(careless);
        for (uint256 index = liveTasks.length; index > 0 && !isPaused(careless); --index) {
            TaskView memory task = registry.getTask(liveTasks[index - 1]);
            if (!takes && task.worker == careless && task.state == State.ACTIVE) {
                callRegistry(Operation.LEAVE, task, careless);
            } else if (takes && isFullyFunded(task) && allows(Operation.CLAIM, task, careless)) {
                claimTask(task, careless);
            } else if (task.worker == careless && allows(Operation.START, task, task.poster)) {
                startWork(task, task.poster);
            }
        }
    }

    function restock(address agent) private {
        if (agent == careless) return beCareless();
        topUp(agent);
    }

    function buyAPlan(address by) private {
        if (chance(70)) publishPrice();
        buyPlan(by);
    }

    /// @dev To the last moment of what the task waits for, or to the first one after it; sometimes just some hours.
    function passTime(TaskView memory task) private {
        uint256 moment = nextMoment(task);
        if (moment < time() || moment > time() + (chance(75) ? 8 days : 40 days) || chance(30)) skip(between(1, 12 hours));
        else vm.warp(moment + roll(2));
        ++done[Operation.WAIT];
    }

    function nextMoment(TaskView memory task) private returns (uint256) {
        if (task.state == State.CLAIMED) return task.updatedAt + between(1, 2) * DAY;
        if (task.state == State.DELIVERED) return task.updatedAt + task.reviewPeriod;
        if (task.state == State.DISPUTED) return court.disputeOf(task.id).phaseEnds;
        if (task.dismissAt != 0) return task.dismissAt;
        return task.state == State.ACTIVE ? task.deadline + DAY : task.deadline;
    }

    function aLiveTask() private returns (TaskView memory) {
        return registry.getTask(liveTasks[roll(liveTasks.length)]);
    }

    /// @dev Ended tasks included.
    function aTask() private returns (TaskView memory) {
        return registry.getTask(between(1, registry.taskCount()));
    }

    function anIntruder() private returns (address intruder) {
        intruder = aPerson();
        if (intruder == owner || intruder == publisher || intruder == address(this)) intruder = stranger;
    }

    /// @dev One that has withdrawn or been slashed, if there is any.
    function anIdleJudge() private returns (address) {
        for (uint256 index = 0; index < judges.length; ++index) {
            IDisputeCourt.Arbitrator memory record = recordOf(judges[index]);
            if (record.bond < MIN_BOND && chance(50)) return judges[index];
        }
        return aJudge();
    }

    function anUnbondingJudge() private returns (address) {
        for (uint256 index = 0; index < judges.length; ++index) {
            IDisputeCourt.Arbitrator memory record = recordOf(judges[index]);
            if (record.bond != 0 && record.unbondAt != 0) return judges[index];
        }
        return aJudge();
    }
}

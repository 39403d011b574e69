// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MoneyActions.sol";
import {Operation} from "./Operation.sol";
import "./RestrictedActions.sol";
import "./StakeActions.sol";
import "./TaskMenu.sol";

/// @notice One step of a random run: mostly something that fits the state of a task, now and then something wrong,
/// and always something whose outcome the rules foretell.
abstract contract Handler is TaskMenu, RestrictedActions, MoneyActions, StakeActions {
    /// @dev Enough for every state at once, few enough that each task gets its turn.
    uint256 private constant MANY_LIVE = 9;

    uint256 internal steps;

    function step(uint256 seed) external {
        shuffle(seed);
        ++steps;
        if (registry.entriesPaused() && chance(30)) return setEntriesPaused(false);
        if (isPaused(careless) && chance(30)) return rescue(careless, anAgent());
        if (liveTasks.length == 0) return enter();
        uint256 choice = roll(100);
        if (choice < (liveTasks.length < MANY_LIVE ? 30 : 8)) enter();
        else if (choice < 75) work(aLiveTask());
        else if (choice < 80) beCareless();
        else if (choice < 91) moveMoney();
        else if (choice < 97) overstep(chance(70) ? aLiveTask() : aTask());
        else if (choice < 99) callRestricted(anIntruder(), anAgent(), aTask());
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

    /// @dev The careless agent takes all it can get, and then drops one after the other until it is paused.
    function beCareless() private {
        if (accountOf(careless).engagements == 0 && depositOf(careless) < ENTRY) return topUp(careless);
        bool takes = canEngage(careless);
        for (uint256 index = liveTasks.length; index > 0 && !isPaused(careless); --index) {
            TaskView memory task = registry.getTask(liveTasks[index - 1]);
            if (!takes && task.worker == careless && task.state == State.ACTIVE) {
                loseBond(task);
            } else if (takes && isFullyFunded(task) && allows(Operation.CLAIM, task, careless)) {
                claimTask(task, careless);
            } else if (task.worker == careless && allows(Operation.START, task, task.poster)) {
                startWork(task, task.poster);
            }
        }
    }

    /// @dev Leaving costs half of a bond only, and pauses nobody. Junk that is disputed and conceded costs all of it.
    function loseBond(TaskView memory task) private {
        submitProof(task, careless);
        openDispute(registry.getTask(task.id), task.poster);
        concede(registry.getTask(task.id), careless);
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
        else if (choice < 93) withdrawBond(anUnbondingJudge());
        else if (choice < 96) rotateFallback();
        else if (choice < 99) setEntriesPaused(true);
        else if (chance(20)) closeCredits();
    }

    function restock(address agent) private {
        if (agent == careless) return beCareless();
        topUp(agent);
    }

    function buyAPlan(address by) private {
        if (chance(70)) publishPrice();
        buyPlan(by);
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
        // This contract owns the price feed.
        if (intruder == address(this)) intruder = stranger;
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

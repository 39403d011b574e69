// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State, TaskView} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title MarketLens
/// @notice Reads over many tasks in one call; it holds no state and serves every market.
contract MarketLens {
    struct TaskDetail {
        TaskView task;
        uint96[] milestones;
        IDisputeCourt.Dispute dispute;
    }

    /// @notice Tasks by number, upward from `from` (1 is the first).
    function tasksFrom(address registry, uint256 from, uint256 count) external view returns (TaskView[] memory tasks) {
        uint256 total = ITaskRegistry(registry).taskCount();
        uint256 first = from == 0 ? 1 : from;
        uint256 size =
            first > total
                ? 0
                : count < total - first + 1
                    ? count
                    : total - first + 1;
        tasks = new TaskView[](size);
        for (uint256 index = 0; index < size; ++index) {
            tasks[index] = ITaskRegistry(registry).taskOf(first + index);
        }
    }

    /// @notice The newest tasks, downward from `before`.
    /// @param only the state to look for; NONE for any
    /// @param before exclusive upper number; 0 for the newest
    /// @param want how many at most
    /// @param maxScan how many numbers to look at, at most
    /// @return tasks what was found, newest first
    /// @return cursor the `before` of the next page, 0 when the first task was reached
    function latestTasks(
        address registry,
        State only,
        uint256 before,
        uint256 want,
        uint256 maxScan
    ) external view returns (TaskView[] memory tasks, uint256 cursor) {
        uint256 total = ITaskRegistry(registry).taskCount();
        cursor = before == 0 || before > total ? total + 1 : before;
        uint256 lowest = cursor > maxScan ? cursor - maxScan : 1;
        tasks = new TaskView[](want < cursor - lowest ? want : cursor - lowest);
        uint256 found;
        while (cursor > lowest && found < tasks.length) {
            TaskView memory task = ITaskRegistry(registry).taskOf(--cursor);
            if (only == State.NONE || task.state == only) tasks[found++] = task;
        }
        if (cursor == 1) cursor = 0;
        // Cutting the array short is safe: only unused elements at its end are dropped.
        assembly ("memory-safe") {
            mstore(tasks, found)
        }
    }

    /// @notice Named tasks with their milestones and disputes, as of one block.
    function taskDetails(
        address registry,
        address court,
        uint256[] calldata taskIds
    ) external view returns (TaskDetail[] memory details) {
        details = new TaskDetail[](taskIds.length);
        for (uint256 index = 0; index < taskIds.length; ++index) {
            uint256 taskId = taskIds[index];
            details[index].task = ITaskRegistry(registry).taskOf(taskId);
            details[index].milestones = ITaskRegistry(registry).milestonesOf(taskId);
            details[index].dispute = IDisputeCourt(court).disputeOf(taskId);
        }
    }

    /// @notice The hash of a text's UTF-8 bytes: of a task document its `criteriaHash`.
    function hashCriteria(string calldata criteria) external pure returns (bytes32) {
        return keccak256(bytes(criteria));
    }
}

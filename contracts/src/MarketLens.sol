// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State, TaskView} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IMarketLens} from "./interfaces/IMarketLens.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title MarketLens
/// @notice See IMarketLens.
contract MarketLens is IMarketLens {
    /// @inheritdoc IMarketLens
    function getTasks(address registry, uint256 from, uint256 count)
        external
        view
        returns (TaskView[] memory tasks)
    {
        uint256 total = ITaskRegistry(registry).taskCount();
        uint256 first = from == 0 ? 1 : from;
        uint256 size = first > total ? 0 : count < total - first + 1 ? count : total - first + 1;
        tasks = new TaskView[](size);
        for (uint256 index = 0; index < size; ++index) {
            tasks[index] = ITaskRegistry(registry).getTask(first + index);
        }
    }

    /// @inheritdoc IMarketLens
    function latestTasks(address registry, State only, uint256 before, uint256 want, uint256 maxScan)
        external
        view
        returns (TaskView[] memory tasks, uint256 cursor)
    {
        uint256 total = ITaskRegistry(registry).taskCount();
        cursor = before == 0 || before > total ? total + 1 : before;
        uint256 lowest = cursor > maxScan ? cursor - maxScan : 1;
        tasks = new TaskView[](want < cursor - lowest ? want : cursor - lowest);
        uint256 found;
        while (cursor > lowest && found < tasks.length) {
            TaskView memory task = ITaskRegistry(registry).getTask(--cursor);
            if (only == State.NONE || task.state == only) tasks[found++] = task;
        }
        if (cursor == 1) cursor = 0;
        // Cutting the array short is safe: only unused elements at its end are dropped.
        assembly ("memory-safe") {
            mstore(tasks, found)
        }
    }

    /// @inheritdoc IMarketLens
    function taskDetails(address registry, address court, uint256[] calldata taskIds)
        external
        view
        returns (TaskDetail[] memory details)
    {
        details = new TaskDetail[](taskIds.length);
        for (uint256 index = 0; index < taskIds.length; ++index) {
            uint256 taskId = taskIds[index];
            details[index].task = ITaskRegistry(registry).getTask(taskId);
            details[index].milestones = ITaskRegistry(registry).milestonesOf(taskId);
            details[index].dispute = IDisputeCourt(court).disputeOf(taskId);
        }
    }

    /// @inheritdoc IMarketLens
    function hashCriteria(string calldata criteria) external pure returns (bytes32) {
        return keccak256(bytes(criteria));
    }
}

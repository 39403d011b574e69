// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State, TaskView} from "../Types.sol";
import {IDisputeCourt} from "./IDisputeCourt.sol";

/// @title Reads over many tasks in one call; it holds no state and serves every market
interface IMarketLens {
    struct TaskDetail {
        TaskView task;
        uint96[] milestones;
        IDisputeCourt.Dispute dispute;
    }

    /// @notice Tasks by number, upward from `from` (1 is the first).
    function getTasks(address registry, uint256 from, uint256 count) external view returns (TaskView[] memory tasks);

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
    ) external view returns (TaskView[] memory tasks, uint256 cursor);

    /// @notice Named tasks with their milestones and disputes, as of one block.
    function taskDetails(
        address registry,
        address court,
        uint256[] calldata taskIds
    ) external view returns (TaskDetail[] memory details);

    /// @notice The `criteriaHash` of a text.
    function hashCriteria(string calldata criteria) external pure returns (bytes32);
}

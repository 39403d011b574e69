// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {RepKind, Reputation} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title What agents did on one market, counted
interface IReputationRegistry is IMarketErrors {
    /// @notice The agent's counter of this kind is `count` now.
    event ReputationChanged(address indexed agent, RepKind indexed kind, uint32 count);

    /// @notice Registry only: counts one more.
    /// @dev Emits ReputationChanged.
    function bump(address agent, RepKind kind) external;

    /// @notice A page of all agents in the order they appeared.
    function agents(
        uint256 from,
        uint256 count
    ) external view returns (address[] memory accounts, Reputation[] memory records, uint256 total);

    /// @notice What one agent did.
    /// @return record the counters
    /// @return score 10 completed + 3 won - 10 lost - 3 left - 5 dismissed
    function reputationOf(address agent) external view returns (Reputation memory record, int256 score);
}

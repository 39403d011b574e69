// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The task money of one market
/// @notice Holds TOK and a ledger per task. Only the registry moves it, and only into a worker's or the poster's
/// hands. TOK has no hooks and cannot refuse a recipient, so payments are pushed.
interface IEscrowVault is IMarketErrors {
    /// @notice `payer` put `amount` TOK wei into escrow; `fundedTotal` were ever funded for the task.
    event Funded(uint256 indexed taskId, address indexed payer, uint96 amount, uint96 fundedTotal);
    /// @notice `amount` TOK wei went back to the poster, at the opening of a dispute or at the task's end.
    event Refunded(uint256 indexed taskId, address indexed to, uint96 amount);
    /// @notice The worker got `amount` TOK wei; `releasedTotal` were ever released for the task.
    event Released(uint256 indexed taskId, address indexed to, uint96 amount, uint96 releasedTotal);

    /// @notice A payment would exceed what is held for the task.
    error ExceedsHeld(uint96 held, uint96 wanted);

    /// @notice Pulls TOK from the payer through the payment gateway.
    /// @dev Registry only. Emits Funded. `amount` in TOK wei.
    /// @return fundedTotal everything ever funded for this task
    function fund(uint256 taskId, address payer, uint96 amount) external returns (uint96 fundedTotal);

    /// @notice Pays a worker.
    /// @dev Registry only. Emits Released. `amount` in TOK wei.
    function release(uint256 taskId, address to, uint96 amount) external;

    /// @notice Gives back what is held beyond `kept`, while the task goes on.
    /// @dev Registry only. Emits Refunded when something goes back. `kept` in TOK wei.
    /// @return amount what went to `to`, 0 when nothing is held beyond it
    function refundBeyond(uint256 taskId, address to, uint96 kept) external returns (uint96 amount);

    /// @notice Gives everything that is left back.
    /// @dev Registry only. Emits Refunded when something goes back. `amount` in TOK wei.
    function refundAll(uint256 taskId, address to) external returns (uint96 amount);

    /// @notice What escrow holds for the task, in TOK wei.
    function heldOf(uint256 taskId) external view returns (uint96);

    /// @notice All that came in and went out for the task, in TOK wei; what is held is the first figure less the
    /// others.
    function ledgerOf(uint256 taskId) external view returns (uint96 funded, uint96 released, uint96 refunded);
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The task money of one market
/// @notice Holds TOK and a ledger per task. Only the registry moves it, and only into a worker's, the poster's or
/// the market's own hands. TOK has no hooks and cannot refuse a recipient, so payments are pushed.
interface IEscrowVault is IMarketErrors {
    event Funded(uint256 indexed taskId, address indexed payer, uint96 amount, uint96 fundedTotal);
    event FeePaid(uint256 indexed taskId, address indexed to, uint96 amount);
    event Refunded(uint256 indexed taskId, address indexed to, uint96 amount);
    event Released(uint256 indexed taskId, address indexed to, uint96 amount, uint96 releasedTotal);

    /// @notice A payment would exceed what is held for the task.
    error ExceedsHeld(uint96 held, uint96 wanted);

    /// @notice Pulls TOK from the payer through the market's gateway.
    /// @return fundedTotal everything ever funded for this task
    function fund(uint256 taskId, address payer, uint96 amount) external returns (uint96 fundedTotal);

    /// @notice Pays a worker.
    function release(uint256 taskId, address to, uint96 amount) external;

    /// @notice Pays a protocol fee.
    function payFee(uint256 taskId, address to, uint96 amount) external;

    /// @notice Gives back what is held beyond `kept`, while the task goes on.
    /// @return amount what went to `to`, 0 when nothing is held beyond it
    function refundBeyond(uint256 taskId, address to, uint96 kept) external returns (uint96 amount);

    /// @notice Gives everything that is left back.
    function refundAll(uint256 taskId, address to) external returns (uint96 amount);

    function held(uint256 taskId) external view returns (uint96);

    function ledger(uint256 taskId)
        external
        view
        returns (uint96 funded, uint96 released, uint96 refunded, uint96 fees);
}

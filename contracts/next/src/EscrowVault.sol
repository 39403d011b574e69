// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Wiring} from "./Types.sol";
import {IEscrowVault} from "./interfaces/IEscrowVault.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";

/// @title EscrowVault
/// @notice See IEscrowVault. No owner, no upgrade: what is held for a task leaves only by the registry's rules.
/// @dev It needs no reentrancy guard: only the registry calls it, and the registry holds its own guard during the call.
contract EscrowVault is IEscrowVault {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @dev One slot, and a second one when later milestones went back at the opening of a dispute. What goes back at the
    /// end is not stored: it is all that was left when the task was closed, and the registry moves nothing of a task after
    /// its end.
    struct Entry {
        uint96 funded;
        uint96 released;
        bool closed;
        bool hasMore;
        uint96 refundedEarly;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable paymentGateway;
    address public immutable registry;

    mapping(uint256 taskId => Entry) private _entries;

    modifier onlyRegistry() {
        require(msg.sender == registry, NotAuthorized(msg.sender));
        _;
    }

    constructor(Wiring memory wiring) {
        tok = IERC20(wiring.tok);
        paymentGateway = IPaymentGateway(wiring.paymentGateway);
        registry = wiring.registry;
    }

    /// @inheritdoc IEscrowVault
    function fund(uint256 taskId, address payer, uint96 amount) external onlyRegistry returns (uint96 fundedTotal) {
        Entry storage entry = _entries[taskId];

        // Effect:
        fundedTotal = (uint256(entry.funded) + amount).toUint96();
        entry.funded = fundedTotal;
        emit Funded(taskId, payer, amount, fundedTotal);

        // Interaction:
        paymentGateway.pull(payer, amount);
    }

    /// @inheritdoc IEscrowVault
    function release(uint256 taskId, address to, uint96 amount) external onlyRegistry {
        Entry storage entry = _entries[taskId];

        // Check:
        _checkHeld(entry, amount);

        // Effect:
        uint96 releasedTotal = entry.released + amount;
        entry.released = releasedTotal;
        emit Released(taskId, to, amount, releasedTotal);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function refundBeyond(uint256 taskId, address to, uint96 kept) external onlyRegistry returns (uint96 amount) {
        Entry storage entry = _entries[taskId];

        // Check:
        uint96 heldNow = _held(entry);
        if (heldNow <= kept) return 0;
        amount = heldNow - kept;

        // Effect:
        entry.hasMore = true;
        entry.refundedEarly += amount;
        emit Refunded(taskId, to, amount);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function refundAll(uint256 taskId, address to) external onlyRegistry returns (uint96 amount) {
        Entry storage entry = _entries[taskId];

        // Check:
        amount = _held(entry);
        if (amount == 0) return 0;

        // Effect:
        entry.closed = true;
        emit Refunded(taskId, to, amount);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function heldOf(uint256 taskId) external view returns (uint96) {
        return _held(_entries[taskId]);
    }

    /// @inheritdoc IEscrowVault
    function ledgerOf(uint256 taskId) external view returns (uint96 funded, uint96 released, uint96 refunded) {
        Entry storage entry = _entries[taskId];
        uint96 early = _early(entry);
        uint96 atEnd = entry.closed ? entry.funded - entry.released - early : 0;
        return (entry.funded, entry.released, early + atEnd);
    }

    function _held(Entry storage entry) private view returns (uint96) {
        if (entry.closed) return 0;
        uint96 early = _early(entry);
        return entry.funded - entry.released - early;
    }

    /// @dev The second slot is read only when there is something in it.
    function _early(Entry storage entry) private view returns (uint96) {
        return entry.hasMore ? entry.refundedEarly : 0;
    }

    function _checkHeld(Entry storage entry, uint96 amount) private view {
        uint96 heldNow = _held(entry);
        require(amount <= heldNow, ExceedsHeld(heldNow, amount));
    }
}

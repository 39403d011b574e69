// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Wiring} from "./Types.sol";
import {IEscrowVault} from "./interfaces/IEscrowVault.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";

/// @title EscrowVault
/// @notice See IEscrowVault. No owner, no upgrade: what is held for a task leaves only by the registry's rules.
contract EscrowVault is IEscrowVault, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    struct Ledger {
        uint96 funded;
        uint96 released;
        uint96 refunded;
        uint96 fees;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable gateway;
    address public immutable registry;

    uint256 public totalHeld;
    mapping(uint256 taskId => Ledger) public ledger;

    modifier onlyRegistry() {
        require(msg.sender == registry, NotAuthorized(msg.sender));
        _;
    }

    constructor(Wiring memory wiring) {
        tok = IERC20(wiring.tok);
        gateway = IPaymentGateway(wiring.gateway);
        registry = wiring.registry;
    }

    /// @inheritdoc IEscrowVault
    function fund(uint256 taskId, address payer, uint96 amount)
        external
        onlyRegistry
        nonReentrant
        returns (uint96 fundedTotal)
    {
        // Effect:
        fundedTotal = ledger[taskId].funded + amount;
        ledger[taskId].funded = fundedTotal;
        totalHeld += amount;
        emit Funded(taskId, payer, amount, fundedTotal);

        // Interaction:
        gateway.pull(payer, amount);
    }

    /// @inheritdoc IEscrowVault
    function release(uint256 taskId, address to, uint96 amount) external onlyRegistry nonReentrant {
        // Check:
        _checkHeld(taskId, amount);

        // Effect:
        uint96 releasedTotal = ledger[taskId].released + amount;
        ledger[taskId].released = releasedTotal;
        totalHeld -= amount;
        emit Released(taskId, to, amount, releasedTotal);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function payFee(uint256 taskId, address to, uint96 amount) external onlyRegistry nonReentrant {
        // Check:
        _checkHeld(taskId, amount);

        // Effect:
        ledger[taskId].fees += amount;
        totalHeld -= amount;
        emit FeePaid(taskId, to, amount);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function refundAll(uint256 taskId, address to) external onlyRegistry nonReentrant returns (uint96 amount) {
        // Check:
        amount = held(taskId);
        if (amount == 0) return 0;

        // Effect:
        ledger[taskId].refunded += amount;
        totalHeld -= amount;
        emit Refunded(taskId, to, amount);

        // Interaction:
        tok.safeTransfer(to, amount);
    }

    /// @inheritdoc IEscrowVault
    function held(uint256 taskId) public view returns (uint96) {
        Ledger storage entry = ledger[taskId];
        return entry.funded - entry.released - entry.refunded - entry.fees;
    }

    function _checkHeld(uint256 taskId, uint96 amount) private view {
        uint96 heldNow = held(taskId);
        require(amount <= heldNow, ExceedsHeld(heldNow, amount));
    }
}

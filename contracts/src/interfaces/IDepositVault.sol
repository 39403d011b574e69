// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The agents' collateral on one market, in USDC
/// @notice Every open engagement (a poster's or a worker's side of a task) locks one bond. Bonds move between agents;
/// USDC leaves only by an agent's own withdrawal, so a recipient that USDC denies harms nobody else.
interface IDepositVault is IMarketErrors {
    struct Account {
        uint96 balance;
        uint96 locked;
        uint32 engagements;
    }

    /// @notice The agent's deposit of `balance` USDC units (6 decimals) fell below the pause threshold while it is
    /// engaged.
    event AgentPaused(address indexed agent, uint256 balance);
    /// @notice The agent's deposit of `balance` USDC units is at the threshold again, or its last engagement ended.
    event AgentResumed(address indexed agent, uint256 balance);
    /// @notice A new engagement locked one bond; `locked` USDC units are locked now.
    event BondLocked(address indexed agent, uint256 locked);
    /// @notice `amount` USDC units of a locked bond went from one agent's deposit to another's.
    event BondSlashed(address indexed from, address indexed to, uint256 amount);
    /// @notice An engagement ended in good order; `locked` USDC units are still locked.
    event BondUnlocked(address indexed agent, uint256 locked);
    /// @notice `payer` added `amount` USDC units to the agent's deposit, which is now `balance`; `emergency` when it rescued
    /// a paused agent.
    event Deposited(address indexed agent, address indexed payer, uint256 amount, uint256 balance, bool emergency);
    /// @notice The agent took `amount` USDC units out to `to` and has `balance` left.
    event Withdrawn(address indexed agent, address to, uint256 amount, uint256 balance);

    /// @notice The deposit is below what a new engagement asks for.
    error BelowEntry(uint256 balance, uint256 required);
    /// @notice Only `free` USDC units are neither locked nor needed for entry.
    error InsufficientFree(uint256 free, uint256 required);
    /// @notice Only a paused agent can be rescued by others.
    error NotInEmergency(address agent);
    /// @notice The rescue would leave the agent paused: `balance` is below `required` USDC units.
    error StillBelowPause(uint256 balance, uint256 required);

    /// @notice Adds to the caller's deposit.
    /// @dev Anyone with an allowance for the vault. Emits Deposited, and AgentResumed when a pause ends. `amount` in
    /// USDC units.
    function topUp(uint96 amount) external;

    /// @notice Anyone lifts a paused agent to the pause threshold or above.
    /// @dev Emits Deposited and AgentResumed. `amount` in USDC units.
    function emergencyTopUp(address agent, uint96 amount) external;

    /// @notice Takes free collateral out. While engaged, the entry collateral and all locked bonds stay.
    /// @dev The agent itself. Emits Withdrawn. `amount` in USDC units.
    function withdraw(uint96 amount, address to) external;

    /// @notice Registry only: a new engagement.
    /// @dev Emits BondLocked.
    function lockBond(address agent) external;

    /// @notice Registry only: an engagement ended in good order.
    /// @dev Emits BondUnlocked, and AgentResumed when the last engagement of a paused agent ends.
    function unlockBond(address agent) external;

    /// @notice Registry only: an engagement ended and its bond, or half of it, goes to the other party's deposit.
    /// @dev Emits BondSlashed, and AgentPaused or AgentResumed when a threshold is passed.
    function slashBond(address from, address to, bool half) external;

    /// @notice One agent's deposit and what it allows.
    /// @return account the stored figures
    /// @return paused below the pause threshold while engaged
    /// @return canEngage a further bond could be locked now
    /// @return recommended at or above the recommended balance
    function accountOf(
        address agent
    ) external view returns (Account memory account, bool paused, bool canEngage, bool recommended);

    /// @notice The stored figures of many agents, in the order asked for.
    function accountsOf(address[] calldata agents) external view returns (Account[] memory accounts);

    /// @notice Whether the agent is engaged and below the pause threshold.
    function isPaused(address agent) external view returns (bool);

    /// @notice The deposits of all agents together, in USDC units.
    function totalHeld() external view returns (uint256);
}

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

    event AgentPaused(address indexed agent, uint256 balance);
    event AgentResumed(address indexed agent, uint256 balance);
    event BondLocked(address indexed agent, uint256 locked);
    event BondSlashed(address indexed from, address indexed to, uint256 amount);
    event BondUnlocked(address indexed agent, uint256 locked);
    event Deposited(
        address indexed agent, address indexed payer, uint256 amount, uint256 balance, bool emergency
    );
    event Withdrawn(address indexed agent, address to, uint256 amount, uint256 balance);

    /// @notice The deposit is below what a new engagement asks for.
    error BelowEntry(uint256 balance, uint256 required);
    error InsufficientFree(uint256 free, uint256 required);
    /// @notice Only a paused agent can be rescued by others.
    error NotInEmergency(address agent);
    error StillBelowPause(uint256 balance, uint256 required);

    /// @notice Adds to the caller's deposit.
    function topUp(uint96 amount) external;

    /// @notice Anyone lifts a paused agent to the pause threshold or above.
    function emergencyTopUp(address agent, uint96 amount) external;

    /// @notice Takes free collateral out. While engaged, the entry collateral and all locked bonds stay.
    function withdraw(uint96 amount, address to) external;

    /// @notice Registry only: a new engagement.
    function lockBond(address agent) external;

    /// @notice Registry only: an engagement ended in good order.
    function unlockBond(address agent) external;

    /// @notice Registry only: an engagement ended and its bond goes to the other party's deposit.
    function slashBond(address from, address to) external;

    /// @return account the stored figures
    /// @return paused below the pause threshold while engaged
    /// @return canEngage a further bond could be locked now
    /// @return recommended at or above the recommended balance
    function accountOf(address agent)
        external
        view
        returns (Account memory account, bool paused, bool canEngage, bool recommended);

    function accountsOf(address[] calldata agents) external view returns (Account[] memory accounts);

    function isPaused(address agent) external view returns (bool);

    function totalHeld() external view returns (uint256);
}

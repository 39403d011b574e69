// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Wiring} from "./Types.sol";
import {IDepositVault} from "./interfaces/IDepositVault.sol";
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";

/// @title DepositVault
/// @notice See IDepositVault. One USDC counts as one USD: collateral needs no price feed.
/// @dev The policy's figures never change, so they are copied into this contract's code.
contract DepositVault is IDepositVault, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    IERC20 public immutable usdc;
    IPricingPolicy public immutable policy;
    address public immutable registry;
    uint96 private immutable _entry;
    uint96 private immutable _recommended;
    uint96 private immutable _pause;
    uint96 private immutable _bond;

    uint256 public totalHeld;
    mapping(address agent => Account) private _accounts;

    modifier onlyRegistry() {
        require(msg.sender == registry, NotAuthorized(msg.sender));
        _;
    }

    constructor(Wiring memory wiring) {
        usdc = IERC20(wiring.usdc);
        policy = IPricingPolicy(wiring.policy);
        registry = wiring.registry;
        _entry = policy.entryUsdc();
        _recommended = policy.recommendedUsdc();
        _pause = policy.pauseUsdc();
        _bond = policy.bondUsdc();
    }

    /// @inheritdoc IDepositVault
    function topUp(uint96 amount) external nonReentrant {
        // Effect, Interaction:
        _deposit(msg.sender, amount, false);
    }

    /// @inheritdoc IDepositVault
    function emergencyTopUp(address agent, uint96 amount) external nonReentrant {
        // Check:
        Account memory account = _accounts[agent];
        require(_isPaused(account), NotInEmergency(agent));
        uint256 balance = uint256(account.balance) + amount;
        require(balance >= _pause, StillBelowPause(balance, _pause));

        // Effect, Interaction:
        _deposit(agent, amount, true);
    }

    /// @inheritdoc IDepositVault
    function withdraw(uint96 amount, address to) external nonReentrant {
        // Check:
        Account memory account = _accounts[msg.sender];
        require(amount != 0, ZeroAmount(msg.sender));
        uint96 kept =
            account.engagements == 0
                ? 0
                : account.locked > _entry
                    ? account.locked
                    : _entry;
        uint96 free = account.balance > kept ? account.balance - kept : 0;
        require(amount <= free, InsufficientFree(free, amount));

        // Effect:
        account.balance -= amount;
        _accounts[msg.sender] = account;
        totalHeld -= amount;
        emit Withdrawn(msg.sender, to, amount, account.balance);

        // Interaction:
        usdc.safeTransfer(to, amount);
    }

    /// @inheritdoc IDepositVault
    function lockBond(address agent) external onlyRegistry nonReentrant {
        Account memory account = _accounts[agent];

        // Check:
        require(account.balance >= _entry, BelowEntry(account.balance, _entry));
        uint96 free = account.balance - account.locked;
        require(free >= _bond, InsufficientFree(free, _bond));

        // Effect:
        account.locked += _bond;
        account.engagements += 1;
        _accounts[agent] = account;
        emit BondLocked(agent, account.locked);
    }

    /// @inheritdoc IDepositVault
    function unlockBond(address agent) external onlyRegistry nonReentrant {
        Account memory account = _accounts[agent];

        // Effect:
        bool wasPaused = _isPaused(account);
        account.locked -= _bond;
        account.engagements -= 1;
        _save(agent, account, wasPaused);
        emit BondUnlocked(agent, account.locked);
    }

    /// @inheritdoc IDepositVault
    function slashBond(address from, address to, bool half) external onlyRegistry nonReentrant {
        Account memory loser = _accounts[from];
        Account memory winner = _accounts[to];

        // Effect:
        uint96 amount = half ? _bond / 2 : _bond;
        bool loserWasPaused = _isPaused(loser);
        bool winnerWasPaused = _isPaused(winner);
        loser.balance -= amount;
        loser.locked -= _bond;
        loser.engagements -= 1;
        winner.balance += amount;
        _save(from, loser, loserWasPaused);
        _save(to, winner, winnerWasPaused);
        emit BondSlashed(from, to, amount);
    }

    /// @inheritdoc IDepositVault
    function accountOf(
        address agent
    ) external view returns (Account memory account, bool paused, bool canEngage, bool recommended) {
        account = _accounts[agent];
        paused = _isPaused(account);
        canEngage = account.balance >= _entry && account.balance - account.locked >= _bond;
        recommended = account.balance >= _recommended;
    }

    /// @inheritdoc IDepositVault
    function accountsOf(address[] calldata agents) external view returns (Account[] memory accounts) {
        accounts = new Account[](agents.length);
        for (uint256 index = 0; index < agents.length; ++index) {
            accounts[index] = _accounts[agents[index]];
        }
    }

    /// @inheritdoc IDepositVault
    function isPaused(address agent) external view returns (bool) {
        return _isPaused(_accounts[agent]);
    }

    function _deposit(address agent, uint96 amount, bool emergency) private {
        Account memory account = _accounts[agent];

        // Check:
        require(amount != 0, ZeroAmount(msg.sender));

        // Effect:
        bool wasPaused = _isPaused(account);
        account.balance = (uint256(account.balance) + amount).toUint96();
        _save(agent, account, wasPaused);
        totalHeld += amount;
        emit Deposited(agent, msg.sender, amount, account.balance, emergency);

        // Interaction:
        usdc.safeTransferFrom(msg.sender, address(this), amount);
        uint256 balance = usdc.balanceOf(address(this));
        require(balance >= totalHeld, Insolvent(balance, totalHeld));
    }

    function _save(address agent, Account memory account, bool wasPaused) private {
        _accounts[agent] = account;
        bool paused = _isPaused(account);
        if (paused && !wasPaused) emit AgentPaused(agent, account.balance);
        if (wasPaused && !paused) emit AgentResumed(agent, account.balance);
    }

    /// @dev Only an engaged agent can be paused: an empty wallet has simply not deposited.
    function _isPaused(Account memory account) private view returns (bool) {
        return account.engagements != 0 && account.balance < _pause;
    }
}

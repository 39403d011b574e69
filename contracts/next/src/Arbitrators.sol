// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BPS, Wiring} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";

/// @title Arbitrators
/// @notice Who may judge: the arbitrators with their bonds and records, and the terms of the fallback arbitrator. It knows no
/// case.
abstract contract Arbitrators is IDisputeCourt, Ownable2Step, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint64 public constant UNBOND_DELAY = 14 days;
    uint64 public constant FALLBACK_DELAY = 30 days;
    uint16 public constant MISS_SLASH_BPS = 1_000;

    /// @dev A fallback arbitrator and since when it is in force.
    struct Term {
        address arbitrator;
        uint64 since;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable paymentGateway;
    address public immutable treasury;
    uint96 public immutable minBond;

    uint256 public totalBonded;
    address public scheduledFallback;
    /// @dev The one trusted party of the design: it may split the disputed milestone of an escalated case. At most one
    /// term begins in 30 days, so looking back from the end takes few steps.
    Term[] private _fallbacks;
    address[] private _arbitratorList;
    mapping(address arbitrator => Arbitrator) internal _arbitrators;
    /// @dev By arbitrator and keccak256 of the two parties, in either order: whether it has ruled between them.
    mapping(address arbitrator => mapping(bytes32 pair => bool)) private _judgedPairs;

    constructor(Wiring memory wiring, address owner_, address fallback_, uint96 minBond_) Ownable(owner_) {
        tok = IERC20(wiring.tok);
        paymentGateway = IPaymentGateway(wiring.paymentGateway);
        treasury = wiring.treasury;
        minBond = minBond_;
        _fallbacks.push(Term(fallback_, 0));
        emit FallbackAccepted(fallback_, 0);
    }

    // Arbitrators

    /// @inheritdoc IDisputeCourt
    function registerArbitrator(uint96 amount, uint96 minHeld) external nonReentrant {
        Arbitrator storage record = _arbitrators[msg.sender];

        // Check:
        uint96 bond = (uint256(record.bond) + amount).toUint96();
        require(bond >= minBond, BondTooLow(bond, minBond));

        // Effect: an arbitrator that comes back, also after misses took all of its bond, keeps its place in the list.
        if (record.bond == 0 && record.unbondAt == 0 && record.missed == 0) _arbitratorList.push(msg.sender);
        record.bond = bond;
        record.minHeld = minHeld;
        record.unbondAt = 0;
        totalBonded += amount;
        emit ArbitratorRegistered(msg.sender, amount, bond, minHeld);

        // Interaction:
        if (amount != 0) paymentGateway.pull(msg.sender, amount);
    }

    /// @inheritdoc IDisputeCourt
    function requestUnbond() external nonReentrant {
        Arbitrator storage record = _arbitrators[msg.sender];

        // Check:
        require(record.bond != 0, NotArbitrator(msg.sender));
        require(record.unbondAt == 0, TooEarly(record.unbondAt));

        // Effect:
        record.unbondAt = uint64(block.timestamp) + UNBOND_DELAY;
        emit ArbitratorUnbonding(msg.sender, record.unbondAt);
    }

    /// @inheritdoc IDisputeCourt
    function withdrawBond() external nonReentrant {
        Arbitrator storage record = _arbitrators[msg.sender];

        // Check:
        uint96 bond = record.bond;
        require(bond != 0 && record.unbondAt != 0, NotArbitrator(msg.sender));
        require(block.timestamp > record.unbondAt, TooEarly(record.unbondAt));
        require(record.openCases == 0, CasesOpen(record.openCases));

        // Effect:
        record.bond = 0;
        totalBonded -= bond;
        emit ArbitratorWithdrawn(msg.sender, bond);

        // Interaction:
        tok.safeTransfer(msg.sender, bond);
    }

    // The fallback arbitrator

    /// @inheritdoc IDisputeCourt
    function scheduleFallback(address next) external onlyOwner {
        // Effect:
        scheduledFallback = next;
        emit FallbackScheduled(next);
    }

    /// @inheritdoc IDisputeCourt
    function cancelFallback() external onlyOwner {
        // Check: no task was claimed under a term that has not begun.
        Term storage last = _fallbacks[_fallbacks.length - 1];
        require(last.since > block.timestamp, TooLate(last.since));

        // Effect:
        emit FallbackCancelled(last.arbitrator);
        _fallbacks.pop();
    }

    /// @inheritdoc IDisputeCourt
    function acceptFallback() external {
        // Check: one that waits for its day cannot be overtaken by another.
        require(msg.sender == scheduledFallback, NotAuthorized(msg.sender));
        uint64 lastSince = _fallbacks[_fallbacks.length - 1].since;
        require(block.timestamp >= lastSince, TooEarly(lastSince));

        // Effect:
        scheduledFallback = address(0);
        uint64 since = uint64(block.timestamp) + FALLBACK_DELAY;
        _fallbacks.push(Term(msg.sender, since));
        emit FallbackAccepted(msg.sender, since);
    }

    // Views

    /// @inheritdoc IDisputeCourt
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory record, bool eligible) {
        return (_arbitrators[arbitrator], isEligible(arbitrator));
    }

    /// @inheritdoc IDisputeCourt
    function arbitrators(
        uint256 from,
        uint256 count
    ) external view returns (address[] memory accounts, Arbitrator[] memory records, uint256 total) {
        total = _arbitratorList.length;
        uint256 size =
            from >= total
                ? 0
                : count < total - from
                    ? count
                    : total - from;
        accounts = new address[](size);
        records = new Arbitrator[](size);
        for (uint256 index = 0; index < size; ++index) {
            accounts[index] = _arbitratorList[from + index];
            records[index] = _arbitrators[accounts[index]];
        }
    }

    /// @inheritdoc IDisputeCourt
    function isEligible(address arbitrator) public view returns (bool) {
        Arbitrator storage record = _arbitrators[arbitrator];
        return record.bond >= minBond && record.unbondAt == 0;
    }

    /// @inheritdoc IDisputeCourt
    function fallbackArbitrator() external view returns (address) {
        return fallbackOn(uint16(block.timestamp / 1 days));
    }

    /// @inheritdoc IDisputeCourt
    function fallbackOn(uint16 day) public view returns (address) {
        uint64 dayBegan = uint64(day) * 1 days;
        uint256 index = _fallbacks.length - 1;
        while (_fallbacks[index].since > dayBegan) --index;
        return _fallbacks[index].arbitrator;
    }

    /// @inheritdoc IDisputeCourt
    function lastFallback() external view returns (address arbitrator, uint64 inForceAt) {
        Term storage last = _fallbacks[_fallbacks.length - 1];
        return (last.arbitrator, last.since);
    }

    // Effects of cases

    /// @dev Cases between the same two parties are worth little as a record, however many there are.
    function _countRuling(address arbitrator, address poster, address worker, uint96 amount) internal {
        (address first, address second) = poster < worker ? (poster, worker) : (worker, poster);
        bytes32 pair = keccak256(abi.encode(first, second));
        Arbitrator storage record = _arbitrators[arbitrator];
        ++record.resolved;
        record.judgedAmount += amount;
        if (_judgedPairs[arbitrator][pair]) return;
        _judgedPairs[arbitrator][pair] = true;
        ++record.pairs;
    }

    /// @dev A miss costs what was at stake for the parties: at most a tenth of the arbitrator's own bond, and at least a
    /// tenth of the smallest bond.
    function _slash(uint256 taskId, address arbitrator, uint96 atStake) internal {
        Arbitrator storage record = _arbitrators[arbitrator];
        uint256 amount = Math.min(_share(record.bond, MISS_SLASH_BPS), atStake);
        amount = Math.min(Math.max(amount, _share(minBond, MISS_SLASH_BPS)), record.bond);
        uint96 bond = record.bond - uint96(amount);
        record.bond = bond;
        --record.openCases;
        ++record.missed;
        totalBonded -= amount;
        emit ArbitratorSlashed(arbitrator, taskId, uint96(amount), bond);
        tok.safeTransfer(treasury, amount);
    }

    function _share(uint96 amount, uint16 bps) internal pure returns (uint96) {
        return uint96((uint256(amount) * bps) / BPS);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title Disputes of one market, its bonded arbitrators, and settlements by both parties
/// @notice Both parties name an arbitrator; if they agree on one, it rules. Otherwise, or when it stays silent, the
/// fallback arbitrator rules; if that stays silent too, the disputed milestone is halved. At most 15 days in all.
interface IDisputeCourt is IMarketErrors {
    /// @dev What decides whether it can be named fills one slot, its counters another.
    /// @param minHeld the smallest disputed amount this arbitrator accepts to be named for
    struct Arbitrator {
        uint96 bond;
        uint96 minHeld;
        uint64 unbondAt;
        uint32 openCases;
        uint32 resolved;
        uint32 missed;
    }

    /// @param amount the disputed milestone; an arbitrator's minHeld is held against it
    /// @param bond the opener's dispute bond
    struct Dispute {
        address poster;
        Phase phase;
        uint64 phaseEnds;
        address worker;
        address arbitrator;
        address posterPick;
        address workerPick;
        uint96 amount;
        address opener;
        uint96 bond;
    }

    event ArbitratorAssigned(uint256 indexed taskId, address indexed arbitrator, uint64 phaseEnds);
    event ArbitratorProposed(uint256 indexed taskId, address indexed by, address indexed arbitrator);
    event ArbitratorRegistered(address indexed arbitrator, uint96 added, uint96 bond, uint96 minHeld);
    event ArbitratorSlashed(address indexed arbitrator, uint256 indexed taskId, uint96 amount, uint96 bond);
    event ArbitratorUnbonding(address indexed arbitrator, uint64 freeAfter);
    event ArbitratorWithdrawn(address indexed arbitrator, uint96 amount);
    event DisputeBond(uint256 indexed taskId, address indexed opener, uint96 amount);
    event DisputeBondPaid(uint256 indexed taskId, address indexed to, uint96 amount);
    event MutuallySettled(uint256 indexed taskId, uint16 workerBps);
    event DisputeCreated(uint256 indexed taskId, uint64 phaseEnds);
    event DisputeEscalated(uint256 indexed taskId, address indexed by, uint64 phaseEnds);
    event DisputeResolved(
        uint256 indexed taskId, address indexed arbitrator, uint16 workerBps, bytes32 reasonHash, uint96 fee
    );
    event DisputeTimedOut(uint256 indexed taskId, uint16 workerBps);

    /// @notice No party of a task judges it, the fallback arbitrator included.
    error ArbitratorIsParty(address arbitrator);
    error BondTooLow(uint96 bond, uint96 required);
    error CasesOpen(uint32 openCases);
    error NotArbitrator(address caller);
    error NotEligible(address arbitrator);
    error NotRegistry(address caller);
    /// @notice The signatures were good until `endedAt`, or the phase ended then.
    error TooLate(uint64 endedAt);
    error WrongPhase(Phase phase);

    /// @notice Becomes an arbitrator, adds to the bond, or changes `minHeld`. Being named is then consent.
    function registerArbitrator(uint96 amount, uint96 minHeld) external;

    /// @notice Takes no new cases from now on; the bond is free after the unbond delay.
    function requestUnbond() external;

    /// @notice Takes the bond out, when the delay is over and no case is open.
    function withdrawBond() external;

    /// @notice Registry only: opens a case and pulls the opener's bond.
    function open(uint256 taskId, address poster, address worker, address opener, uint96 amount) external;

    /// @notice A party names an arbitrator; the case is assigned when both named the same.
    function proposeArbitrator(uint256 taskId, address arbitrator) external;

    /// @notice The assigned arbitrator rules in time, or the fallback arbitrator after escalation.
    /// @param workerBps the worker's share of the disputed milestone
    function resolveDispute(uint256 taskId, uint16 workerBps, bytes32 reasonHash) external;

    /// @notice Anyone hands a case whose window passed to the fallback arbitrator.
    function escalate(uint256 taskId) external;

    /// @notice Anyone halves a case that the fallback arbitrator left lying.
    function resolveTimedOut(uint256 taskId) external;

    /// @notice Ends a task by agreement, from CLAIMED to DISPUTED: everything held is split by `workerBps`.
    /// @param posterSig the poster's signature of `registry.hashSettlement`, ignored when the poster calls
    /// @param workerSig the worker's, ignored when the worker calls
    function mutualSettle(
        uint256 taskId,
        uint16 workerBps,
        uint64 validUntil,
        bytes calldata posterSig,
        bytes calldata workerSig
    ) external;

    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory record, bool eligible);

    function arbitrators(uint256 from, uint256 count)
        external
        view
        returns (address[] memory accounts, Arbitrator[] memory records, uint256 total);

    function disputeOf(uint256 taskId) external view returns (Dispute memory);

    function isEligible(address arbitrator) external view returns (bool);

    /// @notice The bonds of all arbitrators; dispute bonds are held besides.
    function totalBonded() external view returns (uint256);

    function minBond() external view returns (uint96);

    function fallbackArbitrator() external view returns (address);
}

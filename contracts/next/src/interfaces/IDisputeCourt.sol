// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title Disputes of one market, its bonded arbitrators, and settlements by both parties
/// @notice The poster opens a dispute with a bond F, 5 % of the disputed milestone D. The worker answers with the same bond or
/// without one; without an answer D goes to the poster. When both put up F, they may agree on an arbitrator; otherwise, or
/// when it stays silent, the fallback arbitrator rules. The judge then earns F, from both sides as each lost. After an answer
/// without a bond the fallback arbitrator rules and earns one bond of collateral, from both sides as each lost; what the
/// poster lost of F is burned. So a judge earns the same by every ruling, and nothing once its time is over. Anyone can end a
/// phase whose time is over.
interface IDisputeCourt is IMarketErrors {
    /// @dev What decides whether it can be named fills one slot, its counters another.
    /// @param minHeld the smallest disputed amount this arbitrator accepts to be named for
    /// @param resolved cases ruled in time, however often between the same two parties
    /// @param pairs different pairs of parties among them: what a record is worth
    /// @param judgedAmount the disputed milestones of those cases together, in TOK wei
    struct Arbitrator {
        uint96 bond;
        uint96 minHeld;
        uint64 unbondAt;
        uint32 openCases;
        uint32 resolved;
        uint32 missed;
        uint32 pairs;
        uint96 judgedAmount;
    }

    /// @param phaseEnds when the phase is over: the answer, the naming, the ruling or the fallback's ruling is due
    /// @param judge who may rule now, zero while nobody may
    /// @param isBonded whether the worker answered with a bond
    /// @param amount D, the disputed milestone in TOK wei; an arbitrator's minHeld is held against it
    /// @param bond F, what each side puts up in TOK wei
    /// @param rulingFrom the first second in which the judge may rule, zero while there is none
    struct Dispute {
        address poster;
        Phase phase;
        uint64 phaseEnds;
        address worker;
        address judge;
        address posterPick;
        address workerPick;
        bool isBonded;
        uint96 amount;
        uint96 bond;
        uint64 rulingFrom;
    }

    /// @notice Both parties named the arbitrator; its ruling is due by `phaseEnds`, in Unix seconds.
    event ArbitratorAssigned(uint256 indexed taskId, address indexed arbitrator, uint64 phaseEnds);
    /// @notice A party named an arbitrator.
    event ArbitratorProposed(uint256 indexed taskId, address indexed by, address indexed arbitrator);
    /// @notice The arbitrator added `added` TOK wei to its bond, which is now `bond`; `minHeld` is the smallest case it
    /// takes.
    event ArbitratorRegistered(address indexed arbitrator, uint96 added, uint96 bond, uint96 minHeld);
    /// @notice The arbitrator missed its case: `amount` TOK wei went to the treasury and `bond` are left.
    event ArbitratorSlashed(address indexed arbitrator, uint256 indexed taskId, uint96 amount, uint96 bond);
    /// @notice The arbitrator takes no new cases; its bond is free after `freeAfter`, in Unix seconds.
    event ArbitratorUnbonding(address indexed arbitrator, uint64 freeAfter);
    /// @notice The arbitrator took its bond of `amount` TOK wei out.
    event ArbitratorWithdrawn(address indexed arbitrator, uint96 amount);
    /// @notice The worker answered; the phase that begins ends at `phaseEnds`, unless an arbitrator is
    /// assigned at once.
    /// @param withBond false when the worker answered without a bond; the case is then escalated
    event DisputeAnswered(
        uint256 indexed taskId,
        address indexed by,
        bool withBond,
        uint64 phaseEnds,
        bytes32 evidenceHash,
        string uri
    );
    /// @notice `payer` put up a dispute bond of `amount` TOK wei.
    event DisputeBond(uint256 indexed taskId, address indexed payer, uint96 amount);
    /// @notice `amount` TOK wei of the dispute bonds went to a judge, to the other side, or back to the payer.
    event DisputeBondPaid(uint256 indexed taskId, address indexed to, uint96 amount);
    /// @notice A party gave in, in this phase.
    event DisputeConceded(uint256 indexed taskId, address indexed by, Phase phase);
    /// @notice A case opened; the answer is due by `phaseEnds`, in Unix seconds.
    event DisputeCreated(uint256 indexed taskId, uint64 phaseEnds);
    /// @notice The fallback arbitrator has the case; its ruling is due by `phaseEnds`, in Unix seconds.
    event DisputeEscalated(uint256 indexed taskId, address indexed by, uint64 phaseEnds);
    /// @notice The judge ruled; `fee` TOK wei of the bonds are its.
    event DisputeResolved(
        uint256 indexed taskId,
        address indexed arbitrator,
        uint16 workerBps,
        bytes32 reasonHash,
        uint96 fee,
        string reasonUri
    );
    /// @notice The case ended by silence; the worker got `workerBps` of the milestone.
    /// @param phase ANSWERING: nobody answered in time. ESCALATED: the fallback arbitrator stayed silent
    event DisputeTimedOut(uint256 indexed taskId, Phase phase, uint16 workerBps);
    /// @notice A party added evidence; a hash of zero says that it has nothing to add.
    event EvidenceSubmitted(uint256 indexed taskId, address indexed by, bytes32 evidenceHash, string uri);
    /// @notice The named fallback arbitrator accepted and is in force from `inForceAt` (Unix seconds) on.
    event FallbackAccepted(address indexed arbitrator, uint64 inForceAt);
    /// @notice The owner took back a term of this arbitrator that had not begun.
    event FallbackCancelled(address indexed arbitrator);
    /// @notice The owner named the next fallback arbitrator; zero withdraws the name.
    event FallbackScheduled(address indexed arbitrator);
    /// @notice Both parties settled; the worker gets `workerBps` of what is held.
    event MutuallySettled(uint256 indexed taskId, uint16 workerBps);

    /// @notice No party of a task judges it.
    error ArbitratorIsParty(address arbitrator);
    /// @notice An arbitrator must bond at least `required` TOK wei.
    error BondTooLow(uint96 bond, uint96 required);
    /// @notice A bond is free only when no case is open.
    error CasesOpen(uint32 openCases);
    /// @notice The caller is not the judge of this case.
    error NotArbitrator(address caller);
    /// @notice This arbitrator cannot be named here: leaving, a bond below the smallest or below the parties' bond, or too
    /// small a case.
    error NotEligible(address arbitrator);
    /// @notice Only the market's registry may call this.
    error NotRegistry(address caller);
    /// @notice The signatures were good until `endedAt`, or the phase ended then.
    error TooLate(uint64 endedAt);
    /// @notice The dispute is in another phase.
    error WrongPhase(Phase phase);

    /// @notice Becomes an arbitrator, adds to the bond, or changes `minHeld`. Being named is then consent.
    /// @dev Anyone. Emits ArbitratorRegistered.
    /// @param amount TOK wei to add to the bond
    /// @param minHeld the smallest disputed amount in TOK wei to be named for
    function registerArbitrator(uint96 amount, uint96 minHeld) external;

    /// @notice Takes no new cases from now on; the bond is free after the unbond delay.
    /// @dev The arbitrator. Emits ArbitratorUnbonding.
    function requestUnbond() external;

    /// @notice Takes the bond out, when the delay is over and no case is open.
    /// @dev The arbitrator. Emits ArbitratorWithdrawn.
    function withdrawBond() external;

    /// @notice Registry only: opens a case and pulls the poster's bond F.
    /// @dev Emits DisputeCreated, DisputeBond.
    /// @param amount the disputed milestone in TOK wei
    /// @param claimedDay the day of the claim since 1970; it decides which fallback arbitrator judges
    function open(uint256 taskId, address poster, address worker, uint96 amount, uint16 claimedDay) external;

    /// @notice The worker answers a dispute, until somebody calls `resolveTimedOut` after the answer window.
    /// @dev Emits DisputeAnswered, DisputeBond with a bond, ArbitratorAssigned when both had named the same.
    /// @param withBond true: the worker puts up F. False: the fallback arbitrator rules, and is paid in collateral
    /// @param evidenceHash keccak256 of the evidence document
    /// @param uri where the document is, usually inline
    function answerDispute(uint256 taskId, bool withBond, bytes32 evidenceHash, string calldata uri) external;

    /// @notice A party adds evidence, any number of times while the dispute runs. Once both sides have called it with a
    /// judge in office, the judge need not wait for the end of the hearing. A hash of zero adds nothing.
    /// @dev Emits EvidenceSubmitted.
    function submitEvidence(uint256 taskId, bytes32 evidenceHash, string calldata uri) external;

    /// @notice A party names an arbitrator, from the opening on; the case is assigned when both named the same and the
    /// worker has put up its bond. Its own bond is F at least.
    /// @dev Emits ArbitratorProposed, and ArbitratorAssigned when both named the same.
    function proposeArbitrator(uint256 taskId, address arbitrator) external;

    /// @notice The assigned arbitrator rules in time, or the fallback arbitrator after escalation; neither before the
    /// hearing is over. A fallback arbitrator that rules after its time earns nothing.
    /// @dev Emits DisputeResolved, DisputeBondPaid, and DisputeSettled of the registry.
    /// @param workerBps the worker's share of the disputed milestone
    /// @param reasonHash keccak256 of the ruling document
    /// @param reasonUri where the document is, usually inline
    function resolveDispute(uint256 taskId, uint16 workerBps, bytes32 reasonHash, string calldata reasonUri) external;

    /// @notice A party gives in: the other side gets the whole milestone. Before a judge is in office it also gets half of the
    /// party's dispute bond and the party's collateral; afterwards the concession is the ruling that it would have been.
    /// @dev Emits DisputeConceded, DisputeBondPaid, and DisputeSettled of the registry.
    /// @param expectedPhase the phase the party means, so that a pending concession cannot land in a costlier one
    function concede(uint256 taskId, Phase expectedPhase) external;

    /// @notice Anyone hands a case whose window passed to the fallback arbitrator.
    /// @dev Emits DisputeEscalated, and ArbitratorSlashed when an arbitrator missed the case.
    function escalate(uint256 taskId) external;

    /// @notice Anyone ends a case that nobody answered, or that the fallback arbitrator did not decide.
    /// @dev Emits DisputeTimedOut, DisputeBondPaid, and DisputeSettled of the registry.
    function resolveTimedOut(uint256 taskId) external;

    /// @notice Ends a task by agreement, from CLAIMED to DISPUTED: everything held is split by `workerBps`. A judge in
    /// office is paid by both sides by halves, unless its time is over.
    /// @dev Anyone with both signatures, or a party with the other's. Emits MutuallySettled, DisputeBondPaid, and
    /// DisputeSettled of the registry.
    /// @param posterSig the poster's signature of `registry.hashSettlement`, ignored when the poster calls
    /// @param workerSig the worker's, ignored when the worker calls
    function mutualSettle(
        uint256 taskId,
        uint16 workerBps,
        uint64 validUntil,
        bytes calldata posterSig,
        bytes calldata workerSig
    ) external;

    /// @notice Owner only: names the next fallback arbitrator, who must accept; zero withdraws the name.
    /// @dev Emits FallbackScheduled.
    function scheduleFallback(address next) external;

    /// @notice Owner only: takes back a term that has not begun; no task was claimed under it.
    /// @dev Emits FallbackCancelled.
    function cancelFallback() external;

    /// @notice The named one accepts and is in force 30 days later, for tasks claimed from then on.
    /// @dev Emits FallbackAccepted.
    function acceptFallback() external;

    /// @notice An arbitrator's record, and whether it can be named.
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory record, bool eligible);

    /// @notice A page of all arbitrators in the order they registered.
    function arbitrators(
        uint256 from,
        uint256 count
    ) external view returns (address[] memory accounts, Arbitrator[] memory records, uint256 total);

    /// @notice A case as it stands; empty when the task was never disputed.
    function disputeOf(uint256 taskId) external view returns (Dispute memory);

    /// @notice The phase of a case; NONE when the task was never disputed.
    function phaseOf(uint256 taskId) external view returns (Phase);

    /// @notice Whether the arbitrator's bond is large enough and not leaving.
    function isEligible(address arbitrator) external view returns (bool);

    /// @notice The bonds of all arbitrators; dispute bonds are held besides.
    function totalBonded() external view returns (uint256);

    /// @notice The smallest bond that makes an arbitrator eligible, in TOK wei.
    function minBond() external view returns (uint96);

    /// @notice Seconds that the parties have after a judge took office; it rules earlier only when both were heard.
    function hearingTime() external view returns (uint32);

    /// @notice The fallback arbitrator of tasks that are claimed today.
    function fallbackArbitrator() external view returns (address);

    /// @notice The fallback arbitrator of tasks claimed on that day since 1970.
    function fallbackOn(uint16 day) external view returns (address);

    /// @notice The last accepted fallback arbitrator, and since when it is in force (maybe in the future).
    function lastFallback() external view returns (address arbitrator, uint64 inForceAt);

    /// @notice Who was named as the next fallback arbitrator and has not accepted yet.
    function scheduledFallback() external view returns (address);
}

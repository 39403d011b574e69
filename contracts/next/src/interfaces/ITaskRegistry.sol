// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Scope, SettlementKind, State, TaskTerms, TaskView} from "../Types.sol";
import {IMarketErrors} from "./IMarketErrors.sol";

/// @title The tasks of one market: their terms, states and clocks
/// @notice Also the market's task scope registry (`scopeOf`). It holds no money: collateral lies in the deposit
/// vault, task money in the escrow vault, and only this contract controls those two.
interface ITaskRegistry is IMarketErrors {
    /// @param totalAmount what the whole work pays, in TOK wei
    /// @param deadline Unix time by which the work is delivered
    /// @param reviewPeriod seconds the poster has to answer a delivery
    /// @param criteriaHash keccak256 of the bytes of the task document at `uri`, which holds the acceptance criteria
    /// @param milestones amounts that add up to the total, or empty for one single milestone
    /// @param uri where the texts are, usually an inline `data:application/json` document
    /// @param fundNow TOK wei to put into escrow at once, 0 for none
    /// @param instant waives the trial: the claim of a funded task is work in progress at once
    struct PostParams {
        uint96 totalAmount;
        uint64 deadline;
        uint32 reviewPeriod;
        bytes32 criteriaHash;
        uint96[] milestones;
        string uri;
        uint96 fundNow;
        bool instant;
    }

    /// @notice The poster dismisses the worker, which may still deliver until `effectiveAt` (Unix seconds).
    event DismissalNoticed(uint256 indexed taskId, uint40 effectiveAt);
    /// @notice The poster disputes the current delivery.
    /// @param evidenceHash keccak256 of the poster's evidence document
    /// @param uri where the document is, usually inline
    event DisputeOpened(uint256 indexed taskId, address indexed opener, bytes32 evidenceHash, string uri);
    /// @notice A dispute or an agreement ended the task; all amounts in TOK wei.
    /// @param workerAmount TOK wei paid to the worker
    event DisputeSettled(
        uint256 indexed taskId,
        SettlementKind kind,
        uint16 workerBps,
        uint96 workerAmount,
        uint96 posterAmount
    );
    /// @notice The deadline is another now, in Unix seconds: the poster's turn passed, or the poster gave more time.
    event DeadlineMoved(uint256 indexed taskId, uint64 deadline);
    /// @notice The owner stopped or reopened new posts and claims; a stop ends automatically after `until` (Unix seconds).
    event EntriesPaused(bool paused, uint64 until);
    /// @notice A milestone may pay up to `maxMilestone` TOK wei from now on.
    event MaxMilestoneRaised(uint96 maxMilestone);
    /// @notice A milestone of `amount` TOK wei was accepted, by the poster or by its silence (`byTimeout`).
    event MilestoneAccepted(uint256 indexed taskId, uint8 milestone, uint96 amount, bool byTimeout);
    /// @notice The worker delivered a milestone, or delivered it again.
    event ProofSubmitted(
        uint256 indexed taskId,
        address indexed worker,
        uint8 milestone,
        bytes32 proofHash,
        string uri
    );
    /// @notice A worker has the task, by a claim or by both signatures; the digest names the terms.
    event TaskClaimed(uint256 indexed taskId, address indexed worker, uint32 round, bytes32 settlementDigest);
    /// @notice The worker got the last `amount` TOK wei and the task is over.
    event TaskCompleted(uint256 indexed taskId, address indexed worker, uint96 amount);
    /// @notice A new task; amounts in TOK wei, times in Unix seconds, the review period in seconds.
    event TaskPosted(
        uint256 indexed taskId,
        address indexed poster,
        Scope indexed scope,
        uint96 totalAmount,
        uint64 deadline,
        uint32 reviewPeriod,
        bytes32 criteriaHash,
        uint96[] milestones,
        string uri
    );
    /// @notice The task is in this state, round and milestone now. Emitted with every change of the state.
    event TaskState(uint256 indexed taskId, State indexed state, uint32 round, uint8 milestone);
    /// @notice `by` takes back its word on the terms with this digest.
    event TermsRevoked(address indexed by, bytes32 indexed digest);
    /// @notice The poster said "this worker": the trial is over, and leaving now costs a quarter of the bond.
    event WorkStarted(uint256 indexed taskId, uint32 round);
    /// @notice The poster sent the worker away.
    event WorkerDismissed(uint256 indexed taskId, address indexed worker, uint32 round);
    /// @notice The poster waived the trial: no claim of this post begins with one.
    event TrialWaived(uint256 indexed taskId);
    /// @notice The worker gave the task back.
    event WorkerLeft(uint256 indexed taskId, address indexed worker, uint32 round);

    /// @notice No trial is going on that could be ended: the work has started.
    error AlreadyStarted(uint256 taskId);
    /// @notice The agent's deposit is below the pause threshold: it may leave and end, not go forward.
    error AgentIsPaused(address agent);
    /// @notice The milestone list does not fit; `reason` is `count`, `amount`, `sum` or `hash`.
    error BadMilestones(bytes32 reason);
    /// @notice A term is out of bounds; `field` names it.
    error BadTerms(bytes32 field);
    /// @notice The work was delivered again at `deliveredAt`; the caller means an earlier delivery.
    error DeliveredAgain(uint64 deliveredAt);
    /// @notice The terms on chain are others than the caller expects.
    error DigestMismatch(bytes32 expected);
    /// @notice The owner has stopped new posts and claims on this registry.
    error EntriesArePaused(address registry);
    /// @notice This was possible only until `endedAt`.
    error Expired(uint64 endedAt);
    /// @notice Only the market's court may call this.
    error NotCourt(address caller);
    /// @notice The caller is not the task's poster.
    error NotPoster(address caller);
    /// @notice The caller is not the task's worker.
    error NotWorker(address caller);
    /// @notice Escrow would hold more than the task pays.
    error OverFunded(uint96 funded, uint96 total);
    /// @notice The poster's time to dispute ended at `endedAt`.
    error ReviewOver(uint64 endedAt);
    /// @notice These two parties have made a task with this salt already.
    error SaltUsed(bytes32 salt);
    /// @notice Poster and worker must be two wallets.
    error SelfDeal(address agent);
    /// @notice A party of these terms has taken its word back.
    error TermsAreRevoked(bytes32 digest);
    /// @notice Another milestone is the current one.
    error WrongMilestone(uint8 current);
    /// @notice The task is in another state than the call needs or names.
    error WrongState(uint256 taskId, State state);

    /// @notice Posts an open task: pays the access fee, locks the poster's bond, funds it if asked to.
    /// @dev Anyone with the entry deposit. Emits TaskPosted, TaskState, BondLocked, AccessFeePaid, and Funded.
    /// @return taskId the new task's number, counted from 1
    function postTask(PostParams calldata params) external returns (uint256 taskId);

    /// @notice Makes a task that both parties agreed on; called by the poster with the worker's signature. Vouched work costs the
    /// worker nothing: the poster pays both fees and locks both bonds.
    /// @dev Emits TaskPosted, TaskClaimed, TaskState, for each party BondLocked and AccessFeePaid, and Funded.
    /// @param milestones the amounts behind `terms.milestonesHash`; empty for one single milestone
    /// @param workerSig the worker's signature of `hashTerms`
    /// @param uri must be empty for a private task, whose texts stay between the parties
    /// @param fundNow TOK wei into escrow; the work begins at once when it is the total
    function createTask(
        TaskTerms calldata terms,
        uint96[] calldata milestones,
        bytes calldata workerSig,
        string calldata uri,
        uint96 fundNow
    ) external returns (uint256 taskId);

    /// @notice Takes back the caller's word on terms that have not become a task; `createTask` refuses them from now on.
    /// @dev Anyone, for itself alone: the digest of terms in which the caller is no party does nothing. It cannot be
    /// undone; sign other terms instead. Emits TermsRevoked.
    /// @param digest `hashTerms` of the terms
    function revokeTerms(bytes32 digest) external;

    /// @notice Takes an open task. The transaction is the worker's acceptance of exactly these terms. A funded task is ACTIVE at
    /// once, and its worker on trial for the market's shortest review, unless the post is instant.
    /// @dev Anyone but the poster, with the entry deposit. Emits TaskClaimed, TaskState, BondLocked, AccessFeePaid, and
    /// DeadlineMoved when the task is funded.
    /// @param expectedDigest `openDigest(taskId, worker)` as the worker read it
    function claimTask(uint256 taskId, bytes32 expectedDigest) external;

    /// @notice Puts TOK into escrow, before the claim or up to a day after it. What completes a claimed task makes it ACTIVE.
    /// @dev The poster. Emits Funded, and with the last of a claimed task DeadlineMoved and TaskState. `amount` in TOK wei.
    function fundTask(uint256 taskId, uint96 amount) external;

    /// @notice Ends the trial of the worker: it can deliver from now on, and a dismissal leaves it a day.
    /// @dev The poster. Emits WorkStarted.
    /// @param expectedDigest the stored settlement digest, so that a pending start cannot hit another worker
    function startWork(uint256 taskId, bytes32 expectedDigest) external;

    /// @notice Delivers the current milestone, or delivers it again; the review clock restarts. A delivery ends a dismissal.
    /// @dev The worker, in ACTIVE after its trial and up to a day after the deadline, and in DELIVERED. Emits ProofSubmitted, TaskState,
    /// and DeadlineMoved when delivered again.
    /// @param milestone the index the worker means to deliver
    /// @param proofHash keccak256 of the delivery document
    /// @param uri where the document is, usually inline; empty for a private task
    function submitProof(uint256 taskId, uint8 milestone, bytes32 proofHash, string calldata uri) external;

    /// @notice Pays the current milestone; the last one completes the task.
    /// @dev The poster. Emits MilestoneAccepted, TaskState, Released, and TaskCompleted with the last one.
    /// @param milestone the index the poster means to accept
    /// @param deliveredAt the task's `updatedAt`, so that a pending call cannot pay a delivery the poster has not seen,
    /// least of all another worker's. There is no waiver: a worker who delivers again delays only its own pay
    function acceptMilestone(uint256 taskId, uint8 milestone, uint64 deliveredAt) external;

    /// @notice Pays everything that is held and completes the task, delivered or not.
    /// @dev The poster, in ACTIVE and DELIVERED. Emits TaskCompleted, TaskState, Released, BondUnlocked,
    /// ReputationChanged.
    /// @param expectedDigest the stored settlement digest, so that a pending call cannot pay another worker
    function completeTask(uint256 taskId, bytes32 expectedDigest) external;

    /// @notice The poster gives the worker more time: POSTED, CLAIMED or ACTIVE, later only, 365 days ahead at
    /// most, and 30 days past the deadline that the worker accepted.
    /// @dev Emits DeadlineMoved. `newDeadline` in Unix seconds.
    function extendDeadline(uint256 taskId, uint64 newDeadline) external;

    /// @notice The poster disputes the current delivery within the review period. What escrow holds for later
    /// milestones goes back to the poster first; then the court pulls the poster's dispute bond.
    /// @dev Emits DisputeOpened, TaskState, Refunded when there are later milestones, DisputeCreated, and DisputeBond.
    /// @param deliveredAt the task's `updatedAt`, so that a dispute cannot hit a delivery the poster has not seen. The
    /// largest uint64 means whichever delivery there is: the way out when a worker delivers again in front of each dispute
    function openDispute(uint256 taskId, uint64 deliveredAt, bytes32 evidenceHash, string calldata uri) external;

    /// @notice The worker gives the task back for an access fee; after the trial it also loses a quarter of its bond. Vouched work
    /// costs it nothing.
    /// @dev Emits WorkerLeft, TaskState, AccessFeePaid, BondUnlocked or BondSlashed, ReputationChanged, and Refunded
    /// when the task ends.
    /// @param expectedState CLAIMED, ACTIVE or DELIVERED, as the worker read it
    function leaveTask(uint256 taskId, State expectedState) external;

    /// @notice The poster sends the worker away for an access fee: at once before the funding and on trial; later the worker has
    /// a day for a delivery, which ends the dismissal. Without one, anybody ends the engagement by `resolveTimedOut`: the
    /// worker's bond is free, and the mark is the poster's.
    /// @dev Emits AccessFeePaid, and WorkerDismissed, TaskState, BondUnlocked, and Refunded when the task ends; or
    /// DismissalNoticed.
    /// @param expectedDigest the stored settlement digest, so that a pending call cannot hit another worker
    function dismissWorker(uint256 taskId, bytes32 expectedDigest) external;

    /// @notice The poster withdraws a task that nobody has claimed.
    /// @dev Emits TaskState, Refunded, BondUnlocked.
    function cancelTask(uint256 taskId) external;

    /// @notice Anyone ends a phase whose time is over, as the transition table says.
    /// @dev Emits TaskState and what the end of that phase emits.
    function resolveTimedOut(uint256 taskId) external;

    /// @notice Court only: splits all that is held and ends the task.
    /// @param collateralTo the judge that one bond of collateral pays, from both sides as the milestone is split, or by halves
    /// after a settlement; zero where collateral pays no judge
    /// @dev Emits TaskState, Released, Refunded, DisputeSettled, and what becomes of bonds and reputation.
    function settleDispute(uint256 taskId, SettlementKind kind, uint16 workerBps, address collateralTo) external;

    /// @notice The owner stops new posts and claims for 14 days, or reopens them; it can stop nothing else.
    /// @dev Emits EntriesPaused.
    function setEntriesPaused(bool paused) external;

    /// @notice The owner lets milestones pay more. There is no way to lower the cap.
    /// @dev Emits MaxMilestoneRaised. `newMax` in TOK wei.
    function raiseMaxMilestone(uint96 newMax) external;

    /// @notice Whether the signer took back its word on terms with this digest.
    function isRevoked(address signer, bytes32 digest) external view returns (bool);

    /// @notice Whether these two parties have made a task with this salt.
    function saltUsed(address poster, address worker, bytes32 salt) external view returns (bool);

    /// @notice A task with its escrow ledger; state NONE when there is no such task.
    function taskOf(uint256 taskId) external view returns (TaskView memory task);

    /// @notice The digest both parties sign for a mutual settlement of the task as it stands now.
    function hashSettlement(uint256 taskId, uint16 workerBps, uint64 validUntil) external view returns (bytes32);

    /// @notice The settlement digest of signed terms.
    function hashTerms(TaskTerms calldata terms) external view returns (bytes32);

    /// @notice The milestone amounts; one amount when the task has a single milestone.
    function milestonesOf(uint256 taskId) external view returns (uint96[] memory amounts);

    /// @notice The digest `worker` accepts by claiming the open task now.
    function openDigest(uint256 taskId, address worker) external view returns (bytes32);

    /// @notice Poster and worker, zero where there is none.
    function partiesOf(uint256 taskId) external view returns (address poster, address worker);

    /// @notice Whether anyone may claim the task; OPEN for a number without a task.
    function scopeOf(uint256 taskId) external view returns (Scope);

    /// @notice The number of the newest task.
    function taskCount() external view returns (uint256);

    /// @notice Whether the owner has stopped new posts and claims.
    function entriesPaused() external view returns (bool);

    /// @notice The most a milestone pays, in TOK wei.
    function maxMilestone() external view returns (uint96);

    /// @notice The least a task pays, in TOK wei; a milestone pays a twentieth of the total at least.
    function minTotal() external view returns (uint96);
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TaskStore} from "./TaskStore.sol";
import {BPS, FeeAction, RepKind, Scope, SettlementKind, State, TaskTerms, Wiring} from "./Types.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title TaskRegistry
/// @notice See ITaskRegistry; the transition table stands in docs/operations/README.md.
/// @dev Two facts carry the arithmetic. Work starts only when `funded == totalAmount`, and nothing is refunded or
/// paid as a fee before a task ends or is disputed; so until then escrow holds exactly the milestones not yet paid, and
/// in a dispute exactly the disputed one.
contract TaskRegistry is TaskStore, Ownable2Step, ReentrancyGuardTransient {
    /// @dev What leaving work in progress costs of the bond: less than silence.
    uint16 private constant LEAVE_BPS = 2_500;
    /// @dev A ruling that gives one side this much of the milestone costs the other its bond.
    uint16 private constant NEARLY_ALL = 9_000;

    modifier onlyPoster(uint256 taskId) {
        _checkPoster(taskId);
        _;
    }

    modifier onlyWorker(uint256 taskId) {
        _checkWorker(taskId);
        _;
    }

    modifier whenEntriesOpen() {
        _checkEntriesOpen();
        _;
    }

    constructor(
        Wiring memory wiring,
        address owner_,
        uint96 minTotal_,
        uint96 launchCap,
        uint32 minReview,
        uint32 maxReview
    ) TaskStore(wiring, minTotal_, launchCap, minReview, maxReview) Ownable(owner_) {}

    // Entering

    /// @inheritdoc ITaskRegistry
    function postTask(PostParams calldata params) external nonReentrant whenEntriesOpen returns (uint256 taskId) {
        TaskTerms memory terms;
        terms.poster = msg.sender;
        terms.totalAmount = params.totalAmount;
        terms.criteriaHash = params.criteriaHash;
        terms.deadline = params.deadline;
        terms.reviewPeriod = params.reviewPeriod;

        // Check:
        _checkTerms(terms, params.milestones);

        // Effect:
        taskId = _record(terms, params.milestones, params.uri);
        if (params.instant) _waiveTrial(taskId);
        _move(taskId, State.POSTED);

        // Interaction:
        _enter(taskId, msg.sender, FeeAction.POST);
        if (params.fundNow != 0) _fund(taskId, params.fundNow);
    }

    /// @inheritdoc ITaskRegistry
    function createTask(
        TaskTerms calldata terms,
        uint96[] calldata milestones,
        bytes calldata workerSig,
        string calldata uri,
        uint96 fundNow
    ) external nonReentrant whenEntriesOpen returns (uint256 taskId) {
        // Check:
        require(msg.sender == terms.poster, NotPoster(msg.sender));
        require(terms.poster != terms.worker, SelfDeal(terms.worker));
        require(block.timestamp <= terms.acceptBy, Expired(terms.acceptBy));
        require(terms.acceptBy <= block.timestamp + MAX_ACCEPTANCE, BadTerms("acceptBy"));
        require(terms.scope == Scope.OPEN || bytes(uri).length == 0, BadTerms("uri"));
        require(terms.milestonesHash == keccak256(abi.encodePacked(milestones)), BadMilestones("hash"));
        _checkTerms(terms, milestones);
        bytes32 digest = hashTerms(terms);
        _checkNotRevoked(terms.worker, digest);
        _checkSignature(terms.worker, digest, workerSig);

        // Effect:
        _useSalt(terms);
        taskId = _record(terms, milestones, uri);
        _signedDigests[taskId] = digest;
        _assign(taskId, terms.worker, digest);

        // Interaction:
        _enter(taskId, msg.sender, FeeAction.POST);
        _enter(taskId, terms.vouched ? msg.sender : terms.worker, FeeAction.CLAIM);
        if (fundNow != 0) _fund(taskId, fundNow);
    }

    /// @inheritdoc ITaskRegistry
    function revokeTerms(bytes32 digest) external {
        // Effect:
        isRevoked[msg.sender][digest] = true;
        emit TermsRevoked(msg.sender, digest);
    }

    /// @inheritdoc ITaskRegistry
    function claimTask(uint256 taskId, bytes32 expectedDigest) external nonReentrant whenEntriesOpen {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.POSTED);
        require(msg.sender != task.poster, SelfDeal(msg.sender));
        // An outage gives nobody work whose time is over.
        require(block.timestamp <= task.deadline, Expired(task.deadline));
        bytes32 digest = openDigest(taskId, msg.sender);
        require(expectedDigest == digest, DigestMismatch(digest));

        // Effect:
        _assign(taskId, msg.sender, digest);
        (uint96 funded, , ) = escrow.ledgerOf(taskId);
        if (funded == task.totalAmount) _activate(taskId);

        // Interaction:
        _enter(taskId, msg.sender, FeeAction.CLAIM);
    }

    /// @inheritdoc ITaskRegistry
    function fundTask(uint256 taskId, uint96 amount) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(state == State.POSTED || state == State.CLAIMED, WrongState(taskId, state));
        if (state == State.CLAIMED) _checkUntil(task.updatedAt + ACTIVATION_WINDOW);
        require(amount != 0, ZeroAmount(msg.sender));
        _checkNotPaused(msg.sender);

        // Interaction:
        _fund(taskId, amount);
    }

    // Working

    /// @inheritdoc ITaskRegistry
    function startWork(uint256 taskId, bytes32 expectedDigest) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.ACTIVE);
        require(_isOnTrial(task), AlreadyStarted(taskId));
        _checkDigest(taskId, expectedDigest);

        // Effect:
        task.onTrial = false;
        emit WorkStarted(taskId, task.round);
    }

    /// @inheritdoc ITaskRegistry
    function submitProof(
        uint256 taskId,
        uint8 milestone,
        bytes32 proofHash,
        string calldata uri
    ) external nonReentrant onlyWorker(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        if (state == State.ACTIVE) {
            _checkUntil(task.deadline + DELIVERY_GRACE);
            if (_isOnTrial(task)) revert TooEarly(task.updatedAt + MIN_REVIEW);
        } else require(state == State.DELIVERED, WrongState(taskId, state));
        _checkMilestone(task, milestone);
        _checkNotPaused(msg.sender);

        // Effect:
        if (state == State.DELIVERED) {
            // The second names the delivery.
            require(block.timestamp > task.updatedAt, TooEarly(task.updatedAt));
            _moveDeadline(taskId, task.updatedAt);
        } else if (task.dismissAt != 0) {
            _checkUntil(task.dismissAt);
            task.dismissAt = 0;
        }
        emit ProofSubmitted(taskId, msg.sender, milestone, proofHash, uri);
        _move(taskId, State.DELIVERED);
    }

    /// @inheritdoc ITaskRegistry
    function acceptMilestone(
        uint256 taskId,
        uint8 milestone,
        uint64 deliveredAt
    ) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.DELIVERED);
        _checkMilestone(task, milestone);
        uint64 lastDelivery = task.updatedAt;
        require(deliveredAt == lastDelivery, DeliveredAgain(lastDelivery));

        // Effect, Interaction:
        _payMilestone(taskId, false);
    }

    /// @inheritdoc ITaskRegistry
    function completeTask(uint256 taskId, bytes32 expectedDigest) external nonReentrant onlyPoster(taskId) {
        // Check:
        State state = _tasks[taskId].state;
        require(state == State.ACTIVE || state == State.DELIVERED, WrongState(taskId, state));
        _checkDigest(taskId, expectedDigest);

        // Effect, Interaction:
        _complete(taskId, escrow.heldOf(taskId));
    }

    /// @inheritdoc ITaskRegistry
    function extendDeadline(uint256 taskId, uint64 newDeadline) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(state >= State.POSTED && state <= State.ACTIVE, WrongState(taskId, state));
        bool isBounded = state != State.POSTED;
        require(!isBounded || newDeadline <= task.claimedDeadline + MAX_EXTENSION, BadTerms("deadline"));
        require(newDeadline > task.deadline, BadTerms("deadline"));
        _checkDeadline(newDeadline);

        // Effect:
        _setDeadline(taskId, uint40(newDeadline));
    }

    // Leaving

    /// @inheritdoc ITaskRegistry
    function leaveTask(uint256 taskId, State expectedState) external nonReentrant onlyWorker(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(
            state == expectedState && state >= State.CLAIMED && state <= State.DELIVERED,
            WrongState(taskId, state)
        );

        // Effect:
        bool vouched = task.vouched;
        address bondOf = _bondOf(task);
        bool early = state == State.CLAIMED || _isOnTrial(task);
        emit WorkerLeft(taskId, msg.sender, task.round);
        bool relisted = _relistOrCancel(taskId);

        // Interaction:
        if (!vouched) paymentGateway.collectAccessFee(msg.sender, FeeAction.LEAVE, taskId);
        if (early) deposits.unlockBond(bondOf);
        else deposits.slashBond(bondOf, task.poster, LEAVE_BPS);
        if (!early) reputation.bump(msg.sender, RepKind.LEFT);
        if (!relisted) _refundPoster(taskId);
    }

    /// @inheritdoc ITaskRegistry
    function dismissWorker(uint256 taskId, bytes32 expectedDigest) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(state == State.CLAIMED || state == State.ACTIVE, WrongState(taskId, state));
        _checkDigest(taskId, expectedDigest);

        // Interaction:
        paymentGateway.collectAccessFee(msg.sender, FeeAction.DISMISS, taskId);

        // Effect: a worker whom nobody chose goes at once; any other has a day to deliver what it has.
        if (state == State.CLAIMED || _isOnTrial(task)) return _endEngagement(taskId);
        _checkUntil(task.deadline + DELIVERY_GRACE);
        require(task.dismissAt == 0, TooEarly(task.dismissAt));
        task.dismissAt = uint40(block.timestamp + DISMISS_NOTICE);
        emit DismissalNoticed(taskId, task.dismissAt);
    }

    /// @inheritdoc ITaskRegistry
    function cancelTask(uint256 taskId) external nonReentrant onlyPoster(taskId) {
        // Check:
        _checkState(taskId, State.POSTED);

        // Effect:
        _move(taskId, State.CANCELLED);

        // Interaction:
        _refundPoster(taskId);
    }

    /// @inheritdoc ITaskRegistry
    function resolveTimedOut(uint256 taskId) external nonReentrant {
        State state = _tasks[taskId].state;
        if (state == State.DELIVERED) _timeOutReview(taskId);
        else if (state == State.CLAIMED) _timeOutClaim(taskId);
        else if (state == State.ACTIVE) _timeOutDelivery(taskId);
        else if (state == State.POSTED) _timeOutPost(taskId);
        else revert WrongState(taskId, state);
    }

    // Disputes

    /// @inheritdoc ITaskRegistry
    function openDispute(
        uint256 taskId,
        uint64 deliveredAt,
        bytes32 evidenceHash,
        string calldata uri
    ) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check: a worker could push every dispute aside by delivering again in front of it, so the poster may waive.
        _checkState(taskId, State.DELIVERED);
        uint64 lastDelivery = task.updatedAt;
        require(deliveredAt == lastDelivery || deliveredAt == ANY_DELIVERY, DeliveredAgain(lastDelivery));
        uint64 reviewEnds = lastDelivery + task.reviewPeriod;
        require(!_isOver(reviewEnds), ReviewOver(reviewEnds));

        // Effect:
        emit DisputeOpened(taskId, msg.sender, evidenceHash, uri);
        _move(taskId, State.DISPUTED);

        // Interaction: later milestones go back first, so that the poster can pay its bond with them.
        uint96 amount = _currentAmount(taskId);
        escrow.refundBeyond(taskId, msg.sender, amount);
        court.open(taskId, msg.sender, task.worker, amount, task.claimedDay);
    }

    /// @inheritdoc ITaskRegistry
    function settleDispute(
        uint256 taskId,
        SettlementKind kind,
        uint16 workerBps,
        address collateralTo
    ) external nonReentrant {
        Task storage task = _tasks[taskId];
        address poster = task.poster;
        address worker = task.worker;

        // Check:
        require(msg.sender == address(court), NotCourt(msg.sender));
        State state = task.state;
        bool inReach =
            kind == SettlementKind.MUTUAL ? state >= State.CLAIMED && state <= State.DISPUTED : state == State.DISPUTED;
        require(inReach, WrongState(taskId, state));
        require(workerBps <= BPS, BadBps(workerBps));

        // Effect:
        _move(taskId, State.RESOLVED);

        // Interaction: a dispute has left only its milestone in escrow.
        uint96 workerAmount = uint96((uint256(escrow.heldOf(taskId)) * workerBps) / BPS);
        if (workerAmount != 0) escrow.release(taskId, worker, workerAmount);
        uint96 posterAmount = escrow.refundAll(taskId, poster);
        emit DisputeSettled(taskId, kind, workerBps, workerAmount, posterAmount);
        address bondOf = _bondOf(task);
        if (collateralTo != address(0)) {
            // The judge of a case that was answered without a bond: one bond, from both sides as the milestone is split.
            uint16 share = kind == SettlementKind.MUTUAL ? BPS / 2 : workerBps;
            deposits.slashBond(poster, collateralTo, share);
            deposits.slashBond(bondOf, collateralTo, BPS - share);
        } else if (kind == SettlementKind.RULING && workerBps >= NEARLY_ALL) {
            deposits.slashBond(poster, worker, BPS);
            deposits.unlockBond(bondOf);
        } else {
            bool lost = kind == SettlementKind.RULING && workerBps <= BPS - NEARLY_ALL;
            if (lost) deposits.slashBond(bondOf, poster, BPS);
            else deposits.unlockBond(bondOf);
            deposits.unlockBond(poster);
        }
        if (kind != SettlementKind.RULING || workerBps == BPS / 2) return;
        bool workerWon = workerBps > BPS / 2;
        reputation.bump(workerWon ? worker : poster, RepKind.WON);
        reputation.bump(workerWon ? poster : worker, RepKind.LOST);
    }

    // Owner

    /// @inheritdoc ITaskRegistry
    function setEntriesPaused(bool paused) external onlyOwner {
        // Effect:
        uint40 until = paused ? uint40(block.timestamp + ENTRY_PAUSE) : 0;
        _entriesPausedUntil = until;
        emit EntriesPaused(paused, until);
    }

    /// @inheritdoc ITaskRegistry
    function raiseMaxMilestone(uint96 newMax) external onlyOwner {
        // Check:
        require(newMax > maxMilestone, BadTerms("maxMilestone"));

        // Effect:
        maxMilestone = newMax;
        emit MaxMilestoneRaised(newMax);
    }

    // Interactions

    /// @dev One more engagement: bond, fee and a mark in the agent's record.
    function _enter(uint256 taskId, address payer, FeeAction action) private {
        deposits.lockBond(payer);
        paymentGateway.collectAccessFee(payer, action, taskId);
    }

    /// @dev Nothing is refunded before a task ends, so `funded` alone determines what is still to be paid.
    function _fund(uint256 taskId, uint96 amount) private {
        uint96 total = _tasks[taskId].totalAmount;
        uint96 funded = escrow.fund(taskId, msg.sender, amount);
        require(funded <= total, OverFunded(funded, total));
        if (funded == total && _tasks[taskId].state == State.CLAIMED) _activate(taskId);
    }

    function _payMilestone(uint256 taskId, bool byTimeout) private {
        Task storage task = _tasks[taskId];
        uint8 milestone = task.milestone;
        uint96 amount = _currentAmount(taskId);
        emit MilestoneAccepted(taskId, milestone, amount, byTimeout);
        if (milestone + 1 == task.milestoneCount) return _complete(taskId, amount);

        // Effect:
        _moveDeadline(taskId, task.updatedAt);
        task.milestone = milestone + 1;
        _move(taskId, State.ACTIVE);

        // Interaction:
        escrow.release(taskId, task.worker, amount);
    }

    function _complete(uint256 taskId, uint96 amount) private {
        Task storage task = _tasks[taskId];
        address worker = task.worker;

        // Effect:
        emit TaskCompleted(taskId, worker, amount);
        _move(taskId, State.COMPLETED);

        // Interaction:
        escrow.release(taskId, worker, amount);
        deposits.unlockBond(task.poster);
        deposits.unlockBond(_bondOf(task));
        reputation.bump(worker, RepKind.COMPLETED);
    }

    function _timeOutReview(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        _checkAfter(uint64(task.updatedAt) + task.reviewPeriod);
        _payMilestone(taskId, true);
    }

    /// @dev A poster that does not fund a claim in its day is remembered for it, and is not listed again.
    function _timeOutClaim(uint256 taskId) private {
        Task storage task = _tasks[taskId];

        // Check:
        _checkAfter(task.updatedAt + ACTIVATION_WINDOW);

        // Effect:
        _move(taskId, State.CANCELLED);

        // Interaction:
        deposits.unlockBond(_bondOf(task));
        reputation.bump(task.poster, RepKind.LAPSED);
        _refundPoster(taskId);
    }

    function _timeOutDelivery(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        uint40 dismissAt = task.dismissAt;
        uint64 end = task.deadline + DELIVERY_GRACE;

        // Check: whichever comes first.
        if (dismissAt != 0 && dismissAt < end) {
            _checkAfter(dismissAt);
            reputation.bump(task.poster, RepKind.DISMISSED);
            return _endEngagement(taskId);
        }
        _checkAfter(end);

        // Effect:
        _move(taskId, State.CANCELLED);

        // Interaction:
        deposits.slashBond(_bondOf(task), task.poster, BPS);
        reputation.bump(task.worker, RepKind.LEFT);
        _refundPoster(taskId);
    }

    /// @dev The worker goes without a mark and its bond comes free; the task is listed again, or ends.
    function _endEngagement(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        address bondOf = _bondOf(task);
        emit WorkerDismissed(taskId, task.worker, task.round);
        bool relisted = _relistOrCancel(taskId);
        deposits.unlockBond(bondOf);
        if (!relisted) _refundPoster(taskId);
    }

    /// @dev The work is paid for, and the deadline gets back what passed since the claim. Who claimed by itself is on trial
    /// for the market's shortest review, which the deadline gets back, too.
    function _activate(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        uint40 back = uint40(block.timestamp) - task.updatedAt;
        if (_signedDigests[taskId] == 0 && !task.instant) {
            task.onTrial = true;
            back += uint40(MIN_REVIEW);
        }
        if (back != 0) _setDeadline(taskId, task.deadline + back);
        _move(taskId, State.ACTIVE);
    }

    function _timeOutPost(uint256 taskId) private {
        // Check:
        _checkAfter(_tasks[taskId].deadline);

        // Effect:
        _move(taskId, State.CANCELLED);

        // Interaction:
        _refundPoster(taskId);
    }

    function _refundPoster(uint256 taskId) private {
        address poster = _tasks[taskId].poster;
        escrow.refundAll(taskId, poster);
        deposits.unlockBond(poster);
    }
}

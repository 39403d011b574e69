// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {TaskBook} from "./TaskBook.sol";
import {BPS, FeeAction, RepKind, Scope, SettlementKind, State, TaskTerms, Wiring} from "./Types.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title TaskRegistry
/// @notice See ITaskRegistry; the transition table stands in docs/operations/README.md.
/// @dev Two facts carry the arithmetic. Work starts only when `funded == totalAmount`, and nothing is refunded or
/// paid as a fee before a task ends or is disputed; so until then escrow holds exactly the milestones not yet paid, and
/// in a dispute exactly the disputed one.
contract TaskRegistry is TaskBook, Ownable2Step, ReentrancyGuardTransient {
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
    ) TaskBook(wiring, minTotal_, launchCap, minReview, maxReview) Ownable(owner_) {}

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
        _move(taskId, State.POSTED);

        // Interaction:
        _enter(taskId, msg.sender, FeeAction.POST, RepKind.POSTED);
        if (params.fundNow != 0) _fund(taskId, params.fundNow);
    }

    /// @inheritdoc ITaskRegistry
    function createTask(
        TaskTerms calldata terms,
        uint96[] calldata milestones,
        bytes calldata posterSig,
        bytes calldata workerSig,
        string calldata uri,
        uint96 fundNow
    ) external nonReentrant whenEntriesOpen returns (uint256 taskId) {
        // Check:
        require(terms.poster != terms.worker, SelfDeal(terms.worker));
        require(msg.sender == terms.poster || msg.sender == terms.worker, NotParty(msg.sender));
        require(fundNow == 0 || msg.sender == terms.poster, NotPoster(msg.sender));
        _checkUntil(terms.acceptBy);
        require(terms.acceptBy <= block.timestamp + MAX_ACCEPTANCE, BadTerms("acceptBy"));
        bool mayTell = terms.scope == Scope.OPEN && msg.sender == terms.poster;
        require(mayTell || bytes(uri).length == 0, BadTerms("uri"));
        require(terms.milestonesHash == keccak256(abi.encodePacked(milestones)), BadMilestones("hash"));
        _checkTerms(terms, milestones);
        bytes32 digest = hashTerms(terms);
        _checkNotRevoked(terms.poster, digest);
        _checkNotRevoked(terms.worker, digest);
        if (msg.sender == terms.poster) _checkSignature(terms.worker, digest, workerSig);
        else _checkSignature(terms.poster, digest, posterSig);

        // Effect:
        _useSalt(terms);
        taskId = _record(terms, milestones, uri);
        _signedDigests[taskId] = digest;
        _assign(taskId, terms.worker, digest);

        // Interaction:
        _enter(taskId, terms.poster, FeeAction.POST, RepKind.POSTED);
        _enter(taskId, terms.worker, FeeAction.CLAIM, RepKind.CLAIMED);
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
        _checkUntil(task.deadline);
        bytes32 digest = openDigest(taskId, msg.sender);
        require(expectedDigest == digest, DigestMismatch(digest));

        // Effect:
        task.claimedDeadline = task.deadline;
        _assign(taskId, msg.sender, digest);

        // Interaction:
        _enter(taskId, msg.sender, FeeAction.CLAIM, RepKind.CLAIMED);
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
    function startWork(uint256 taskId, bytes32 expectedDigest) external nonReentrant {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.CLAIMED);
        uint64 claimedAt = task.updatedAt;
        if (msg.sender == task.worker) _checkAfter(claimedAt + ACTIVATION_WINDOW);
        else require(msg.sender == task.poster, NotParty(msg.sender));
        _checkUntil(claimedAt + 2 * ACTIVATION_WINDOW);
        _checkDigest(taskId, expectedDigest);
        _checkNotPaused(msg.sender);
        (uint96 funded, uint96 released, , ) = escrow.ledger(taskId);
        require(funded >= task.totalAmount, NotFullyFunded(funded - released, task.totalAmount - released));

        // Effect:
        _moveDeadline(taskId, claimedAt);
        emit WorkStarted(taskId, task.round);
        _move(taskId, State.ACTIVE);
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
        if (state == State.ACTIVE) _checkUntil(task.deadline + DELIVERY_GRACE);
        else require(state == State.DELIVERED, WrongState(taskId, state));
        _checkMilestone(task, milestone);
        _checkNotPaused(msg.sender);

        // Effect:
        if (state == State.DELIVERED) {
            // The second names the delivery.
            require(block.timestamp > task.updatedAt, TooEarly(task.updatedAt));
            _moveDeadline(taskId, task.updatedAt);
        }
        task.dismissAt = 0;
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
        _complete(taskId, escrow.held(taskId));
    }

    /// @inheritdoc ITaskRegistry
    function extendDeadline(uint256 taskId, uint64 newDeadline) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(state >= State.POSTED && state <= State.ACTIVE, WrongState(taskId, state));
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
        emit WorkerLeft(taskId, msg.sender, task.round);
        bool relisted = _relistOrCancel(taskId);

        // Interaction:
        gateway.collectAccessFee(msg.sender, FeeAction.LEAVE, taskId);
        if (state == State.CLAIMED) {
            deposits.unlockBond(msg.sender);
        } else {
            deposits.slashBond(msg.sender, task.poster, true);
            reputation.bump(msg.sender, RepKind.LEFT);
        }
        if (!relisted) _refundPoster(taskId);
    }

    /// @inheritdoc ITaskRegistry
    function giveDismissNotice(uint256 taskId, bytes32 expectedDigest) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.ACTIVE);
        _checkDigest(taskId, expectedDigest);
        _checkUntil(task.deadline + DELIVERY_GRACE);
        if (task.dismissAt != 0) _checkAfter(task.dismissAt + DISMISS_WINDOW);

        // Effect:
        uint40 effectiveAt = uint40(block.timestamp + DISMISS_NOTICE);
        task.dismissAt = effectiveAt;
        task.noticeAnswered = false;
        emit DismissalNoticed(taskId, effectiveAt);

        // Interaction:
        gateway.collectAccessFee(msg.sender, FeeAction.DISMISS, taskId);
    }

    /// @inheritdoc ITaskRegistry
    function answerNotice(uint256 taskId) external onlyWorker(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        _checkState(taskId, State.ACTIVE);
        require(task.dismissAt != 0, NoNotice(taskId));

        // Effect:
        task.noticeAnswered = true;
        emit NoticeAnswered(taskId, msg.sender);
    }

    /// @inheritdoc ITaskRegistry
    function dismissWorker(uint256 taskId, bytes32 expectedDigest) external nonReentrant onlyPoster(taskId) {
        Task storage task = _tasks[taskId];

        // Check:
        State state = task.state;
        require(state == State.CLAIMED || state == State.ACTIVE, WrongState(taskId, state));
        _checkDigest(taskId, expectedDigest);
        if (state == State.ACTIVE) {
            uint40 noticeEnds = task.dismissAt;
            require(noticeEnds != 0, NoNotice(taskId));
            _checkAfter(noticeEnds);
            _checkUntil(noticeEnds + DISMISS_WINDOW);
            _checkUntil(task.deadline + DELIVERY_GRACE);
        }

        // Effect:
        address worker = task.worker;
        bool absent = state == State.ACTIVE && !task.noticeAnswered;
        emit WorkerDismissed(taskId, worker, task.round);
        bool relisted = _relistOrCancel(taskId);

        // Interaction: before the start the poster pays here, later it has paid with its notice. Only a worker that
        // let a day's notice pass is remembered as dismissed, and only one that gave no sign of life loses its bond.
        if (state == State.CLAIMED) gateway.collectAccessFee(msg.sender, FeeAction.DISMISS, taskId);
        else reputation.bump(worker, RepKind.DISMISSED);
        if (absent) deposits.slashBond(worker, msg.sender, false);
        else deposits.unlockBond(worker);
        if (!relisted) _refundPoster(taskId);
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
        bool withBond,
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
        court.open(taskId, msg.sender, task.worker, amount, task.claimedDay, withBond);
    }

    /// @inheritdoc ITaskRegistry
    function settleDispute(
        uint256 taskId,
        SettlementKind kind,
        uint16 workerBps,
        uint96 fee,
        address feeTo
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
        uint96 workerAmount = uint96((uint256(escrow.held(taskId)) * workerBps) / BPS);
        if (feeTo == address(gateway)) workerAmount -= fee;
        if (fee != 0) escrow.payFee(taskId, feeTo, fee);
        if (workerAmount != 0) escrow.release(taskId, worker, workerAmount);
        uint96 posterAmount = escrow.refundAll(taskId, poster);
        emit DisputeSettled(taskId, kind, workerBps, workerAmount, posterAmount, fee);
        if (kind == SettlementKind.RULING) return _endRuling(poster, worker, workerBps);
        if (kind != SettlementKind.WITHDRAWN) return _unlockBoth(poster, worker);
        deposits.slashBond(worker, poster, false);
        deposits.unlockBond(poster);
        reputation.bump(worker, RepKind.LEFT);
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
    function raiseMaxTotal(uint96 newMax) external onlyOwner {
        // Check:
        require(newMax > maxTotal, BadTerms("maxTotal"));

        // Effect:
        maxTotal = newMax;
        emit MaxTotalRaised(newMax);
    }

    // Interactions

    /// @dev One more engagement: bond, fee and a mark in the agent's record.
    function _enter(uint256 taskId, address agent, FeeAction action, RepKind kind) private {
        deposits.lockBond(agent);
        gateway.collectAccessFee(agent, action, taskId);
        reputation.bump(agent, kind);
    }

    /// @dev Nothing is refunded before a task ends, so `funded` alone determines what is still to be paid.
    function _fund(uint256 taskId, uint96 amount) private {
        uint96 total = _tasks[taskId].totalAmount;
        uint96 funded = escrow.fund(taskId, msg.sender, amount);
        require(funded <= total, OverFunded(funded, total));
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
        _unlockBoth(task.poster, worker);
        reputation.bump(worker, RepKind.COMPLETED);
    }

    function _timeOutReview(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        _checkAfter(uint64(task.updatedAt) + task.reviewPeriod);
        _payMilestone(taskId, true);
    }

    /// @dev A poster that baited a worker with an unfunded task does not get it listed again. A worker that neither left
    /// a funded one nor started it in time is remembered for it; the listing gets the time back.
    function _timeOutClaim(uint256 taskId) private {
        Task storage task = _tasks[taskId];
        address worker = task.worker;
        uint64 claimedAt = task.updatedAt;
        (uint96 funded, , , ) = escrow.ledger(taskId);
        bool fullyFunded = funded >= task.totalAmount;

        // Check:
        _checkAfter(claimedAt + (fullyFunded ? 2 * ACTIVATION_WINDOW : ACTIVATION_WINDOW));

        // Effect:
        bool relisted = fullyFunded && _relistOrCancel(taskId);
        if (!fullyFunded) _move(taskId, State.CANCELLED);

        // Interaction:
        deposits.unlockBond(worker);
        if (fullyFunded) reputation.bump(worker, RepKind.LEFT);
        if (!relisted) _refundPoster(taskId);
    }

    function _timeOutDelivery(uint256 taskId) private {
        Task storage task = _tasks[taskId];

        // Check:
        _checkAfter(task.deadline + DELIVERY_GRACE);

        // Effect:
        _move(taskId, State.CANCELLED);

        // Interaction:
        deposits.slashBond(task.worker, task.poster, false);
        reputation.bump(task.worker, RepKind.LEFT);
        _refundPoster(taskId);
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

    function _unlockBoth(address poster, address worker) private {
        deposits.unlockBond(poster);
        deposits.unlockBond(worker);
    }

    /// @dev A side that gets nothing of the milestone loses its bond to the other; an even split names no winner.
    function _endRuling(address poster, address worker, uint16 workerBps) private {
        bool workerWon = workerBps > BPS / 2;
        address winner = workerWon ? worker : poster;
        address loser = workerWon ? poster : worker;
        if (workerBps == 0 || workerBps == BPS) {
            deposits.slashBond(loser, winner, false);
            deposits.unlockBond(winner);
        } else {
            _unlockBoth(poster, worker);
        }
        if (workerBps == BPS / 2) return;
        reputation.bump(winner, RepKind.WON);
        reputation.bump(loser, RepKind.LOST);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Scope, State, TaskTerms, TaskView, Wiring} from "./Types.sol";
import {IDepositVault} from "./interfaces/IDepositVault.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IEscrowVault} from "./interfaces/IEscrowVault.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";
import {IReputationRegistry} from "./interfaces/IReputationRegistry.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";
import {IUsdOracle} from "./interfaces/IUsdOracle.sol";

/// @title TaskStore
/// @notice What the registry remembers of tasks, how it reads them, and the small checks and effects that its
/// operations are made of. It moves no money.
abstract contract TaskStore is ITaskRegistry, EIP712 {
    bytes32 public constant TERMS_TYPEHASH = keccak256(
        "TaskTerms(address poster,address worker,uint96 totalAmount,bytes32 milestonesHash,bytes32 criteriaHash,uint64 deadline,uint32 reviewPeriod,uint8 scope,bytes32 salt,uint64 acceptBy,bool vouched)"
    );
    bytes32 public constant SETTLE_TYPEHASH = keccak256(
        "MutualSettlement(uint256 taskId,address poster,address worker,uint32 round,uint8 milestone,uint8 state,uint64 updatedAt,uint96 held,uint8 phase,uint16 workerBps,uint64 validUntil)"
    );
    uint64 public constant ACTIVATION_WINDOW = 1 days;
    uint64 public constant DELIVERY_GRACE = 1 days;
    uint64 public constant DISMISS_NOTICE = 1 days;
    /// @dev How far the poster may move the deadline that the worker accepted.
    uint64 internal constant MAX_EXTENSION = 30 days;
    /// @dev A milestone is at least this part of the total, so that no crumb can end or freeze a task.
    uint96 private constant SMALLEST_PART = 20;
    uint64 public constant MAX_DURATION = 365 days;
    /// @dev Signed terms that could be used for longer would be an option on the price of TOK.
    uint64 internal constant MAX_ACCEPTANCE = 14 days;
    /// @dev How long a pause of entries lasts unless the owner begins another one.
    uint64 internal constant ENTRY_PAUSE = 14 days;
    uint8 public constant MAX_MILESTONES = 10;
    /// @dev Names no certain delivery in openDispute.
    uint64 internal constant ANY_DELIVERY = type(uint64).max;
    bytes32 private constant NO_MILESTONES = keccak256("");

    /// @dev What moves lies in the first slot and the engagement in the second, so that most steps write one slot and
    /// a listed task leaves the second one empty. Terms fill the third and the fourth.
    struct Task {
        address poster;
        uint40 deadline;
        uint40 updatedAt;
        State state;
        uint8 milestone;
        address worker;
        uint40 dismissAt;
        uint40 claimedDeadline; // as it was when the worker accepted it
        uint16 claimedDay; // the day of the claim since 1970: it decides which fallback arbitrator judges
        uint96 totalAmount;
        uint40 createdAt;
        uint32 reviewPeriod;
        uint32 round;
        Scope scope;
        uint8 milestoneCount;
        uint8 firstMilestone; // the first one that the listing offers: those before it were paid to earlier workers
        bool onTrial; // the worker claimed by itself, and the poster has not said "this worker"
        bool vouched; // the poster put up the worker's bond
        bool instant; // the poster waived the trial when it posted
        bytes32 criteriaHash;
    }

    IDepositVault public immutable deposits;
    IEscrowVault public immutable escrow;
    IPaymentGateway public immutable paymentGateway;
    IDisputeCourt public immutable court;
    IReputationRegistry public immutable reputation;
    uint96 public immutable minTotal;
    uint32 public immutable MIN_REVIEW;
    uint32 public immutable MAX_REVIEW;
    /// @dev Zero where the chain has no feed of its sequencer.
    IUsdOracle private immutable _outages;

    uint96 private _taskCount;
    uint96 public maxMilestone;
    uint40 internal _entriesPausedUntil;
    mapping(uint256 taskId => Task) internal _tasks;
    /// @dev Only for tasks with more than one milestone.
    mapping(uint256 taskId => uint96[]) internal _milestones;
    /// @dev Only for tasks made by signature: what a claim accepted follows from the task itself.
    mapping(uint256 taskId => bytes32) internal _signedDigests;
    /// @dev By keccak256(poster, worker, salt): two signatures over one salt still make one task.
    mapping(bytes32 key => bool) private _saltUsed;
    mapping(address signer => mapping(bytes32 digest => bool)) public isRevoked;

    constructor(
        Wiring memory wiring,
        uint96 minTotal_,
        uint96 launchCap,
        uint32 minReview,
        uint32 maxReview
    ) EIP712("TaskMarket", "2") {
        deposits = IDepositVault(wiring.deposits);
        escrow = IEscrowVault(wiring.escrow);
        paymentGateway = IPaymentGateway(wiring.paymentGateway);
        court = IDisputeCourt(wiring.court);
        reputation = IReputationRegistry(wiring.reputation);
        minTotal = minTotal_;
        MIN_REVIEW = minReview;
        MAX_REVIEW = maxReview;
        _outages = IPricingPolicy(wiring.policy).outageOracle();
        maxMilestone = launchCap;
    }

    // Views

    /// @inheritdoc ITaskRegistry
    function taskOf(uint256 taskId) external view returns (TaskView memory view_) {
        Task storage task = _tasks[taskId];
        view_.id = taskId;
        view_.poster = task.poster;
        view_.worker = task.worker;
        view_.state = task.state;
        view_.scope = task.scope;
        view_.milestoneCount = task.milestoneCount;
        view_.milestone = task.milestone;
        view_.round = task.round;
        view_.reviewPeriod = task.reviewPeriod;
        view_.deadline = task.deadline;
        view_.createdAt = task.createdAt;
        view_.updatedAt = task.updatedAt;
        view_.totalAmount = task.totalAmount;
        view_.dismissAt = task.dismissAt;
        if (_isOnTrial(task)) view_.trialEnds = task.updatedAt + MIN_REVIEW;
        view_.vouched = task.vouched;
        view_.instant = task.instant;
        view_.criteriaHash = task.criteriaHash;
        view_.settlementDigest = _settlementDigest(taskId);
        (view_.funded, view_.released, view_.refunded) = escrow.ledgerOf(taskId);
    }

    /// @inheritdoc ITaskRegistry
    function hashSettlement(uint256 taskId, uint16 workerBps, uint64 validUntil) external view returns (bytes32) {
        Task storage task = _tasks[taskId];
        bytes memory parties = abi.encode(SETTLE_TYPEHASH, taskId, task.poster, task.worker);
        bytes memory moment = abi.encode(task.round, task.milestone, task.state, task.updatedAt, escrow.heldOf(taskId));
        bytes memory offer = abi.encode(court.phaseOf(taskId), workerBps, validUntil);
        return _hashTypedDataV4(keccak256(bytes.concat(parties, moment, offer)));
    }

    /// @inheritdoc ITaskRegistry
    function hashTerms(TaskTerms memory terms) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(TERMS_TYPEHASH, terms)));
    }

    /// @inheritdoc ITaskRegistry
    function milestonesOf(uint256 taskId) external view returns (uint96[] memory amounts) {
        Task storage task = _tasks[taskId];
        if (task.milestoneCount != 1) return _milestones[taskId];
        amounts = new uint96[](1);
        amounts[0] = task.totalAmount;
    }

    /// @inheritdoc ITaskRegistry
    function openDigest(uint256 taskId, address worker) public view returns (bytes32) {
        return _hashOpenTerms(taskId, worker, _tasks[taskId].deadline);
    }

    /// @inheritdoc ITaskRegistry
    function entriesPaused() public view returns (bool) {
        return block.timestamp <= _entriesPausedUntil;
    }

    /// @inheritdoc ITaskRegistry
    function partiesOf(uint256 taskId) external view returns (address poster, address worker) {
        return (_tasks[taskId].poster, _tasks[taskId].worker);
    }

    /// @inheritdoc ITaskRegistry
    function saltUsed(address poster, address worker, bytes32 salt) external view returns (bool) {
        return _saltUsed[keccak256(abi.encode(poster, worker, salt))];
    }

    /// @inheritdoc ITaskRegistry
    function scopeOf(uint256 taskId) external view returns (Scope) {
        return _tasks[taskId].scope;
    }

    /// @inheritdoc ITaskRegistry
    function taskCount() external view returns (uint256) {
        return _taskCount;
    }

    // Derived

    function _currentAmount(uint256 taskId) internal view returns (uint96) {
        Task storage task = _tasks[taskId];
        return task.milestoneCount == 1 ? task.totalAmount : _milestones[taskId][task.milestone];
    }

    /// @dev Whose deposit holds the worker's bond.
    function _bondOf(Task storage task) internal view returns (address) {
        return task.vouched ? task.poster : task.worker;
    }

    /// @dev The trial is of the first milestone alone that the worker took over. No outage makes it longer: an outage could
    /// move its end and that of the delivery to the same second, and the worker would lose its bond without a chance.
    function _isOnTrial(Task storage task) internal view returns (bool) {
        bool isFirst = task.state == State.ACTIVE && task.milestone == task.firstMilestone;
        return isFirst && task.onTrial && block.timestamp <= task.updatedAt + MIN_REVIEW;
    }

    /// @dev The digest of the terms that bind both parties now; zero while nobody has the task.
    function _settlementDigest(uint256 taskId) internal view returns (bytes32) {
        Task storage task = _tasks[taskId];
        if (task.worker == address(0)) return 0;
        bytes32 signed = _signedDigests[taskId];
        if (signed != 0) return signed;
        return _hashOpenTerms(taskId, task.worker, task.claimedDeadline);
    }

    /// @dev What a worker accepts is what is left to earn. Of these terms only the deadline ever moves before the task is
    /// listed again.
    function _hashOpenTerms(uint256 taskId, address worker, uint40 deadline) internal view returns (bytes32) {
        Task storage task = _tasks[taskId];
        TaskTerms memory terms;
        terms.poster = task.poster;
        terms.worker = worker;
        (terms.totalAmount, terms.milestonesHash) = _termsLeft(taskId);
        terms.criteriaHash = task.criteriaHash;
        terms.deadline = deadline;
        terms.reviewPeriod = task.reviewPeriod;
        terms.scope = task.scope;
        terms.salt = bytes32((taskId << 32) | task.round);
        return hashTerms(terms);
    }

    /// @dev The sum and the hash of the milestones that were not paid when the task was last listed. Those that this
    /// worker has been paid since then count: terms do not change under it.
    function _termsLeft(uint256 taskId) private view returns (uint96 total, bytes32 milestonesHash) {
        Task storage task = _tasks[taskId];
        uint256 count = task.milestoneCount;
        if (count == 1) return (task.totalAmount, NO_MILESTONES);
        bytes memory packed;
        for (uint256 index = task.firstMilestone; index < count; ++index) {
            uint256 amount = _milestones[taskId][index];
            total += uint96(amount);
            // As in a packed array, in which each amount fills a word.
            packed = bytes.concat(packed, bytes32(amount));
        }
        milestonesHash = packed.length == 32 ? NO_MILESTONES : keccak256(packed);
    }

    // Checks

    function _checkTerms(TaskTerms memory terms, uint96[] calldata milestones) internal view {
        require(terms.totalAmount >= minTotal, BadTerms("totalAmount"));
        _checkDeadline(terms.deadline);
        require(terms.reviewPeriod >= MIN_REVIEW && terms.reviewPeriod <= MAX_REVIEW, BadTerms("reviewPeriod"));
        uint256 count = milestones.length;
        if (count == 0) {
            require(terms.totalAmount <= maxMilestone, BadMilestones("amount"));
            return;
        }
        require(count != 1 && count <= MAX_MILESTONES, BadMilestones("count"));
        uint256 sum;
        for (uint256 index = 0; index < count; ++index) {
            uint96 amount = milestones[index];
            require(amount >= terms.totalAmount / SMALLEST_PART && amount <= maxMilestone, BadMilestones("amount"));
            sum += amount;
        }
        require(sum == terms.totalAmount, BadMilestones("sum"));
    }

    function _checkDeadline(uint64 deadline) internal view {
        require(deadline > block.timestamp && deadline <= block.timestamp + MAX_DURATION, BadTerms("deadline"));
    }

    function _checkPoster(uint256 taskId) internal view {
        require(msg.sender == _tasks[taskId].poster, NotPoster(msg.sender));
    }

    function _checkWorker(uint256 taskId) internal view {
        require(msg.sender == _tasks[taskId].worker, NotWorker(msg.sender));
    }

    function _checkEntriesOpen() internal view {
        require(!entriesPaused(), EntriesArePaused(address(this)));
    }

    function _checkMilestone(Task storage task, uint8 milestone) internal view {
        require(milestone == task.milestone, WrongMilestone(task.milestone));
    }

    function _checkState(uint256 taskId, State wanted) internal view {
        State state = _tasks[taskId].state;
        require(state == wanted, WrongState(taskId, state));
    }

    function _checkDigest(uint256 taskId, bytes32 expected) internal view {
        bytes32 digest = _settlementDigest(taskId);
        require(expected == digest, DigestMismatch(digest));
    }

    function _checkNotPaused(address agent) internal view {
        require(!deposits.isPaused(agent), AgentIsPaused(agent));
    }

    function _checkUntil(uint64 end) internal view {
        require(!_isOver(end), Expired(end));
    }

    function _checkAfter(uint64 end) internal view {
        require(_isOver(end), TooEarly(end));
    }

    /// @dev A clock that ran out while the chain stood still, or within the hour after, goes on until that hour is over: for
    /// those who act and for those who wait. A clock that is over stays over.
    function _isOver(uint64 end) internal view returns (bool) {
        return block.timestamp > end && (address(_outages) == address(0) || !_outages.isOutage(end));
    }

    function _checkNotRevoked(address signer, bytes32 digest) internal view {
        require(!isRevoked[signer][digest], TermsAreRevoked(digest));
    }

    function _checkSignature(address signer, bytes32 digest, bytes calldata signature) internal view {
        require(SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature), BadSignature(signer));
    }

    // Effects

    /// @dev Writes a new task, without its state and worker.
    function _record(
        TaskTerms memory terms,
        uint96[] calldata milestones,
        string calldata uri
    ) internal returns (uint256 taskId) {
        taskId = ++_taskCount;
        Task storage task = _tasks[taskId];
        task.poster = terms.poster;
        task.deadline = uint40(terms.deadline);
        task.totalAmount = terms.totalAmount;
        task.createdAt = uint40(block.timestamp);
        task.reviewPeriod = terms.reviewPeriod;
        task.scope = terms.scope;
        task.milestoneCount = milestones.length == 0 ? 1 : uint8(milestones.length);
        task.criteriaHash = terms.criteriaHash;
        task.vouched = terms.vouched;
        if (milestones.length != 0) _milestones[taskId] = milestones;
        emit TaskPosted(
            taskId,
            terms.poster,
            terms.scope,
            terms.totalAmount,
            terms.deadline,
            terms.reviewPeriod,
            terms.criteriaHash,
            milestones,
            uri
        );
    }

    function _waiveTrial(uint256 taskId) internal {
        _tasks[taskId].instant = true;
        emit TrialWaived(taskId);
    }

    function _useSalt(TaskTerms calldata terms) internal {
        bytes32 key = keccak256(abi.encode(terms.poster, terms.worker, terms.salt));
        require(!_saltUsed[key], SaltUsed(terms.salt));
        _saltUsed[key] = true;
    }

    function _assign(uint256 taskId, address worker, bytes32 digest) internal {
        Task storage task = _tasks[taskId];
        task.worker = worker;
        task.claimedDeadline = task.deadline;
        task.claimedDay = uint16(block.timestamp / 1 days);
        emit TaskClaimed(taskId, worker, task.round, digest);
        _move(taskId, State.CLAIMED);
    }

    function _move(uint256 taskId, State state) internal {
        Task storage task = _tasks[taskId];
        task.state = state;
        task.updatedAt = uint40(block.timestamp);
        emit TaskState(taskId, state, task.round, task.milestone);
    }

    /// @dev The deadline stands still on the poster's turn: it moves by the time since `turnBegan`.
    function _moveDeadline(uint256 taskId, uint64 turnBegan) internal {
        Task storage task = _tasks[taskId];
        _setDeadline(taskId, task.deadline + uint40(block.timestamp - turnBegan));
    }

    function _setDeadline(uint256 taskId, uint40 deadline) internal {
        _tasks[taskId].deadline = deadline;
        emit DeadlineMoved(taskId, deadline);
    }

    /// @dev An open task before its deadline goes back to the list for another worker; any other ends. The next worker gets
    /// the time that passed before the start, or that the poster had the delivery.
    function _relistOrCancel(uint256 taskId) internal returns (bool relisted) {
        Task storage task = _tasks[taskId];
        if (task.state != State.ACTIVE) _moveDeadline(taskId, task.updatedAt);
        relisted = task.scope == Scope.OPEN && block.timestamp <= task.deadline;
        if (!relisted) {
            _move(taskId, State.CANCELLED);
            return false;
        }
        delete _signedDigests[taskId];
        task.worker = address(0);
        task.dismissAt = 0;
        task.firstMilestone = task.milestone;
        task.claimedDeadline = 0;
        task.claimedDay = 0;
        task.onTrial = false;
        task.vouched = false;
        ++task.round;
        _move(taskId, State.POSTED);
    }
}

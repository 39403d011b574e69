// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BPS, DISPUTE_BPS, Phase, SettlementKind, Wiring} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title DisputeCourt
/// @notice See IDisputeCourt.
contract DisputeCourt is IDisputeCourt, Ownable2Step, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint64 public constant ANSWER_WINDOW = 3 days;
    uint64 public constant PROPOSE_WINDOW = 3 days;
    uint64 public constant RESOLVE_WINDOW = 5 days;
    uint64 public constant FALLBACK_WINDOW = 7 days;
    uint64 public constant UNBOND_DELAY = 14 days;
    uint64 public constant FALLBACK_DELAY = 30 days;
    uint16 public constant MISS_SLASH_BPS = 1_000;

    /// @dev How the worker's side answered.
    enum Answer {
        NONE,
        BY_WORKER,
        BY_SPONSOR,
        WITHOUT_BOND
    }

    /// @dev Two slots at the opening, one for each pick, and one for somebody else who pays the worker's bond.
    struct Case {
        address poster;
        Phase phase;
        Answer answer;
        uint64 phaseEnds;
        uint16 claimedDay;
        address worker;
        uint96 amount;
        address posterPick;
        address workerPick;
        address sponsor;
    }

    /// @dev A fallback arbitrator and since when it is in force.
    struct Term {
        address arbitrator;
        uint64 since;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable gateway;
    ITaskRegistry public immutable registry;
    address public immutable treasury;
    uint96 public immutable minBond;

    uint256 public totalBonded;
    address public scheduledFallback;
    /// @dev The one trusted party of the design: it may split the disputed milestone of an escalated case. At most one
    /// term begins in 30 days, so looking back from the end takes few steps.
    Term[] private _fallbacks;
    address[] private _arbitratorList;
    mapping(address arbitrator => Arbitrator) private _arbitrators;
    mapping(uint256 taskId => Case) private _cases;

    constructor(Wiring memory wiring, address owner_, address fallback_, uint96 minBond_) Ownable(owner_) {
        tok = IERC20(wiring.tok);
        gateway = IPaymentGateway(wiring.gateway);
        registry = ITaskRegistry(wiring.registry);
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
        if (amount != 0) gateway.pull(msg.sender, amount);
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

    // Disputes

    /// @inheritdoc IDisputeCourt
    function open(
        uint256 taskId,
        address poster,
        address worker,
        uint96 amount,
        uint32 reviewPeriod,
        uint16 claimedDay
    ) external nonReentrant {
        // Check:
        require(msg.sender == address(registry), NotRegistry(msg.sender));

        // Effect: a task is disputed once at most, since every way out of DISPUTED is final.
        Case storage dispute = _cases[taskId];
        dispute.poster = poster;
        dispute.claimedDay = claimedDay;
        dispute.worker = worker;
        dispute.amount = amount;
        uint64 phaseEnds = _enter(
            dispute,
            Phase.ANSWERING,
            reviewPeriod > ANSWER_WINDOW ? reviewPeriod : ANSWER_WINDOW
        );
        emit DisputeCreated(taskId, phaseEnds);

        // Interaction:
        _pullBond(taskId, dispute, poster);
    }

    /// @inheritdoc IDisputeCourt
    function answerDispute(
        uint256 taskId,
        bool withBond,
        bytes32 evidenceHash,
        string calldata uri
    ) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        _checkPhase(dispute, Phase.ANSWERING);
        bool byWorker = msg.sender == dispute.worker;
        require(byWorker || (withBond && msg.sender != dispute.poster), NotParty(msg.sender));
        require(byWorker || msg.sender != fallbackOn(dispute.claimedDay), ArbitratorIsParty(msg.sender));

        // Effect:
        uint64 phaseEnds =
            withBond
                ? _enter(dispute, Phase.PROPOSING, PROPOSE_WINDOW)
                : _enter(dispute, Phase.ESCALATED, FALLBACK_WINDOW);
        dispute.answer =
            !withBond
                ? Answer.WITHOUT_BOND
                : byWorker
                    ? Answer.BY_WORKER
                    : Answer.BY_SPONSOR;
        if (!byWorker) dispute.sponsor = msg.sender;
        emit DisputeAnswered(taskId, msg.sender, withBond, phaseEnds, evidenceHash, uri);

        // Effect, Interaction:
        if (!withBond) return;
        _assignIfAgreed(taskId, dispute);
        _pullBond(taskId, dispute, msg.sender);
    }

    /// @inheritdoc IDisputeCourt
    function submitEvidence(uint256 taskId, bytes32 evidenceHash, string calldata uri) external {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase != Phase.NONE && phase != Phase.CLOSED, WrongPhase(phase));
        _checkParty(dispute);

        // Effect:
        emit EvidenceSubmitted(taskId, msg.sender, evidenceHash, uri);
    }

    /// @inheritdoc IDisputeCourt
    function proposeArbitrator(uint256 taskId, address arbitrator) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.ANSWERING || phase == Phase.PROPOSING, WrongPhase(phase));
        if (phase == Phase.PROPOSING) require(block.timestamp <= dispute.phaseEnds, TooLate(dispute.phaseEnds));
        bool byPoster = _checkParty(dispute);
        require(arbitrator != dispute.poster && arbitrator != dispute.worker, ArbitratorIsParty(arbitrator));
        require(_canJudge(dispute, arbitrator), NotEligible(arbitrator));

        // Effect:
        if (byPoster) dispute.posterPick = arbitrator;
        else dispute.workerPick = arbitrator;
        emit ArbitratorProposed(taskId, msg.sender, arbitrator);
        if (phase == Phase.PROPOSING) _assignIfAgreed(taskId, dispute);
    }

    /// @inheritdoc IDisputeCourt
    function resolveDispute(
        uint256 taskId,
        uint16 workerBps,
        bytes32 reasonHash,
        string calldata reasonUri
    ) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(_hasJudge(phase), WrongPhase(phase));
        bool assigned = phase == Phase.ASSIGNED;
        require(msg.sender == _judge(dispute), NotArbitrator(msg.sender));
        require(!assigned || block.timestamp <= dispute.phaseEnds, TooLate(dispute.phaseEnds));
        require(workerBps <= BPS, BadBps(workerBps));

        // Effect:
        if (assigned) ++_arbitrators[msg.sender].resolved;
        _close(dispute);
        uint96 bond = _bond(dispute);
        uint96 posterPays = _share(bond, workerBps);
        bool bothPay = _isBonded(dispute);
        uint96 fee = bothPay ? bond : posterPays;
        emit DisputeResolved(taskId, msg.sender, workerBps, reasonHash, fee, reasonUri);

        // Interaction: without a bond of its own the worker's side pays the same out of its award.
        _payBonds(taskId, dispute, msg.sender, posterPays, bothPay ? bond - posterPays : 0);
        registry.settleDispute(taskId, SettlementKind.RULING, workerBps, bothPay ? 0 : posterPays);
    }

    /// @inheritdoc IDisputeCourt
    function concede(uint256 taskId, Phase expectedPhase) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase != Phase.NONE && phase != Phase.CLOSED, WrongPhase(phase));
        _checkPhase(dispute, expectedPhase);
        bool byPoster = _checkParty(dispute);

        // Effect:
        uint96 lost = byPoster || _isBonded(dispute) ? _bond(dispute) : 0;
        address winner = byPoster ? dispute.worker : dispute.poster;
        if (_hasJudge(phase)) winner = _judge(dispute);
        if (phase == Phase.PROPOSING) lost /= 2;
        if (phase == Phase.ANSWERING || winner == address(0)) lost = 0;
        _close(dispute);
        emit DisputeConceded(taskId, msg.sender, phase);

        // Interaction:
        _payBonds(taskId, dispute, winner, byPoster ? lost : 0, byPoster ? 0 : lost);
        bool withdrawn = !byPoster && !_hasJudge(phase);
        registry.settleDispute(
            taskId,
            withdrawn ? SettlementKind.WITHDRAWN : SettlementKind.RULING,
            byPoster ? BPS : 0,
            0
        );
    }

    /// @inheritdoc IDisputeCourt
    function escalate(uint256 taskId) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.PROPOSING || phase == Phase.ASSIGNED, WrongPhase(phase));
        _checkPhaseOver(dispute);

        // Effect:
        uint64 phaseEnds = _enter(dispute, Phase.ESCALATED, FALLBACK_WINDOW);
        emit DisputeEscalated(taskId, msg.sender, phaseEnds);

        // Effect, Interaction:
        if (phase == Phase.ASSIGNED) _slash(taskId, dispute);
    }

    /// @inheritdoc IDisputeCourt
    function resolveTimedOut(uint256 taskId) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.ANSWERING || phase == Phase.ESCALATED, WrongPhase(phase));
        _checkPhaseOver(dispute);

        // Effect:
        bool defaulted = phase == Phase.ANSWERING;
        uint16 workerBps = defaulted ? 0 : _silentShare(dispute);
        _close(dispute);
        emit DisputeTimedOut(taskId, phase, workerBps);

        // Interaction:
        _payBonds(taskId, dispute, address(0), 0, 0);
        registry.settleDispute(taskId, defaulted ? SettlementKind.RULING : SettlementKind.SILENCE, workerBps, 0);
    }

    /// @inheritdoc IDisputeCourt
    function mutualSettle(
        uint256 taskId,
        uint16 workerBps,
        uint64 validUntil,
        bytes calldata posterSig,
        bytes calldata workerSig
    ) external nonReentrant {
        // Check: the digest binds the task exactly as it stands, so no signature outlives a change of it.
        require(block.timestamp <= validUntil, TooLate(validUntil));
        (address poster, address worker) = registry.partiesOf(taskId);
        bytes32 digest = registry.hashSettlement(taskId, workerBps, validUntil);
        _checkSignature(poster, digest, posterSig);
        _checkSignature(worker, digest, workerSig);

        // Effect, Interaction:
        emit MutuallySettled(taskId, workerBps);
        if (_cases[taskId].phase != Phase.NONE) _settleBonds(taskId);
        registry.settleDispute(taskId, SettlementKind.MUTUAL, workerBps, 0);
    }

    // Owner

    /// @inheritdoc IDisputeCourt
    function scheduleFallback(address next) external onlyOwner {
        // Effect:
        scheduledFallback = next;
        emit FallbackScheduled(next);
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
    function disputeOf(uint256 taskId) external view returns (Dispute memory view_) {
        Case storage dispute = _cases[taskId];
        view_.poster = dispute.poster;
        view_.phase = dispute.phase;
        view_.phaseEnds = dispute.phaseEnds;
        view_.worker = dispute.worker;
        view_.judge = _hasJudge(dispute.phase) ? _judge(dispute) : address(0);
        view_.posterPick = dispute.posterPick;
        view_.workerPick = dispute.workerPick;
        view_.posterPayer = dispute.poster;
        view_.workerPayer = _workerPayer(dispute);
        view_.amount = dispute.amount;
        view_.bond = _bond(dispute);
    }

    /// @inheritdoc IDisputeCourt
    function phaseOf(uint256 taskId) external view returns (Phase) {
        return _cases[taskId].phase;
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

    // Derived

    /// @dev In these phases somebody can rule, unless the fallback arbitrator is a party.
    function _hasJudge(Phase phase) private pure returns (bool) {
        return phase == Phase.ASSIGNED || phase == Phase.ESCALATED;
    }

    /// @dev Who rules in ASSIGNED or ESCALATED. Nobody proposed the fallback, so its own tasks are kept from it here.
    function _judge(Case storage dispute) private view returns (address) {
        if (dispute.phase == Phase.ASSIGNED) return _arbitrator(dispute);
        address judge = fallbackOn(dispute.claimedDay);
        return judge == dispute.poster || judge == dispute.worker ? address(0) : judge;
    }

    /// @dev The arbitrator that both parties named.
    function _arbitrator(Case storage dispute) private view returns (address) {
        return dispute.posterPick;
    }

    /// @dev Of a party that is the fallback arbitrator itself the silence counts for the other side.
    function _silentShare(Case storage dispute) private view returns (uint16) {
        address judge = fallbackOn(dispute.claimedDay);
        if (judge == dispute.poster) return BPS;
        if (judge == dispute.worker) return 0;
        return _isBonded(dispute) ? BPS / 2 : 0;
    }

    function _isBonded(Case storage dispute) private view returns (bool) {
        return dispute.answer == Answer.BY_WORKER || dispute.answer == Answer.BY_SPONSOR;
    }

    function _workerPayer(Case storage dispute) private view returns (address) {
        if (dispute.answer == Answer.BY_SPONSOR) return dispute.sponsor;
        return dispute.answer == Answer.BY_WORKER ? dispute.worker : address(0);
    }

    function _bond(Case storage dispute) private view returns (uint96) {
        return _share(dispute.amount, DISPUTE_BPS);
    }

    function _canJudge(Case storage dispute, address arbitrator) private view returns (bool) {
        return
            isEligible(arbitrator) &&
            dispute.amount >= _arbitrators[arbitrator].minHeld &&
            arbitrator != _workerPayer(dispute);
    }

    function _share(uint96 amount, uint16 bps) private pure returns (uint96) {
        return uint96((uint256(amount) * bps) / BPS);
    }

    // Checks

    function _checkPhase(Case storage dispute, Phase wanted) private view {
        require(dispute.phase == wanted, WrongPhase(dispute.phase));
    }

    function _checkPhaseOver(Case storage dispute) private view {
        require(block.timestamp > dispute.phaseEnds, TooEarly(dispute.phaseEnds));
    }

    function _checkParty(Case storage dispute) private view returns (bool byPoster) {
        byPoster = msg.sender == dispute.poster;
        require(byPoster || msg.sender == dispute.worker, NotParty(msg.sender));
    }

    /// @dev A party's own transaction is its consent.
    function _checkSignature(address signer, bytes32 digest, bytes calldata signature) private view {
        if (msg.sender == signer) return;
        require(SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature), BadSignature(signer));
    }

    // Effects and interactions

    function _enter(Case storage dispute, Phase phase, uint64 window) private returns (uint64 phaseEnds) {
        phaseEnds = uint64(block.timestamp) + window;
        dispute.phase = phase;
        dispute.phaseEnds = phaseEnds;
    }

    function _close(Case storage dispute) private {
        if (dispute.phase == Phase.ASSIGNED) --_arbitrators[_arbitrator(dispute)].openCases;
        dispute.phase = Phase.CLOSED;
    }

    /// @dev An agreement that cannot take effect is left alone: an answer never fails because of an arbitrator.
    function _assignIfAgreed(uint256 taskId, Case storage dispute) private {
        address arbitrator = _arbitrator(dispute);
        if (arbitrator == address(0) || arbitrator != dispute.workerPick) return;
        if (!_canJudge(dispute, arbitrator)) return;
        ++_arbitrators[arbitrator].openCases;
        emit ArbitratorAssigned(taskId, arbitrator, _enter(dispute, Phase.ASSIGNED, RESOLVE_WINDOW));
    }

    function _pullBond(uint256 taskId, Case storage dispute, address payer) private {
        uint96 bond = _bond(dispute);
        emit DisputeBond(taskId, payer, bond);
        gateway.pull(payer, bond);
    }

    /// @dev A judge in office has begun to work: half of each bond is its fee.
    function _settleBonds(uint256 taskId) private {
        Case storage dispute = _cases[taskId];
        address judge = _hasJudge(dispute.phase) ? _judge(dispute) : address(0);
        uint96 half = judge == address(0) ? 0 : _bond(dispute) / 2;
        _close(dispute);
        _payBonds(taskId, dispute, judge, half, _isBonded(dispute) ? half : 0);
    }

    /// @dev Pays `to` out of both bonds and gives back what remains of each to its payer.
    function _payBonds(uint256 taskId, Case storage dispute, address to, uint96 posterPays, uint96 workerPays) private {
        uint96 bond = _bond(dispute);
        _pay(taskId, to, posterPays + workerPays);
        _pay(taskId, dispute.poster, bond - posterPays);
        if (_isBonded(dispute)) _pay(taskId, _workerPayer(dispute), bond - workerPays);
    }

    function _pay(uint256 taskId, address to, uint96 amount) private {
        if (amount == 0) return;
        emit DisputeBondPaid(taskId, to, amount);
        tok.safeTransfer(to, amount);
    }

    /// @dev A miss costs what was at stake for the parties, within a tenth of the own bond, but a tenth of the smallest
    /// bond at least.
    function _slash(uint256 taskId, Case storage dispute) private {
        address arbitrator = _arbitrator(dispute);
        Arbitrator storage record = _arbitrators[arbitrator];
        uint256 amount = Math.min(_share(record.bond, MISS_SLASH_BPS), _bond(dispute));
        amount = Math.min(Math.max(amount, _share(minBond, MISS_SLASH_BPS)), record.bond);
        uint96 bond = record.bond - uint96(amount);
        record.bond = bond;
        --record.openCases;
        ++record.missed;
        totalBonded -= amount;
        emit ArbitratorSlashed(arbitrator, taskId, uint96(amount), bond);
        tok.safeTransfer(treasury, amount);
    }
}

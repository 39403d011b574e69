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
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";
import {IUsdOracle} from "./interfaces/IUsdOracle.sol";

/// @title DisputeCourt
/// @notice See IDisputeCourt.
contract DisputeCourt is IDisputeCourt, Ownable2Step, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint64 public constant ANSWER_WINDOW = 3 days;
    uint64 public constant PROPOSE_WINDOW = 3 days;
    uint64 public constant RESOLVE_WINDOW = 5 days;
    uint64 public constant FALLBACK_WINDOW = 7 days;
    /// @dev The time for a ruling after an answer without a bond. Together with the answer window it is one fallback window,
    /// so such an answer never makes a case longer.
    uint64 private constant UNBONDED_WINDOW = FALLBACK_WINDOW - ANSWER_WINDOW;
    uint64 public constant UNBOND_DELAY = 14 days;
    uint64 public constant FALLBACK_DELAY = 30 days;
    uint16 public constant MISS_SLASH_BPS = 1_000;

    /// @dev How the worker's side answered; NOT_ASKED when the poster opened without a bond.
    enum Answer {
        NONE,
        BY_WORKER,
        BY_SPONSOR,
        WITHOUT_BOND,
        NOT_ASKED
    }

    /// @dev Two slots at the opening, one for each pick, and one for somebody else who pays the worker's bond.
    /// `posterHeard` and `workerHeard`: the side filed or waived evidence since a judge is in office.
    struct Case {
        address poster;
        Phase phase;
        Answer answer;
        uint40 phaseEnds;
        uint16 claimedDay;
        bool posterHeard;
        bool workerHeard;
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
    uint32 public immutable hearingTime;
    /// @dev Zero where the chain has no feed of its sequencer.
    IUsdOracle private immutable _outages;

    uint256 public totalBonded;
    address public scheduledFallback;
    /// @dev The one trusted party of the design: it may split the disputed milestone of an escalated case. At most one
    /// term begins in 30 days, so looking back from the end takes few steps.
    Term[] private _fallbacks;
    address[] private _arbitratorList;
    mapping(address arbitrator => Arbitrator) private _arbitrators;
    mapping(uint256 taskId => Case) private _cases;
    /// @dev By arbitrator and keccak256 of the two parties, in either order: whether it has ruled between them.
    mapping(address arbitrator => mapping(bytes32 pair => bool)) private _judgedPairs;

    constructor(
        Wiring memory wiring,
        address owner_,
        address fallback_,
        uint96 minBond_,
        uint32 hearingTime_
    ) Ownable(owner_) {
        tok = IERC20(wiring.tok);
        gateway = IPaymentGateway(wiring.gateway);
        registry = ITaskRegistry(wiring.registry);
        treasury = wiring.treasury;
        minBond = minBond_;
        hearingTime = hearingTime_;
        _outages = IPricingPolicy(wiring.policy).outageOracle();
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
        uint16 claimedDay,
        bool withBond
    ) external nonReentrant {
        // Check:
        require(msg.sender == address(registry), NotRegistry(msg.sender));

        // Effect: a task is disputed once at most, since every way out of DISPUTED is final.
        Case storage dispute = _cases[taskId];
        dispute.poster = poster;
        dispute.claimedDay = claimedDay;
        dispute.worker = worker;
        dispute.amount = amount;
        if (!withBond) dispute.answer = Answer.NOT_ASKED;
        Phase phase = withBond ? Phase.ANSWERING : Phase.ESCALATED;
        emit DisputeCreated(taskId, phase, _enter(dispute, phase));

        // Interaction:
        if (withBond) _pullBond(taskId, dispute, poster);
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
        // A sponsor pays for the worker but does not speak for it.
        require(byWorker || (evidenceHash == 0 && bytes(uri).length == 0), NotParty(msg.sender));

        // Effect:
        dispute.answer =
            !withBond
                ? Answer.WITHOUT_BOND
                : byWorker
                    ? Answer.BY_WORKER
                    : Answer.BY_SPONSOR;
        if (!byWorker) dispute.sponsor = msg.sender;
        uint64 phaseEnds = _enter(dispute, withBond ? Phase.PROPOSING : Phase.ESCALATED);
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
        bool byPoster = _checkParty(dispute);

        // Effect:
        if (_hasJudge(phase)) {
            if (byPoster) dispute.posterHeard = true;
            else dispute.workerHeard = true;
        }
        emit EvidenceSubmitted(taskId, msg.sender, evidenceHash, uri);
    }

    /// @inheritdoc IDisputeCourt
    function proposeArbitrator(uint256 taskId, address arbitrator) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.ANSWERING || phase == Phase.PROPOSING, WrongPhase(phase));
        if (phase == Phase.PROPOSING) _checkInTime(dispute);
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
        _checkRuling(dispute);
        require(workerBps <= BPS, BadBps(workerBps));

        // Effect:
        if (dispute.phase == Phase.ASSIGNED) _countRuling(dispute);
        (uint96 posterPays, uint96 workerPays, uint96 taken) = _rulingFees(dispute, workerBps);
        _close(taskId, dispute);
        bool bonded = _isOpenerBonded(dispute);
        uint96 earned = bonded ? posterPays + workerPays : taken;
        emit DisputeResolved(taskId, msg.sender, workerBps, reasonHash, earned, reasonUri);

        // Interaction:
        _payBonds(taskId, dispute, msg.sender, posterPays, workerPays);
        address feeTo = bonded ? address(gateway) : msg.sender;
        registry.settleDispute(taskId, SettlementKind.RULING, workerBps, taken, feeTo);
    }

    /// @inheritdoc IDisputeCourt
    function concede(uint256 taskId, Phase expectedPhase) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase != Phase.NONE && phase != Phase.CLOSED, WrongPhase(phase));
        _checkPhase(dispute, expectedPhase);
        bool byPoster = _checkParty(dispute);

        // Effect: half of the bond before a judge is in office, all of it later; it goes to the judge only in its time.
        uint96 lost = (byPoster ? _isOpenerBonded(dispute) : _isBonded(dispute)) ? _bond(dispute) : 0;
        if (!_hasJudge(phase)) lost /= 2;
        address paid = _judgeInTime(dispute);
        if (paid == address(0)) paid = byPoster ? dispute.worker : dispute.poster;
        _close(taskId, dispute);
        emit DisputeConceded(taskId, msg.sender, phase);

        // Interaction:
        _payBonds(taskId, dispute, paid, byPoster ? lost : 0, byPoster ? 0 : lost);
        bool withdrawn = !byPoster && !_hasJudge(phase);
        registry.settleDispute(
            taskId,
            withdrawn ? SettlementKind.WITHDRAWN : SettlementKind.RULING,
            byPoster ? BPS : 0,
            0,
            address(0)
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
        emit DisputeEscalated(taskId, msg.sender, _enter(dispute, Phase.ESCALATED));

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
        _close(taskId, dispute);
        emit DisputeTimedOut(taskId, phase, workerBps);

        // Interaction:
        _payBonds(taskId, dispute, address(0), 0, 0);
        SettlementKind kind = defaulted ? SettlementKind.RULING : SettlementKind.SILENCE;
        registry.settleDispute(taskId, kind, workerBps, 0, address(0));
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
        registry.settleDispute(taskId, SettlementKind.MUTUAL, workerBps, 0, address(0));
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
        view_.posterPayer = _isOpenerBonded(dispute) ? dispute.poster : address(0);
        view_.workerPayer = _workerPayer(dispute);
        view_.amount = dispute.amount;
        view_.bond = _bond(dispute);
        view_.rulingFrom = view_.judge == address(0) ? 0 : _rulingFrom(dispute);
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

    /// @dev Zero when nobody may judge, or when the judge has let its time pass: it earns nothing any more.
    function _judgeInTime(Case storage dispute) private view returns (address) {
        return _hasJudge(dispute.phase) && !_isLate(dispute) ? _judge(dispute) : address(0);
    }

    function _isLate(Case storage dispute) private view returns (bool) {
        return block.timestamp > dispute.phaseEnds && !_isOutage();
    }

    /// @dev Whether the chain stands still or has done so within the last hour.
    function _isOutage() private view returns (bool) {
        return address(_outages) != address(0) && _outages.isOutage();
    }

    /// @dev Both sides have the hearing time to say something to the judge, unless both have said it.
    function _rulingFrom(Case storage dispute) private view returns (uint64 from) {
        from = dispute.phaseEnds - _window(dispute.phase, dispute.answer);
        if (!dispute.posterHeard || !dispute.workerHeard) from += hearingTime;
    }

    function _window(Phase phase, Answer answer) private pure returns (uint64) {
        if (phase == Phase.ANSWERING) return ANSWER_WINDOW;
        if (phase == Phase.PROPOSING) return PROPOSE_WINDOW;
        if (phase == Phase.ASSIGNED) return RESOLVE_WINDOW;
        return answer == Answer.WITHOUT_BOND ? UNBONDED_WINDOW : FALLBACK_WINDOW;
    }

    /// @dev The arbitrator that both parties named.
    function _arbitrator(Case storage dispute) private view returns (address) {
        return dispute.posterPick;
    }

    /// @dev If a party is itself the fallback arbitrator, its silence counts for the other side. Otherwise silence gives
    /// nothing to a side without a bond.
    function _silentShare(Case storage dispute) private view returns (uint16) {
        address judge = fallbackOn(dispute.claimedDay);
        if (judge == dispute.poster) return BPS;
        if (judge == dispute.worker) return 0;
        if (!_isOpenerBonded(dispute)) return BPS;
        return _isBonded(dispute) ? BPS / 2 : 0;
    }

    function _isOpenerBonded(Case storage dispute) private view returns (bool) {
        return dispute.answer != Answer.NOT_ASKED;
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

    /// @dev What a ruling takes from the bond of each side, and from the milestone where a side has put up none: from the
    /// worker's share as much as the poster's bond pays, for the protocol, and from the poster's share the judge's fee.
    function _rulingFees(
        Case storage dispute,
        uint16 workerBps
    ) private view returns (uint96 posterPays, uint96 workerPays, uint96 taken) {
        if (_isLate(dispute)) return (0, 0, 0);
        posterPays = _share(_bond(dispute), workerBps);
        workerPays = _bond(dispute) - posterPays;
        if (!_isOpenerBonded(dispute)) return (0, 0, workerPays);
        if (!_isBonded(dispute)) return (posterPays, 0, posterPays);
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
        require(_isLate(dispute), TooEarly(dispute.phaseEnds));
    }

    function _checkInTime(Case storage dispute) private view {
        require(!_isLate(dispute), TooLate(dispute.phaseEnds));
    }

    /// @dev An assigned arbitrator rules in its time, the fallback arbitrator also later; neither before the hearing is over.
    function _checkRuling(Case storage dispute) private view {
        Phase phase = dispute.phase;
        require(_hasJudge(phase), WrongPhase(phase));
        require(msg.sender == _judge(dispute), NotArbitrator(msg.sender));
        if (phase == Phase.ASSIGNED) _checkInTime(dispute);
        uint64 from = _rulingFrom(dispute);
        require(block.timestamp >= from, TooEarly(from - 1));
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

    function _enter(Case storage dispute, Phase phase) private returns (uint64 phaseEnds) {
        phaseEnds = uint64(block.timestamp) + _window(phase, dispute.answer);
        dispute.phase = phase;
        dispute.phaseEnds = uint40(phaseEnds);
        dispute.posterHeard = false;
        dispute.workerHeard = false;
    }

    /// @dev Whichever call ends the case of an arbitrator that let its time pass records the miss.
    function _close(uint256 taskId, Case storage dispute) private {
        if (dispute.phase == Phase.ASSIGNED) {
            if (_isLate(dispute)) _slash(taskId, dispute);
            else --_arbitrators[_arbitrator(dispute)].openCases;
        }
        dispute.phase = Phase.CLOSED;
    }

    /// @dev Cases between the same two parties are worth little as a record, however many there are.
    function _countRuling(Case storage dispute) private {
        (address first, address second) = (dispute.poster, dispute.worker);
        if (first > second) (first, second) = (second, first);
        bytes32 pair = keccak256(abi.encode(first, second));
        Arbitrator storage record = _arbitrators[msg.sender];
        ++record.resolved;
        record.judgedAmount += dispute.amount;
        if (_judgedPairs[msg.sender][pair]) return;
        _judgedPairs[msg.sender][pair] = true;
        ++record.pairs;
    }

    /// @dev An agreement that cannot take effect is left alone: an answer never fails because of an arbitrator.
    function _assignIfAgreed(uint256 taskId, Case storage dispute) private {
        address arbitrator = _arbitrator(dispute);
        if (arbitrator == address(0) || arbitrator != dispute.workerPick) return;
        if (!_canJudge(dispute, arbitrator)) return;
        ++_arbitrators[arbitrator].openCases;
        emit ArbitratorAssigned(taskId, arbitrator, _enter(dispute, Phase.ASSIGNED));
    }

    function _pullBond(uint256 taskId, Case storage dispute, address payer) private {
        uint96 bond = _bond(dispute);
        emit DisputeBond(taskId, payer, bond);
        gateway.pull(payer, bond);
    }

    /// @dev A judge in office has begun to work: half of each bond is its fee, unless its time is over.
    function _settleBonds(uint256 taskId) private {
        Case storage dispute = _cases[taskId];
        address judge = _judgeInTime(dispute);
        uint96 half = judge == address(0) ? 0 : _bond(dispute) / 2;
        _close(taskId, dispute);
        _payBonds(taskId, dispute, judge, _isOpenerBonded(dispute) ? half : 0, _isBonded(dispute) ? half : 0);
    }

    /// @dev Pays `to` out of both bonds and gives back what remains of each to its payer.
    function _payBonds(uint256 taskId, Case storage dispute, address to, uint96 posterPays, uint96 workerPays) private {
        uint96 bond = _bond(dispute);
        _pay(taskId, to, posterPays + workerPays);
        if (_isOpenerBonded(dispute)) _pay(taskId, dispute.poster, bond - posterPays);
        if (_isBonded(dispute)) _pay(taskId, _workerPayer(dispute), bond - workerPays);
    }

    function _pay(uint256 taskId, address to, uint96 amount) private {
        if (amount == 0) return;
        emit DisputeBondPaid(taskId, to, amount);
        tok.safeTransfer(to, amount);
    }

    /// @dev A miss costs what was at stake for the parties: at most a tenth of the arbitrator's own bond, and at least a
    /// tenth of the smallest bond.
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

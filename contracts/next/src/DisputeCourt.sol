// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {Arbitrators} from "./Arbitrators.sol";
import {Splits} from "./Splits.sol";
import {BPS, DISPUTE_BPS, Phase, SettlementKind, Wiring} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IPricingPolicy} from "./interfaces/IPricingPolicy.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";
import {IUsdOracle} from "./interfaces/IUsdOracle.sol";

/// @title DisputeCourt
/// @notice See IDisputeCourt.
contract DisputeCourt is Arbitrators {
    using SafeERC20 for IERC20;

    uint64 public constant ANSWER_WINDOW = 3 days;
    uint64 public constant PROPOSE_WINDOW = 3 days;
    uint64 public constant RESOLVE_WINDOW = 5 days;
    uint64 public constant FALLBACK_WINDOW = 7 days;
    /// @dev The time for a ruling after an answer without a bond. Together with the answer window it is one fallback window,
    /// so such an answer never makes a case longer.
    uint64 private constant UNBONDED_WINDOW = FALLBACK_WINDOW - ANSWER_WINDOW;

    /// @dev How the worker answered.
    enum Answer {
        NONE,
        WITH_BOND,
        WITHOUT_BOND
    }

    /// @dev Two slots at the opening, and one for each pick. `posterHeard` and `workerHeard`: the side filed or waived
    /// evidence since a judge is in office.
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
    }

    ITaskRegistry public immutable registry;
    uint32 public immutable hearingTime;
    /// @dev Zero where the chain has no feed of its sequencer.
    IUsdOracle private immutable _outages;

    mapping(uint256 taskId => Case) private _cases;

    constructor(
        Wiring memory wiring,
        address owner_,
        address fallback_,
        uint96 minBond_,
        uint32 hearingTime_
    ) Arbitrators(wiring, owner_, fallback_, minBond_) {
        registry = ITaskRegistry(wiring.registry);
        hearingTime = hearingTime_;
        _outages = IPricingPolicy(wiring.policy).outageOracle();
    }

    // Disputes

    /// @inheritdoc IDisputeCourt
    function open(
        uint256 taskId,
        address poster,
        address worker,
        uint96 amount,
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
        emit DisputeCreated(taskId, _enter(dispute, Phase.ANSWERING));

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
        require(msg.sender == dispute.worker, NotParty(msg.sender));

        // Effect:
        dispute.answer = withBond ? Answer.WITH_BOND : Answer.WITHOUT_BOND;
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
        if (dispute.phase == Phase.ASSIGNED) _countRuling(msg.sender, dispute.poster, dispute.worker, dispute.amount);
        address judge = _judgeInTime(dispute);
        Splits.Split memory split = _ruled(dispute, judge, workerBps);
        _close(taskId, dispute);
        emit DisputeResolved(taskId, msg.sender, workerBps, reasonHash, split.toJudge, reasonUri);

        // Interaction:
        _payOut(taskId, dispute, judge, split);
        registry.settleDispute(taskId, SettlementKind.RULING, workerBps, _collateralTo(dispute, judge));
    }

    /// @inheritdoc IDisputeCourt
    function concede(uint256 taskId, Phase expectedPhase) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase != Phase.NONE && phase != Phase.CLOSED, WrongPhase(phase));
        _checkPhase(dispute, expectedPhase);
        bool byPoster = _checkParty(dispute);

        // Effect: with a judge in office it counts as the ruling that it would have been; before, half a bond is lost.
        uint16 workerBps = byPoster ? BPS : 0;
        address judge = _judgeInTime(dispute);
        Splits.Split memory split =
            _hasJudge(phase)
                ? _ruled(dispute, judge, workerBps)
                : Splits.conceded(_bond(dispute), _isBonded(dispute), byPoster);
        _close(taskId, dispute);
        emit DisputeConceded(taskId, msg.sender, phase);

        // Interaction:
        _payOut(taskId, dispute, judge, split);
        registry.settleDispute(taskId, SettlementKind.RULING, workerBps, _collateralTo(dispute, judge));
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
        if (phase == Phase.ASSIGNED) _slash(taskId, _arbitrator(dispute), _bond(dispute));
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
        _payOut(taskId, dispute, address(0), Splits.whole(_bond(dispute), _isBonded(dispute)));
        SettlementKind kind = defaulted ? SettlementKind.RULING : SettlementKind.SILENCE;
        registry.settleDispute(taskId, kind, workerBps, address(0));
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
        address collateralTo = _cases[taskId].phase == Phase.NONE ? address(0) : _settleBonds(taskId);
        registry.settleDispute(taskId, SettlementKind.MUTUAL, workerBps, collateralTo);
    }

    // Views

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
        view_.isBonded = _isBonded(dispute);
        view_.amount = dispute.amount;
        view_.bond = _bond(dispute);
        view_.rulingFrom = view_.judge == address(0) ? 0 : _rulingFrom(dispute);
    }

    /// @inheritdoc IDisputeCourt
    function phaseOf(uint256 taskId) external view returns (Phase) {
        return _cases[taskId].phase;
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
        return block.timestamp > dispute.phaseEnds && !_isOutage(dispute.phaseEnds);
    }

    /// @dev Whether the chain stands still or has done so within the last hour.
    function _isOutage(uint64 end) private view returns (bool) {
        return address(_outages) != address(0) && _outages.isOutage(end);
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
        return _isBonded(dispute) ? BPS / 2 : 0;
    }

    function _isBonded(Case storage dispute) private view returns (bool) {
        return dispute.answer == Answer.WITH_BOND;
    }

    function _bond(Case storage dispute) private view returns (uint96) {
        return _share(dispute.amount, DISPUTE_BPS);
    }

    /// @dev A judge that is late, or a case without one, costs nobody anything.
    function _ruled(Case storage dispute, address judge, uint16 workerBps) private view returns (Splits.Split memory) {
        if (judge == address(0)) return Splits.whole(_bond(dispute), _isBonded(dispute));
        return Splits.ruled(_bond(dispute), _isBonded(dispute), workerBps);
    }

    /// @dev Whom the collateral of the parties pays: the judge of a case that was answered without a bond.
    function _collateralTo(Case storage dispute, address judge) private view returns (address) {
        return dispute.answer == Answer.WITHOUT_BOND ? judge : address(0);
    }

    function _canJudge(Case storage dispute, address arbitrator) private view returns (bool) {
        Arbitrator storage record = _arbitrators[arbitrator];
        return isEligible(arbitrator) && dispute.amount >= record.minHeld && record.bond >= _bond(dispute);
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
            if (_isLate(dispute)) _slash(taskId, _arbitrator(dispute), _bond(dispute));
            else --_arbitrators[_arbitrator(dispute)].openCases;
        }
        dispute.phase = Phase.CLOSED;
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
        paymentGateway.pull(payer, bond);
    }

    /// @dev A judge in office has begun to work: both sides pay it by halves, unless its time is over.
    function _settleBonds(uint256 taskId) private returns (address collateralTo) {
        Case storage dispute = _cases[taskId];
        address judge = _judgeInTime(dispute);
        collateralTo = _collateralTo(dispute, judge);
        bool isPaid = judge != address(0) && _isBonded(dispute);
        Splits.Split memory split =
            isPaid ? Splits.ruled(_bond(dispute), true, BPS / 2) : Splits.whole(_bond(dispute), _isBonded(dispute));
        _close(taskId, dispute);
        _payOut(taskId, dispute, judge, split);
    }

    function _payOut(uint256 taskId, Case storage dispute, address judge, Splits.Split memory split) private {
        uint256 held = uint256(_bond(dispute)) * (_isBonded(dispute) ? 2 : 1);
        assert(uint256(split.toJudge) + split.burned + split.toPoster + split.toWorker == held);
        _pay(taskId, judge, split.toJudge);
        _pay(taskId, dispute.poster, split.toPoster);
        _pay(taskId, dispute.worker, split.toWorker);
        if (split.burned != 0) ERC20Burnable(address(tok)).burn(split.burned);
    }

    function _pay(uint256 taskId, address to, uint96 amount) private {
        if (amount == 0) return;
        emit DisputeBondPaid(taskId, to, amount);
        tok.safeTransfer(to, amount);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BPS, DISPUTE_BPS, Phase, SettlementKind, Wiring} from "./Types.sol";
import {IDisputeCourt} from "./interfaces/IDisputeCourt.sol";
import {IPaymentGateway} from "./interfaces/IPaymentGateway.sol";
import {ITaskRegistry} from "./interfaces/ITaskRegistry.sol";

/// @title DisputeCourt
/// @notice See IDisputeCourt.
contract DisputeCourt is IDisputeCourt, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    uint64 public constant PROPOSE_WINDOW = 3 days;
    uint64 public constant RESOLVE_WINDOW = 5 days;
    uint64 public constant FALLBACK_WINDOW = 7 days;
    uint64 public constant UNBOND_DELAY = 14 days;
    uint16 public constant MISS_SLASH_BPS = 1_000;

    /// @dev What is stored of a dispute: two slots at the opening and one for each pick. Opener and bond follow from
    /// the rest; the arbitrator is whom both picked, so that an assigned case can read it from either.
    struct Case {
        address poster;
        Phase phase;
        uint64 phaseEnds;
        bool openedByPoster;
        address worker;
        uint96 amount;
        address posterPick;
        address workerPick;
    }

    IERC20 public immutable tok;
    IPaymentGateway public immutable gateway;
    ITaskRegistry public immutable registry;
    address public immutable treasury;
    /// @dev The one trusted party of the design: it may split the disputed milestone of an escalated case.
    address public immutable fallbackArbitrator;
    uint96 public immutable minBond;

    uint256 public totalBonded;
    address[] private _arbitratorList;
    mapping(address arbitrator => Arbitrator) private _arbitrators;
    mapping(uint256 taskId => Case) private _cases;

    constructor(Wiring memory wiring, address fallbackArbitrator_, uint96 minBond_) {
        tok = IERC20(wiring.tok);
        gateway = IPaymentGateway(wiring.gateway);
        registry = ITaskRegistry(wiring.registry);
        treasury = wiring.treasury;
        fallbackArbitrator = fallbackArbitrator_;
        minBond = minBond_;
    }

    // Arbitrators

    /// @inheritdoc IDisputeCourt
    function registerArbitrator(uint96 amount, uint96 minHeld) external nonReentrant {
        Arbitrator storage record = _arbitrators[msg.sender];

        // Check:
        uint96 bond = (uint256(record.bond) + amount).toUint96();
        require(bond >= minBond, BondTooLow(bond, minBond));

        // Effect: an arbitrator that comes back keeps its place in the list.
        if (record.bond == 0 && record.unbondAt == 0) _arbitratorList.push(msg.sender);
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
    function open(uint256 taskId, address poster, address worker, address opener, uint96 amount)
        external
        nonReentrant
    {
        // Check:
        require(msg.sender == address(registry), NotRegistry(msg.sender));

        // Effect: a task is disputed once at most, since every way out of DISPUTED is final.
        Case storage dispute = _cases[taskId];
        uint64 phaseEnds = uint64(block.timestamp) + PROPOSE_WINDOW;
        dispute.poster = poster;
        dispute.phase = Phase.PROPOSING;
        dispute.phaseEnds = phaseEnds;
        dispute.openedByPoster = opener == poster;
        dispute.worker = worker;
        dispute.amount = amount;
        uint96 bond = _share(amount, DISPUTE_BPS);
        emit DisputeCreated(taskId, phaseEnds);
        emit DisputeBond(taskId, opener, bond);

        // Interaction:
        gateway.pull(opener, bond);
    }

    /// @inheritdoc IDisputeCourt
    function proposeArbitrator(uint256 taskId, address arbitrator) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        require(dispute.phase == Phase.PROPOSING, WrongPhase(dispute.phase));
        require(block.timestamp <= dispute.phaseEnds, TooLate(dispute.phaseEnds));
        address poster = dispute.poster;
        address worker = dispute.worker;
        require(msg.sender == poster || msg.sender == worker, NotParty(msg.sender));
        require(arbitrator != poster && arbitrator != worker, ArbitratorIsParty(arbitrator));
        require(
            isEligible(arbitrator) && dispute.amount >= _arbitrators[arbitrator].minHeld, NotEligible(arbitrator)
        );

        // Effect:
        emit ArbitratorProposed(taskId, msg.sender, arbitrator);
        address otherPick = msg.sender == poster ? dispute.workerPick : dispute.posterPick;
        if (msg.sender == poster) dispute.posterPick = arbitrator;
        else dispute.workerPick = arbitrator;
        if (otherPick != arbitrator) return;
        uint64 phaseEnds = uint64(block.timestamp) + RESOLVE_WINDOW;
        dispute.phase = Phase.ASSIGNED;
        dispute.phaseEnds = phaseEnds;
        ++_arbitrators[arbitrator].openCases;
        emit ArbitratorAssigned(taskId, arbitrator, phaseEnds);
    }

    /// @inheritdoc IDisputeCourt
    function resolveDispute(uint256 taskId, uint16 workerBps, bytes32 reasonHash) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.ASSIGNED || phase == Phase.ESCALATED, WrongPhase(phase));
        bool assigned = phase == Phase.ASSIGNED;
        require(
            msg.sender == (assigned ? dispute.posterPick : fallbackArbitrator), NotArbitrator(msg.sender)
        );
        // Nobody proposed the fallback: its own tasks are kept from it here.
        require(msg.sender != dispute.poster && msg.sender != dispute.worker, ArbitratorIsParty(msg.sender));
        require(!assigned || block.timestamp <= dispute.phaseEnds, TooLate(dispute.phaseEnds));
        require(workerBps <= BPS, BadBps(workerBps));

        // Effect:
        dispute.phase = Phase.CLOSED;
        if (assigned) {
            --_arbitrators[msg.sender].openCases;
            ++_arbitrators[msg.sender].resolved;
        }
        uint96 fee = _share(dispute.amount, DISPUTE_BPS);
        emit DisputeResolved(taskId, msg.sender, workerBps, reasonHash, fee);

        // Interaction: an opener that got less than half pays the fee with its bond; otherwise the milestone does.
        uint16 openerBps = dispute.openedByPoster ? BPS - workerBps : workerBps;
        bool bondPays = openerBps < BPS / 2;
        _payBond(taskId, dispute, bondPays ? msg.sender : _opener(dispute));
        registry.settleDispute(taskId, SettlementKind.RULING, workerBps, msg.sender, bondPays ? 0 : fee);
    }

    /// @inheritdoc IDisputeCourt
    function escalate(uint256 taskId) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        Phase phase = dispute.phase;
        require(phase == Phase.PROPOSING || phase == Phase.ASSIGNED, WrongPhase(phase));
        _checkPhaseOver(dispute);

        // Effect:
        uint64 phaseEnds = uint64(block.timestamp) + FALLBACK_WINDOW;
        dispute.phase = Phase.ESCALATED;
        dispute.phaseEnds = phaseEnds;
        emit DisputeEscalated(taskId, msg.sender, phaseEnds);

        // Effect, Interaction:
        if (phase == Phase.ASSIGNED) _slash(taskId, dispute.posterPick);
    }

    /// @inheritdoc IDisputeCourt
    function resolveTimedOut(uint256 taskId) external nonReentrant {
        Case storage dispute = _cases[taskId];

        // Check:
        require(dispute.phase == Phase.ESCALATED, WrongPhase(dispute.phase));
        _checkPhaseOver(dispute);

        // Effect:
        dispute.phase = Phase.CLOSED;
        emit DisputeTimedOut(taskId, BPS / 2);

        // Interaction:
        _payBond(taskId, dispute, _opener(dispute));
        registry.settleDispute(taskId, SettlementKind.TIMEOUT, BPS / 2, address(0), 0);
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

        // Effect:
        Case storage dispute = _cases[taskId];
        Phase phase = dispute.phase;
        if (phase != Phase.NONE) dispute.phase = Phase.CLOSED;
        if (phase == Phase.ASSIGNED) --_arbitrators[dispute.posterPick].openCases;
        emit MutuallySettled(taskId, workerBps);

        // Interaction:
        if (phase != Phase.NONE) _payBond(taskId, dispute, _opener(dispute));
        registry.settleDispute(taskId, SettlementKind.MUTUAL, workerBps, address(0), 0);
    }

    // Views

    /// @inheritdoc IDisputeCourt
    function arbitratorOf(address arbitrator) external view returns (Arbitrator memory record, bool eligible) {
        return (_arbitrators[arbitrator], isEligible(arbitrator));
    }

    /// @inheritdoc IDisputeCourt
    function arbitrators(uint256 from, uint256 count)
        external
        view
        returns (address[] memory accounts, Arbitrator[] memory records, uint256 total)
    {
        total = _arbitratorList.length;
        uint256 size = from >= total ? 0 : count < total - from ? count : total - from;
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
        view_.arbitrator = dispute.posterPick == dispute.workerPick ? dispute.posterPick : address(0);
        view_.posterPick = dispute.posterPick;
        view_.workerPick = dispute.workerPick;
        view_.amount = dispute.amount;
        view_.opener = _opener(dispute);
        view_.bond = _share(dispute.amount, DISPUTE_BPS);
    }

    /// @inheritdoc IDisputeCourt
    function isEligible(address arbitrator) public view returns (bool) {
        Arbitrator storage record = _arbitrators[arbitrator];
        return record.bond >= minBond && record.unbondAt == 0;
    }

    // Parts

    function _checkPhaseOver(Case storage dispute) private view {
        require(block.timestamp > dispute.phaseEnds, TooEarly(dispute.phaseEnds));
    }

    /// @dev A party's own transaction is its consent.
    function _checkSignature(address signer, bytes32 digest, bytes calldata signature) private view {
        if (msg.sender == signer) return;
        require(SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature), BadSignature(signer));
    }

    function _opener(Case storage dispute) private view returns (address) {
        return dispute.openedByPoster ? dispute.poster : dispute.worker;
    }

    function _payBond(uint256 taskId, Case storage dispute, address to) private {
        uint96 bond = _share(dispute.amount, DISPUTE_BPS);
        emit DisputeBondPaid(taskId, to, bond);
        tok.safeTransfer(to, bond);
    }

    function _slash(uint256 taskId, address arbitrator) private {
        Arbitrator storage record = _arbitrators[arbitrator];
        uint96 amount = _share(record.bond, MISS_SLASH_BPS);
        uint96 bond = record.bond - amount;
        record.bond = bond;
        --record.openCases;
        ++record.missed;
        totalBonded -= amount;
        emit ArbitratorSlashed(arbitrator, taskId, amount, bond);
        tok.safeTransfer(treasury, amount);
    }

    function _share(uint96 amount, uint16 bps) private pure returns (uint96) {
        return uint96((uint256(amount) * bps) / BPS);
    }
}

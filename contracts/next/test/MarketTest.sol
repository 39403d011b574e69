// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import "../src/Types.sol";
import {IDepositVault} from "../src/interfaces/IDepositVault.sol";
import {IDisputeCourt} from "../src/interfaces/IDisputeCourt.sol";
import {IEscrowVault} from "../src/interfaces/IEscrowVault.sol";
import {IMarketErrors} from "../src/interfaces/IMarketErrors.sol";
import {MarketLens} from "../src/MarketLens.sol";
import {IPaymentGateway} from "../src/interfaces/IPaymentGateway.sol";
import {PostedPriceFeed} from "../src/PostedPriceFeed.sol";
import {IPriceFeed} from "../src/interfaces/IPriceFeed.sol";
import {IPricingPolicy} from "../src/interfaces/IPricingPolicy.sol";
import {IReputationRegistry} from "../src/interfaces/IReputationRegistry.sol";
import {IStakingVault} from "../src/interfaces/IStakingVault.sol";
import {ITaskRegistry} from "../src/interfaces/ITaskRegistry.sol";
import {IUsdOracle} from "../src/interfaces/IUsdOracle.sol";
import {Test, Vm} from "./Test.sol";

// A test imports the whole file of its base, and with it the words of the market: types, interfaces and errors.

/// @notice What tests use of TOK and of the test USDC: the latter alone can mint, the former alone can burn.
interface ITestToken is IERC20, IERC20Permit {
    function mint(address to, uint256 amount) external;

    function burn(uint256 amount) external;
}

/// @dev What the compiler's own check of a sum reverts with.
bytes constant ARITHMETIC_PANIC = abi.encodeWithSignature("Panic(uint256)", 0x11);

/// @dev What an amount or a sum reverts with that the contracts cannot count.
function beyond96Bits(uint256 value) pure returns (bytes memory) {
    return abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, uint8(96), value);
}

/// @dev How often an event stands in recorded logs; a test that expects silence asks for 0.
function countOf(Vm.Log[] memory logs, bytes32 eventTopic) pure returns (uint256 count) {
    for (uint256 index = 0; index < logs.length; ++index) {
        if (logs[index].topics[0] == eventTopic) ++count;
    }
}

/// @dev Which of the two markets is tested.
abstract contract WhichMarket {
    bool internal isMicro;
}

/// @notice Runs an abstract test a second time, on the micro market: `contract NameMicroTest is OnMicro, Name {}`.
abstract contract OnMicro is WhichMarket {
    constructor() {
        isMicro = true;
    }
}

/// @notice A whole market, its people, and short ways to every state of a task.
abstract contract MarketTest is Test, WhichMarket {
    uint96 internal constant FEE = 1_000e18;
    uint96 internal constant ENTRY = 25e6;
    uint96 internal constant BOND = 5e6;
    uint96 internal constant TOTAL = 6_000e18;
    uint96 internal constant MIN_TOTAL = 100e18;
    uint96 internal constant MIN_BOND = 10_000e18;
    uint32 internal constant HEARING = 1 days;
    uint32 internal constant REVIEW = 3 days;
    uint64 internal constant START = 1_780_000_000;
    bytes32 internal constant CRITERIA = keccak256("It works.");
    bytes32 internal constant PROOF = keccak256("proof");
    bytes32 internal constant EVIDENCE = keccak256("evidence");
    string internal constant EVIDENCE_URI = "data:application/json,%22evidence%22";
    bytes32 internal constant REASON = keccak256("reason");
    string internal constant REASON_URI = "data:application/json,%22reason%22";
    uint96 internal constant WALLET_TOK = 10_000_000e18;
    uint96 internal constant WALLET_USDC = 10_000e6;

    ITestToken internal tok;
    ITestToken internal usdc;
    PostedPriceFeed internal feed;
    IUsdOracle internal oracle;
    MarketLens internal lens;
    IPricingPolicy internal policy;
    IPaymentGateway internal paymentGateway;
    IDepositVault internal deposits;
    IEscrowVault internal escrow;
    ITaskRegistry internal registry;
    IDisputeCourt internal court;
    IStakingVault internal staking;
    IReputationRegistry internal reputation;

    /// @dev Most tests have none.
    address internal sequencerFeed;
    address internal owner = makeAddr("owner");
    address internal treasury = makeAddr("treasury");
    address internal fallbackArbitrator = makeAddr("fallbackArbitrator");
    address internal publisher = makeAddr("publisher");
    address internal stranger = makeAddr("stranger");
    address internal poster;
    address internal worker;
    address internal rival;
    address internal arbitrator;
    uint256 internal posterKey;
    uint256 internal workerKey;

    function setUp() public virtual {
        vm.chainId(8453);
        vm.warp(START);
        tok = ITestToken(deploy("TokToken", abi.encode(address(this), 1_000_000_000e18)));
        usdc = ITestToken(deploy("TestUsdc", ""));
        deployMarket(address(tok), address(usdc));
        (poster, posterKey) = makeAddrAndKey("poster");
        (worker, workerKey) = makeAddrAndKey("worker");
        rival = makeAddr("rival");
        arbitrator = makeAddr("arbitrator");
        equipPeople();
    }

    /// @dev With money and deposits; the arbitrator is registered.
    function equipPeople() internal {
        equip(poster);
        equip(worker);
        equip(rival);
        equip(arbitrator);
        courtAs(arbitrator).registerArbitrator(MIN_BOND, 0);
    }

    /// @dev By name instead of `new`: a test file then compiles without the code of all that it deploys.
    function deploy(string memory name, bytes memory arguments) internal returns (address deployed) {
        bytes memory code = bytes.concat(vm.getCode(string.concat(name, ".sol:", name)), arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        require(deployed != address(0), string.concat(name, " was not deployed"));
    }

    /// @dev What differs between the two markets.
    struct Parameters {
        uint96 bondUsdc;
        uint96 minTotal;
        uint32 minReview;
        uint32 maxReview;
        uint32 hearing;
        uint96 creditCap;
        uint96 creditRate;
    }

    function parameters() internal view returns (Parameters memory) {
        if (isMicro) return Parameters(1e6, 1e18, 4 hours, 7 days, 4 hours, 250_000e18, 0.0025e18);
        return Parameters(BOND, MIN_TOTAL, 12 hours, 30 days, HEARING, 1_000_000e18, 0.01e18);
    }

    /// @dev No cap, except where a test is about it.
    function launchCap() internal pure virtual returns (uint96) {
        return type(uint96).max;
    }

    /// @dev Any token may stand in for TOK or USDC, so that hostile ones can be tried.
    function deployMarket(address tokAddress, address usdcAddress) internal {
        Parameters memory market = parameters();
        feed = PostedPriceFeed(deploy("PostedPriceFeed", abi.encode(address(this), 2_000, 60)));
        feed.setPublisher(publisher, true);
        oracle = IUsdOracle(deploy("UsdOracle", abi.encode(feed, sequencerFeed, 1 days, 1, 1e12)));
        lens = MarketLens(deploy("MarketLens", ""));
        policy = IPricingPolicy(
            deploy(
                "PricingPolicy",
                abi.encode(owner, oracle, IPricingPolicy.Figures(FEE, ENTRY, 45e6, 8e6, market.bondUsdc))
            )
        );
        Wiring memory wiring = wire(tokAddress, usdcAddress);
        paymentGateway = IPaymentGateway(deploy("PaymentGateway", abi.encode(wiring)));
        deposits = IDepositVault(deploy("DepositVault", abi.encode(wiring)));
        escrow = IEscrowVault(deploy("EscrowVault", abi.encode(wiring)));
        registry = ITaskRegistry(
            deploy(
                "TaskRegistry",
                abi.encode(wiring, owner, market.minTotal, launchCap(), market.minReview, market.maxReview)
            )
        );
        court = IDisputeCourt(
            deploy("DisputeCourt", abi.encode(wiring, owner, fallbackArbitrator, MIN_BOND, market.hearing))
        );
        staking = IStakingVault(
            deploy("StakingVault", abi.encode(wiring, owner, market.creditCap, market.creditRate, 38_580_246_914))
        );
        reputation = IReputationRegistry(deploy("ReputationRegistry", abi.encode(wiring)));
        feedAs(publisher).publish(500_000);
        vm.startPrank(owner);
        policy.setPlan("free", 3, 0, 0, true);
        policy.setPlan("basic", 25, 20e6, 1_000, true);
        vm.stopPrank();
    }

    function wire(address tokAddress, address usdcAddress) internal view returns (Wiring memory wiring) {
        uint64 nonce = vm.getNonce(address(this));
        wiring.tok = tokAddress;
        wiring.usdc = usdcAddress;
        wiring.policy = address(policy);
        wiring.paymentGateway = vm.computeCreateAddress(address(this), nonce);
        wiring.deposits = vm.computeCreateAddress(address(this), nonce + 1);
        wiring.escrow = vm.computeCreateAddress(address(this), nonce + 2);
        wiring.registry = vm.computeCreateAddress(address(this), nonce + 3);
        wiring.court = vm.computeCreateAddress(address(this), nonce + 4);
        wiring.staking = vm.computeCreateAddress(address(this), nonce + 5);
        wiring.reputation = vm.computeCreateAddress(address(this), nonce + 6);
        wiring.treasury = treasury;
    }

    /// @dev Money, allowances and a deposit well above every threshold.
    function equip(address agent) internal {
        tok.transfer(agent, WALLET_TOK);
        usdc.mint(agent, WALLET_USDC);
        vm.startPrank(agent);
        tok.approve(address(paymentGateway), type(uint256).max);
        usdc.approve(address(paymentGateway), type(uint256).max);
        usdc.approve(address(deposits), type(uint256).max);
        deposits.topUp(1_000e6);
        vm.stopPrank();
    }

    function openStaking() internal {
        stakingAs(owner).activate();
    }

    // The contracts, called once by somebody: `registryAs(poster).cancelTask(taskId)`

    function registryAs(address caller) internal returns (ITaskRegistry) {
        vm.prank(caller);
        return registry;
    }

    function courtAs(address caller) internal returns (IDisputeCourt) {
        vm.prank(caller);
        return court;
    }

    function depositsAs(address caller) internal returns (IDepositVault) {
        vm.prank(caller);
        return deposits;
    }

    function stakingAs(address caller) internal returns (IStakingVault) {
        vm.prank(caller);
        return staking;
    }

    function paymentGatewayAs(address caller) internal returns (IPaymentGateway) {
        vm.prank(caller);
        return paymentGateway;
    }

    function policyAs(address caller) internal returns (IPricingPolicy) {
        vm.prank(caller);
        return policy;
    }

    function tokAs(address caller) internal returns (ITestToken) {
        vm.prank(caller);
        return tok;
    }

    function usdcAs(address caller) internal returns (ITestToken) {
        vm.prank(caller);
        return usdc;
    }

    function feedAs(address caller) internal returns (PostedPriceFeed) {
        vm.prank(caller);
        return feed;
    }

    // Terms

    function postParams() internal view returns (ITaskRegistry.PostParams memory params) {
        params.totalAmount = TOTAL;
        params.deadline = uint64(block.timestamp) + 10 days;
        params.reviewPeriod = REVIEW;
        params.criteriaHash = CRITERIA;
        params.uri = "data:application/json,{}";
    }

    /// @dev Three milestones of 1000, 2000 and 3000 TOK.
    function threeMilestones() internal pure returns (uint96[] memory amounts) {
        amounts = new uint96[](3);
        amounts[0] = 1_000e18;
        amounts[1] = 2_000e18;
        amounts[2] = 3_000e18;
    }

    function signedTerms(Scope scope, uint96[] memory amounts) internal view returns (TaskTerms memory terms) {
        terms.poster = poster;
        terms.worker = worker;
        terms.totalAmount = TOTAL;
        terms.milestonesHash = keccak256(abi.encodePacked(amounts));
        terms.criteriaHash = CRITERIA;
        terms.deadline = uint64(block.timestamp) + 10 days;
        terms.reviewPeriod = REVIEW;
        terms.scope = scope;
        terms.salt = keccak256("negotiation");
        terms.acceptBy = uint64(block.timestamp) + 1 days;
    }

    // Ways to each state

    function post(uint96[] memory amounts, uint96 fundNow) internal returns (uint256 taskId) {
        ITaskRegistry.PostParams memory params = postParams();
        params.milestones = amounts;
        params.fundNow = fundNow;
        taskId = registryAs(poster).postTask(params);
    }

    function posted() internal returns (uint256 taskId) {
        taskId = post(new uint96[](0), TOTAL);
    }

    function postedUnfunded() internal returns (uint256 taskId) {
        taskId = post(new uint96[](0), 0);
    }

    function claim(uint256 taskId, address agent) internal {
        bytes32 digest = registry.openDigest(taskId, agent);
        registryAs(agent).claimTask(taskId, digest);
    }

    /// @dev CLAIMED: nothing is in escrow yet.
    function claimed() internal returns (uint256 taskId) {
        taskId = postedUnfunded();
        claim(taskId, worker);
    }

    /// @dev ACTIVE: the worker claimed a funded task by itself, and the poster has not said "this worker".
    function onTrial() internal returns (uint256 taskId) {
        taskId = posted();
        claim(taskId, worker);
    }

    /// @dev ACTIVE: a task by both signatures, fully funded.
    function created(Scope scope) internal returns (uint256 taskId) {
        TaskTerms memory terms = signedTerms(scope, new uint96[](0));
        terms.salt = keccak256(abi.encode("negotiation", registry.taskCount()));
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        taskId = registryAs(poster).createTask(terms, new uint96[](0), workerSig, "", TOTAL);
    }

    function start(uint256 taskId) internal {
        bytes32 digest = registry.taskOf(taskId).settlementDigest;
        registryAs(poster).startWork(taskId, digest);
    }

    /// @dev ACTIVE: the poster has said "this worker".
    function active() internal returns (uint256 taskId) {
        taskId = onTrial();
        start(taskId);
    }

    function activeWithMilestones() internal returns (uint256 taskId) {
        taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        start(taskId);
    }

    /// @dev The worker on record delivers the current milestone.
    function deliver(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.worker).submitProof(taskId, task.milestone, PROOF, "ipfs://proof");
    }

    function delivered() internal returns (uint256 taskId) {
        taskId = active();
        deliver(taskId);
    }

    function deliveredWithMilestones() internal returns (uint256 taskId) {
        taskId = activeWithMilestones();
        deliver(taskId);
    }

    // Ways out: each names what the task says now

    /// @dev The poster pays the delivery as it is now.
    function accept(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.poster).acceptMilestone(taskId, task.milestone, task.updatedAt);
    }

    /// @dev The poster pays everything to the worker on record.
    function complete(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.poster).completeTask(taskId, task.settlementDigest);
    }

    /// @dev The worker on record leaves.
    function leaveTask(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.worker).leaveTask(taskId, task.state);
    }

    function dismiss(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.poster).dismissWorker(taskId, task.settlementDigest);
    }

    // Ways to each phase of a dispute

    /// @dev The poster disputes the delivery as it is now.
    function openDispute(uint256 taskId) internal {
        TaskView memory task = registry.taskOf(taskId);
        registryAs(task.poster).openDispute(taskId, task.updatedAt, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev ANSWERING: the poster's bond is in, the other side has not answered.
    function disputed() internal returns (uint256 taskId) {
        taskId = delivered();
        openDispute(taskId);
    }

    function answerWithBond(uint256 taskId) internal {
        address by = registry.taskOf(taskId).worker;
        courtAs(by).answerDispute(taskId, true, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev Both sides say to the judge in office that they have nothing to add, so that it can rule at once.
    function waiveHearing(uint256 taskId) internal {
        (address taskPoster, address taskWorker) = registry.partiesOf(taskId);
        courtAs(taskPoster).submitEvidence(taskId, 0, "");
        courtAs(taskWorker).submitEvidence(taskId, 0, "");
    }

    function answerWithoutBond(uint256 taskId) internal {
        address by = registry.taskOf(taskId).worker;
        courtAs(by).answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev PROPOSING: both bonds are in, the worker paid its own.
    function answered() internal returns (uint256 taskId) {
        taskId = disputed();
        answerWithBond(taskId);
    }

    /// @dev ESCALATED at once: the worker answered without a bond.
    function unbonded() internal returns (uint256 taskId) {
        taskId = disputed();
        answerWithoutBond(taskId);
        waiveHearing(taskId);
    }

    /// @dev Both parties of an answered dispute name the arbitrator, who may rule at once.
    function agree(uint256 taskId, address candidate) internal {
        (address taskPoster, address taskWorker) = registry.partiesOf(taskId);
        courtAs(taskPoster).proposeArbitrator(taskId, candidate);
        courtAs(taskWorker).proposeArbitrator(taskId, candidate);
        waiveHearing(taskId);
    }

    /// @dev ASSIGNED: both bonds are in, both parties named the arbitrator.
    function assigned() internal returns (uint256 taskId) {
        taskId = answered();
        agree(taskId, arbitrator);
    }

    /// @dev ESCALATED: both bonds are in, nobody agreed on an arbitrator for three days.
    function escalated() internal returns (uint256 taskId) {
        taskId = answered();
        skip(3 days + 1);
        court.escalate(taskId);
        waiveHearing(taskId);
    }

    // What to look at

    function stateOf(uint256 taskId) internal view returns (State) {
        return registry.taskOf(taskId).state;
    }

    function assertState(uint256 taskId, State expected) internal view {
        assertEq(uint256(stateOf(taskId)), uint256(expected), "state");
    }

    function taskOf(uint256 taskId) internal view returns (TaskView memory) {
        return registry.taskOf(taskId);
    }

    /// @dev What escrow holds for all tasks together.
    function heldInAll() internal view returns (uint256 sum) {
        uint256 count = registry.taskCount();
        for (uint256 taskId = 1; taskId <= count; ++taskId) sum += escrow.heldOf(taskId);
    }

    function assertPhase(uint256 taskId, Phase expected) internal view {
        assertEq(uint256(court.phaseOf(taskId)), uint256(expected), "phase");
    }

    function lockedOf(address agent) internal view returns (uint96) {
        (IDepositVault.Account memory account, , , ) = deposits.accountOf(agent);
        return account.locked;
    }

    function depositOf(address agent) internal view returns (uint96) {
        (IDepositVault.Account memory account, , , ) = deposits.accountOf(agent);
        return account.balance;
    }

    // Logs that many tests announce

    function expectStateLog(uint256 taskId, State state, uint32 round, uint8 milestone) internal {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, state, round, milestone);
    }

    function expectDeadlineLog(uint256 taskId, uint64 deadline) internal {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DeadlineMoved(taskId, deadline);
    }

    function expectUnlockLog(address agent, uint256 left) internal {
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(agent, uint96(left));
    }

    function expectMarkLog(address agent, RepKind kind, uint32 count) internal {
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.ReputationChanged(agent, kind, count);
    }

    function expectRefundLog(uint256 taskId, address to, uint96 amount) internal {
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, to, amount);
    }

    function expectReleaseLog(uint256 taskId, address to, uint96 amount, uint96 total) internal {
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Released(taskId, to, amount, total);
    }

    function expectTransferLog(address from, address to, uint256 amount) internal {
        vm.expectEmit(address(tok));
        emit IERC20.Transfer(from, to, amount);
    }

    function expectFeeLog(address payer, FeeAction action, uint256 taskId, bool withCredits) internal {
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.AccessFeePaid(payer, action, taskId, FEE, withCredits);
    }

    // Errors that many tests expect

    function expectNotParty(address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, caller));
    }

    function expectNotAuthorized(address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, caller));
    }

    function expectNotArbitrator(address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, caller));
    }

    function expectNotEligible(address candidate) internal {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotEligible.selector, candidate));
    }

    function expectWrongPhase(Phase phase) internal {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, phase));
    }

    function expectTooEarly(uint64 until) internal {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, until));
    }

    function expectTooLate(uint64 endedAt) internal {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.TooLate.selector, endedAt));
    }

    function expectDeliveredAgain(uint64 deliveredAt) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DeliveredAgain.selector, deliveredAt));
    }

    function expectWrongMilestone(uint8 current) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongMilestone.selector, current));
    }
}

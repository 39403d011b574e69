// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MarketDigest.sol";

/// @notice Every operation of a market that anyone may call, made ready to succeed, with the guards it takes.
abstract contract Operations is MarketDigest {
    // One bit for each contract with a guard.
    uint8 internal constant R = 1; // registry
    uint8 internal constant D = 2; // deposits
    uint8 internal constant C = 4; // court
    uint8 internal constant G = 8; // payment gateway
    uint8 internal constant S = 16; // staking

    /// @param enters the guards it takes at any time
    /// @param held for each movement of TOK (or of USDC) in it, the guards that are taken at that moment
    struct Operation {
        string name;
        address from;
        address target;
        bytes call;
        uint8 enters;
        bytes held;
        bool movesUsdc;
    }

    /// @dev Who acts, against whom, and who is leaving the court; and tasks of theirs that had to ripen: a post that
    /// expired, a dispute that nobody answered, one that the fallback left lying, one that an arbitrator missed.
    struct Cast {
        address actor;
        address partner;
        uint256 partnerKey;
        address retiring;
        uint256 expired;
        uint256 unanswered;
        uint256 leftLying;
        uint256 missed;
    }

    address internal paused = makeAddr("paused");
    Operation[] private _list;
    Cast private _cast;

    /// @dev Every operation of one cast, each ready to succeed.
    function readyOperations() internal returns (Operation[] memory) {
        Cast[] memory casts = new Cast[](1);
        casts[0] = castOf(makeAddr("actor"), "partner", makeAddr("retiring"));
        ripen(casts);
        return operationsOf(casts[0]);
    }

    function castOf(address actor, string memory partnerName, address retiring) internal returns (Cast memory cast) {
        (cast.actor, cast.retiring) = (actor, retiring);
        (cast.partner, cast.partnerKey) = makeAddrAndKey(partnerName);
        equip(cast.actor);
        equip(cast.partner);
        equip(cast.retiring);
    }

    /// @dev Lets two weeks pass, so that disputes lie unanswered, a bond is free and a post has expired.
    function ripen(Cast[] memory casts) internal {
        for (uint256 index = 0; index < casts.length; ++index) {
            plant(casts[index]);
        }
        skip(3 days + 1);
        for (uint256 index = 0; index < casts.length; ++index) {
            court.escalate(casts[index].leftLying);
        }
        skip(5 days);
        for (uint256 index = 0; index < casts.length; ++index) {
            (poster, worker) = (casts[index].partner, rival);
            casts[index].missed = assigned();
        }
        skip(6 days + 1);
        paymentGateway.flush();
        feedAs(publisher).publish(500_000);
        engageBelowPause(paused);
        watchAll(casts);
    }

    function plant(Cast memory cast) private {
        vm.startPrank(cast.actor);
        staking.stake(50_000e18);
        court.registerArbitrator(MIN_BOND, 0);
        vm.stopPrank();
        vm.startPrank(cast.retiring);
        court.registerArbitrator(MIN_BOND, 0);
        court.requestUnbond();
        vm.stopPrank();
        (poster, worker) = (cast.partner, rival);
        cast.unanswered = disputed();
        cast.leftLying = answered();
        cast.expired = expiringPost(cast.actor);
    }

    function watchAll(Cast[] memory casts) private {
        address[] memory people = new address[](3 * casts.length + 1);
        people[0] = paused;
        for (uint256 index = 0; index < casts.length; ++index) {
            people[3 * index + 1] = casts[index].actor;
            people[3 * index + 2] = casts[index].partner;
            people[3 * index + 3] = casts[index].retiring;
        }
        watch(people);
    }

    function run(Operation memory operation) internal {
        (bool success, ) = attempt(operation);
        assertTrue(success, operation.name);
    }

    function attempt(Operation memory operation) internal returns (bool success, bytes memory answer) {
        vm.prank(operation.from);
        return operation.target.call(operation.call);
    }

    function expiringPost(address by) private returns (uint256 taskId) {
        ITaskRegistry.PostParams memory params = postParams();
        params.deadline = uint64(vm.getBlockTimestamp()) + 1 hours;
        params.fundNow = TOTAL;
        return registryAs(by).postTask(params);
    }

    function operationsOf(Cast memory cast) internal returns (Operation[] memory) {
        delete _list;
        _cast = cast;
        addEntries();
        addWork();
        addExits();
        addCourt();
        addMoney();
        return _list;
    }

    function addEntries() private {
        ITaskRegistry.PostParams memory params = postParams();
        params.fundNow = TOTAL;
        bytes memory feeThenFund = abi.encodePacked(R | G, R | G);
        addRegistry("postTask", abi.encodeCall(ITaskRegistry.postTask, (params)), R | D | G | S, feeThenFund);

        (poster, worker) = (_cast.actor, _cast.partner);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, new uint96[](0));
        bytes memory signature = signWith(_cast.partnerKey, registry.hashTerms(terms));
        bytes memory create = abi.encodeCall(ITaskRegistry.createTask, (terms, new uint96[](0), signature, "", TOTAL));
        addRegistry("createTask", create, R | D | G | S, abi.encodePacked(R | G, R | G, R | G));

        uint256 unfunded = postedUnfunded();
        bytes memory funding = abi.encodeCall(ITaskRegistry.fundTask, (unfunded, TOTAL));
        addRegistry("fundTask", funding, R | G, abi.encodePacked(R | G));

        (poster, worker) = (_cast.partner, _cast.actor);
        uint256 open = posted();
        bytes memory claiming = abi.encodeCall(ITaskRegistry.claimTask, (open, registry.openDigest(open, _cast.actor)));
        addRegistry("claimTask", claiming, R | D | G | S, abi.encodePacked(R | G));
    }

    function addWork() private {
        (poster, worker) = (_cast.actor, _cast.partner);
        uint256 startable = onTrial();
        bytes32 digest = registry.taskOf(startable).settlementDigest;
        addRegistry("startWork", abi.encodeCall(ITaskRegistry.startWork, (startable, digest)), R, "");
        uint64 now_ = uint64(vm.getBlockTimestamp());
        bytes memory accepting = abi.encodeCall(ITaskRegistry.acceptMilestone, (deliveredWithMilestones(), 0, now_));
        addRegistry("acceptMilestone", accepting, R, abi.encodePacked(R));
        bytes memory acceptingLast = abi.encodeCall(ITaskRegistry.acceptMilestone, (delivered(), 0, now_));
        addRegistry("acceptMilestone of the last", acceptingLast, R | D, abi.encodePacked(R));
        uint256 completable = active();
        bytes memory completing = abi.encodeCall(
            ITaskRegistry.completeTask,
            (completable, taskOf(completable).settlementDigest)
        );
        addRegistry("completeTask", completing, R | D, abi.encodePacked(R));
        bytes memory disputing = abi.encodeCall(
            ITaskRegistry.openDispute,
            (deliveredWithMilestones(), now_, EVIDENCE, EVIDENCE_URI)
        );
        addRegistry("openDispute", disputing, R | C | G, abi.encodePacked(R, R | C | G));
        bytes memory extending = abi.encodeCall(ITaskRegistry.extendDeadline, (active(), now_ + 20 days));
        addRegistry("extendDeadline", extending, R, "");

        (poster, worker) = (_cast.partner, _cast.actor);
        addRegistry("submitProof", abi.encodeCall(ITaskRegistry.submitProof, (active(), 0, PROOF, "")), R, "");
    }

    function addExits() private {
        (poster, worker) = (_cast.partner, _cast.actor);
        bytes memory leaving = abi.encodeCall(ITaskRegistry.leaveTask, (active(), State.ACTIVE));
        addRegistry("leaveTask", leaving, R | G | S | D, abi.encodePacked(R | G));
        (poster, worker) = (_cast.actor, _cast.partner);
        uint256 dismissible = onTrial();
        bytes memory dismissing = abi.encodeCall(
            ITaskRegistry.dismissWorker,
            (dismissible, taskOf(dismissible).settlementDigest)
        );
        addRegistry("dismissWorker", dismissing, R | G | S | D, abi.encodePacked(R | G));
        uint256 noticeable = active();
        bytes memory noticing = abi.encodeCall(
            ITaskRegistry.dismissWorker,
            (noticeable, taskOf(noticeable).settlementDigest)
        );
        addRegistry("dismissWorker in a day", noticing, R | G | S, abi.encodePacked(R | G));
        bytes memory cancelling = abi.encodeCall(ITaskRegistry.cancelTask, (posted()));
        addRegistry("cancelTask", cancelling, R | D, abi.encodePacked(R));
        bytes memory timeOut = abi.encodeCall(ITaskRegistry.resolveTimedOut, (_cast.expired));
        addRegistry("resolveTimedOut", timeOut, R | D, abi.encodePacked(R));
    }

    function addCourt() private {
        bytes memory bonding = abi.encodeCall(IDisputeCourt.registerArbitrator, (1e18, 0));
        addCourt("registerArbitrator", bonding, C | G, abi.encodePacked(C | G));
        addCourt("requestUnbond", abi.encodeCall(IDisputeCourt.requestUnbond, ()), C, "");
        addCourt("escalate", abi.encodeCall(IDisputeCourt.escalate, (_cast.missed)), C, abi.encodePacked(C));
        bytes memory timeOut = abi.encodeCall(IDisputeCourt.resolveTimedOut, (_cast.leftLying));
        addCourt("court.resolveTimedOut", timeOut, C | R | D, abi.encodePacked(C, C, C | R, C | R));
        bytes memory byDefault = abi.encodeCall(IDisputeCourt.resolveTimedOut, (_cast.unanswered));
        addCourt("court.resolveTimedOut of an unanswered", byDefault, C | R | D, abi.encodePacked(C, C | R));
        addAnswers();

        (poster, worker) = (_cast.actor, _cast.partner);
        bytes memory proposing = abi.encodeCall(IDisputeCourt.proposeArbitrator, (answered(), arbitrator));
        addCourt("proposeArbitrator", proposing, C, "");
        uint256 agreed = disputed();
        uint64 until = uint64(vm.getBlockTimestamp()) + 7 days;
        bytes memory signature = signWith(_cast.partnerKey, registry.hashSettlement(agreed, 4_000, until));
        bytes memory settling = abi.encodeCall(IDisputeCourt.mutualSettle, (agreed, 4_000, until, "", signature));
        addCourt("mutualSettle", settling, C | R | D, abi.encodePacked(C, C | R, C | R));
        bytes memory conceding = abi.encodeCall(IDisputeCourt.concede, (answered(), Phase.PROPOSING));
        addCourt("concede", conceding, C | R | D, abi.encodePacked(C, C, C | R));

        address judge = arbitrator;
        (poster, worker, arbitrator) = (_cast.partner, rival, _cast.actor);
        bytes memory ruling = abi.encodeCall(IDisputeCourt.resolveDispute, (assigned(), 4_000, REASON, REASON_URI));
        addCourt("resolveDispute", ruling, C | R | D, abi.encodePacked(C, C, C, C | R, C | R));
        arbitrator = judge;

        bytes memory withdrawing = abi.encodeCall(IDisputeCourt.withdrawBond, ());
        _list.push(
            Operation("withdrawBond", _cast.retiring, address(court), withdrawing, C, abi.encodePacked(C), false)
        );
    }

    function addAnswers() private {
        (poster, worker) = (_cast.partner, _cast.actor);
        bytes memory withBond = abi.encodeCall(IDisputeCourt.answerDispute, (disputed(), true, EVIDENCE, EVIDENCE_URI));
        addCourt("answerDispute", withBond, C | G, abi.encodePacked(C | G));
        bytes memory without = abi.encodeCall(IDisputeCourt.answerDispute, (disputed(), false, EVIDENCE, EVIDENCE_URI));
        addCourt("answerDispute without a bond", without, C, "");
        bytes memory evidence = abi.encodeCall(IDisputeCourt.submitEvidence, (disputed(), EVIDENCE, EVIDENCE_URI));
        addCourt("submitEvidence", evidence, 0, "");
    }

    function addMoney() private {
        address target = address(paymentGateway);
        add("flush", target, abi.encodeCall(IPaymentGateway.flush, ()), G | S, abi.encodePacked(G, G, G));
        bytes memory inTok = abi.encodeCall(IPaymentGateway.purchasePlan, ("basic", PayWith.TOK, 3_600e18, 25, 30));
        add("purchasePlan in TOK", target, inTok, G, abi.encodePacked(G));
        bytes memory inUsdc = abi.encodeCall(IPaymentGateway.purchasePlan, ("basic", PayWith.USDC, 20e6, 25, 30));
        addUsdc("purchasePlan in USDC", target, inUsdc, G);
        target = address(staking);
        add("stake", target, abi.encodeCall(IStakingVault.stake, (1e18)), S | G, abi.encodePacked(S | G));
        add("unstake", target, abi.encodeCall(IStakingVault.unstake, (50_000e18)), S, abi.encodePacked(S));
        add("claimReward", target, abi.encodeCall(IStakingVault.claimReward, ()), S, abi.encodePacked(S));
        target = address(deposits);
        addUsdc("topUp", target, abi.encodeCall(IDepositVault.topUp, (10e6)), D);
        addUsdc("emergencyTopUp", target, abi.encodeCall(IDepositVault.emergencyTopUp, (paused, 3e6)), D);
        addUsdc("withdraw", target, abi.encodeCall(IDepositVault.withdraw, (10e6, _cast.actor)), D);
    }

    function addRegistry(string memory name, bytes memory call, uint8 enters, bytes memory held) private {
        add(name, address(registry), call, enters, held);
    }

    function addCourt(string memory name, bytes memory call, uint8 enters, bytes memory held) private {
        add(name, address(court), call, enters, held);
    }

    function add(string memory name, address target, bytes memory call, uint8 enters, bytes memory held) private {
        _list.push(Operation(name, _cast.actor, target, call, enters, held, false));
    }

    function addUsdc(string memory name, address target, bytes memory call, uint8 guard) private {
        _list.push(Operation(name, _cast.actor, target, call, guard, abi.encodePacked(guard), true));
    }
}

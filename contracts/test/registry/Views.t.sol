// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {Phase, Scope, State, TaskTerms, TaskView} from "../../src/Types.sol";
import {IRegistryGetters} from "./IRegistryGetters.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev What the registry's views return:
///   getTask         every field along a task's way; nothing but its number for a task that does not exist
///   updatedAt       the last change of state: not funding, not a dismissal notice
///   milestonesOf    the list, one total for a single milestone, nothing without a task
///   scopeOf         OPEN or PRIVATE, for ever
///   openDigest      the terms of this moment: another worker, task, round or moved deadline give another digest, while
///                   the digest stored at the claim never changes
///   hashTerms       EIP-712, for any terms
///   hashSettlement  EIP-712, bound to the task as it stands: every later change gives another digest
///   saltUsed        only for terms that made a task by createTask, and for their two parties
///   constants, wiring and the signing domain
contract ViewsTest is OperationTest {
    bytes32 private constant SETTLE_TYPEHASH = keccak256(
        "MutualSettlement(uint256 taskId,address poster,address worker,uint32 round,uint8 milestone,uint8 state,uint64 updatedAt,uint96 held,uint8 phase,uint16 workerBps,uint64 validUntil)"
    );

    function test_getTaskTellsEveryFieldAlongTheWay() public {
        TaskView memory task;
        task.id = post(threeMilestones(), 0);
        task.poster = poster;
        task.state = State.POSTED;
        task.milestoneCount = 3;
        task.reviewPeriod = REVIEW;
        task.deadline = START + 10 days;
        task.createdAt = START;
        task.updatedAt = START;
        task.totalAmount = TOTAL;
        task.criteriaHash = CRITERIA;
        assertTask(task);

        skip(1 hours);
        vm.prank(poster);
        registry.fundTask(task.id, TOTAL);
        task.funded = TOTAL;
        assertTask(task);

        skip(1 hours);
        task.settlementDigest = registry.openDigest(task.id, worker);
        claim(task.id, worker);
        task.worker = worker;
        moved(task, State.CLAIMED);

        skip(1 hours);
        start(task.id);
        task.deadline += 1 hours;
        moved(task, State.ACTIVE);

        skip(1 hours);
        giveNotice(task.id);
        task.dismissAt = uint40(clock() + 1 days);
        assertTask(task);

        skip(1 hours);
        deliver(task.id);
        task.dismissAt = 0;
        moved(task, State.DELIVERED);

        skip(1 hours);
        accept(task.id);
        task.deadline += 1 hours;
        task.milestone = 1;
        task.released = 1_000e18;
        moved(task, State.ACTIVE);

        skip(1 hours);
        leaveTask(task.id);
        task.round = 1;
        task.worker = address(0);
        task.settlementDigest = 0;
        moved(task, State.POSTED);

        skip(1 hours);
        vm.prank(poster);
        registry.cancelTask(task.id);
        task.refunded = 5_000e18;
        moved(task, State.CANCELLED);
    }

    function test_getTaskTellsTheFeeOfAnAnswerWithoutABond() public {
        uint256 taskId = unbonded();
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 10_000, REASON, REASON_URI);
        TaskView memory task = taskOf(taskId);
        assertEq(task.fees, TOTAL / 20);
        assertEq(task.released, TOTAL - TOTAL / 20);
        assertEq(task.refunded, 0);
    }

    function test_getTaskTellsWhatWentBackAtTheOpeningAndAtTheEndOfADispute() public {
        uint256 taskId = deliveredWithMilestones();
        openDispute(taskId);
        assertEq(taskOf(taskId).refunded, 5_000e18);
        answerWithBond(taskId, worker);
        agree(taskId, arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 4_000, REASON, REASON_URI);
        TaskView memory task = taskOf(taskId);
        assertEq(task.fees, 0);
        assertEq(task.released, 400e18);
        assertEq(task.refunded, 5_600e18);
    }

    function test_getTaskTellsNothingOfATaskThatDoesNotExist() public {
        posted();
        TaskView memory nothing;
        uint256[3] memory numbers = [0, 2, type(uint256).max];
        for (uint256 index = 0; index < numbers.length; ++index) {
            nothing.id = numbers[index];
            assertEq(abi.encode(taskOf(numbers[index])), abi.encode(nothing));
        }
    }

    function test_milestonesOfTellsTheListOrTheTotal() public {
        assertEq(registry.milestonesOf(NO_TASK).length, 0);
        uint96[] memory single = registry.milestonesOf(posted());
        assertEq(single.length, 1);
        assertEq(single[0], TOTAL);
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        assertEq(abi.encode(registry.milestonesOf(taskId)), abi.encode(threeMilestones()));
    }

    function test_scopeOfTellsWhoMayTakeATask() public {
        assertEq(uint256(registry.scopeOf(posted())), uint256(Scope.OPEN));
        uint256 taskId = created(Scope.PRIVATE);
        assertEq(uint256(registry.scopeOf(taskId)), uint256(Scope.PRIVATE));
        leaveTask(taskId);
        assertEq(uint256(registry.scopeOf(taskId)), uint256(Scope.PRIVATE));
    }

    function test_openDigestIsTheDigestOfTheseTerms() public {
        uint256 taskId = post(threeMilestones(), 0);
        TaskTerms memory terms = signedTerms(Scope.OPEN, threeMilestones());
        terms.salt = bytes32(taskId << 32);
        terms.acceptBy = 0;
        assertEq(registry.openDigest(taskId, worker), termsDigest(terms));
        terms.worker = rival;
        assertEq(registry.openDigest(taskId, rival), termsDigest(terms));
    }

    function test_openDigestNamesTheScopeOfAPrivateTask() public {
        uint256 taskId = created(Scope.PRIVATE);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.salt = bytes32(taskId << 32);
        terms.acceptBy = 0;
        assertEq(registry.openDigest(taskId, worker), termsDigest(terms));
    }

    function test_aSignedTaskThatIsListedAgainIsBoundByNoTerms() public {
        uint256 taskId = created(Scope.OPEN);
        assertTrue(taskOf(taskId).settlementDigest != 0);
        leaveTask(taskId);
        assertState(taskId, State.POSTED);
        assertEq(taskOf(taskId).settlementDigest, bytes32(0));
    }

    function test_openDigestFollowsRoundAndDeadlineWhileTheStoredOneStays() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        TaskTerms memory terms = signedTerms(Scope.OPEN, threeMilestones());
        terms.acceptBy = 0;
        terms.salt = bytes32(taskId << 32);
        claim(taskId, worker);
        bytes32 accepted = termsDigest(terms);
        assertEq(digestOf(taskId), accepted);
        skip(1 hours);
        start(taskId);
        terms.deadline += 1 hours;
        assertEq(registry.openDigest(taskId, worker), termsDigest(terms));
        assertEq(digestOf(taskId), accepted, "what was accepted");
        deliver(taskId);
        skip(1 hours);
        accept(taskId);
        terms.deadline += 1 hours;
        assertEq(registry.openDigest(taskId, worker), termsDigest(terms));
        assertEq(digestOf(taskId), accepted, "what was accepted");
        leaveTask(taskId);
        terms.salt = bytes32((taskId << 32) | 1);
        assertEq(registry.openDigest(taskId, worker), termsDigest(terms));
        assertEq(digestOf(taskId), 0);
    }

    function test_hashSettlementChangesWithEveryStep() public {
        uint256 taskId = post(threeMilestones(), 0);
        bytes32[] memory seen = new bytes32[](12);
        see(seen, 0, taskId);
        vm.prank(poster);
        registry.fundTask(taskId, 1);
        see(seen, 1, taskId);
        claim(taskId, worker);
        see(seen, 2, taskId);
        vm.prank(poster);
        registry.fundTask(taskId, TOTAL - 1);
        see(seen, 3, taskId);
        start(taskId);
        see(seen, 4, taskId);
        deliver(taskId);
        see(seen, 5, taskId);
        skip(1);
        deliver(taskId);
        see(seen, 6, taskId);
        accept(taskId);
        see(seen, 7, taskId);
        leaveTask(taskId);
        see(seen, 8, taskId);
        claim(taskId, worker);
        see(seen, 9, taskId);
        start(taskId);
        deliver(taskId);
        see(seen, 10, taskId);
        openDispute(taskId);
        see(seen, 11, taskId);
    }

    function test_saltUsedOnlyForSignedTermsAndTheirParties() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        assertFalse(registry.saltUsed(poster, worker, terms.salt));
        uint256 claimedId = claimed();
        assertFalse(registry.saltUsed(poster, worker, bytes32(claimedId << 32)));
        bytes memory workerSig = signWith(workerKey, termsDigest(terms));
        vm.prank(poster);
        registry.createTask(terms, noMilestones(), "", workerSig, "", 0);
        assertTrue(registry.saltUsed(poster, worker, terms.salt));
        assertFalse(registry.saltUsed(worker, poster, terms.salt));
        assertFalse(registry.saltUsed(poster, rival, terms.salt));
        assertFalse(registry.saltUsed(poster, worker, 0));
    }

    function test_tellsItsConstantsAndWiring() public view {
        IRegistryGetters getters = IRegistryGetters(address(registry));
        assertEq(getters.ACTIVATION_WINDOW(), 1 days);
        assertEq(getters.DELIVERY_GRACE(), 1 days);
        assertEq(getters.DISMISS_NOTICE(), 1 days);
        assertEq(getters.DISMISS_WINDOW(), 1 days);
        assertEq(getters.MAX_DURATION(), 365 days);
        assertEq(getters.MAX_MILESTONES(), 10);
        assertEq(getters.MIN_REVIEW(), 12 hours);
        assertEq(getters.MAX_REVIEW(), 30 days);
        assertEq(registry.minTotal(), MIN_TOTAL);
        assertEq(getters.court(), address(court));
        assertEq(getters.deposits(), address(deposits));
        assertEq(getters.escrow(), address(escrow));
        assertEq(getters.gateway(), address(gateway));
        assertEq(getters.reputation(), address(reputation));
    }

    function test_tellsTheDomainThatWalletsSignIn() public view {
        (, string memory name, string memory version, uint256 chainId, address verifyingContract, , ) = IERC5267(
            address(registry)
        ).eip712Domain();
        assertEq(name, "TaskMarket");
        assertEq(version, "2");
        assertEq(chainId, 8453);
        assertEq(verifyingContract, address(registry));
    }

    function testFuzz_hashTermsIsTypedDataOfAnyTerms(
        address[2] calldata parties,
        bytes32[3] calldata words,
        uint96 totalAmount,
        uint64 deadline,
        uint32 reviewPeriod,
        bool isPrivate,
        uint64 acceptBy
    ) public view {
        TaskTerms memory terms = TaskTerms({
            poster: parties[0],
            worker: parties[1],
            totalAmount: totalAmount,
            milestonesHash: words[0],
            criteriaHash: words[1],
            deadline: deadline,
            reviewPeriod: reviewPeriod,
            scope: isPrivate ? Scope.PRIVATE : Scope.OPEN,
            salt: words[2],
            acceptBy: acceptBy
        });
        assertEq(registry.hashTerms(terms), termsDigest(terms));
    }

    function testFuzz_hashSettlementIsTypedDataOfTheTaskAsItStands(
        uint16 workerBps,
        uint64 validUntil,
        uint64 wait
    ) public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        skip(bound(wait, 0, 10 days));
        deliver(taskId);
        bytes memory parties = abi.encode(SETTLE_TYPEHASH, taskId, poster, worker, 0, 1);
        bytes memory moment = abi.encode(State.DELIVERED, clock(), 5_000e18, Phase.NONE, workerBps, validUntil);
        bytes32 domain = domainSeparator(block.chainid, address(registry));
        bytes32 digest = typedDigest(domain, keccak256(bytes.concat(parties, moment)));
        assertEq(registry.hashSettlement(taskId, workerBps, validUntil), digest);
        openDispute(taskId);
        moment = abi.encode(State.DISPUTED, clock(), 2_000e18, Phase.ANSWERING, workerBps, validUntil);
        digest = typedDigest(domain, keccak256(bytes.concat(parties, moment)));
        assertEq(registry.hashSettlement(taskId, workerBps, validUntil), digest);
    }

    function moved(TaskView memory task, State state) private view {
        task.state = state;
        task.updatedAt = clock();
        assertTask(task);
    }

    /// @dev Remembers the task's settlement digest, which must be none of those before.
    function see(bytes32[] memory seen, uint256 count, uint256 taskId) private view {
        seen[count] = registry.hashSettlement(taskId, 5_000, START + 1 days);
        for (uint256 index = 0; index < count; ++index) assertNotEq(seen[index], seen[count], "seen before");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import "./OperationTest.sol";

/// @dev What the registry's views return:
///   taskOf          every field along a task's way; nothing but its number for a task that does not exist
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

    function test_milestonesOfTellsTheListOrTheTotal() public {
        assertEq(registry.milestonesOf(NO_TASK).length, 0);
        uint96[] memory single = registry.milestonesOf(posted());
        assertEq(single.length, 1);
        assertEq(single[0], TOTAL);
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        assertEq(abi.encode(registry.milestonesOf(taskId)), abi.encode(threeMilestones()));
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
        uint64 acceptBy,
        bool vouched
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
            acceptBy: acceptBy,
            vouched: vouched
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
}

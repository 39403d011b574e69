// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev claimTask, row 3 of the transition table:
///   it claims
///     an open task, funded or not, until the deadline and at it
///     a task that was listed again: in its new round, by anyone, its last worker included
///   it reverts
///     for the poster itself
///     after the deadline
///     with any digest but `openDigest(taskId, caller)` of this moment: another worker's, another round's, any other
contract ClaimTaskTest is OperationTest {
    function test_claimsAnOpenTask() public {
        uint256 taskId = posted();
        skip(1 hours);
        bytes32 digest = registry.openDigest(taskId, worker);
        TaskView memory task = taskOf(taskId);
        expectClaimed(task, worker);
        Books memory books = readBooks();
        expectEntry(books, books.worker);
        expectClaimLogs(taskId, worker, 0, digest);
        vm.recordLogs();
        registryAs(worker).claimTask(taskId, digest);
        assertLogCount(7);
        assertTask(task);
        assertBooks(books);
        assertFalse(registry.saltUsed(poster, worker, bytes32(taskId << 32)), "only signed terms use up a salt");
    }

    function test_claimsAtTheDeadlineAndNotASecondLater() public {
        uint256 taskId = posted();
        uint64 deadline = taskOf(taskId).deadline;
        bytes32 digest = registry.openDigest(taskId, worker);
        vm.warp(deadline + 1);
        expectExpired(deadline);
        registryAs(worker).claimTask(taskId, digest);
        vm.warp(deadline);
        registryAs(worker).claimTask(taskId, digest);
        assertState(taskId, State.ACTIVE);
    }

    function test_claimsAListedAgainTaskInItsNewRound() public {
        uint256 taskId = relistedWithOnePaid();
        skip(1 hours);
        bytes32 digest = registry.openDigest(taskId, rival);
        TaskView memory task = taskOf(taskId);
        assertEq(task.round, 1);
        assertEq(task.milestone, 1);
        expectClaimed(task, rival);
        Books memory books = readBooks();
        expectEntry(books, books.rival);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskClaimed(taskId, rival, 1, digest);
        expectStateLog(taskId, State.CLAIMED, 1, 1);
        expectDeadlineLog(taskId, task.deadline);
        expectStateLog(taskId, State.ACTIVE, 1, 1);
        registryAs(rival).claimTask(taskId, digest);
        assertTask(task);
        assertBooks(books);
    }

    function test_letsTheLastWorkerClaimAgain() public {
        uint256 taskId = relistedWithOnePaid();
        claim(taskId, worker);
        assertEq(taskOf(taskId).worker, worker);
    }

    function test_reverts_forThePosterItself() public {
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, poster);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.SelfDeal.selector, poster));
        registryAs(poster).claimTask(taskId, digest);
    }

    function test_reverts_withTheDigestOfAnEarlierDeadline() public {
        // The same round and worker: only the deadline, which has moved since, is another one.
        uint256 taskId = activeWithMilestones();
        TaskTerms memory terms;
        terms.poster = poster;
        terms.worker = worker;
        uint96[] memory left = new uint96[](2);
        (left[0], left[1]) = (2_000e18, 3_000e18);
        terms.totalAmount = 5_000e18;
        terms.milestonesHash = keccak256(abi.encodePacked(left));
        terms.criteriaHash = CRITERIA;
        terms.deadline = taskOf(taskId).deadline;
        terms.reviewPeriod = REVIEW;
        terms.salt = bytes32((taskId << 32) | 1);
        deliver(taskId);
        skip(1 hours);
        accept(taskId);
        leaveTask(taskId);
        bytes32 withOldDeadline = registry.hashTerms(terms);
        terms.deadline += 1 hours;
        bytes32 digest = registry.hashTerms(terms);
        expectDigestMismatch(digest);
        registryAs(worker).claimTask(taskId, withOldDeadline);
        registryAs(worker).claimTask(taskId, digest);
    }

    function testFuzz_reverts_withAnyOtherDigest(bytes32 digest) public {
        uint256 taskId = posted();
        bytes32 right = registry.openDigest(taskId, worker);
        vm.assume(digest != right);
        expectDigestMismatch(right);
        registryAs(worker).claimTask(taskId, digest);
    }

    function testFuzz_claimsAtAnyTimeUntilTheDeadline(uint96 total, uint256 count, uint256 seed, uint64 wait) public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = uint96(bound(total, MIN_TOTAL, type(uint96).max));
        count = bound(count, 1, 10);
        params.milestones = count == 1 ? noMilestones() : cut(params.totalAmount, count, seed);
        uint256 taskId = registryAs(poster).postTask(params);
        skip(bound(wait, 0, params.deadline - clock()));
        bytes32 digest = registry.openDigest(taskId, worker);
        TaskView memory task = taskOf(taskId);
        expectClaimed(task, worker);
        Books memory books = readBooks();
        expectEntry(books, books.worker);
        registryAs(worker).claimTask(taskId, digest);
        assertTask(task);
        assertBooks(books);
    }

    function expectClaimed(TaskView memory task, address claimant) private view {
        task.state = State.CLAIMED;
        task.worker = claimant;
        task.settlementDigest = registry.openDigest(task.id, claimant);
        task.updatedAt = clock();
        if (task.funded == task.totalAmount) expectActive(task, true);
    }

    function expectClaimLogs(uint256 taskId, address claimant, uint32 round, bytes32 digest) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskClaimed(taskId, claimant, round, digest);
        expectStateLog(taskId, State.CLAIMED, round, 0);
        expectDeadlineLog(taskId, taskOf(taskId).deadline + 12 hours);
        expectStateLog(taskId, State.ACTIVE, round, 0);
        expectEntryLogs(taskId, claimant, FeeAction.CLAIM);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev acceptMilestone, row 7 of the transition table:
///   a milestone before the last: its amount goes to the worker, the task is ACTIVE again with the next one, and the
///     deadline moves by the time the poster took
///   the last or only milestone: the rest goes to the worker, both bonds are free, the worker counts one completion
///   at any time after the delivery, even when the review period is over
///   in a later round the worker of that round is paid
///   it reverts
///     for any milestone but the current one, so that one acceptance sent twice pays once
///     for any delivery but the last one; unlike a dispute, no number means whichever there is
contract AcceptMilestoneTest is OperationTest {
    function test_paysAMilestoneAndGoesOnWithTheNext() public {
        uint256 taskId = deliveredWithMilestones();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectNext(task, 1_000e18);
        Books memory books = readBooks();
        expectFromEscrow(books, books.worker, 1_000e18);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneAccepted(taskId, 0, 1_000e18, false);
        expectDeadlineLog(taskId, task.deadline);
        expectStateLog(taskId, State.ACTIVE, 0, 1);
        expectReleaseLogs(taskId, 1_000e18, 1_000e18);
        vm.recordLogs();
        acceptAs(poster, taskId, 0);
        assertLogCount(5);
        assertTask(task);
        assertBooks(books);
    }

    function test_paysTheOnlyMilestoneAndCompletes() public {
        checkCompletion(delivered(), 0, TOTAL);
    }

    function test_paysTheLastMilestoneAndCompletes() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        accept(taskId);
        deliver(taskId);
        checkCompletion(taskId, 2, 3_000e18);
    }

    function test_paysTheWorkerOfALaterRound() public {
        uint256 taskId = relistedWithOnePaid();
        claim(taskId, rival);
        start(taskId);
        deliver(taskId);
        Books memory books = readBooks();
        expectFromEscrow(books, books.rival, 2_000e18);
        acceptAs(poster, taskId, 1);
        assertBooks(books);
        assertEq(taskOf(taskId).released, 3_000e18);
    }

    function test_acceptsLongAfterTheReviewPeriod() public {
        uint256 taskId = delivered();
        skip(400 days);
        acceptAs(poster, taskId, 0);
        assertState(taskId, State.COMPLETED);
    }

    function testFuzz_reverts_forAnyOtherMilestone(uint8 milestone) public {
        vm.assume(milestone != 0);
        uint256 taskId = deliveredWithMilestones();
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        expectWrongMilestone(0);
        acceptAs(poster, taskId, milestone, deliveredAt);
    }

    function testFuzz_paysEveryMilestoneToTheWei(uint96 total, uint256 count, uint256 seed, uint64 wait) public {
        total = uint96(bound(total, MIN_TOTAL, WALLET_TOK / 2));
        uint96[] memory amounts = cut(total, bound(count, 2, 10), seed);
        uint256 taskId = activeWith(total, amounts);
        for (uint8 index = 0; index < amounts.length; ++index) {
            deliver(taskId);
            skip(bound(wait, 0, 400 days));
            TaskView memory task = taskOf(taskId);
            Books memory books = readBooks();
            bool last = index + 1 == amounts.length;
            if (last) expectCompleted(task);
            else expectNext(task, amounts[index]);
            if (last) expectCompletion(books, amounts[index]);
            else expectFromEscrow(books, books.worker, amounts[index]);
            acceptAs(poster, taskId, index);
            assertTask(task);
            assertBooks(books);
        }
        assertEq(escrow.heldOf(taskId), 0);
    }

    function testFuzz_reverts_forAnyOtherDelivery(uint64 deliveredAt) public {
        uint256 taskId = delivered();
        uint64 updatedAt = taskOf(taskId).updatedAt;
        vm.assume(deliveredAt != updatedAt);
        expectDeliveredAgain(updatedAt);
        acceptAs(poster, taskId, 0, deliveredAt);
        expectDeliveredAgain(updatedAt);
        acceptAs(poster, taskId, 0, type(uint64).max);
    }

    function checkCompletion(uint256 taskId, uint8 milestone, uint96 amount) private {
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        assertEq(task.milestone, milestone);
        expectCompleted(task);
        Books memory books = readBooks();
        expectCompletion(books, amount);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneAccepted(taskId, milestone, amount, false);
        expectCompletionLogs(task, amount);
        vm.recordLogs();
        acceptAs(poster, taskId, milestone);
        assertLogCount(8);
        assertTask(task);
        assertBooks(books);
        assertEq(escrow.heldOf(taskId), 0);
    }

    function acceptAs(address caller, uint256 taskId, uint8 milestone) private {
        acceptAs(caller, taskId, milestone, taskOf(taskId).updatedAt);
    }

    /// @dev Reads nothing first, so that a revert can be expected.
    function acceptAs(address caller, uint256 taskId, uint8 milestone, uint64 deliveredAt) private {
        registryAs(caller).acceptMilestone(taskId, milestone, deliveredAt);
    }

    function expectNext(TaskView memory task, uint96 amount) private view {
        task.state = State.ACTIVE;
        task.deadline += clock() - task.updatedAt;
        task.updatedAt = clock();
        task.milestone += 1;
        task.released += amount;
    }
}

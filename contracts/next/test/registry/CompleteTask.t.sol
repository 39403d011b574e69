// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev completeTask:
///   from ACTIVE or DELIVERED everything held goes to the worker, both bonds are free and the worker counts one
///     completion: with all milestones open or some paid, in any round
contract CompleteTaskTest is OperationTest {
    function test_completesActiveAndDeliveredTasks() public {
        checkCompletion(delivered(), TOTAL);
        checkCompletion(active(), TOTAL);
    }

    function test_completesWithSomeMilestonesPaid() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        checkCompletion(taskId, 5_000e18);
    }

    function test_completesInALaterRoundForThatRoundsWorker() public {
        uint256 taskId = relistedWithOnePaid();
        claim(taskId, rival);
        start(taskId);
        uint256 had = tok.balanceOf(rival);
        complete(taskId);
        assertEq(tok.balanceOf(rival), had + 5_000e18);
        assertEq(readHolding(rival).record.completed, 1);
        assertEq(readHolding(worker).record.completed, 0);
    }

    function testFuzz_paysAllThatIsHeld(
        uint96 total,
        uint256 count,
        uint256 paid,
        bool deliverLast,
        uint256 seed
    ) public {
        total = uint96(bound(total, MIN_TOTAL, WALLET_TOK / 2));
        count = bound(count, 2, 10);
        paid = bound(paid, 0, count - 1);
        uint256 taskId = activeWith(total, cut(total, count, seed));
        for (uint256 index = 0; index < paid; ++index) {
            deliver(taskId);
            accept(taskId);
        }
        if (deliverLast) deliver(taskId);
        checkCompletion(taskId, escrow.heldOf(taskId));
        assertEq(taskOf(taskId).released, total);
    }

    function checkCompletion(uint256 taskId, uint96 amount) private {
        TaskView memory task = taskOf(taskId);
        expectCompleted(task);
        Books memory books = readBooks();
        expectCompletion(books, amount);
        expectCompletionLogs(task, amount);
        vm.recordLogs();
        complete(taskId);
        assertLogCount(7);
        assertTask(task);
        assertBooks(books);
        assertEq(escrow.heldOf(taskId), 0);
    }
}

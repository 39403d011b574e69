// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev cancelTask (row 18), called
///   in POSTED, before or after the deadline       ends the task without a fee, poster's bond unlocked
///     funded in part or in full                   what is held goes back
///     not funded                                  no money moves
///     listed again after milestones were paid     the rest goes back, what was paid stays paid
contract CancelTaskTest is OperationTest {
    function test_aFundedTaskEndsAndIsRefundedWithoutAFee() public {
        uint256 taskId = posted();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, TOTAL);

        expectStateLog(taskId, State.CANCELLED, 0, 0);
        expectRefundLog(taskId, poster, TOTAL);
        expectUnlockLog(poster, 0);
        cancel(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aTaskListedAgainGivesBackWhatWasNotPaid() public {
        uint256 taskId = relistedWithOnePaid();
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, 5_000e18);

        expectStateLog(taskId, State.CANCELLED, 1, 1);
        expectRefundLog(taskId, poster, 5_000e18);
        cancel(taskId);

        assertTask(task);
        assertBooks(books);
        assertEq(taskOf(taskId).released, 1_000e18);
    }

    function testFuzz_whateverWasFundedComesBackAtAnyTime(uint256 first, uint256 second, uint256 wait) public {
        first = bound(first, 0, TOTAL - 1);
        second = bound(second, 1, TOTAL - first);
        uint256 taskId = post(noMilestones(), uint96(first));
        registryAs(poster).fundTask(taskId, uint96(second));
        skip(bound(wait, 0, 400 days));
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, first + second);
        cancel(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function cancel(uint256 taskId) private {
        registryAs(poster).cancelTask(taskId);
    }
}

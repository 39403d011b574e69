// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev dismissWorker, called
///   in CLAIMED and on trial: fee, worker's bond unlocked, no mark on anybody
///     an open task up to its deadline     back to the list
///     a private task                      ends, money and bond back to the poster
///   in ACTIVE later: fee, and a day for a delivery
///     again in it, or after the grace     reverts
///     nothing delivered in it             anybody ends the engagement: bond unlocked, a mark on the poster
contract DismissWorkerTest is OperationTest {
    function test_anUnfundedClaimGoesBackToTheListWithoutAMark() public {
        uint256 taskId = claimed();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        task.deadline += 1 hours;
        checkDismissal(taskId, task);
    }

    function test_aWorkerOnTrialGoesAtOnceWithoutAMark() public {
        uint256 taskId = onTrial();
        skip(1 hours);
        checkDismissal(taskId, taskOf(taskId));
    }

    function test_anUnfundedPrivateTaskEndsAndIsRefunded() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        uint256 taskId = registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 1e18);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, 1e18);
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, worker, 0);
        expectDeadlineLog(taskId, task.deadline);
        expectStateLog(taskId, State.CANCELLED, 0, 0);
        expectUnlockLog(worker, 0);
        expectRefund(taskId, 1e18);
        dismiss(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function test_laterADismissalOnlyBeginsADay() public {
        uint256 taskId = active();
        TaskView memory task = taskOf(taskId);
        task.dismissAt = uint40(clock() + 1 days);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DismissalNoticed(taskId, task.dismissAt);
        vm.recordLogs();
        dismiss(taskId);
        assertLogCount(3);
        assertTask(task);
        assertBooks(books);
    }

    function test_afterTheDayAnybodyEndsTheEngagement() public {
        uint256 taskId = active();
        dismiss(taskId);
        skip(1 days + 1);
        TaskView memory task = taskOf(taskId);
        expectRelisted(task);
        Books memory books = readBooks();
        expectUnlocked(books.worker);
        expectCounted(books.poster, RepKind.DISMISSED);
        expectMarkLog(poster, RepKind.DISMISSED, 1);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, worker, 0);
        expectStateLog(taskId, State.POSTED, 1, 0);
        expectUnlockLog(worker, 0);
        registryAs(stranger).resolveTimedOut(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function checkDismissal(uint256 taskId, TaskView memory task) private {
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);
        bool wasClaimed = taskOf(taskId).state == State.CLAIMED;
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, worker, 0);
        if (wasClaimed) expectDeadlineLog(taskId, task.deadline);
        expectStateLog(taskId, State.POSTED, 1, 0);
        expectUnlockLog(worker, 0);
        dismiss(taskId);
        assertTask(task);
        assertBooks(books);
    }
}

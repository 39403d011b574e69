// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev dismissWorker, called
///   in CLAIMED: fee, worker's bond unlocked, no mark on the worker
///     an open task up to its deadline     back to the list
///     a second later, or a private task   ends, money and bond back to the poster
///   in ACTIVE
///     without a notice                    reverts
///     up to the end of the notice         reverts
///     up to a day after it                no further fee, worker's bond unlocked and a mark on it;
///                                         to the list up to the deadline, else the task ends
///     later                               reverts: the notice has lapsed
///     after deadline and grace            reverts, noticed or not
contract DismissWorkerTest is OperationTest {
    function test_aClaimedOpenTaskGoesBackToTheListWithoutAMarkOnTheWorker() public {
        uint256 taskId = claimed();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        task.deadline += 1 hours;
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);

        expectDismissed(taskId, State.POSTED, 1);
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        expectUnlockLog(worker, 0);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aClaimedPrivateTaskEndsAndIsRefunded() public {
        uint256 taskId = created(Scope.PRIVATE);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, TOTAL);

        expectDismissed(taskId, State.CANCELLED, 0);
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        expectUnlockLog(worker, 0);
        expectRefund(taskId, TOTAL);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    /// @dev A delivery answers the notice: what is delivered next can only be accepted or disputed.
    function test_reverts_whenADeliveryClearedTheNotice() public {
        uint256 taskId = noticed(activeWithMilestones());
        bytes32 digest = digestOf(taskId);
        skip(1 days + 1);
        deliver(taskId);
        accept(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoNotice.selector, taskId));
        dismissAs(taskId, digest);
    }

    function test_reverts_whenTheNoticeWasForTheWorkerBefore() public {
        uint256 taskId = noticed(active());
        skip(1 days + 1);
        dismiss(taskId);
        claim(taskId, rival);
        start(taskId);
        bytes32 digest = digestOf(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoNotice.selector, taskId));
        dismissAs(taskId, digest);

        uint96 before = depositOf(rival);
        noticed(taskId);
        skip(1 days + 1);
        dismiss(taskId);
        assertEq(depositOf(rival), before - BOND, "an absentee of a later round loses its bond as well");
    }

    function test_aStartedTaskIsListedAgainAtItsDeadlineAndEndsASecondLater() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline - 1 days - 1);
        noticed(taskId);
        vm.warp(deadline);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        vm.revertToState(snapshot);
        vm.warp(deadline + 1);
        dismiss(taskId);
        assertState(taskId, State.CANCELLED);
    }

    function test_reverts_afterDeadlineAndGrace() public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds - 1 days - 1);
        noticed(taskId);
        vm.warp(graceEnds);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.CANCELLED);
        vm.revertToState(snapshot);
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        dismissAs(taskId, digest);
    }

    function testFuzz_aNoticedWorkerIsDismissedOnlyWithinADayAfterTheNotice(uint256 noticeAt, uint256 wait) public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(bound(noticeAt, vm.getBlockTimestamp(), deadline + 1 days));
        noticed(taskId);
        skip(bound(wait, 0, 4 days));
        uint256 moment = vm.getBlockTimestamp();
        TaskView memory task = taskOf(taskId);
        Books memory books = readBooks();
        uint64 lapsesAt = task.dismissAt + 1 days;
        if (moment <= task.dismissAt) {
            expectTooEarly(task.dismissAt);
        } else if (moment > lapsesAt) {
            expectExpired(lapsesAt);
        } else if (moment > deadline + 1 days) {
            expectExpired(deadline + 1 days);
        } else {
            expectSlashed(books.worker, books.poster);
            expectCounted(books.worker, RepKind.DISMISSED);
            if (moment <= deadline) {
                expectRelisted(task);
            } else {
                expectCancelled(task);
                expectUnlocked(books.poster);
                expectFromEscrow(books, books.poster, TOTAL);
            }
        }
        dismissAs(taskId, digest);
        assertTask(task);
        assertBooks(books);
    }

    function dismissAs(uint256 taskId, bytes32 expectedDigest) private {
        registryAs(poster).dismissWorker(taskId, expectedDigest);
    }

    function noticed(uint256 taskId) private returns (uint256) {
        giveNotice(taskId);
        return taskId;
    }

    function expectDismissed(uint256 taskId, State state, uint32 nextRound) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, worker, 0);
        TaskView memory task = taskOf(taskId);
        if (task.state == State.CLAIMED) {
            expectDeadlineLog(taskId, task.deadline + clock() - task.updatedAt);
        }
        expectStateLog(taskId, state, nextRound, 0);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev leaveTask, called
///   in another state than the worker expects                                                     reverts
///   in CLAIMED and on trial: fee, bond unlocked
///     an open task up to its deadline     back to the list as the next round, money stays in escrow
///     an open task after its deadline     ends, money and bond back to the poster
///     a private task                      ends likewise
///   in ACTIVE: fee, a quarter of the bond to the poster
///     up to the deadline, later, private  as above
///     with a dismissal or paid milestones the dismissal goes, what was paid stays paid
///   in DELIVERED: as in ACTIVE, after the deadline moved by the time since the delivery
contract LeaveTaskTest is OperationTest {
    function test_reverts_whenTheStateIsAnotherThanExpected() public {
        State[3] memory states = [State.CLAIMED, State.ACTIVE, State.DELIVERED];
        for (uint256 index = 0; index < states.length; ++index) {
            uint256 taskId = taskIn(states[index]);
            for (uint8 expected = 0; expected <= uint8(type(State).max); ++expected) {
                if (State(expected) == states[index]) continue;
                expectWrongState(taskId, states[index]);
                leaveExpecting(taskId, State(expected));
            }
            leaveExpecting(taskId, states[index]);
            assertState(taskId, State.POSTED);
        }
    }

    function test_aClaimedOpenTaskGoesBackToTheList() public {
        uint256 taskId = claimed();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        task.deadline += 1 hours;
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.worker);
        expectUnlocked(books.worker);

        expectLeaving(taskId, State.POSTED, 1);
        expectUnlockLog(worker, 0);
        leaveAsWorker(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aWorkerOnTrialLeavesForAFeeWithoutAMark() public {
        uint256 taskId = onTrial();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.worker);
        expectUnlocked(books.worker);
        expectLeaving(taskId, State.POSTED, 1);
        expectUnlockLog(worker, 0);
        leaveAsWorker(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function test_leavingEndsADismissalAndKeepsWhatWasPaid() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        dismiss(taskId);
        TaskView memory task = taskOf(taskId);
        assertGt(task.dismissAt, 0, "a dismissal runs");
        expectRelisted(task);
        leaveAsWorker(taskId);
        assertTask(task);
        assertEq(taskOf(taskId).released, 1_000e18);
        assertEq(escrow.heldOf(taskId), 5_000e18);

        claim(taskId, rival);
        start(taskId);
        uint256 balance = tok.balanceOf(rival);
        complete(taskId);
        assertEq(tok.balanceOf(rival) - balance, 5_000e18);
    }

    function test_aDeliveredTaskGoesBackToTheListWithTheTimeOfTheReview() public {
        uint256 taskId = delivered();
        skip(2 days);
        TaskView memory task = taskOf(taskId);
        task.deadline += 2 days;
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.worker);
        expectLost(books.worker, books.poster, BOND / 4);
        expectCounted(books.worker, RepKind.LEFT);

        expectLeaving(taskId, State.POSTED, 1);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(worker, poster, BOND / 4);
        expectMarkLog(worker, RepKind.LEFT, 1);
        leaveAsWorker(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aDeliveredPrivateTaskEndsAndTheBondGoesToThePoster() public {
        uint256 taskId = created(Scope.PRIVATE);
        deliver(taskId);
        Books memory books = readBooks();
        expectFee(books, books.worker);
        expectLost(books.worker, books.poster, BOND / 4);
        expectUnlocked(books.poster);
        expectCounted(books.worker, RepKind.LEFT);
        expectFromEscrow(books, books.poster, TOTAL);
        expectLeaving(taskId, State.CANCELLED, 0);
        expectRefund(taskId, TOTAL);
        leaveAsWorker(taskId);
        assertState(taskId, State.CANCELLED);
        assertBooks(books);
    }

    function test_aTaskDeliveredInTheGraceEndsWhenItsWorkerLeaves() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline);
        uint256 snapshot = vm.snapshotState();
        deliver(taskId);
        skip(1 days);
        leaveAsWorker(taskId);
        assertState(taskId, State.POSTED);
        vm.revertToState(snapshot);
        vm.warp(deadline + 1);
        deliver(taskId);
        skip(1 days);
        leaveAsWorker(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(taskOf(taskId).refunded, TOTAL);
    }

    function testFuzz_leavingRelistsOrRefundsAndNoWeiIsLost(uint256 funded, uint256 wait, uint8 steps) public {
        bool started = steps % 3 != 0;
        funded = started ? TOTAL : bound(funded, 0, TOTAL - 1);
        uint256 taskId = post(noMilestones(), uint96(funded));
        claim(taskId, worker);
        if (started) start(taskId);
        bool wasDelivered = steps % 3 == 2;
        if (wasDelivered) deliver(taskId);
        wait = bound(wait, 0, 12 days);
        skip(wait);
        TaskView memory task = taskOf(taskId);
        if (wasDelivered || !started) task.deadline += uint64(wait);
        Books memory books = readBooks();
        expectFee(books, books.worker);
        if (started) expectLost(books.worker, books.poster, BOND / 4);
        else expectUnlocked(books.worker);
        if (started) expectCounted(books.worker, RepKind.LEFT);
        if (vm.getBlockTimestamp() <= task.deadline) {
            expectRelisted(task);
        } else {
            expectCancelled(task);
            expectUnlocked(books.poster);
            expectFromEscrow(books, books.poster, funded);
        }
        leaveAsWorker(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function leaveAsWorker(uint256 taskId) private {
        leaveExpecting(taskId, stateOf(taskId));
    }

    function leaveExpecting(uint256 taskId, State expectedState) private {
        registryAs(worker).leaveTask(taskId, expectedState);
    }

    function expectLeaving(uint256 taskId, State state, uint32 nextRound) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerLeft(taskId, worker, 0);
        TaskView memory task = taskOf(taskId);
        if (task.state != State.ACTIVE) {
            expectDeadlineLog(taskId, task.deadline + clock() - task.updatedAt);
        }
        expectStateLog(taskId, state, nextRound, 0);
        expectFeeLog(worker, FeeAction.LEAVE, taskId, false);
    }
}

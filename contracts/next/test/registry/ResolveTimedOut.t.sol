// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev resolveTimedOut of the registry (rows 8, 19, 20 and 21), called by anyone, who pays and gets nothing
///   in NONE, DISPUTED or a final state     reverts
///   before its clock has run out           reverts, at the last second too
///   POSTED after the deadline              ends, money and bond back to the poster
///   CLAIMED after a day                    ends, what is held back to the poster, both bonds unlocked, a mark on the poster
///   ACTIVE after deadline and grace        ends, money and the worker's bond to the poster
///   DELIVERED after the review             pays the milestone; the deadline moves by the wait; the last completes
contract ResolveTimedOutTest is OperationTest {
    function test_reverts_inEveryStateWithoutAClockOfTheRegistry() public {
        State[5] memory others = [State.NONE, State.DISPUTED, State.COMPLETED, State.RESOLVED, State.CANCELLED];
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = taskIn(others[index]);
            skip(400 days);
            expectWrongState(taskId, others[index]);
            registry.resolveTimedOut(taskId);
        }
    }

    function test_aPostedTaskEndsAfterItsDeadline() public {
        uint256 taskId = posted();
        passTheLastSecond(taskId, taskOf(taskId).deadline);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, TOTAL);

        expectStateLog(taskId, State.CANCELLED, 0, 0);
        expectRefund(taskId, TOTAL);
        crank(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aClaimShortOfOneWeiEndsAfterADayWithAMarkOnThePoster() public {
        uint256 taskId = post(noMilestones(), TOTAL - 1);
        claim(taskId, worker);
        passTheLastSecond(taskId, taskOf(taskId).updatedAt + 1 days);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectCounted(books.poster, RepKind.LAPSED);
        expectFromEscrow(books, books.poster, TOTAL - 1);

        expectStateLog(taskId, State.CANCELLED, 0, 0);
        expectUnlockLog(worker, 0);
        expectMarkLog(poster, RepKind.LAPSED, 1);
        expectRefund(taskId, TOTAL - 1);
        crank(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aMissedDeliveryEndsTheTaskAndTheBondGoesToThePoster() public {
        uint256 taskId = active();
        passTheLastSecond(taskId, taskOf(taskId).deadline + 1 days);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectSlashed(books.worker, books.poster);
        expectUnlocked(books.poster);
        expectCounted(books.worker, RepKind.LEFT);
        expectFromEscrow(books, books.poster, TOTAL);

        expectStateLog(taskId, State.CANCELLED, 0, 0);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(worker, poster, BOND);
        expectMarkLog(worker, RepKind.LEFT, 1);
        expectRefund(taskId, TOTAL);
        crank(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aMissedDeliveryKeepsEarlierMilestonesPaid() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        assertEq(task.refunded, 5_000e18);
        expectStateLog(taskId, State.CANCELLED, 0, 1);
        expectRefund(taskId, 5_000e18);
        crank(taskId);
        assertTask(task);
    }

    function test_aSilentReviewPaysTheMilestoneAndMovesTheDeadline() public {
        uint256 taskId = deliveredWithMilestones();
        passTheLastSecond(taskId, taskOf(taskId).updatedAt + REVIEW);
        TaskView memory task = taskOf(taskId);
        task.state = State.ACTIVE;
        task.milestone = 1;
        task.released = 1_000e18;
        task.deadline += REVIEW + 1;
        task.updatedAt = uint64(vm.getBlockTimestamp());
        Books memory books = readBooks();
        expectFromEscrow(books, books.worker, 1_000e18);

        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneAccepted(taskId, 0, 1_000e18, true);
        expectDeadlineLog(taskId, task.deadline);
        expectStateLog(taskId, State.ACTIVE, 0, 1);
        expectReleaseLog(taskId, worker, 1_000e18, 1_000e18);
        crank(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aSilentReviewOfTheLastMilestoneCompletesTheTask() public {
        uint256 taskId = delivered();
        passTheLastSecond(taskId, taskOf(taskId).updatedAt + REVIEW);
        TaskView memory task = taskOf(taskId);
        expectCompleted(task);
        Books memory books = readBooks();
        expectCompletion(books, TOTAL);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MilestoneAccepted(taskId, 0, TOTAL, true);
        expectCompletionLogs(task, TOTAL);
        crank(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function testFuzz_anUnderfundedClaimRefundsExactlyWhatWasPutIn(uint256 funded, uint256 wait) public {
        funded = bound(funded, 0, TOTAL - 1);
        uint256 taskId = post(noMilestones(), uint96(funded));
        claim(taskId, worker);
        skip(bound(wait, 1 days + 1, 400 days));
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectCounted(books.poster, RepKind.LAPSED);
        expectFromEscrow(books, books.poster, funded);
        crank(taskId);
        assertTask(task);
        assertBooks(books);
    }

    /// @dev A poster that never answers pays every milestone, and the worker keeps all of its working time.
    function testFuzz_silenceAloneCarriesDeliveredWorkToItsEnd(
        uint256[3] memory works,
        uint256[3] memory waits
    ) public {
        uint256 taskId = activeWithMilestones();
        uint96[] memory amounts = threeMilestones();
        uint256 deadline = taskOf(taskId).deadline;
        for (uint8 milestone = 0; milestone < 3; ++milestone) {
            skip(bound(works[milestone], 0, 3 days));
            deliver(taskId);
            uint256 wait = bound(waits[milestone], REVIEW + 1, 30 days);
            skip(wait);
            uint256 balance = tok.balanceOf(worker);
            crank(taskId);
            assertEq(tok.balanceOf(worker) - balance, amounts[milestone]);
            if (milestone < 2) deadline += wait;
        }
        assertState(taskId, State.COMPLETED);
        assertEq(taskOf(taskId).deadline, deadline);
        assertEq(escrow.heldOf(taskId), 0);
    }

    function crank(uint256 taskId) private {
        registryAs(stranger).resolveTimedOut(taskId);
    }

    /// @dev Shows that the clock still holds at `clockEnds` and stops one second later.
    function passTheLastSecond(uint256 taskId, uint64 clockEnds) private {
        vm.warp(clockEnds);
        expectTooEarly(clockEnds);
        crank(taskId);
        vm.warp(clockEnds + 1);
    }
}

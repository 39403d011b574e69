// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev giveDismissNotice, called
///   after deadline and grace                         reverts
///   while a notice runs, or can be used              reverts
///   without TOK for the fee                          reverts
///   otherwise                                        fee; the worker can be dismissed from a day later on, for a day
///     again, after the one before lapsed, was answered by a delivery, or was for another worker   likewise
contract GiveDismissNoticeTest is OperationTest {
    function test_reverts_afterDeadlineAndGrace() public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        notice(taskId, digest);
        vm.warp(graceEnds);
        notice(taskId, digest);
        assertEq(taskOf(taskId).dismissAt, graceEnds + 1 days);
    }

    function test_reverts_whileANoticeRunsOrCanBeUsed() public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        giveNotice(taskId);
        uint64 lapsesAt = taskOf(taskId).dismissAt + 1 days;
        uint64[4] memory moments = [clock(), lapsesAt - 1 days, lapsesAt - 1 days + 1, lapsesAt];
        for (uint256 index = 0; index < moments.length; ++index) {
            vm.warp(moments[index]);
            expectTooEarly(lapsesAt);
            notice(taskId, digest);
        }
        vm.warp(lapsesAt + 1);
        assertNotices(taskId);
    }

    function test_aNoticeCostsAFeeAndRunsForADay() public {
        uint256 taskId = active();
        skip(5 hours);
        assertNotices(taskId);
    }

    function test_aDeliveryAnswersTheNoticeAndTheNextOneCostsAgain() public {
        uint256 taskId = activeWithMilestones();
        giveNotice(taskId);
        skip(1 hours);
        deliver(taskId);
        assertEq(taskOf(taskId).dismissAt, 0);
        accept(taskId);
        assertNotices(taskId);
    }

    function test_aNoticeDoesNotPassToTheNextWorker() public {
        uint256 taskId = active();
        giveNotice(taskId);
        leaveTask(taskId);
        assertEq(taskOf(taskId).dismissAt, 0);
        claim(taskId, rival);
        start(taskId);
        assertNotices(taskId);
    }

    function notice(uint256 taskId, bytes32 expectedDigest) private {
        registryAs(poster).giveDismissNotice(taskId, expectedDigest);
    }

    function assertNotices(uint256 taskId) private {
        uint40 effectiveAt = uint40(clock() + 1 days);
        TaskView memory task = taskOf(taskId);
        task.dismissAt = effectiveAt;
        Books memory books = readBooks();
        expectFee(books, books.poster);

        vm.expectEmit(address(registry));
        emit ITaskRegistry.DismissalNoticed(taskId, effectiveAt);
        expectFeeLog(poster, FeeAction.DISMISS, taskId, false);
        notice(taskId, task.settlementDigest);

        assertTask(task);
        assertBooks(books);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev extendDeadline, called
///   to the same or an earlier time                    reverts
///   to a time that is over, or over 365 days ahead    reverts
///   otherwise                                         the deadline moves, nothing else
///     the digest that a worker accepted stays; a pending claim of a listed task has to be made again
///     even after deadline and grace, as long as nobody timed the task out
contract ExtendDeadlineTest is OperationTest {
    function test_reverts_unlessTheTimeIsLater() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        uint64[3] memory times = [deadline, deadline - 1, 0];
        for (uint256 index = 0; index < times.length; ++index) {
            expectBadTerms("deadline");
            extend(taskId, times[index]);
        }
        extend(taskId, deadline + 1);
        assertEq(taskOf(taskId).deadline, deadline + 1);
    }

    function test_reverts_over365DaysAhead() public {
        uint256 taskId = posted();
        skip(5 days);
        uint64 most = clock() + 365 days;
        expectBadTerms("deadline");
        extend(taskId, most + 1);
        expectBadTerms("deadline");
        extend(taskId, type(uint64).max);
        // A time that fits only when its high bits are cut off.
        expectBadTerms("deadline");
        extend(taskId, uint64(1 << 40) + most);
        extend(taskId, most);
        assertEq(taskOf(taskId).deadline, most);
    }

    function test_reverts_whenTheTimeIsOver() public {
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline + 5 days);
        uint64 moment = clock();
        expectBadTerms("deadline");
        extend(taskId, moment);
        extend(taskId, moment + 1);
        assertEq(taskOf(taskId).deadline, moment + 1);
    }

    /// @dev A poster that changes its mind gives the worker another chance, as long as nobody has ended the task.
    function test_savesATaskWhoseTimeIsOver() public {
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        extend(taskId, clock() + 1 days);
        deliver(taskId);
        assertState(taskId, State.DELIVERED);
    }

    function test_whatTheWorkerAcceptedStays() public {
        uint256 taskId = onTrial();
        bytes32 accepted = digestOf(taskId);
        assertExtends(taskId, 2 days);
        assertEq(digestOf(taskId), accepted);
        start(taskId);
        assertEq(digestOf(taskId), accepted);
    }

    function test_aPendingClaimHasToBeMadeAgain() public {
        uint256 taskId = posted();
        bytes32 earlier = registry.openDigest(taskId, worker);
        assertExtends(taskId, 2 days);
        bytes32 now_ = registry.openDigest(taskId, worker);
        expectDigestMismatch(now_);
        registryAs(worker).claimTask(taskId, earlier);
        claim(taskId, worker);
        assertState(taskId, State.ACTIVE);
    }

    function testFuzz_onlyALaterTimeWithinThirtyDaysOfTheAcceptedIsTaken(uint64 newDeadline, uint256 wait) public {
        uint256 taskId = active();
        uint64 accepted = taskOf(taskId).deadline - 12 hours;
        skip(bound(wait, 0, 50 days));
        uint64 deadline = taskOf(taskId).deadline;
        newDeadline = uint64(bound(newDeadline, deadline - 5 days, deadline + 50 days));
        bool fits = newDeadline > deadline && newDeadline > clock() && newDeadline <= accepted + 30 days;
        if (!fits) expectBadTerms("deadline");
        extend(taskId, newDeadline);
        assertEq(taskOf(taskId).deadline, fits ? newDeadline : deadline);
    }

    function extend(uint256 taskId, uint64 newDeadline) private {
        registryAs(poster).extendDeadline(taskId, newDeadline);
    }

    function assertExtends(uint256 taskId, uint64 by) private {
        TaskView memory task = taskOf(taskId);
        task.deadline += by;
        Books memory books = readBooks();
        expectDeadlineLog(taskId, task.deadline);
        vm.recordLogs();
        extend(taskId, task.deadline);
        assertLogCount(1);
        assertTask(task);
        assertBooks(books);
    }
}

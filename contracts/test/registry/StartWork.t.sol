// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev startWork, row 5 of the transition table:
///   it starts
///     by the poster, from the claim until two days after it
///     by the worker, after a day of the poster's silence until two days after the claim
///     a private task, and one listed again whose first milestone is paid
///     the deadline moves by the time since the claim, so the worker has as long as when it claimed
///     while the other party is paused
///   it reverts
///     for the worker within the first day, for both after the second
///     with a digest other than the stored one: a pending start cannot hit another worker
///     while the caller is paused
///     while anything that is still to be paid is not in escrow
contract StartWorkTest is OperationTest {
    /// @dev What covers the first milestone alone would leave the others stuck.
    function test_reverts_whenOnlyTheCurrentMilestoneIsFunded() public {
        uint256 taskId = post(threeMilestones(), 1_000e18);
        claim(taskId, worker);
        bytes32 digest = digestOf(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotFullyFunded.selector, 1_000e18, TOTAL));
        registryAs(poster).startWork(taskId, digest);
    }

    function test_startsByTheWorkerAfterADayOfSilence() public {
        uint256 taskId = claimed();
        skip(1 days + 1);
        TaskView memory task = taskOf(taskId);
        expectStarted(task);
        Books memory books = readBooks();
        expectStartLogs(task);
        vm.recordLogs();
        startAs(worker, taskId);
        assertLogCount(3);
        assertTask(task);
        assertBooks(books);
    }

    function test_startsForTwoDaysAndNotASecondLonger() public {
        uint256 taskId = claimed();
        bytes32 digest = digestOf(taskId);
        uint64 end = clock() + 2 days;
        address[2] memory parties = [poster, worker];
        for (uint256 index = 0; index < parties.length; ++index) {
            vm.warp(end + 1);
            expectExpired(end);
            startWith(parties[index], taskId, digest);
            vm.warp(end);
            uint256 snapshotId = vm.snapshotState();
            startWith(parties[index], taskId, digest);
            assertState(taskId, State.ACTIVE);
            vm.revertToState(snapshotId);
        }
    }

    function test_startsByTheWorkerOnlyAfterTheFirstDay() public {
        uint256 taskId = claimed();
        bytes32 digest = digestOf(taskId);
        uint64 firstDay = clock() + 1 days;
        expectTooEarly(firstDay);
        startWith(worker, taskId, digest);
        vm.warp(firstDay);
        expectTooEarly(firstDay);
        startWith(worker, taskId, digest);
        vm.warp(firstDay + 1);
        startWith(worker, taskId, digest);
        assertState(taskId, State.ACTIVE);
    }

    function test_startsAListedAgainTaskWithItsRestInEscrow() public {
        uint256 taskId = relistedWithOnePaid();
        claim(taskId, rival);
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectStarted(task);
        assertEq(task.round, 1);
        assertEq(task.milestone, 1);
        expectStartLogs(task);
        startAs(poster, taskId);
        assertTask(task);
    }

    function test_startsAfterTheDeadlineOfAClaimInTheLastSecond() public {
        uint256 taskId = posted();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline);
        claim(taskId, worker);
        skip(2 days);
        startAs(poster, taskId);
        assertEq(taskOf(taskId).deadline, deadline + 2 days);
    }

    function test_reverts_withTheDigestOfAnEarlierWorker() public {
        uint256 taskId = claimed();
        bytes32 earlier = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        expectDigestMismatch(digestOf(taskId));
        startWith(poster, taskId, earlier);
    }

    function test_reverts_whileTheWorkerIsPaused() public {
        uint256 taskId = claimed();
        bytes32 digest = digestOf(taskId);
        pauseWorker();
        skip(1 days + 1);
        expectAgentIsPaused(worker);
        startWith(worker, taskId, digest);
    }

    function test_reverts_untilEverythingIsInEscrow() public {
        uint256 taskId = claimedUnfunded();
        bytes32 digest = digestOf(taskId);
        expectNotFullyFunded(0);
        startWith(poster, taskId, digest);
        registryAs(poster).fundTask(taskId, TOTAL - 1);
        expectNotFullyFunded(TOTAL - 1);
        startWith(poster, taskId, digest);
        registryAs(poster).fundTask(taskId, 1);
        startWith(poster, taskId, digest);
        assertState(taskId, State.ACTIVE);
    }

    function testFuzz_leavesTheWorkerAsLongAsItHadAtTheClaim(
        uint64 untilClaim,
        uint64 untilStart,
        bool byWorker
    ) public {
        uint256 taskId = posted();
        skip(bound(untilClaim, 0, 10 days));
        claim(taskId, worker);
        uint64 hadAtClaim = taskOf(taskId).deadline - clock();
        skip(bound(untilStart, byWorker ? 1 days + 1 : 0, 2 days));
        TaskView memory task = taskOf(taskId);
        expectStarted(task);
        startAs(byWorker ? worker : poster, taskId);
        assertTask(task);
        assertEq(task.deadline - clock(), hadAtClaim);
    }

    function testFuzz_reverts_withAnyPartMissing(uint96 amount) public {
        uint256 taskId = claimedUnfunded();
        bytes32 digest = digestOf(taskId);
        amount = uint96(bound(amount, 1, TOTAL - 1));
        registryAs(poster).fundTask(taskId, amount);
        expectNotFullyFunded(amount);
        startWith(poster, taskId, digest);
    }

    function startAs(address caller, uint256 taskId) private {
        startWith(caller, taskId, digestOf(taskId));
    }

    function startWith(address caller, uint256 taskId, bytes32 digest) private {
        registryAs(caller).startWork(taskId, digest);
    }

    function expectStarted(TaskView memory task) private view {
        task.state = State.ACTIVE;
        task.deadline += clock() - task.updatedAt;
        task.updatedAt = clock();
    }

    function expectStartLogs(TaskView memory task) private {
        expectDeadlineLog(task.id, task.deadline);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkStarted(task.id, task.round);
        expectStateLog(task.id, State.ACTIVE, task.round, task.milestone);
    }

    function expectNotFullyFunded(uint96 held) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotFullyFunded.selector, held, TOTAL));
    }
}

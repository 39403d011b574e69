// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev submitProof:
///   from ACTIVE it delivers the current milestone
///     until a day after the deadline and at that second
///     a dismissal ends, the deadline stays
///   from DELIVERED it delivers again
///     at any time, even after the review period or long after the deadline
///     the review clock starts again; the deadline moves by the time since the last delivery
///   while the poster is paused
///   it reverts
///     for a former worker
///     for another milestone than the current one
///     from ACTIVE over a day after the deadline
contract SubmitProofTest is OperationTest {
    string private constant URI = "ipfs://proof";

    function test_deliversFromActive() public {
        uint256 taskId = active();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectDelivered(task);
        Books memory books = readBooks();
        expectProofLogs(task, PROOF, URI);
        vm.recordLogs();
        submit(taskId);
        assertLogCount(2);
        assertTask(task);
        assertBooks(books);
    }

    function test_reverts_forAnyOtherMilestone() public {
        uint256 taskId = deliveredWithMilestones();
        expectWrongMilestone(0);
        submitFor(taskId, 1);
        expectWrongMilestone(0);
        submitFor(taskId, type(uint8).max);
        accept(taskId);
        expectWrongMilestone(1);
        submitFor(taskId, 2);
        uint256 single = active();
        expectWrongMilestone(0);
        submitFor(single, 1);
    }

    function test_deliversForADayAfterTheDeadlineAndNotASecondLonger() public {
        uint256 taskId = active();
        uint64 end = taskOf(taskId).deadline + 1 days;
        vm.warp(end + 1);
        expectExpired(end);
        submit(taskId);
        vm.warp(end);
        submit(taskId);
        assertState(taskId, State.DELIVERED);
    }

    function test_startsTheReviewClockAgain() public {
        uint256 taskId = delivered();
        skip(REVIEW);
        submit(taskId);
        uint64 reviewEnds = clock() + REVIEW;
        vm.warp(reviewEnds);
        expectTooEarly(reviewEnds);
        registry.resolveTimedOut(taskId);
        openDispute(taskId);
        assertState(taskId, State.DISPUTED);
    }

    function test_endsADismissal() public {
        uint256 taskId = active();
        dismiss(taskId);
        TaskView memory task = taskOf(taskId);
        assertEq(task.dismissAt, clock() + 1 days);
        task.dismissAt = 0;
        expectDelivered(task);
        submit(taskId);
        assertTask(task);
    }

    function test_reverts_forAFormerWorker() public {
        uint256 taskId = active();
        leaveTask(taskId);
        claim(taskId, rival);
        start(taskId);
        expectNotWorker(worker);
        submit(taskId);
    }

    function testFuzz_deliversAtAnyTimeUntilTheGraceEnds(uint64 wait, bytes32 proofHash, string calldata uri) public {
        uint256 taskId = active();
        skip(bound(wait, 0, 11 days));
        TaskView memory task = taskOf(taskId);
        expectDelivered(task);
        expectProofLogs(task, proofHash, uri);
        registryAs(worker).submitProof(taskId, 0, proofHash, uri);
        assertTask(task);
    }

    function testFuzz_leavesTheWorkerItsTimeThroughAnyNumberOfDeliveries(
        uint256 count,
        uint64[8] calldata waits
    ) public {
        uint256 taskId = delivered();
        uint64 hadAtDelivery = taskOf(taskId).deadline - clock();
        count = bound(count, 1, waits.length);
        for (uint256 index = 0; index < count; ++index) {
            skip(bound(waits[index], 1, 400 days));
            submit(taskId);
            assertEq(taskOf(taskId).deadline - clock(), hadAtDelivery);
        }
    }

    function submit(uint256 taskId) private {
        submitFor(taskId, 0);
    }

    function submitFor(uint256 taskId, uint8 milestone) private {
        registryAs(worker).submitProof(taskId, milestone, PROOF, URI);
    }

    function expectDelivered(TaskView memory task) private view {
        task.state = State.DELIVERED;
        task.updatedAt = clock();
    }

    function expectProofLogs(TaskView memory task, bytes32 proofHash, string memory uri) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.ProofSubmitted(task.id, worker, task.milestone, proofHash, uri);
        expectStateLog(task.id, State.DELIVERED, task.round, task.milestone);
    }
}

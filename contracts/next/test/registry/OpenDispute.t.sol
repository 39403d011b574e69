// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev openDispute, called
///   for another delivery than the current one         reverts
///   after the review period                           reverts
///   without TOK for the dispute bond                  reverts
///   by the poster up to the end of the review         DISPUTED; what escrow holds for later milestones goes back to
///                                                     the poster; 5 % of the current one go from it to the court
///   the answer is due after three days
contract OpenDisputeTest is OperationTest {
    function testFuzz_reverts_forAnyOtherDelivery(uint64 deliveredAt) public {
        uint256 taskId = delivered();
        uint64 updatedAt = taskOf(taskId).updatedAt;
        // The largest value waives the check: attacks/PendingCalls.
        vm.assume(deliveredAt != updatedAt && deliveredAt != type(uint64).max);
        expectDeliveredAgain(updatedAt);
        open(poster, taskId, deliveredAt);
    }

    function test_thePosterMayDisputeUpToTheEndOfTheReviewAndNoLonger() public {
        uint256 taskId = delivered();
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        vm.warp(deliveredAt + REVIEW + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewOver.selector, deliveredAt + REVIEW));
        open(poster, taskId, deliveredAt);
        vm.warp(deliveredAt + REVIEW);
        open(poster, taskId, deliveredAt);
        assertState(taskId, State.DISPUTED);
    }

    function test_takesTheBondAndOpensTheCase() public {
        uint256 taskId = delivered();
        skip(1 hours);
        assertOpens(taskId, TOTAL, 0);
    }

    function test_ofTheLastMilestoneAllThatIsHeldIsDisputed() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        accept(taskId);
        deliver(taskId);
        assertOpens(taskId, 3_000e18, 0);
    }

    function test_theAnswerIsDueAfterThreeDaysWhateverTheReviewPeriod() public {
        assertAnswerWindow(12 hours);
        assertAnswerWindow(30 days);
    }

    function testFuzz_theBondIsFivePercentOfTheMilestone(uint256[3] memory parts, uint256 index) public {
        uint96[] memory amounts = new uint96[](3);
        uint96 total = 0;
        for (uint256 position = 0; position < 3; ++position) {
            amounts[position] = uint96(bound(parts[position], 100_000e18, 900_000e18));
            total += amounts[position];
        }
        vm.assume(total >= MIN_TOTAL);
        uint256 taskId = activeWith(total, amounts);
        deliver(taskId);
        index = bound(index, 0, 2);
        uint96 later = total;
        for (uint8 accepted = 0; accepted < index; ++accepted) {
            accept(taskId);
            deliver(taskId);
            later -= amounts[accepted];
        }
        assertOpens(taskId, amounts[index], later - amounts[index]);
    }

    function open(address caller, uint256 taskId, uint64 deliveredAt) private {
        registryAs(caller).openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
    }

    function assertAnswerWindow(uint32 reviewPeriod) private {
        ITaskRegistry.PostParams memory params = postParams();
        params.reviewPeriod = reviewPeriod;
        params.fundNow = TOTAL;
        uint256 taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        skip(1 hours);
        openDispute(taskId);
        assertEq(court.disputeOf(taskId).phaseEnds, clock() + 3 days, "answer window");
    }

    function assertOpens(uint256 taskId, uint96 amount, uint96 later) private {
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        uint64 phaseEnds = clock() + 3 days;
        TaskView memory task = taskOf(taskId);
        task.state = State.DISPUTED;
        task.updatedAt = clock();
        task.refunded += later;
        uint96 bond = amount / 20;
        Books memory books = readBooks();
        expectFromEscrow(books, books.poster, later);
        books.poster.tok -= bond;
        books.court += bond;
        IDisputeCourt.Dispute memory expected;
        expected.poster = poster;
        expected.worker = worker;
        expected.phase = Phase.ANSWERING;
        expected.phaseEnds = phaseEnds;
        expected.amount = amount;
        expected.bond = bond;

        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, poster, EVIDENCE, EVIDENCE_URI);
        expectStateLog(taskId, State.DISPUTED, 0, task.milestone);
        if (later != 0) {
            expectRefundLog(taskId, poster, later);
            expectTransferLog(address(escrow), poster, later);
        }
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeCreated(taskId, phaseEnds);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBond(taskId, poster, bond);
        expectTransferLog(poster, address(court), bond);
        vm.recordLogs();
        open(poster, taskId, deliveredAt);
        assertLogCount(later == 0 ? 5 : 7);

        assertTask(task);
        assertBooks(books);
        assertEq(escrow.heldOf(taskId), amount, "escrow holds the disputed milestone alone");
        assertEq(abi.encode(court.disputeOf(taskId)), abi.encode(expected));
    }
}

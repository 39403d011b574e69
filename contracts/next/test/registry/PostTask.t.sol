// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev postTask, row 1 of the transition table:
///   it posts
///     a task of one milestone, or of 2 to 10
///     funded not at all, in part or wholly by fundNow
///     the fee is paid in TOK, or in Action Credits; the first fee a day after the last split splits what is pending
///     with deadline, review period, total and milestones on each of their bounds
///   it reverts
///     total below the minimum; deadline not ahead or over a year ahead; review period out of bounds
///     milestones: one or eleven of them, one below a twentieth, a sum other than the total
///     deposit below the entry, or less free than a bond
///     no allowance or no money for the fee or the funding; funding above the total
contract PostTaskTest is OperationTest {
    function test_postsWithMilestonesAndFundsAtOnce() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.milestones = threeMilestones();
        params.fundNow = TOTAL;
        Books memory books = readBooks();
        expectEntry(books, books.poster);
        expectFunding(books, TOTAL);
        expectPostLogs(1, params);
        expectFundingLogs(1, TOTAL, TOTAL);
        vm.recordLogs();
        registryAs(poster).postTask(params);
        assertLogCount(7);
        assertBooks(books);
        assertTask(expectedTask(1, params));
        assertEq(abi.encode(registry.milestonesOf(1)), abi.encode(threeMilestones()));
    }

    function test_postsOnEachBoundOfItsTerms() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = MIN_TOTAL;
        params.deadline = clock() + 1;
        params.reviewPeriod = 12 hours;
        params.milestones = amountsOf(MIN_TOTAL / 10, 10);
        assertTask(expectedTask(postWith(params), params));
        params.totalAmount = type(uint96).max;
        params.deadline = clock() + 365 days;
        params.reviewPeriod = 30 days;
        params.milestones = cut(type(uint96).max, 2, 0);
        assertTask(expectedTask(postWith(params), params));
    }

    function test_reverts_whenTheTermsAreOutOfBounds() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = MIN_TOTAL - 1;
        checkBadTerms(params, "totalAmount");
        params = postParams();
        uint64[4] memory deadlines = [0, clock(), clock() + 365 days + 1, type(uint64).max];
        for (uint256 index = 0; index < deadlines.length; ++index) {
            params.deadline = deadlines[index];
            checkBadTerms(params, "deadline");
        }
        params = postParams();
        uint32[4] memory periods = [0, 12 hours - 1, 30 days + 1, type(uint32).max];
        for (uint256 index = 0; index < periods.length; ++index) {
            params.reviewPeriod = periods[index];
            checkBadTerms(params, "reviewPeriod");
        }
    }

    function test_reverts_whenThereIsOneMilestoneOrOverTen() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.milestones = amountsOf(TOTAL, 1);
        expectBadMilestones("count");
        postWith(params);
        params.milestones = amountsOf(TOTAL / 11, 11);
        expectBadMilestones("count");
        postWith(params);
    }

    function test_reverts_whenAMilestoneIsBelowTheSmallestSize() public {
        ITaskRegistry.PostParams memory params = postParams();
        for (uint256 index = 0; index < 3; ++index) {
            params.milestones = threeMilestones();
            params.milestones[index] = TOTAL / 20 - 1;
            expectBadMilestones("amount");
            postWith(params);
        }
    }

    function test_reverts_whenMilestonesDoNotAddUpToTheTotal() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.milestones = threeMilestones();
        params.milestones[2] += 1;
        expectBadMilestones("sum");
        postWith(params);
        params.milestones[2] -= 2;
        expectBadMilestones("sum");
        postWith(params);
        // A sum that is the total again after 96 bits have overflown.
        params.milestones = amountsOf(type(uint96).max, 2);
        params.totalAmount = type(uint96).max - 1;
        expectBadMilestones("sum");
        postWith(params);
    }

    function test_reverts_whenTheFundingIsAboveTheTotal() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.fundNow = TOTAL + 1;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.OverFunded.selector, TOTAL + 1, TOTAL));
        postWith(params);
    }

    function testFuzz_postsWhateverIsWithinBounds(
        ITaskRegistry.PostParams memory params,
        uint256 count,
        uint256 seed
    ) public {
        params.totalAmount = uint96(bound(params.totalAmount, MIN_TOTAL, type(uint96).max));
        params.deadline = uint64(bound(params.deadline, clock() + 1, clock() + 365 days));
        params.reviewPeriod = uint32(bound(params.reviewPeriod, 12 hours, 30 days));
        count = bound(count, 1, 10);
        params.milestones = count == 1 ? noMilestones() : cut(params.totalAmount, count, seed);
        uint96 affordable = WALLET_TOK - FEE;
        params.fundNow = uint96(
            bound(params.fundNow, 0, params.totalAmount < affordable ? params.totalAmount : affordable)
        );
        Books memory books = readBooks();
        expectEntry(books, books.poster);
        expectFunding(books, params.fundNow);
        expectPostLogs(1, params);
        assertTask(expectedTask(postWith(params), params));
        assertBooks(books);
    }

    function testFuzz_reverts_whenMilestonesMissTheTotal(
        uint96 total,
        uint256 count,
        uint256 seed,
        uint96 miss
    ) public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = uint96(bound(total, MIN_TOTAL, type(uint96).max / 2));
        params.milestones = cut(params.totalAmount, bound(count, 2, 10), seed);
        params.milestones[0] += uint96(bound(miss, 1, type(uint96).max - params.milestones[0]));
        expectBadMilestones("sum");
        postWith(params);
    }

    function checkBadTerms(ITaskRegistry.PostParams memory params, bytes32 field) private {
        expectBadTerms(field);
        postWith(params);
    }

    function postWith(ITaskRegistry.PostParams memory params) private returns (uint256) {
        return registryAs(poster).postTask(params);
    }

    function expectPostLogs(uint256 taskId, ITaskRegistry.PostParams memory params) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskPosted(
            taskId,
            poster,
            Scope.OPEN,
            params.totalAmount,
            params.deadline,
            params.reviewPeriod,
            params.criteriaHash,
            params.milestones,
            params.uri
        );
        if (params.instant) {
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TrialWaived(taskId);
        }
        expectStateLog(taskId, State.POSTED, 0, 0);
        expectEntryLogs(taskId, poster, FeeAction.POST);
    }

    function expectedTask(
        uint256 taskId,
        ITaskRegistry.PostParams memory params
    ) private view returns (TaskView memory task) {
        task.id = taskId;
        task.poster = poster;
        task.state = State.POSTED;
        task.milestoneCount = params.milestones.length == 0 ? 1 : uint8(params.milestones.length);
        task.reviewPeriod = params.reviewPeriod;
        task.deadline = params.deadline;
        task.createdAt = clock();
        task.updatedAt = clock();
        task.totalAmount = params.totalAmount;
        task.funded = params.fundNow;
        task.criteriaHash = params.criteriaHash;
        task.instant = params.instant;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev createTask, row 2 of the transition table; its signatures are tested in CreateTaskSignatures.t.sol:
///   it makes a claimed task
///     by the poster with the worker's signature
///     private or open, with or without milestones, funded at once or later
///     both pay their access fee and lock a bond
///     until `acceptBy` and at that second
///   it reverts
///     when poster and worker are one; for any caller but the poster
///     after `acceptBy`, which is 0 in the terms of an open task
///     for a private task with a uri
///     when the milestones do not hash to `milestonesHash`: another order, another amount, none at all
///     for terms and milestones out of bounds, as postTask does
///     when either side lacks its deposit, a free bond or the fee
///     for funding above the total
contract CreateTaskTest is OperationTest {
    function test_createsByThePosterAndFundsAtOnce() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, threeMilestones());
        TaskView memory task = expectedTask(1, terms, 3);
        task.funded = TOTAL;
        task.state = State.ACTIVE;
        Books memory books = readBooks();
        expectEntry(books, books.poster);
        expectEntry(books, books.worker);
        expectFunding(books, TOTAL);
        expectCreateLogs(terms, threeMilestones(), "");
        expectFundingLogs(1, TOTAL, TOTAL);
        expectStateLog(1, State.ACTIVE, 0, 0);
        vm.recordLogs();
        assertEq(create(poster, terms, threeMilestones(), "", TOTAL), 1);
        assertLogCount(12);
        assertTask(task);
        assertBooks(books);
        assertTrue(registry.saltUsed(poster, worker, terms.salt));
        assertEq(abi.encode(registry.milestonesOf(1)), abi.encode(threeMilestones()));
    }

    function test_createsUntilAcceptByAndNotASecondLater() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        vm.warp(terms.acceptBy + 1);
        expectExpired(terms.acceptBy);
        create(poster, terms, noMilestones(), "", 0);
        vm.warp(terms.acceptBy);
        create(poster, terms, noMilestones(), "", 0);
    }

    function test_reverts_whenPosterAndWorkerAreOne() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.worker = poster;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.SelfDeal.selector, poster));
        create(poster, terms, noMilestones(), "", 0);
    }

    function test_reverts_forAnyoneButThePoster() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        address[3] memory others = [worker, rival, owner];
        for (uint256 index = 0; index < others.length; ++index) {
            expectNotPoster(others[index]);
            create(others[index], terms, noMilestones(), "", 0);
        }
    }

    function test_reverts_forAPrivateTaskWithAUri() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        expectBadTerms("uri");
        create(poster, terms, noMilestones(), "x", 0);
    }

    function test_reverts_whenMilestonesHashDiffers() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, threeMilestones());
        uint96[] memory swapped = threeMilestones();
        (swapped[0], swapped[1]) = (swapped[1], swapped[0]);
        expectBadMilestones("hash");
        create(poster, terms, swapped, "", 0);
        expectBadMilestones("hash");
        create(poster, terms, noMilestones(), "", 0);
        terms = signedTerms(Scope.PRIVATE, noMilestones());
        expectBadMilestones("hash");
        create(poster, terms, threeMilestones(), "", 0);
    }

    function test_reverts_whenTheMilestonesAreOutOfBounds() public {
        checkBadMilestones(amountsOf(TOTAL, 1), "count");
        checkBadMilestones(amountsOf(TOTAL / 11, 11), "count");
        uint96[] memory amounts = threeMilestones();
        amounts[1] = TOTAL / 20 - 1;
        checkBadMilestones(amounts, "amount");
        amounts[1] = 2_000e18 - 1;
        checkBadMilestones(amounts, "sum");
    }

    function test_reverts_whenTheTermsAreOutOfBounds() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.totalAmount = MIN_TOTAL - 1;
        checkBadTerms(terms, "totalAmount");
        terms.totalAmount = MIN_TOTAL;
        terms.deadline = clock();
        checkBadTerms(terms, "deadline");
        terms.deadline = clock() + 365 days + 1;
        checkBadTerms(terms, "deadline");
        terms.deadline = clock() + 1;
        terms.reviewPeriod = 12 hours - 1;
        checkBadTerms(terms, "reviewPeriod");
        terms.reviewPeriod = 30 days + 1;
        checkBadTerms(terms, "reviewPeriod");
    }

    function test_reverts_whenASideHasTooSmallADeposit() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        address[2] memory sides = [poster, worker];
        for (uint256 index = 0; index < sides.length; ++index) {
            leaveDeposit(sides[index], ENTRY - 1);
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.BelowEntry.selector, ENTRY - 1, ENTRY));
            create(poster, terms, noMilestones(), "", 0);
            depositsAs(sides[index]).topUp(1);
        }
        create(poster, terms, noMilestones(), "", 0);
    }

    function test_reverts_whenASideHasLessThanABondFree() public {
        leaveDeposit(worker, 6 * BOND - 1);
        for (uint256 count = 0; count < 5; ++count) onTrial();
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientFree.selector, BOND - 1, BOND));
        create(poster, terms, noMilestones(), "", 0);
    }

    function test_reverts_whenTheFundingIsAboveTheTotal() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.OverFunded.selector, TOTAL + 1, TOTAL));
        create(poster, terms, noMilestones(), "", TOTAL + 1);
    }

    function testFuzz_createsWhateverIsWithinBounds(
        ITaskRegistry.PostParams memory fuzzed,
        uint64 acceptBy,
        bool isPrivate,
        uint256 count,
        uint256 seed
    ) public {
        uint96 total = uint96(bound(fuzzed.totalAmount, MIN_TOTAL, type(uint96).max));
        count = bound(count, 1, 10);
        uint96[] memory amounts = count == 1 ? noMilestones() : cut(total, count, seed);
        TaskTerms memory terms = signedTerms(isPrivate ? Scope.PRIVATE : Scope.OPEN, amounts);
        terms.totalAmount = total;
        terms.criteriaHash = fuzzed.criteriaHash;
        terms.deadline = uint64(bound(fuzzed.deadline, clock() + 1, clock() + 365 days));
        terms.reviewPeriod = uint32(bound(fuzzed.reviewPeriod, 12 hours, 30 days));
        terms.salt = bytes32(seed);
        terms.acceptBy = uint64(bound(acceptBy, clock(), clock() + 14 days));
        if (isPrivate) fuzzed.uri = "";
        uint96 affordable = total < WALLET_TOK - FEE ? total : WALLET_TOK - FEE;
        fuzzed.fundNow = uint96(bound(fuzzed.fundNow, 0, affordable));
        Books memory books = readBooks();
        expectEntry(books, books.poster);
        expectEntry(books, books.worker);
        expectFunding(books, fuzzed.fundNow);
        expectCreateLogs(terms, amounts, fuzzed.uri);
        create(poster, terms, amounts, fuzzed.uri, fuzzed.fundNow);
        TaskView memory task = expectedTask(1, terms, uint8(count));
        task.funded = fuzzed.fundNow;
        if (fuzzed.fundNow == total) task.state = State.ACTIVE;
        assertTask(task);
        assertBooks(books);
    }

    function create(
        address caller,
        TaskTerms memory terms,
        uint96[] memory amounts,
        string memory uri,
        uint96 fundNow
    ) private returns (uint256) {
        bytes32 digest = termsDigest(terms);
        bytes memory workerSig = signWith(workerKey, digest);
        return registryAs(caller).createTask(terms, amounts, workerSig, uri, fundNow);
    }

    function checkBadMilestones(uint96[] memory amounts, bytes32 reason) private {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, amounts);
        expectBadMilestones(reason);
        create(poster, terms, amounts, "", 0);
    }

    function checkBadTerms(TaskTerms memory terms, bytes32 field) private {
        expectBadTerms(field);
        create(poster, terms, noMilestones(), "", 0);
    }

    function expectCreateLogs(TaskTerms memory terms, uint96[] memory amounts, string memory uri) private {
        uint256 taskId = registry.taskCount() + 1;
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskPosted(
            taskId,
            terms.poster,
            terms.scope,
            terms.totalAmount,
            terms.deadline,
            terms.reviewPeriod,
            terms.criteriaHash,
            amounts,
            uri
        );
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskClaimed(taskId, terms.worker, 0, termsDigest(terms));
        expectStateLog(taskId, State.CLAIMED, 0, 0);
        expectEntryLogs(taskId, terms.poster, FeeAction.POST);
        expectEntryLogs(taskId, terms.worker, FeeAction.CLAIM);
    }

    /// @dev The task as these terms make it now, unfunded.
    function expectedTask(
        uint256 taskId,
        TaskTerms memory terms,
        uint8 count
    ) private view returns (TaskView memory task) {
        task.id = taskId;
        task.poster = terms.poster;
        task.worker = terms.worker;
        task.state = State.CLAIMED;
        task.scope = terms.scope;
        task.milestoneCount = count;
        task.reviewPeriod = terms.reviewPeriod;
        task.deadline = terms.deadline;
        task.createdAt = clock();
        task.updatedAt = clock();
        task.totalAmount = terms.totalAmount;
        task.criteriaHash = terms.criteriaHash;
        task.settlementDigest = termsDigest(terms);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev fundTask, row 4 of the transition table:
///   it funds
///     a posted task, in one or many parts, whenever the poster likes
///     a claimed task, until a day after the claim and at that second
///     while entries are paused: a pause must never make a poster miss a clock
///     what completes a claimed task makes it ACTIVE and begins the trial; else no state, clock or deadline moves
///   it reverts
///     in CLAIMED over a day after the claim
///     with nothing, with more than the task pays or a ledger holds, or again when everything was funded in an earlier
///       round
///     without allowance or money
contract FundTaskTest is OperationTest {
    function test_fundsAClaimedTaskForADayAndNotASecondLonger() public {
        uint256 taskId = claimed();
        uint64 claimedAt = clock();
        vm.warp(claimedAt + 1 days);
        fund(taskId, 1);
        vm.warp(claimedAt + 1 days + 1);
        expectExpired(claimedAt + 1 days);
        fund(taskId, 1);
    }

    function test_countsTheDayFromTheLatestClaim() public {
        uint256 taskId = claimed();
        skip(1 days + 1);
        leaveTask(taskId);
        skip(1 days);
        claim(taskId, rival);
        skip(1 days);
        fund(taskId, TOTAL);
        assertState(taskId, State.ACTIVE);
    }

    function test_reverts_withNothing() public {
        uint256 taskId = postedUnfunded();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ZeroAmount.selector, poster));
        fund(taskId, 0);
    }

    function test_reverts_withMoreThanTheTaskPays() public {
        uint256 taskId = postedUnfunded();
        expectOverFunded(TOTAL + 1);
        fund(taskId, TOTAL + 1);
        fund(taskId, TOTAL);
        expectOverFunded(TOTAL + 1);
        fund(taskId, 1);
        uint256 claimedId = claimed();
        expectOverFunded(TOTAL + 1);
        fund(claimedId, TOTAL + 1);
    }

    function test_reverts_withAnAmountThatWouldOverflowTheLedger() public {
        uint256 taskId = postedUnfunded();
        fund(taskId, 1);
        vm.expectRevert(beyond96Bits(1 + uint256(type(uint96).max)));
        fund(taskId, type(uint96).max);
    }

    function testFuzz_fundsUpToTheTotalAndNoFurther(uint96 first, uint96 second, uint64 wait) public {
        uint256 taskId = claimed();
        first = uint96(bound(first, 1, TOTAL));
        second = uint96(bound(second, 1, 2 * TOTAL));
        if (wait % 4 == 0) second = TOTAL - first + 1;
        if (wait % 4 == 1 && first != TOTAL) second = TOTAL - first;
        skip(bound(wait, 0, 1 days));
        TaskView memory task = taskOf(taskId);
        Books memory books = readBooks();
        fund(taskId, first);
        uint96 both = first + second;
        if (first == TOTAL) expectWrongState(taskId, State.ACTIVE);
        else if (both > TOTAL) expectOverFunded(both);
        fund(taskId, second);
        task.funded = both <= TOTAL ? both : first;
        expectFunding(books, task.funded);
        if (task.funded == TOTAL) expectActive(task, true);
        assertTask(task);
        assertBooks(books);
    }

    function fund(uint256 taskId, uint96 amount) private {
        registryAs(poster).fundTask(taskId, amount);
    }

    function expectOverFunded(uint96 funded) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.OverFunded.selector, funded, TOTAL));
    }
}

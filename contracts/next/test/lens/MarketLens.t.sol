// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev tasksFrom, latestTasks, taskDetails, hashCriteria
///   tasksFrom: upward from a number, 0 meaning the first; short at the end, empty beyond it
///   latestTasks: downward and newest first, from `before` (exclusive; 0 or too high: from the newest)
///         by state or any; at most `want` found and `maxScan` looked at; the cursor pages on without gap or repeat
///         and is 0 when the first task was reached
///   taskDetails: in the order of the question, with milestones and dispute; unknown numbers come back empty
///   each answers for the market it is asked about
contract MarketLensTest is MarketTest {
    function test_tasksFrom_goesUpwardAndEndsWithTheLastTask() public {
        postSeveral(5);
        assertNumbers(lens.tasksFrom(address(registry), 1, 3), 1, 3);
        assertNumbers(lens.tasksFrom(address(registry), 0, 2), 1, 2);
        assertNumbers(lens.tasksFrom(address(registry), 4, 2), 4, 2);
        assertNumbers(lens.tasksFrom(address(registry), 4, 3), 4, 2);
        assertNumbers(lens.tasksFrom(address(registry), 4, 100), 4, 2);
        assertNumbers(lens.tasksFrom(address(registry), 5, type(uint256).max), 5, 1);
        assertNumbers(lens.tasksFrom(address(registry), 6, 1), 0, 0);
        assertNumbers(lens.tasksFrom(address(registry), type(uint256).max, type(uint256).max), 0, 0);
        assertNumbers(lens.tasksFrom(address(registry), 1, 0), 0, 0);
    }

    function test_tasksFrom_saysWhatTheRegistrySays() public {
        uint256 taskId = delivered();
        TaskView[] memory tasks = lens.tasksFrom(address(registry), taskId, 1);
        assertEq(abi.encode(tasks[0]), abi.encode(registry.taskOf(taskId)));
    }

    function test_latestTasks_takesBeforeAsExclusiveAndCutsItToTheNewest() public {
        postSeveral(5);
        assertLatest(State.NONE, 6, 1, 100, hex"05", 5);
        assertLatest(State.NONE, 5, 1, 100, hex"04", 4);
        assertLatest(State.NONE, 7, 1, 100, hex"05", 5);
        assertLatest(State.NONE, type(uint256).max, 1, 100, hex"05", 5);
        assertLatest(State.NONE, 2, 1, 100, hex"01", 0);
        assertLatest(State.NONE, 1, 1, 100, "", 0);
    }

    function test_latestTasks_looksAtNoMoreThanMaxScan() public {
        mixed();
        assertLatest(State.CLAIMED, 0, 10, 2, hex"06", 5);
        assertLatest(State.CLAIMED, 5, 10, 2, hex"", 3);
        assertLatest(State.CLAIMED, 3, 10, 2, hex"02", 0);
        assertLatest(State.CLAIMED, 0, 10, 6, hex"0602", 0);
        assertLatest(State.CLAIMED, 0, 10, type(uint256).max, hex"0602", 0);
        assertLatest(State.CLAIMED, 0, 10, 0, "", 7);
    }

    function test_latestTasks_aScanOfExactlyAllTasksAndOneMoreEndsWithTheFirst() public {
        postSeveral(4);
        assertLatest(State.NONE, 0, 10, 4, hex"04030201", 0);
        assertLatest(State.NONE, 0, 10, 5, hex"04030201", 0);
    }

    function test_latestTasks_aCursorIsNotMovedByNewTasks() public {
        postSeveral(4);
        (, uint256 cursor) = lens.latestTasks(address(registry), State.NONE, 0, 2, 100);
        postSeveral(3);
        assertLatest(State.NONE, cursor, 10, 100, hex"0201", 0);
    }

    function testFuzz_latestTasks_pagesHaveNoGapAndNoRepeat(uint8 want, uint8 maxScan, uint8 only) public {
        mixed();
        want = uint8(bound(want, 1, 7));
        maxScan = uint8(bound(maxScan, 1, 7));
        State wanted = State(bound(only, 0, uint256(State.CANCELLED)));
        (TaskView[] memory all, ) = lens.latestTasks(address(registry), wanted, 0, 100, 100);
        uint256 seen;
        uint256 before;
        do {
            (TaskView[] memory page, uint256 cursor) = lens.latestTasks(
                address(registry),
                wanted,
                before,
                want,
                maxScan
            );
            assertLe(page.length, want, "page");
            for (uint256 index = 0; index < page.length; ++index) {
                assertEq(page[index].id, all[seen++].id, "number");
            }
            assertTrue(before == 0 || cursor < before, "the cursor goes down");
            before = cursor;
        } while (before != 0);
        assertEq(seen, all.length, "all of them");
    }

    function test_taskDetails_carryMilestonesAndDispute() public {
        uint256 simple = posted();
        uint256 contested = answered();
        uint256 staged = activeWithMilestones();
        uint256[] memory ids = new uint256[](5);
        (ids[0], ids[1], ids[2], ids[3], ids[4]) = (staged, contested, simple, 99, staged);

        MarketLens.TaskDetail[] memory details = lens.taskDetails(address(registry), address(court), ids);

        assertEq(details.length, 5);
        for (uint256 index = 0; index < ids.length; ++index) {
            assertEq(abi.encode(details[index].task), abi.encode(registry.taskOf(ids[index])), "task");
            assertEq(abi.encode(details[index].milestones), abi.encode(registry.milestonesOf(ids[index])), "amounts");
            assertEq(abi.encode(details[index].dispute), abi.encode(court.disputeOf(ids[index])), "dispute");
        }
        assertEq(details[0].milestones.length, 3, "three milestones");
        assertEq(uint256(details[1].dispute.phase), uint256(Phase.PROPOSING), "phase");
        assertEq(details[1].dispute.poster, poster, "the poster");
        assertEq(details[2].milestones.length, 1, "one milestone");
        assertEq(details[2].milestones[0], TOTAL, "of the whole");
        assertEq(uint256(details[3].task.state), uint256(State.NONE), "unknown");
        assertEq(details[3].milestones.length, 0, "unknown has no milestones");
        assertEq(lens.taskDetails(address(registry), address(court), new uint256[](0)).length, 0);
    }

    function test_eachMarketIsReadApart() public {
        postSeveral(2);
        address first = address(registry);
        deployMarket(address(tok), address(usdc));
        assertEq(lens.tasksFrom(address(registry), 1, 10).length, 0, "the new one");
        assertEq(lens.tasksFrom(first, 1, 10).length, 2, "the first one");
    }

    function test_hashCriteria_isTheHashOfTheBytes() public view {
        assertEq(lens.hashCriteria("It works."), CRITERIA);
        assertEq(lens.hashCriteria(""), keccak256(""));
        assertEq(lens.hashCriteria(unicode"größer als 3 €"), keccak256(bytes(unicode"größer als 3 €")));
    }

    function postSeveral(uint256 count) private {
        for (uint256 index = 0; index < count; ++index) {
            postedUnfunded();
        }
    }

    /// @dev Six tasks: 1, 3 and 5 POSTED, 2 and 6 CLAIMED, 4 CANCELLED.
    function mixed() private {
        posted();
        claimed();
        posted();
        uint256 withdrawn = posted();
        registryAs(poster).cancelTask(withdrawn);
        posted();
        claimed();
    }

    function assertNumbers(TaskView[] memory tasks, uint256 first, uint256 count) private pure {
        assertEq(tasks.length, count, "count");
        for (uint256 index = 0; index < count; ++index) {
            assertEq(tasks[index].id, first + index, "number");
        }
    }

    /// @dev One byte of `numbers` for each task expected.
    function assertLatest(
        State only,
        uint256 before,
        uint256 want,
        uint256 maxScan,
        bytes memory numbers,
        uint256 nextCursor
    ) private view {
        (TaskView[] memory tasks, uint256 cursor) = lens.latestTasks(address(registry), only, before, want, maxScan);
        assertEq(tasks.length, numbers.length, "found");
        for (uint256 index = 0; index < numbers.length; ++index) {
            assertEq(tasks[index].id, uint8(numbers[index]), "number");
            if (only != State.NONE) assertEq(uint256(tasks[index].state), uint256(only), "state");
        }
        assertEq(cursor, nextCursor, "cursor");
    }
}

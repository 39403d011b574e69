// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Scope, State, TaskView} from "../../src/Types.sol";
import {IDepositVault} from "../../src/interfaces/IDepositVault.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev completeTask:
///   from ACTIVE or DELIVERED everything held goes to the worker, both bonds are free and the worker counts one
///     completion: with all milestones open, with some paid, under a dismissal notice, after the deadline, and while
///     both parties are paused
///   it reverts
///     for everybody but the poster, and for a number without a task
///     in every state but ACTIVE and DELIVERED
///     for another digest than the worker's: a pending call cannot pay the next worker
contract CompleteTaskTest is OperationTest {
    function test_completesADeliveredTask() public {
        checkCompletion(delivered(), TOTAL);
    }

    function test_completesAnActiveTask() public {
        checkCompletion(active(), TOTAL);
    }

    function test_completesWithAllMilestonesOpen() public {
        checkCompletion(activeWithMilestones(), TOTAL);
    }

    function test_completesWithSomeMilestonesPaid() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        checkCompletion(taskId, 5_000e18);
    }

    function test_completesADeliveredMilestoneAndAllThatFollow() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        checkCompletion(taskId, 5_000e18);
    }

    function test_completesUnderADismissalNotice() public {
        uint256 taskId = active();
        giveNotice(taskId);
        checkCompletion(taskId, TOTAL);
    }

    function test_completesAfterDeadlineAndGrace() public {
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        checkCompletion(taskId, TOTAL);
    }

    function test_completesWhileThePosterIsPaused() public {
        uint256 taskId = active();
        pausePoster();
        Books memory books = readBooks();
        expectCompletion(books, TOTAL);
        // With its last engagement over, nothing is left that could be paused.
        vm.expectEmit(address(deposits));
        emit IDepositVault.AgentResumed(poster, ENTRY - 4 * BOND);
        complete(taskId);
        assertBooks(books);
    }

    function test_completesWhileTheWorkerIsPaused() public {
        uint256 taskId = active();
        pauseWorker();
        Books memory books = readBooks();
        expectCompletion(books, TOTAL);
        complete(taskId);
        assertBooks(books);
    }

    function test_completesInALaterRoundForThatRoundsWorker() public {
        uint256 taskId = relistedWithOnePaid();
        claim(taskId, rival);
        start(taskId);
        uint256 had = tok.balanceOf(rival);
        complete(taskId);
        assertEq(tok.balanceOf(rival), had + 5_000e18);
        assertEq(readHolding(rival).record.completed, 1);
        assertEq(readHolding(worker).record.completed, 0);
    }

    function test_reverts_forEverybodyButThePoster() public {
        uint256[2] memory tasks = [active(), delivered()];
        address[4] memory others = [worker, rival, owner, fallbackArbitrator];
        for (uint256 which = 0; which < tasks.length; ++which) {
            for (uint256 index = 0; index < others.length; ++index) {
                expectNotPoster(others[index]);
                vm.prank(others[index]);
                registry.completeTask(tasks[which], 0);
            }
        }
    }

    function test_reverts_withoutATask() public {
        expectNotPoster(poster);
        completeAs(NO_TASK, 0);
    }

    function test_reverts_inEveryOtherState() public {
        State[] memory states = statesBut(State.ACTIVE, State.DELIVERED);
        for (uint256 index = 0; index < states.length; ++index) {
            uint256 taskId = taskIn(states[index]);
            bytes32 digest = digestOf(taskId);
            expectWrongState(taskId, states[index]);
            completeAs(taskId, digest);
        }
    }

    /// @dev The worker leaves and another starts while the poster's payment is on its way.
    function test_reverts_whenAnotherWorkerHasTheTaskNow() public {
        uint256 taskId = delivered();
        bytes32 meant = digestOf(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        start(taskId);
        bytes32 digest = digestOf(taskId);
        expectDigestMismatch(digest);
        completeAs(taskId, meant);
        assertEq(taskOf(taskId).released, 0);
        completeAs(taskId, digest);
        assertEq(taskOf(taskId).released, TOTAL);
    }

    function test_completesATaskMadeBySignatures() public {
        uint256 taskId = created(Scope.PRIVATE);
        start(taskId);
        checkCompletion(taskId, TOTAL);
    }

    function testFuzz_reverts_forAnyOtherDigest(bytes32 expected) public {
        uint256 taskId = active();
        bytes32 digest = digestOf(taskId);
        vm.assume(expected != digest);
        expectDigestMismatch(digest);
        completeAs(taskId, expected);
    }

    function testFuzz_paysAllThatIsHeld(
        uint96 total,
        uint256 count,
        uint256 paid,
        bool deliverLast,
        uint256 seed
    ) public {
        total = uint96(bound(total, MIN_TOTAL, WALLET_TOK / 2));
        count = bound(count, 2, 10);
        paid = bound(paid, 0, count - 1);
        uint256 taskId = activeWith(total, cut(total, count, seed));
        for (uint256 index = 0; index < paid; ++index) {
            deliver(taskId);
            accept(taskId);
        }
        if (deliverLast) deliver(taskId);
        checkCompletion(taskId, escrow.held(taskId));
        assertEq(taskOf(taskId).released, total);
    }

    function checkCompletion(uint256 taskId, uint96 amount) private {
        TaskView memory task = taskOf(taskId);
        expectCompleted(task);
        Books memory books = readBooks();
        expectCompletion(books, amount);
        expectCompletionLogs(task, amount);
        vm.recordLogs();
        complete(taskId);
        assertLogCount(7);
        assertTask(task);
        assertBooks(books);
        assertEq(escrow.held(taskId), 0);
    }

    function completeAs(uint256 taskId, bytes32 expectedDigest) private {
        vm.prank(poster);
        registry.completeTask(taskId, expectedDigest);
    }
}

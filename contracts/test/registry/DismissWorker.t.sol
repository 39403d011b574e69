// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeAction, RepKind, Scope, State, TaskView} from "../../src/Types.sol";
import {IDepositVault} from "../../src/interfaces/IDepositVault.sol";
import {IEscrowVault} from "../../src/interfaces/IEscrowVault.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {IPaymentGateway} from "../../src/interfaces/IPaymentGateway.sol";
import {IReputationRegistry} from "../../src/interfaces/IReputationRegistry.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev dismissWorker (rows 14 to 17), called
///   by another than the poster                      reverts
///   in another state than CLAIMED and ACTIVE        reverts
///   without TOK for the fee                         reverts
///   in CLAIMED: fee, worker's bond unlocked, no mark on the worker
///     an open task up to its deadline     back to the list
///     a second later, or a private task   ends, money and bond back to the poster
///   in ACTIVE up to deadline and grace
///     for the first time                  fee, a day's notice, nothing else
///     up to the end of the notice         reverts
///     after the notice                    no further fee, worker's bond unlocked and a mark on it;
///                                         to the list up to the deadline, else the task ends
///     after a delivery answered it        a new notice at a new fee
///   in ACTIVE after deadline and grace    reverts, noticed or not
contract DismissWorkerTest is OperationTest {
    function test_reverts_whenTheCallerIsNotThePoster() public {
        uint256 taskId = active();
        address[2] memory callers = [worker, stranger];
        for (uint256 index = 0; index < callers.length; ++index) {
            expectNotPoster(callers[index]);
            vm.prank(callers[index]);
            registry.dismissWorker(taskId, 0);
        }
        expectNotPoster(poster);
        dismiss(NO_TASK);
    }

    function test_reverts_inEveryOtherState() public {
        State[] memory others = statesBut(State.CLAIMED, State.ACTIVE);
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = taskIn(others[index]);
            expectWrongState(taskId, others[index]);
            dismiss(taskId);
        }
    }

    function test_reverts_whenThePosterCannotPayTheFee() public {
        uint256 claimedId = claimed();
        uint256 activeId = active();
        vm.prank(poster);
        tok.approve(address(gateway), FEE - 1);
        bytes memory tooLittle = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), FEE - 1, FEE
        );
        vm.expectRevert(tooLittle);
        dismiss(claimedId);
        vm.expectRevert(tooLittle);
        dismiss(activeId);
        assertEq(taskOf(activeId).dismissAt, 0);
    }

    function test_aClaimedOpenTaskGoesBackToTheListWithoutAMarkOnTheWorker() public {
        uint256 taskId = claimed();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        expectRelisted(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);

        expectDismissed(taskId, State.POSTED, 1);
        expectFeeEvent(taskId);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(worker, 0);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aClaimedPrivateTaskEndsAndIsRefunded() public {
        uint256 taskId = created(Scope.PRIVATE);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectFromEscrow(books, books.poster, TOTAL);

        expectDismissed(taskId, State.CANCELLED, 0);
        expectFeeEvent(taskId);
        expectBothFreedAndRefund(taskId);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aClaimedTaskIsListedAgainAtItsDeadlineAndEndsASecondLater() public {
        uint256 taskId = claimed();
        vm.warp(taskOf(taskId).deadline);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        vm.revertToState(snapshot);
        skip(1);
        dismiss(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(taskOf(taskId).refunded, TOTAL);
    }

    function test_theFirstCallGivesADaysNoticeForAFee() public {
        uint256 taskId = active();
        skip(5 hours);
        uint40 effectiveAt = uint40(vm.getBlockTimestamp() + 1 days);
        TaskView memory task = taskOf(taskId);
        task.dismissAt = effectiveAt;
        Books memory books = readBooks();
        expectFee(books, books.poster);

        vm.expectEmit(address(registry));
        emit ITaskRegistry.DismissalNoticed(taskId, effectiveAt);
        expectFeeEvent(taskId);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_reverts_untilTheNoticeIsOver() public {
        uint256 taskId = noticed(active());
        uint64 noticeEnds = taskOf(taskId).dismissAt;
        vm.warp(noticeEnds);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, noticeEnds));
        dismiss(taskId);
        vm.warp(noticeEnds + 1);
        dismiss(taskId);
        assertState(taskId, State.POSTED);
    }

    function test_afterTheNoticeAnOpenTaskGoesBackToTheListAndTheWorkerIsMarked() public {
        uint256 taskId = noticed(active());
        skip(1 days + 1);
        TaskView memory task = taskOf(taskId);
        expectRelisted(task);
        Books memory books = readBooks();
        expectUnlocked(books.worker);
        expectCounted(books.worker, RepKind.DISMISSED);

        expectDismissed(taskId, State.POSTED, 1);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.ReputationChanged(worker, RepKind.DISMISSED, 1);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(worker, 0);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_afterTheNoticeAPrivateTaskEndsAndIsRefunded() public {
        uint256 taskId = created(Scope.PRIVATE);
        start(taskId);
        noticed(taskId);
        skip(1 days + 1);
        TaskView memory task = taskOf(taskId);
        expectCancelled(task);
        Books memory books = readBooks();
        expectUnlocked(books.worker);
        expectUnlocked(books.poster);
        expectCounted(books.worker, RepKind.DISMISSED);
        expectFromEscrow(books, books.poster, TOTAL);

        expectDismissed(taskId, State.CANCELLED, 0);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.ReputationChanged(worker, RepKind.DISMISSED, 1);
        expectBothFreedAndRefund(taskId);
        dismiss(taskId);

        assertTask(task);
        assertBooks(books);
    }

    function test_aStartedTaskIsListedAgainAtItsDeadlineAndEndsASecondLater() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline - 2 days);
        noticed(taskId);
        vm.warp(deadline);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        vm.revertToState(snapshot);
        vm.warp(deadline + 1);
        dismiss(taskId);
        assertState(taskId, State.CANCELLED);
    }

    function test_reverts_afterDeadlineAndGraceWithoutANotice() public {
        uint256 taskId = active();
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertEq(taskOf(taskId).dismissAt, graceEnds + 1 days);
        vm.revertToState(snapshot);
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        dismiss(taskId);
    }

    function test_reverts_afterDeadlineAndGraceWithANotice() public {
        uint256 taskId = active();
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds - 1 days - 1);
        noticed(taskId);
        vm.warp(graceEnds);
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.CANCELLED);
        vm.revertToState(snapshot);
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        dismiss(taskId);
    }

    function test_aDeliveryAnswersTheNoticeAndTheNextOneCostsAgain() public {
        uint256 taskId = noticed(activeWithMilestones());
        skip(1 days + 1);
        deliver(taskId);
        assertEq(taskOf(taskId).dismissAt, 0);
        accept(taskId);
        Books memory books = readBooks();
        expectFee(books, books.poster);
        noticed(taskId);
        assertBooks(books);
        assertState(taskId, State.ACTIVE);
        assertEq(taskOf(taskId).dismissAt, vm.getBlockTimestamp() + 1 days);
    }

    function test_aNoticeDoesNotPassToTheNextWorker() public {
        uint256 taskId = noticed(active());
        skip(1 days + 1);
        dismiss(taskId);
        claim(taskId, rival);
        start(taskId);
        dismiss(taskId);
        assertState(taskId, State.ACTIVE);
        assertEq(taskOf(taskId).dismissAt, vm.getBlockTimestamp() + 1 days);
    }

    function testFuzz_aNoticedWorkerIsDismissedOnlyBetweenNoticeAndGrace(uint256 noticeAt, uint256 wait) public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(bound(noticeAt, vm.getBlockTimestamp(), deadline + 1 days));
        noticed(taskId);
        skip(bound(wait, 0, 12 days));
        uint256 moment = vm.getBlockTimestamp();
        TaskView memory task = taskOf(taskId);
        Books memory books = readBooks();
        if (moment > deadline + 1 days) {
            expectExpired(deadline + 1 days);
        } else if (moment <= task.dismissAt) {
            vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, task.dismissAt));
        } else {
            expectUnlocked(books.worker);
            expectCounted(books.worker, RepKind.DISMISSED);
            if (moment <= deadline) {
                expectRelisted(task);
            } else {
                expectCancelled(task);
                expectUnlocked(books.poster);
                expectFromEscrow(books, books.poster, TOTAL);
            }
        }
        dismiss(taskId);
        assertTask(task);
        assertBooks(books);
    }

    function noticed(uint256 taskId) private returns (uint256) {
        dismiss(taskId);
        return taskId;
    }

    function expectDismissed(uint256 taskId, State state, uint32 nextRound) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkerDismissed(taskId, worker, 0);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, state, nextRound, 0);
    }

    function expectFeeEvent(uint256 taskId) private {
        vm.expectEmit(address(gateway));
        emit IPaymentGateway.AccessFeePaid(poster, FeeAction.DISMISS, taskId, FEE, false);
    }

    function expectBothFreedAndRefund(uint256 taskId) private {
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(worker, 0);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Refunded(taskId, poster, TOTAL);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(poster, 0);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, SettlementKind, State, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {CourtTest} from "./CourtTest.sol";

/// @dev mutualSettle (row 22); SettlementSignatures.t.sol covers which signatures count. Called
///   on no task or an unclaimed one               reverts: there is nobody to agree with
///   on a task that has ended                     reverts, even with fresh signatures
///   with more than 10,000 basis points           reverts
///   by anyone with both signatures, or by a party with the other's
///     in CLAIMED, ACTIVE, DELIVERED              all that is held is split, collateral unlocked, nobody is marked
///     in DISPUTED, in each phase                 likewise; the case closes, its bond goes back to the opener
///     with an arbitrator assigned                likewise; it is freed of the case, unpaid
contract MutualSettleTest is CourtTest {
    function test_reverts_whenThereIsNobodyToAgreeWith() public {
        bytes memory nobody = abi.encodeWithSelector(IMarketErrors.BadSignature.selector, address(0));
        settleAs(poster, NO_TASK, 5_000, nobody);
        uint256 taskId = posted();
        settleAs(poster, taskId, 5_000, nobody);
        settleAs(stranger, taskId, 5_000, nobody);
    }

    function test_reverts_whenTheTaskHasEnded() public {
        State[3] memory ends = [State.COMPLETED, State.RESOLVED, State.CANCELLED];
        for (uint256 index = 0; index < ends.length; ++index) {
            uint256 taskId = taskIn(ends[index]);
            settleAs(stranger, taskId, 5_000, wrongState(taskId, ends[index]));
        }
    }

    function test_reverts_whenTheCaseIsClosed() public {
        uint256 taskId = disputeIn(Phase.CLOSED);
        settleAs(stranger, taskId, 5_000, wrongState(taskId, State.RESOLVED));
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps) public {
        workerBps = uint16(bound(workerBps, WHOLE + 1, type(uint16).max));
        uint256 taskId = active();
        settleAs(stranger, taskId, workerBps, abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
    }

    function test_aStrangerMayBringBothSignatures() public {
        assertSettles(active(), stranger, 2_500);
    }

    function test_thePosterMayBringTheWorkersSignature() public {
        assertSettles(active(), poster, 2_500);
    }

    function test_theWorkerMayBringThePostersSignature() public {
        assertSettles(active(), worker, 2_500);
    }

    function test_aClaimedTaskIsSettled() public {
        assertSettles(claimed(), stranger, 10_000);
    }

    function test_aClaimedTaskIsSettledOverWhatIsFundedSoFar() public {
        uint256 taskId = post(noMilestones(), 10e18 + 1);
        claim(taskId, worker);
        assertSettles(taskId, stranger, 5_000);
        assertEq(taskOf(taskId).refunded, 5e18 + 1, "the odd wei goes to the poster");
    }

    function test_aClaimedTaskWithoutMoneyIsSettled() public {
        assertSettles(claimedUnfunded(), stranger, 10_000);
    }

    function test_aDeliveredTaskIsSettled() public {
        assertSettles(delivered(), stranger, 0);
    }

    function test_allMilestonesLeftAreSplit() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        assertSettles(taskId, stranger, 6_000);
        assertEq(taskOf(taskId).released, 1_000e18 + 3_000e18);
    }

    function test_aCaseIsSettledWhileProposing() public {
        assertSettles(disputeIn(Phase.PROPOSING), stranger, 7_000);
        assertSettles(disputed(), stranger, 7_000);
    }

    function test_anAssignedCaseIsSettledAndTheArbitratorGoesUnpaid() public {
        uint256 taskId = disputeIn(Phase.ASSIGNED);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.openCases = 0;
        assertSettles(taskId, stranger, 7_000);
        assertRecord(arbitrator, record);
    }

    function test_anEscalatedCaseIsSettledAndTheMissStays() public {
        uint256 taskId = assigned();
        skip(5 days + 1);
        court.escalate(taskId);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        assertSettles(taskId, stranger, 7_000);
        assertRecord(arbitrator, record);
    }

    function test_signaturesOutliveAChangeOfThePhase() public {
        uint256 taskId = disputed();
        uint64 validUntil = uint64(vm.getBlockTimestamp()) + 30 days;
        bytes32 digest = settlementDigest(taskId, 5_000, validUntil);
        skip(3 days + 1);
        court.escalate(taskId);
        vm.prank(stranger);
        court.mutualSettle(
            taskId, 5_000, validUntil, signWith(posterKey, digest), signWith(workerKey, digest)
        );
        assertState(taskId, State.RESOLVED);
    }

    function testFuzz_everySettlementAddsUp(uint16 workerBps, uint8 stage, uint8 by) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        address[3] memory callers = [stranger, poster, worker];
        stage = uint8(bound(stage, 0, 5));
        uint256 taskId = stage < 2
            ? taskIn(State(uint8(State.CLAIMED) + stage))
            : disputeIn(Phase(uint8(Phase.NONE) + stage - 2));
        assertSettles(taskId, callers[by % 3], workerBps);
    }

    function wrongState(uint256 taskId, State state) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, state);
    }

    /// @dev The caller needs no signature. An empty `failure` expects none.
    function settleAs(address caller, uint256 taskId, uint16 workerBps, bytes memory failure) private {
        uint64 validUntil = uint64(vm.getBlockTimestamp());
        bytes32 digest = settlementDigest(taskId, workerBps, validUntil);
        bytes memory posterSig = caller == poster ? bytes("") : signWith(posterKey, digest);
        bytes memory workerSig = caller == worker ? bytes("") : signWith(workerKey, digest);
        if (failure.length != 0) vm.expectRevert(failure);
        vm.prank(caller);
        court.mutualSettle(taskId, workerBps, validUntil, posterSig, workerSig);
    }

    function assertSettles(uint256 taskId, address caller, uint16 workerBps) private {
        uint96 held = escrow.held(taskId);
        uint96 workerAmount = uint96((uint256(held) * workerBps) / WHOLE);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        bool disputed = dispute.phase != Phase.NONE;
        Books memory books = readBooks();
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, held - workerAmount);
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        books.court -= dispute.bond;
        (dispute.workerPayer == worker ? books.worker : books.poster).tok += dispute.bond;
        TaskView memory task = taskOf(taskId);
        task.state = State.RESOLVED;
        task.updatedAt = uint64(vm.getBlockTimestamp());
        task.released += workerAmount;
        task.refunded = held - workerAmount;

        vm.expectEmit(address(court));
        emit IDisputeCourt.MutuallySettled(taskId, workerBps);
        if (disputed) {
            vm.expectEmit(address(court));
            emit IDisputeCourt.DisputeBondPaid(taskId, dispute.posterPayer, dispute.bond);
        }
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, State.RESOLVED, task.round, task.milestone);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, SettlementKind.MUTUAL, workerBps, workerAmount, held - workerAmount, 0);
        settleAs(caller, taskId, workerBps, "");

        if (disputed) dispute.phase = Phase.CLOSED;
        assertDispute(taskId, dispute);
        assertTask(task);
        assertBooks(books);
    }
}

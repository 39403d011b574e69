// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {RepKind, SettlementKind, State, TaskView} from "../../src/Types.sol";
import {IDepositVault} from "../../src/interfaces/IDepositVault.sol";
import {IEscrowVault} from "../../src/interfaces/IEscrowVault.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {IReputationRegistry} from "../../src/interfaces/IReputationRegistry.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev settleDispute (the registry's half of rows 22 to 24), called
///   by another than the court                        reverts
///   MUTUAL in NONE, POSTED or a final state          reverts
///   TIMEOUT or RULING in any state but DISPUTED      reverts
///   with more than 10,000 basis points               reverts
///   MUTUAL                                           all that is held is split; bonds unlocked; nobody is marked
///   TIMEOUT                                          the current milestone is split, the later ones go to the
///                                                    poster; bonds unlocked; nobody is marked
///   RULING                                           as TIMEOUT, after the arbitrator's fee; a side that gets
///                                                    nothing loses its bond; winner and loser are marked, but
///                                                    not by an even split
contract SettleDisputeTest is OperationTest {
    uint96 private constant HELD = 5_000e18;
    uint96 private constant MILESTONE = 2_000e18;
    uint96 private constant COURT_FEE = 100e18;

    function testFuzz_reverts_whenTheCallerIsNotTheCourt(address caller) public {
        vm.assume(caller != address(court));
        uint256 taskId = disputed();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCourt.selector, caller));
        vm.prank(caller);
        registry.settleDispute(taskId, SettlementKind.RULING, 5_000, 0);
    }

    function test_reverts_whenAMutualSettlementComesOutsideOfWork() public {
        State[5] memory others =
            [State.NONE, State.POSTED, State.COMPLETED, State.RESOLVED, State.CANCELLED];
        for (uint256 index = 0; index < others.length; ++index) {
            expectWrongStateFor(SettlementKind.MUTUAL, others[index]);
        }
    }

    function test_reverts_whenATimeoutOrRulingComesWithoutADispute() public {
        expectWrongStateFor(SettlementKind.SILENCE, State.NONE);
        expectWrongStateFor(SettlementKind.RULING, State.NONE);
        State[] memory others = statesBut(State.DISPUTED, State.DISPUTED);
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 snapshot = vm.snapshotState();
            expectWrongStateFor(SettlementKind.SILENCE, others[index]);
            vm.revertToState(snapshot);
            expectWrongStateFor(SettlementKind.RULING, others[index]);
        }
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps, uint8 kind) public {
        workerBps = uint16(bound(workerBps, 10_001, type(uint16).max));
        uint256 taskId = disputed();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
        settle(taskId, SettlementKind(kind % 3), workerBps, 0);
    }

    function test_aMutualSettlementIsPossibleFromClaimedToDisputed() public {
        State[4] memory reached = [State.CLAIMED, State.ACTIVE, State.DELIVERED, State.DISPUTED];
        for (uint256 index = 0; index < reached.length; ++index) {
            uint256 taskId = taskIn(reached[index]);
            settle(taskId, SettlementKind.MUTUAL, 2_500, 0);
            assertState(taskId, State.RESOLVED);
            assertEq(taskOf(taskId).released, TOTAL / 4);
            assertEq(taskOf(taskId).refunded, (TOTAL / 4) * 3);
        }
    }

    function test_aMutualSettlementOfAnUnfundedTaskMovesNoMoney() public {
        uint256 taskId = claimedUnfunded();
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, SettlementKind.MUTUAL, 10_000, 0, 0, 0);
        settle(taskId, SettlementKind.MUTUAL, 10_000, 0);
        assertState(taskId, State.RESOLVED);
        assertBooks(books);
    }

    function test_aMutualSettlementSplitsAllThatIsHeld() public {
        assertSettles(SettlementKind.MUTUAL, 3_000, 0, 1_500e18, 3_500e18);
    }

    function test_aTimeoutSplitsTheMilestoneAndReturnsTheLaterOnes() public {
        assertSettles(SettlementKind.SILENCE, 5_000, 0, 1_000e18, 4_000e18);
    }

    function test_aRulingForTheWorkerPaysTheMilestoneAndThePostersBond() public {
        assertSettles(SettlementKind.RULING, 10_000, 0, 2_000e18, 3_000e18);
    }

    function test_aRulingForThePosterReturnsAllAndPaysTheWorkersBond() public {
        assertSettles(SettlementKind.RULING, 0, COURT_FEE, 0, 4_900e18);
    }

    function test_aRulingAboveHalfNamesTheWorkerWinner() public {
        assertSettles(SettlementKind.RULING, 5_001, COURT_FEE, 950.19e18, 3_949.81e18);
    }

    function test_aRulingBelowHalfNamesThePosterWinner() public {
        assertSettles(SettlementKind.RULING, 4_999, COURT_FEE, 949.81e18, 3_950.19e18);
    }

    function test_anEvenRulingNamesNoWinner() public {
        assertSettles(SettlementKind.RULING, 5_000, COURT_FEE, 950e18, 3_950e18);
    }

    function testFuzz_everySplitAddsUpToWhatWasHeld(uint16 workerBps, uint96 fee, uint8 kindIndex) public {
        workerBps = uint16(bound(workerBps, 0, 10_000));
        SettlementKind kind = SettlementKind(kindIndex % 3);
        fee = kind == SettlementKind.RULING ? uint96(bound(fee, 0, MILESTONE)) : 0;
        uint96 stake = kind == SettlementKind.MUTUAL ? HELD : MILESTONE;
        uint96 workerAmount = uint96((uint256(stake - fee) * workerBps) / 10_000);
        assertSettles(kind, workerBps, fee, workerAmount, HELD - fee - workerAmount);
    }

    /// @dev The second of three milestones is disputed: 1000 are paid, 2000 at stake, 3000 for later.
    function disputedSecondMilestone() private returns (uint256 taskId) {
        taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        openDispute(taskId);
    }

    function assertSettles(
        SettlementKind kind,
        uint16 workerBps,
        uint96 fee,
        uint96 workerAmount,
        uint96 posterAmount
    ) private {
        uint256 taskId = disputedSecondMilestone();
        skip(1 hours);
        TaskView memory task = taskOf(taskId);
        task.state = State.RESOLVED;
        task.updatedAt = uint64(vm.getBlockTimestamp());
        task.released += workerAmount;
        task.refunded = posterAmount;
        task.fees = fee;
        Books memory books = readBooks();
        expectFromEscrow(books, books.arbitrator, fee);
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);

        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, State.RESOLVED, 0, 1);
        expectPayments(taskId, fee, workerAmount, posterAmount);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, kind, workerBps, workerAmount, posterAmount, fee);
        if (kind == SettlementKind.RULING) expectRulingsEnd(books, workerBps);
        else expectBothUnlocked(books);
        settle(taskId, kind, workerBps, fee);

        assertTask(task);
        assertBooks(books);
    }

    function expectPayments(uint256 taskId, uint96 fee, uint96 workerAmount, uint96 posterAmount) private {
        if (fee != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.FeePaid(taskId, arbitrator, fee);
        }
        if (workerAmount != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Released(taskId, worker, workerAmount, 1_000e18 + workerAmount);
        }
        if (posterAmount != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.Refunded(taskId, poster, posterAmount);
        }
    }

    function expectRulingsEnd(Books memory books, uint16 workerBps) private {
        bool workerWins = workerBps > 5_000;
        Holding memory winning = workerWins ? books.worker : books.poster;
        Holding memory losing = workerWins ? books.poster : books.worker;
        (address winner, address loser) = workerWins ? (worker, poster) : (poster, worker);
        if (workerBps == 0 || workerBps == 10_000) {
            expectSlashed(losing, winning);
            expectUnlocked(winning);
            vm.expectEmit(address(deposits));
            emit IDepositVault.BondSlashed(loser, winner, BOND);
            vm.expectEmit(address(deposits));
            emit IDepositVault.BondUnlocked(winner, 0);
        } else {
            expectBothUnlocked(books);
        }
        if (workerBps == 5_000) return;
        expectCounted(winning, RepKind.WON);
        expectCounted(losing, RepKind.LOST);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.ReputationChanged(winner, RepKind.WON, 1);
        vm.expectEmit(address(reputation));
        emit IReputationRegistry.ReputationChanged(loser, RepKind.LOST, 1);
    }

    function expectBothUnlocked(Books memory books) private {
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(poster, 0);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondUnlocked(worker, 0);
    }

    function expectWrongStateFor(SettlementKind kind, State state) private {
        uint256 taskId = taskIn(state);
        expectWrongState(taskId, state);
        settle(taskId, kind, 5_000, 0);
    }

    function settle(uint256 taskId, SettlementKind kind, uint16 workerBps, uint96 fee) private {
        vm.prank(address(court));
        registry.settleDispute(taskId, kind, workerBps, fee);
    }
}

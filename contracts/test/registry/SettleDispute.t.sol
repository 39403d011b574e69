// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev settleDispute (the registry's half of every end of a dispute), called
///   MUTUAL in NONE, POSTED or a final state              reverts
///   SILENCE, RULING, WITHDRAWN in any state but DISPUTED reverts
///   with more than 10,000 basis points                   reverts
///   with a fee above the worker's share                  reverts
///   otherwise all that is held is split, in a dispute the disputed milestone alone
///     the protocol fee comes out of the worker's share and goes to the gateway
///     MUTUAL, SILENCE   bonds unlocked; nobody is marked
///     RULING            a side that gets nothing loses its bond; winner and loser are marked, but not by an even
///                       split
///     WITHDRAWN         the worker loses its bond and is marked as having left
contract SettleDisputeTest is OperationTest {
    uint96 private constant MILESTONE = 2_000e18;
    uint96 private constant LATER = 3_000e18;
    uint96 private constant PROTOCOL_FEE = 100e18;

    function test_reverts_whenAMutualSettlementComesOutsideOfWork() public {
        State[5] memory others = [State.NONE, State.POSTED, State.COMPLETED, State.RESOLVED, State.CANCELLED];
        for (uint256 index = 0; index < others.length; ++index) {
            expectWrongStateFor(SettlementKind.MUTUAL, others[index]);
        }
    }

    function test_reverts_whenAnotherEndComesWithoutADispute() public {
        SettlementKind[3] memory kinds = [SettlementKind.SILENCE, SettlementKind.RULING, SettlementKind.WITHDRAWN];
        for (uint8 state = 0; state <= uint8(type(State).max); ++state) {
            if (State(state) == State.DISPUTED) continue;
            for (uint256 which = 0; which < kinds.length; ++which) expectWrongStateFor(kinds[which], State(state));
        }
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps, uint8 kind) public {
        workerBps = uint16(bound(workerBps, 10_001, type(uint16).max));
        uint256 taskId = disputed();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
        settle(taskId, SettlementKind(kind % 4), workerBps, 0);
    }

    function test_reverts_whenTheFeeExceedsTheWorkersShare() public {
        uint256 taskId = disputed();
        vm.expectRevert(ARITHMETIC_PANIC);
        settle(taskId, SettlementKind.RULING, 1_000, TOTAL / 10 + 1);
        settle(taskId, SettlementKind.RULING, 1_000, TOTAL / 10);
        assertEq(taskOf(taskId).fees, TOTAL / 10);
        assertEq(taskOf(taskId).released, 0);
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

    function test_aMutualSettlementBeforeADisputeSplitsAllMilestonesLeft() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        settle(taskId, SettlementKind.MUTUAL, 3_000, 0);
        assertEq(taskOf(taskId).released, 1_000e18 + 1_500e18);
        assertEq(taskOf(taskId).refunded, 3_500e18);
    }

    function test_otherEndsSplitTheMilestoneAndNameNoWinner() public {
        assertSettles(SettlementKind.SILENCE, 5_000, 0);
        assertSettles(SettlementKind.SILENCE, 0, 0);
        assertSettles(SettlementKind.SILENCE, 10_000, 0);
        assertSettles(SettlementKind.MUTUAL, 3_000, 0);
        assertSettles(SettlementKind.WITHDRAWN, 0, 0);
    }

    function test_rulingsPayTheMilestoneAndNameTheWinner() public {
        assertSettles(SettlementKind.RULING, 10_000, 0);
        assertSettles(SettlementKind.RULING, 0, 0);
        assertSettles(SettlementKind.RULING, 5_001, PROTOCOL_FEE);
        assertSettles(SettlementKind.RULING, 4_999, PROTOCOL_FEE);
        assertSettles(SettlementKind.RULING, 5_000, PROTOCOL_FEE);
    }

    function testFuzz_everySplitAddsUpToWhatWasHeld(uint16 workerBps, uint96 fee, uint8 kindIndex) public {
        SettlementKind kind = SettlementKind(kindIndex % 4);
        workerBps = kind == SettlementKind.WITHDRAWN ? 0 : uint16(bound(workerBps, 0, 10_000));
        fee = uint96(bound(fee, 0, (uint256(MILESTONE) * workerBps) / 10_000));
        assertSettles(kind, workerBps, fee);
    }

    /// @dev The second of three milestones is disputed: 1000 are paid, 2000 at stake, 3000 for later.
    function disputedSecondMilestone() private returns (uint256 taskId) {
        taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        openDispute(taskId);
    }

    function assertSettles(SettlementKind kind, uint16 workerBps, uint96 fee) private {
        uint256 taskId = disputedSecondMilestone();
        skip(1 hours);
        uint96 workerAmount = uint96((uint256(MILESTONE) * workerBps) / 10_000) - fee;
        uint96 posterAmount = MILESTONE - workerAmount - fee;
        TaskView memory task = taskOf(taskId);
        assertEq(task.refunded, LATER, "later milestones went back at the opening");
        task.state = State.RESOLVED;
        task.updatedAt = clock();
        task.released += workerAmount;
        task.refunded += posterAmount;
        task.fees = fee;
        Books memory books = readBooks();
        books.escrow -= fee;
        books.gateway += fee;
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);

        expectStateLog(taskId, State.RESOLVED, 0, 1);
        expectPayments(taskId, fee, workerAmount, posterAmount);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, kind, workerBps, workerAmount, posterAmount, fee);
        if (kind == SettlementKind.RULING) expectRulingsEnd(books, workerBps);
        else if (kind == SettlementKind.WITHDRAWN) expectWithdrawal(books);
        else expectBothUnlocked(books);
        settle(taskId, kind, workerBps, fee);

        assertTask(task);
        assertBooks(books);
    }

    function expectPayments(uint256 taskId, uint96 fee, uint96 workerAmount, uint96 posterAmount) private {
        if (fee != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.FeePaid(taskId, address(gateway), fee);
        }
        if (workerAmount != 0) {
            expectReleaseLog(taskId, worker, workerAmount, 1_000e18 + workerAmount);
        }
        if (posterAmount != 0) {
            expectRefundLog(taskId, poster, posterAmount);
        }
    }

    function expectRulingsEnd(Books memory books, uint16 workerBps) private {
        bool workerWins = workerBps > 5_000;
        (address winner, address loser) = workerWins ? (worker, poster) : (poster, worker);
        if (workerBps == 0 || workerBps == 10_000) expectSlash(books, loser, winner);
        else expectBothUnlocked(books);
        if (workerBps == 5_000) return;
        expectCounted(holdingOf(books, winner), RepKind.WON);
        expectCounted(holdingOf(books, loser), RepKind.LOST);
        expectMarkLog(winner, RepKind.WON, holdingOf(books, winner).record.disputesWon);
        expectMarkLog(loser, RepKind.LOST, holdingOf(books, loser).record.disputesLost);
    }

    function expectWithdrawal(Books memory books) private {
        expectSlash(books, worker, poster);
        expectCounted(books.worker, RepKind.LEFT);
        expectMarkLog(worker, RepKind.LEFT, 1);
    }

    function expectSlash(Books memory books, address loser, address winner) private {
        expectSlashed(holdingOf(books, loser), holdingOf(books, winner));
        expectUnlocked(holdingOf(books, winner));
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(loser, winner, BOND);
        expectUnlockLog(winner, 0);
    }

    function expectBothUnlocked(Books memory books) private {
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        expectUnlockLog(poster, 0);
        expectUnlockLog(worker, 0);
    }

    function expectWrongStateFor(SettlementKind kind, State state) private {
        uint256 taskId = taskIn(state);
        expectWrongState(taskId, state);
        settle(taskId, kind, 5_000, 0);
    }

    function settle(uint256 taskId, SettlementKind kind, uint16 workerBps, uint96 fee) private {
        registryAs(address(court)).settleDispute(
            taskId,
            kind,
            workerBps,
            fee,
            fee == 0 ? address(0) : address(gateway)
        );
    }
}

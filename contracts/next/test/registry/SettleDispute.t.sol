// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev settleDispute (the registry's half of every end of a dispute), called
///   MUTUAL in NONE, POSTED or a final state              reverts
///   SILENCE, RULING in any state but DISPUTED            reverts
///   with more than 10,000 basis points                   reverts
///   otherwise all that is held is split, in a dispute the disputed milestone alone
///     with a judge that collateral pays: it gets one bond, from both sides by the split, after a settlement by halves
///     MUTUAL, SILENCE   bonds unlocked; nobody is marked
///     RULING            who loses nine tenths loses its bond; winner and loser are marked, but not by an even split
contract SettleDisputeTest is OperationTest {
    uint96 private constant MILESTONE = 2_000e18;
    uint96 private constant LATER = 3_000e18;

    function test_reverts_whenAMutualSettlementComesOutsideOfWork() public {
        State[5] memory others = [State.NONE, State.POSTED, State.COMPLETED, State.RESOLVED, State.CANCELLED];
        for (uint256 index = 0; index < others.length; ++index) {
            expectWrongStateFor(SettlementKind.MUTUAL, others[index]);
        }
    }

    function test_reverts_whenAnotherEndComesWithoutADispute() public {
        SettlementKind[2] memory kinds = [SettlementKind.SILENCE, SettlementKind.RULING];
        for (uint8 state = 0; state <= uint8(type(State).max); ++state) {
            if (State(state) == State.DISPUTED) continue;
            for (uint256 which = 0; which < kinds.length; ++which) expectWrongStateFor(kinds[which], State(state));
        }
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps, uint8 kind) public {
        workerBps = uint16(bound(workerBps, 10_001, type(uint16).max));
        uint256 taskId = disputed();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
        settle(taskId, SettlementKind(kind % 3), workerBps, address(0));
    }

    function test_aMutualSettlementIsPossibleFromClaimedToDisputed() public {
        State[4] memory reached = [State.CLAIMED, State.ACTIVE, State.DELIVERED, State.DISPUTED];
        for (uint256 index = 0; index < reached.length; ++index) {
            uint256 taskId = taskIn(reached[index]);
            uint96 held = escrow.heldOf(taskId);
            settle(taskId, SettlementKind.MUTUAL, 2_500, address(0));
            assertState(taskId, State.RESOLVED);
            assertEq(taskOf(taskId).released, held / 4);
            assertEq(taskOf(taskId).refunded, (held / 4) * 3);
        }
    }

    function test_aMutualSettlementOfAnUnfundedTaskMovesNoMoney() public {
        uint256 taskId = claimed();
        Books memory books = readBooks();
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, SettlementKind.MUTUAL, 10_000, 0, 0);
        settle(taskId, SettlementKind.MUTUAL, 10_000, address(0));
        assertState(taskId, State.RESOLVED);
        assertBooks(books);
    }

    function test_aMutualSettlementBeforeADisputeSplitsAllMilestonesLeft() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        settle(taskId, SettlementKind.MUTUAL, 3_000, address(0));
        assertEq(taskOf(taskId).released, 1_000e18 + 1_500e18);
        assertEq(taskOf(taskId).refunded, 3_500e18);
    }

    function test_otherEndsSplitTheMilestoneAndNameNoWinner() public {
        assertSettles(SettlementKind.SILENCE, 5_000, address(0));
        assertSettles(SettlementKind.SILENCE, 0, address(0));
        assertSettles(SettlementKind.SILENCE, 10_000, address(0));
        assertSettles(SettlementKind.MUTUAL, 3_000, address(0));
    }

    function test_rulingsPayTheMilestoneAndNameTheWinner() public {
        assertSettles(SettlementKind.RULING, 10_000, address(0));
        assertSettles(SettlementKind.RULING, 0, address(0));
        assertSettles(SettlementKind.RULING, 5_001, address(0));
        assertSettles(SettlementKind.RULING, 4_999, address(0));
        assertSettles(SettlementKind.RULING, 5_000, address(0));
    }

    /// @dev One bond of collateral to the judge of a case without the worker's bond: as the milestone is split, or by halves.
    function test_theJudgeIsPaidInCollateral() public {
        assertSettles(SettlementKind.RULING, 10_000, fallbackArbitrator);
        assertSettles(SettlementKind.RULING, 0, fallbackArbitrator);
        assertSettles(SettlementKind.RULING, 5_000, fallbackArbitrator);
        assertSettles(SettlementKind.RULING, 3_333, fallbackArbitrator);
        assertSettles(SettlementKind.MUTUAL, 1_000, fallbackArbitrator);
    }

    function testFuzz_everySplitAddsUpToWhatWasHeld(uint16 workerBps, bool toJudge, uint8 kindIndex) public {
        SettlementKind kind = SettlementKind(kindIndex % 3);
        workerBps = uint16(bound(workerBps, 0, 10_000));
        bool isPaid = toJudge && kind != SettlementKind.SILENCE;
        assertSettles(kind, workerBps, isPaid ? fallbackArbitrator : address(0));
    }

    /// @dev The second of three milestones is disputed: 1000 are paid, 2000 at stake, 3000 for later.
    function disputedSecondMilestone() private returns (uint256 taskId) {
        taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        openDispute(taskId);
    }

    function assertSettles(SettlementKind kind, uint16 workerBps, address judge) private {
        uint256 taskId = disputedSecondMilestone();
        skip(1 hours);
        uint96 workerAmount = uint96((uint256(MILESTONE) * workerBps) / 10_000);
        uint96 posterAmount = MILESTONE - workerAmount;
        TaskView memory task = taskOf(taskId);
        assertEq(task.refunded, LATER, "later milestones went back at the opening");
        task.state = State.RESOLVED;
        task.updatedAt = clock();
        task.released += workerAmount;
        task.refunded += posterAmount;
        Books memory books = readBooks();
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);

        expectStateLog(taskId, State.RESOLVED, 0, 1);
        expectPayments(taskId, workerAmount, posterAmount);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, kind, workerBps, workerAmount, posterAmount);
        expectCollateral(books, kind, workerBps, judge);
        expectMarks(books, kind, workerBps);
        settle(taskId, kind, workerBps, judge);

        assertTask(task);
        assertBooks(books);
    }

    function expectPayments(uint256 taskId, uint96 workerAmount, uint96 posterAmount) private {
        if (workerAmount != 0) {
            expectReleaseLog(taskId, worker, workerAmount, 1_000e18 + workerAmount);
        }
        if (posterAmount != 0) {
            expectRefundLog(taskId, poster, posterAmount);
        }
    }

    function expectCollateral(Books memory books, SettlementKind kind, uint16 workerBps, address judge) private {
        bool isRuling = kind == SettlementKind.RULING;
        if (judge != address(0)) {
            uint96 ofPoster = uint96((uint256(BOND) * (isRuling ? workerBps : 5_000)) / 10_000);
            expectSlash(books, poster, judge, ofPoster);
            expectSlash(books, worker, judge, BOND - ofPoster);
        } else if (isRuling && workerBps >= 9_000) {
            expectSlash(books, poster, worker, BOND);
            expectFree(books, worker);
        } else {
            if (isRuling && workerBps <= 1_000) expectSlash(books, worker, poster, BOND);
            else expectFree(books, worker);
            expectFree(books, poster);
        }
    }

    function expectMarks(Books memory books, SettlementKind kind, uint16 workerBps) private {
        if (kind != SettlementKind.RULING || workerBps == 5_000) return;
        (address winner, address loser) = workerBps > 5_000 ? (worker, poster) : (poster, worker);
        expectCounted(holdingOf(books, winner), RepKind.WON);
        expectCounted(holdingOf(books, loser), RepKind.LOST);
        expectMarkLog(winner, RepKind.WON, holdingOf(books, winner).record.disputesWon);
        expectMarkLog(loser, RepKind.LOST, holdingOf(books, loser).record.disputesLost);
    }

    function expectSlash(Books memory books, address loser, address winner, uint96 amount) private {
        expectLost(holdingOf(books, loser), holdingOf(books, winner), amount);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(loser, winner, amount);
    }

    function expectFree(Books memory books, address agent) private {
        expectUnlocked(holdingOf(books, agent));
        expectUnlockLog(agent, 0);
    }

    function expectWrongStateFor(SettlementKind kind, State state) private {
        uint256 taskId = taskIn(state);
        expectWrongState(taskId, state);
        settle(taskId, kind, 5_000, address(0));
    }

    function settle(uint256 taskId, SettlementKind kind, uint16 workerBps, address judge) private {
        registryAs(address(court)).settleDispute(taskId, kind, workerBps, judge);
    }
}

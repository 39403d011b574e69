// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @notice All that the end of a case has to do. A test says where the two bonds go and how the milestone is split;
/// `expectEnding` writes it into the books and announces every log, `assertEnded` compares.
abstract contract EndingTest is CourtTest {
    /// @param collateralTo the judge whom one bond of collateral pays, zero for none
    struct Ending {
        SettlementKind kind;
        uint16 workerBps;
        address judge;
        uint96 toJudge;
        uint96 burned;
        uint96 toPoster;
        uint96 toWorker;
        address collateralTo;
    }

    TaskView private _task;
    Books private _books;
    IDisputeCourt.Dispute private _dispute;

    /// @dev Every bond back to who put it up.
    function ending(uint256 taskId, SettlementKind kind, uint16 workerBps) internal view returns (Ending memory made) {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        (made.kind, made.workerBps) = (kind, workerBps);
        made.toPoster = dispute.bond;
        made.toWorker = dispute.isBonded ? dispute.bond : 0;
    }

    /// @dev As a judge in its time rules.
    function ruled(uint256 taskId, uint16 workerBps) internal view returns (Ending memory made) {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        made = ending(taskId, SettlementKind.RULING, workerBps);
        made.judge = dispute.judge;
        uint96 lost = uint96((uint256(dispute.bond) * workerBps) / WHOLE);
        made.toPoster = dispute.bond - lost;
        if (dispute.isBonded) {
            made.toJudge = dispute.bond;
            made.toWorker = lost;
        } else {
            made.burned = lost;
            made.collateralTo = dispute.judge;
        }
    }

    /// @dev To be called after the expectation of the operation's own log, right before the operation.
    function expectEnding(uint256 taskId, Ending memory made) internal {
        Books memory books = readBooks();
        expectBonds(taskId, books, made);
        expectSplit(taskId, books, made);
        expectCollateral(books, made);
        expectMarks(books, made);
        _books = books;
    }

    function assertEnded(uint256 taskId) internal view {
        assertTask(_task);
        assertDispute(taskId, _dispute);
        assertBooks(_books);
        assertEq(escrow.heldOf(taskId), 0, "held");
    }

    function expectBonds(uint256 taskId, Books memory books, Ending memory made) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        if (dispute.phase != Phase.NONE) {
            expectBond(taskId, books, made.judge, made.toJudge);
            expectBond(taskId, books, poster, made.toPoster);
            expectBond(taskId, books, worker, made.toWorker);
            books.court -= made.burned;
            books.supply -= made.burned;
            dispute.phase = Phase.CLOSED;
        }
        dispute.judge = address(0);
        dispute.rulingFrom = 0;
        _dispute = dispute;
    }

    function expectBond(uint256 taskId, Books memory books, address to, uint96 amount) private {
        if (amount == 0) return;
        books.court -= amount;
        holdingOf(books, to).tok += amount;
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBondPaid(taskId, to, amount);
    }

    function expectSplit(uint256 taskId, Books memory books, Ending memory made) private {
        TaskView memory task = taskOf(taskId);
        uint96 held = escrow.heldOf(taskId);
        uint96 workerAmount = uint96((uint256(held) * made.workerBps) / WHOLE);
        uint96 posterAmount = held - workerAmount;
        task.state = State.RESOLVED;
        task.updatedAt = clock();
        task.trialEnds = 0;
        task.released += workerAmount;
        task.refunded += posterAmount;
        _task = task;
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);

        expectStateLog(taskId, State.RESOLVED, task.round, task.milestone);
        if (workerAmount != 0) expectReleaseLog(taskId, worker, workerAmount, task.released);
        if (posterAmount != 0) expectRefundLog(taskId, poster, posterAmount);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, made.kind, made.workerBps, workerAmount, posterAmount);
    }

    function expectCollateral(Books memory books, Ending memory made) private {
        bool isRuling = made.kind == SettlementKind.RULING;
        if (made.collateralTo != address(0)) {
            uint96 ofPoster = uint96((uint256(BOND) * (isRuling ? made.workerBps : 5_000)) / WHOLE);
            expectSlash(books, poster, made.collateralTo, ofPoster);
            expectSlash(books, worker, made.collateralTo, BOND - ofPoster);
        } else if (isRuling && made.workerBps >= 9_000) {
            expectSlash(books, poster, worker, BOND);
            expectFree(books, worker);
        } else {
            if (isRuling && made.workerBps <= 1_000) expectSlash(books, worker, poster, BOND);
            else expectFree(books, worker);
            expectFree(books, poster);
        }
    }

    function expectMarks(Books memory books, Ending memory made) private {
        if (made.kind != SettlementKind.RULING || made.workerBps == WHOLE / 2) return;
        (address winner, address loser) = made.workerBps > WHOLE / 2 ? (worker, poster) : (poster, worker);
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
        Holding memory holding = holdingOf(books, agent);
        expectUnlocked(holding);
        expectUnlockLog(agent, holding.locked);
    }
}

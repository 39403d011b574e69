// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @notice All that the end of a case has to do. A test says who pays what out of the two bonds and how the milestone
/// is split; `expectEnding` writes it into the books and announces every log, `assertEnded` compares.
abstract contract EndingTest is CourtTest {
    /// @param bondsTo who is paid out of the bonds; what remains of each returns to its payer
    struct Ending {
        SettlementKind kind;
        uint16 workerBps;
        address bondsTo;
        uint96 posterPays;
        uint96 workerPays;
        uint96 protocolFee;
    }

    TaskView private _task;
    Books private _books;
    IDisputeCourt.Dispute private _dispute;

    function ending(SettlementKind kind, uint16 workerBps) internal pure returns (Ending memory made) {
        made.kind = kind;
        made.workerBps = workerBps;
    }

    /// @dev To be called after the expectation of the operation's own log, right before the operation.
    function expectEnding(uint256 taskId, Ending memory made) internal {
        Books memory books = readBooks();
        expectBonds(taskId, books, made);
        expectSplit(taskId, books, made);
        expectCollateral(books, made);
        _books = books;
    }

    function assertEnded(uint256 taskId) internal view {
        assertTask(_task);
        assertDispute(taskId, _dispute);
        assertBooks(_books);
        assertEq(escrow.held(taskId), 0, "held");
    }

    function expectBonds(uint256 taskId, Books memory books, Ending memory made) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        bool answeredWithBond = dispute.workerPayer != address(0);
        if (dispute.phase != Phase.NONE) {
            expectBond(taskId, books, made.bondsTo, made.posterPays + made.workerPays);
            expectBond(taskId, books, dispute.posterPayer, dispute.bond - made.posterPays);
        }
        if (answeredWithBond) expectBond(taskId, books, dispute.workerPayer, dispute.bond - made.workerPays);
        if (dispute.phase != Phase.NONE) dispute.phase = Phase.CLOSED;
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
        uint96 held = escrow.held(taskId);
        uint96 workerAmount = uint96((uint256(held) * made.workerBps) / WHOLE) - made.protocolFee;
        uint96 posterAmount = held - workerAmount - made.protocolFee;
        task.state = State.RESOLVED;
        task.updatedAt = clock();
        task.fees += made.protocolFee;
        task.released += workerAmount;
        task.refunded += posterAmount;
        _task = task;
        books.escrow -= made.protocolFee;
        books.gateway += made.protocolFee;
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);

        expectStateLog(taskId, State.RESOLVED, task.round, task.milestone);
        if (made.protocolFee != 0) {
            vm.expectEmit(address(escrow));
            emit IEscrowVault.FeePaid(taskId, address(gateway), made.protocolFee);
        }
        if (workerAmount != 0) {
            expectReleaseLog(taskId, worker, workerAmount, task.released);
        }
        if (posterAmount != 0) {
            expectRefundLog(taskId, poster, posterAmount);
        }
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(
            taskId,
            made.kind,
            made.workerBps,
            workerAmount,
            posterAmount,
            made.protocolFee
        );
    }

    function expectCollateral(Books memory books, Ending memory made) private {
        bool workerWins = made.workerBps > WHOLE / 2;
        (address winner, address loser) = workerWins ? (worker, poster) : (poster, worker);
        bool isJudged = made.kind == SettlementKind.RULING || made.kind == SettlementKind.WITHDRAWN;
        if (isJudged && (made.workerBps == 0 || made.workerBps == WHOLE)) {
            expectSlashLog(books, loser, winner);
            expectUnlockLog(books, winner);
        } else {
            expectUnlockLog(books, poster);
            expectUnlockLog(books, worker);
        }
        if (made.kind == SettlementKind.WITHDRAWN) expectCountLog(books, worker, RepKind.LEFT);
        if (made.kind != SettlementKind.RULING || made.workerBps == WHOLE / 2) return;
        expectCountLog(books, winner, RepKind.WON);
        expectCountLog(books, loser, RepKind.LOST);
    }

    function expectSlashLog(Books memory books, address loser, address winner) private {
        expectSlashed(holdingOf(books, loser), holdingOf(books, winner));
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(loser, winner, BOND);
    }

    function expectUnlockLog(Books memory books, address agent) private {
        Holding memory holding = holdingOf(books, agent);
        expectUnlocked(holding);
        expectUnlockLog(agent, holding.locked);
    }

    function expectCountLog(Books memory books, address agent, RepKind kind) private {
        Holding memory holding = holdingOf(books, agent);
        expectCounted(holding, kind);
        uint32 count =
            kind == RepKind.WON
                ? holding.record.disputesWon
                : kind == RepKind.LOST
                    ? holding.record.disputesLost
                    : holding.record.left;
        expectMarkLog(agent, kind, count);
    }
}

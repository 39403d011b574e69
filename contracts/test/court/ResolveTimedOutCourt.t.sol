// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, SettlementKind, State, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {CourtTest} from "./CourtTest.sol";

/// @dev resolveTimedOut of the court (row 24), called by anyone
///   in another phase than ESCALATED            reverts
///   before the fallback's seven days are over  reverts, at the last second too
///   after them                                 the milestone is halved, later ones go to the poster; no fee, the
///                                              dispute bond goes back, collateral is unlocked, nobody is marked
contract ResolveTimedOutCourtTest is CourtTest {
    function test_reverts_inEveryOtherPhase() public {
        Phase[4] memory others = [Phase.NONE, Phase.PROPOSING, Phase.ASSIGNED, Phase.CLOSED];
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = disputeIn(others[index]);
            skip(30 days);
            expectWrongPhase(others[index]);
            crank(taskId);
        }
    }

    function test_reverts_untilTheFallbacksTimeIsOver() public {
        uint256 taskId = escalated();
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, phaseEnds));
        crank(taskId);
        vm.warp(phaseEnds + 1);
        crank(taskId);
        assertState(taskId, State.RESOLVED);
    }

    function test_aDisputeByThePosterIsHalvedAndItsBondComesBack() public {
        assertHalves(poster);
    }

    function test_aDisputeByTheWorkerIsHalvedAndItsBondComesBack() public {
        assertHalves(worker);
    }

    function test_reverts_whenTheFallbackRulesOnATimedOutCase() public {
        uint256 taskId = escalated();
        skip(7 days + 1);
        crank(taskId);
        expectWrongPhase(Phase.CLOSED);
        rule(fallbackArbitrator, taskId, WHOLE);
    }

    function test_aDisputeEndsWithinFifteenDaysWhenEveryoneIsSilent() public {
        uint256 taskId = disputed();
        uint64 openedAt = taskOf(taskId).updatedAt;
        skip(3 days);
        propose(poster, taskId, arbitrator);
        propose(worker, taskId, arbitrator);
        skip(5 days + 1);
        court.escalate(taskId);
        skip(7 days + 1);
        crank(taskId);
        assertState(taskId, State.RESOLVED);
        assertEq(vm.getBlockTimestamp() - openedAt, 15 days + 2, "three windows and the second after two of them");
    }

    function testFuzz_anOddWeiGoesToThePoster(uint256 amount, uint256 wait) public {
        uint96 total = uint96(bound(amount, MIN_TOTAL, 1_000_000e18));
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        skip(3 days + 1);
        court.escalate(taskId);
        skip(bound(wait, 7 days + 1, 400 days));
        crank(taskId);
        TaskView memory task = taskOf(taskId);
        assertEq(task.released, total / 2);
        assertEq(task.refunded, total - total / 2);
        assertEq(task.fees, 0);
    }

    /// @dev The second of three milestones: 1000 were paid, 2000 are halved, 3000 return to the poster.
    function assertHalves(address opener) private {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        openDispute(taskId);
        skip(3 days + 1);
        court.escalate(taskId);
        skip(7 days + 1);
        TaskView memory task = taskOf(taskId);
        task.state = State.RESOLVED;
        task.updatedAt = uint64(vm.getBlockTimestamp());
        task.released += 1_000e18;
        task.refunded = 4_000e18;
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.CLOSED;
        Books memory books = readBooks();
        expectFromEscrow(books, books.worker, 1_000e18);
        expectFromEscrow(books, books.poster, 4_000e18);
        books.court -= 100e18;
        (opener == poster ? books.poster : books.worker).tok += 100e18;
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeTimedOut(taskId, Phase.ESCALATED, 5_000);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBondPaid(taskId, opener, 100e18);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, State.RESOLVED, 0, 1);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, SettlementKind.SILENCE, 5_000, 1_000e18, 4_000e18, 0);
        crank(taskId);

        assertTask(task);
        assertDispute(taskId, dispute);
        assertBooks(books);
    }

    function crank(uint256 taskId) private {
        vm.prank(stranger);
        court.resolveTimedOut(taskId);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, RepKind, SettlementKind, State, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {CourtTest} from "./CourtTest.sol";

/// @dev resolveDispute (row 23), called
///   in another phase than ASSIGNED and ESCALATED                 reverts
///   by another than the assigned arbitrator, or, once escalated,
///   by another than the fallback arbitrator                      reverts
///   by the fallback in a case of its own                         reverts, see attacks/BribedOrAbsentArbitrator
///   by the assigned arbitrator after its five days               reverts
///   with more than 10,000 basis points                           reverts
///   in time by the assigned one, any time by the fallback        the case closes, the milestone is split:
///     opener gets less than half    its bond is the fee, the milestone is split whole
///     opener gets half or more      its bond comes back, the fee is taken from the milestone first
///     a side gets nothing           its collateral goes to the other; winner and loser are marked
contract ResolveDisputeTest is CourtTest {
    function test_reverts_inEveryOtherPhase() public {
        Phase[3] memory others = [Phase.NONE, Phase.PROPOSING, Phase.CLOSED];
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = disputeIn(others[index]);
            expectWrongPhase(others[index]);
            rule(arbitrator, taskId, 5_000);
            expectWrongPhase(others[index]);
            rule(fallbackArbitrator, taskId, 5_000);
        }
    }

    function test_reverts_whenAnotherThanTheAssignedArbitratorRules() public {
        uint256 taskId = assigned();
        register(rival, MIN_BOND, 0);
        address[5] memory callers = [poster, worker, rival, stranger, fallbackArbitrator];
        for (uint256 index = 0; index < callers.length; ++index) {
            expectNotArbitrator(callers[index], taskId);
        }
    }

    function test_reverts_whenAnotherThanTheFallbackRulesAfterEscalation() public {
        uint256 taskId = assigned();
        skip(5 days + 1);
        court.escalate(taskId);
        address[4] memory callers = [poster, worker, arbitrator, stranger];
        for (uint256 index = 0; index < callers.length; ++index) {
            expectNotArbitrator(callers[index], taskId);
        }
    }

    function test_reverts_whenTheAssignedArbitratorIsLate() public {
        uint256 taskId = assigned();
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds + 1);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.TooLate.selector, phaseEnds));
        rule(arbitrator, taskId, 5_000);
        vm.warp(phaseEnds);
        rule(arbitrator, taskId, 5_000);
        assertState(taskId, State.RESOLVED);
    }

    function test_theFallbackMayRuleAfterItsWindowAsLongAsNobodyTimedItOut() public {
        uint256 taskId = escalated();
        vm.warp(court.disputeOf(taskId).phaseEnds + 30 days);
        rule(fallbackArbitrator, taskId, 5_000);
        assertState(taskId, State.RESOLVED);
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps) public {
        workerBps = uint16(bound(workerBps, WHOLE + 1, type(uint16).max));
        uint256 taskId = assigned();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
        rule(arbitrator, taskId, workerBps);
    }

    function test_aPosterThatLosesPaysTheFeeWithItsBond() public {
        assertRules(assigned(), poster, arbitrator, WHOLE, true);
    }

    function test_aPosterThatWinsGetsItsBondBackAndTheMilestonePays() public {
        assertRules(assigned(), poster, arbitrator, 0, false);
    }

    function test_aWorkerThatLosesPaysTheFeeWithItsBond() public {
        assertRules(assigned(), worker, arbitrator, 0, true);
    }

    function test_aWorkerThatWinsGetsItsBondBackAndTheMilestonePays() public {
        assertRules(assigned(), worker, arbitrator, WHOLE, false);
    }

    function test_anOpenerWithExactlyHalfGetsItsBondBack() public {
        assertRules(assigned(), poster, arbitrator, 5_000, false);
        assertRules(assigned(), worker, arbitrator, 5_000, false);
    }

    function test_anOpenerJustBelowHalfPaysWithItsBond() public {
        assertRules(assigned(), poster, arbitrator, 5_001, true);
        assertRules(assigned(), worker, arbitrator, 4_999, true);
    }

    function test_anOpenerJustAboveHalfGetsItsBondBack() public {
        assertRules(assigned(), poster, arbitrator, 4_999, false);
        assertRules(assigned(), worker, arbitrator, 5_001, false);
    }

    function test_theFallbackIsPaidTheSameWayAndTheAbsentArbitratorGetsNothing() public {
        assertRules(escalated(), poster, fallbackArbitrator, WHOLE, true);
        uint256 taskId = assigned();
        skip(5 days + 1);
        court.escalate(taskId);
        assertRules(taskId, worker, fallbackArbitrator, WHOLE, false);
    }

    function test_reverts_whenACaseIsRuledTwice() public {
        uint256 taskId = assigned();
        rule(arbitrator, taskId, 5_000);
        expectWrongPhase(Phase.CLOSED);
        rule(arbitrator, taskId, 5_000);
    }

    function testFuzz_everyRulingAddsUp(uint16 workerBps, bool byPoster, bool byFallback) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        address opener = byPoster ? poster : worker;
        uint256 taskId = byFallback ? escalated() : assigned();
        bool bondPays = byPoster ? workerBps > 5_000 : workerBps < 5_000;
        assertRules(taskId, opener, byFallback ? fallbackArbitrator : arbitrator, workerBps, bondPays);
    }

    function testFuzz_onlyTheDisputedMilestoneIsSplit(uint16 workerBps, uint8 index, bool byPoster) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        index = uint8(bound(index, 0, 2));
        uint96[] memory amounts = threeMilestones();
        uint256 taskId = deliveredWithMilestones();
        uint96 paid = 0;
        for (uint8 accepted = 0; accepted < index; ++accepted) {
            accept(taskId);
            paid += amounts[accepted];
            deliver(taskId);
        }
        openDispute(taskId);
        propose(poster, taskId, arbitrator);
        propose(worker, taskId, arbitrator);
        rule(arbitrator, taskId, workerBps);

        uint256 fee = amounts[index] / 20;
        bool bondPays = byPoster ? workerBps > 5_000 : workerBps < 5_000;
        uint256 workerAmount = ((amounts[index] - (bondPays ? 0 : fee)) * workerBps) / WHOLE;
        TaskView memory task = taskOf(taskId);
        assertEq(task.released, paid + workerAmount);
        assertEq(task.fees, bondPays ? 0 : fee);
        assertEq(task.refunded, TOTAL - task.released - task.fees);
        assertEq(escrow.held(taskId), 0);
    }

    /// @dev The whole of a task of one milestone is disputed; `bondPays` says where the fee comes from.
    function assertRules(uint256 taskId, address opener, address judge, uint16 workerBps, bool bondPays) private {
        uint96 fee = DISPUTE_BOND;
        uint96 milestonePays = bondPays ? 0 : fee;
        uint96 workerAmount = uint96((uint256(TOTAL - milestonePays) * workerBps) / WHOLE);
        uint96 posterAmount = TOTAL - milestonePays - workerAmount;
        Books memory books = readBooks();
        Holding memory judging = judge == arbitrator ? books.arbitrator : books.fallbackArbitrator;
        Holding memory opening = opener == poster ? books.poster : books.worker;
        books.court -= fee;
        (bondPays ? judging : opening).tok += fee;
        expectFromEscrow(books, judging, milestonePays);
        expectFromEscrow(books, books.worker, workerAmount);
        expectFromEscrow(books, books.poster, posterAmount);
        expectCollateralMoved(books, workerBps);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.CLOSED;
        IDisputeCourt.Arbitrator memory record = recordOf(judge);
        if (judge == arbitrator) {
            record.openCases -= 1;
            record.resolved += 1;
        }

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, judge, workerBps, REASON, fee, REASON_URI);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBondPaid(taskId, bondPays ? judge : opener, fee);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeSettled(taskId, SettlementKind.RULING, workerBps, workerAmount, posterAmount, milestonePays);
        rule(judge, taskId, workerBps);

        assertState(taskId, State.RESOLVED);
        assertDispute(taskId, dispute);
        assertRecord(judge, record);
        assertBooks(books);
    }

    function expectCollateralMoved(Books memory books, uint16 workerBps) private view {
        bool workerWins = workerBps > 5_000;
        Holding memory winning = workerWins ? books.worker : books.poster;
        Holding memory losing = workerWins ? books.poster : books.worker;
        expectUnlocked(winning);
        if (workerBps == 0 || workerBps == WHOLE) expectSlashed(losing, winning);
        else expectUnlocked(losing);
        if (workerBps == 5_000) return;
        expectCounted(winning, RepKind.WON);
        expectCounted(losing, RepKind.LOST);
    }

    function expectNotArbitrator(address caller, uint256 taskId) private {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, caller));
        rule(caller, taskId, 5_000);
    }
}

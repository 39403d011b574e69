// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev resolveDispute, called
///   by the fallback in a case of its own                         reverts
///   by the assigned arbitrator after its five days               reverts
///   with more than 10,000 basis points                           reverts
///   in time by the assigned one, any time by the fallback        the case closes, the milestone is split whole:
///     with two bonds       the judge gets one bond, each side's pays what that side lost of it; the rest returns
///     with one bond        the poster's pays what the poster lost; the worker pays as much out of its award
///     a side gets nothing  its collateral goes to the other; winner and loser are marked
contract ResolveDisputeTest is EndingTest {
    function test_reverts_whenTheAssignedArbitratorIsLate() public {
        uint256 taskId = assigned();
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds + 1);
        expectTooLate(phaseEnds);
        rule(arbitrator, taskId, 5_000);
        vm.warp(phaseEnds);
        rule(arbitrator, taskId, 5_000);
        assertState(taskId, State.RESOLVED);
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps) public {
        workerBps = uint16(bound(workerBps, WHOLE + 1, type(uint16).max));
        uint256 taskId = assigned();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
        rule(arbitrator, taskId, workerBps);
    }

    function test_bothPayTheJudgeByWhatTheyLost() public {
        assertRules(assigned(), arbitrator, 2_500);
        assertRules(assigned(), arbitrator, 4_999);
        assertRules(assigned(), arbitrator, 5_000);
        assertRules(assigned(), arbitrator, 5_001);
        assertRules(assigned(), arbitrator, 1);
        assertRules(assigned(), arbitrator, 9_999);
    }

    function test_withoutABondTheWorkerPaysOutOfItsAward() public {
        assertRules(unbonded(), fallbackArbitrator, WHOLE);
        assertRules(unbonded(), fallbackArbitrator, 7_000);
        assertRules(unbonded(), fallbackArbitrator, 1);
    }

    function test_withoutABondAWorkerThatGetsNothingPaysNoFee() public {
        assertRules(unbonded(), fallbackArbitrator, 0);
    }

    /// @dev Of 6000 TOK a worker that wins everything gets 6000 with a bond, and 5700 without.
    function test_aBondIsWorthItToAWorkerThatWins() public {
        uint256 before = tok.balanceOf(worker);
        uint256 taskId = unbonded();
        rule(fallbackArbitrator, taskId, WHOLE);
        assertEq(tok.balanceOf(worker) - before, 5_700e18 - FEE, "without");
        assertEq(taskOf(taskId).fees, 300e18, "protocol fee");
        before = tok.balanceOf(worker);
        rule(arbitrator, assigned(), WHOLE);
        assertEq(tok.balanceOf(worker) - before, 6_000e18 - FEE, "with");
    }

    function testFuzz_everyRulingAddsUp(uint16 workerBps, uint8 way) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        if (way % 4 == 0) assertRules(assigned(), arbitrator, workerBps);
        else if (way % 4 == 1) assertRules(escalated(), fallbackArbitrator, workerBps);
        else if (way % 4 == 2) assertRules(unbonded(), fallbackArbitrator, workerBps);
        else assertRulesSponsored(workerBps);
    }

    /// @dev Odd amounts, where the fee, its shares and the award are all rounded.
    function testFuzz_everyAmountAddsUp(uint96 total, uint16 workerBps, bool withBond) public {
        total = uint96(bound(total, MIN_TOTAL, 5_000_000e18));
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        if (withBond) {
            answerWithBond(taskId, worker);
            agree(taskId, arbitrator);
        } else {
            answerWithoutBond(taskId);
            waiveHearing(taskId);
        }
        assertRules(taskId, withBond ? arbitrator : fallbackArbitrator, workerBps);
        assertEq(tok.balanceOf(address(court)), court.totalBonded(), "no dispute bond stays behind");
    }

    function testFuzz_onlyTheDisputedMilestoneIsSplit(uint16 workerBps, uint8 index) public {
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
        answerWithBond(taskId, worker);
        agree(taskId, arbitrator);
        rule(arbitrator, taskId, workerBps);

        TaskView memory task = taskOf(taskId);
        assertEq(task.released, paid + (uint256(amounts[index]) * workerBps) / WHOLE);
        assertEq(task.fees, 0);
        assertEq(task.refunded, TOTAL - task.released);
        assertEq(escrow.held(taskId), 0);
    }

    function assertRulesSponsored(uint16 workerBps) private {
        uint256 taskId = sponsored(rival);
        agree(taskId, arbitrator);
        assertRules(taskId, arbitrator, workerBps);
    }

    function assertRules(uint256 taskId, address judge, uint16 workerBps) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        assertEq(dispute.judge, judge, "judge");
        bool hasTwoBonds = dispute.workerPayer != address(0);
        uint96 posterPays = uint96((uint256(dispute.bond) * workerBps) / WHOLE);
        Ending memory made = ending(SettlementKind.RULING, workerBps);
        made.bondsTo = judge;
        made.posterPays = posterPays;
        made.workerPays = hasTwoBonds ? dispute.bond - posterPays : 0;
        made.protocolFee = hasTwoBonds ? 0 : posterPays;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        if (judge == arbitrator) {
            record.openCases -= 1;
            record.resolved += 1;
            record.judgedAmount += dispute.amount;
            record.pairs = 1;
        }

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(
            taskId,
            judge,
            workerBps,
            REASON,
            hasTwoBonds ? dispute.bond : posterPays,
            REASON_URI
        );
        expectEnding(taskId, made);
        rule(judge, taskId, workerBps);

        assertEnded(taskId);
        assertRecord(arbitrator, record);
    }
}

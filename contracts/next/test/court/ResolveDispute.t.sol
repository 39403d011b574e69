// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev resolveDispute, called
///   by the fallback in a case of its own                         reverts
///   by the assigned arbitrator after its five days               reverts
///   with more than 10,000 basis points                           reverts
///   in time by the assigned one, any time by the fallback        the case closes, the milestone is split whole:
///     with two bonds       the judge gets one bond, each side's pays what that side lost of it; the rest returns
///     with one bond        the poster's is burned by what the poster lost; the judge gets one bond of collateral
///     nine tenths lost     with two bonds, or by a late fallback: the loser's collateral goes to the other
///     winner and loser are marked
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

    function test_withoutABondTheJudgeIsPaidInCollateral() public {
        assertRules(unbonded(), fallbackArbitrator, WHOLE);
        assertRules(unbonded(), fallbackArbitrator, 7_000);
        assertRules(unbonded(), fallbackArbitrator, 1);
    }

    function test_withoutABondAWorkerThatGetsNothingPaysTheJudge() public {
        assertRules(unbonded(), fallbackArbitrator, 0);
    }

    function testFuzz_everyRulingAddsUp(uint16 workerBps, uint8 way) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        if (way % 4 == 0) assertRules(assigned(), arbitrator, workerBps);
        else if (way % 4 == 1) assertRules(escalated(), fallbackArbitrator, workerBps);
        else assertRules(unbonded(), fallbackArbitrator, workerBps);
    }

    /// @dev Odd amounts, where the fee, its shares and the award are all rounded.
    function testFuzz_everyAmountAddsUp(uint96 total, uint16 workerBps, bool withBond) public {
        total = uint96(bound(total, MIN_TOTAL, 5_000_000e18));
        register(arbitrator, 300_000e18, 0);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint256 taskId = activeWith(total, noMilestones());
        deliver(taskId);
        openDispute(taskId);
        if (withBond) {
            answerWithBond(taskId);
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
        answerWithBond(taskId);
        agree(taskId, arbitrator);
        rule(arbitrator, taskId, workerBps);

        TaskView memory task = taskOf(taskId);
        assertEq(task.released, paid + (uint256(amounts[index]) * workerBps) / WHOLE);
        assertEq(task.refunded, TOTAL - task.released);
        assertEq(escrow.heldOf(taskId), 0);
    }

    function assertRules(uint256 taskId, address judge, uint16 workerBps) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        assertEq(dispute.judge, judge, "judge");
        Ending memory made = ruled(taskId, workerBps);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        if (judge == arbitrator) {
            record.openCases -= 1;
            record.resolved += 1;
            record.judgedAmount += dispute.amount;
            record.pairs = 1;
        }

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeResolved(taskId, judge, workerBps, REASON, made.toJudge, REASON_URI);
        expectEnding(taskId, made);
        rule(judge, taskId, workerBps);

        assertEnded(taskId);
        assertRecord(arbitrator, record);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev A worker that did nothing wants to be paid by silence: it delivers rubbish when nobody expects it any more,
/// after the deadline or in front of the poster's time-out transaction.
/// Answer: a delivery counts only until the deadline and a day, no matter who comes first after that; before it, the
/// poster has its whole review to dispute, and a worker that loses pays with its bond.
contract LateJunkDeliveryTest is AttackTest {
    function test_afterTheGraceJunkIsRefusedAndTheWorkerHasLostFeeAndBond() public {
        Wealth memory attacker = wealthOf(worker);
        Wealth memory victim = wealthOf(poster);
        uint256 taskId = active();
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        deliverJunk(taskId);
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, attacker, -int256(uint256(FEE)), -int256(uint256(BOND)));
        assertOutcome(poster, victim, -int256(uint256(FEE)), int256(uint256(BOND)));
    }

    function test_junkAtTheLastSecondIsDisputedAndCostsFeeAndBond() public {
        Wealth memory attacker = wealthOf(worker);
        Wealth memory victim = wealthOf(poster);
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline + 1 days);
        deliverJunk(taskId);
        skip(REVIEW);
        openDispute(taskId);
        answerWithBond(taskId, worker);
        agree(taskId, arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        assertOutcome(worker, attacker, -int256(uint256(FEE)), -int256(uint256(BOND)));
        assertOutcome(poster, victim, -int256(uint256(FEE + TOTAL / 20)), int256(uint256(BOND)));
    }

    /// @dev Redelivering over and over only gives the poster new reviews to dispute in.
    function test_junkDeliveredAnewKeepsThePostersReviewOpen() public {
        uint256 taskId = delivered();
        for (uint256 turn = 0; turn < 5; ++turn) {
            skip(REVIEW);
            deliverJunk(taskId);
        }
        skip(REVIEW);
        openDispute(taskId);
        assertState(taskId, State.DISPUTED);
    }

    /// @dev Giving a milestone's time back to the worker must not open the next one's past its own end.
    function test_theNextMilestoneHasTheSameEnd() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds + 1);
        expectExpired(graceEnds);
        deliverJunk(taskId);
        vm.warp(graceEnds);
        deliverJunk(taskId);
        assertState(taskId, State.DELIVERED);
    }

    function testFuzz_noDeliveryAfterTheGraceCounts(uint256 delay) public {
        uint256 taskId = active();
        uint64 graceEnds = taskOf(taskId).deadline + 1 days;
        vm.warp(graceEnds + bound(delay, 1, 1_000 days));
        expectExpired(graceEnds);
        deliverJunk(taskId);
    }

    function deliverJunk(uint256 taskId) private {
        vm.prank(worker);
        registry.submitProof(taskId, 0, keccak256("junk"), "ipfs://junk");
    }
}

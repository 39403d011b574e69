// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev Somebody with two wallets disputes crumbs with itself and names an honest arbitrator, which then works for
/// half a TOK or loses a tenth of its bond.
/// Answer: no milestone is smaller than a tenth of the smallest task; an arbitrator says what it accepts; and since a
/// dispute ends its task, each one takes two access fees, twice what a miss takes from the smallest bond.
contract DustDisputesTest is AttackTest {
    uint96 private constant CRUMB = MIN_TOTAL / 10;

    function test_reverts_whenAMilestoneIsSmallerThanACrumb() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = MIN_TOTAL;
        params.milestones = new uint96[](2);
        params.milestones[0] = CRUMB - 1;
        params.milestones[1] = MIN_TOTAL - CRUMB + 1;
        expectBadMilestones("amount");
        vm.prank(poster);
        registry.postTask(params);
    }

    function test_reverts_whenTheArbitratorAcceptsNoCrumbs() public {
        vm.prank(arbitrator);
        court.registerArbitrator(0, CRUMB + 1);
        uint256 taskId = disputedCrumb();
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotEligible.selector, arbitrator));
        vm.prank(poster);
        court.proposeArbitrator(taskId, arbitrator);
    }

    function test_anArbitratorThatAcceptsEverythingIsHarmedHalfOfWhatTheAttackCosts() public {
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        Wealth memory victim = wealthOf(arbitrator);
        uint256 taskId = disputedCrumb();
        assign(taskId);
        skip(5 days + 1);
        court.escalate(taskId);
        skip(7 days + 1);
        court.resolveTimedOut(taskId);
        assertOutcome(arbitrator, victim, -int256(uint256(MIN_BOND) / 10), 0);
        int256 attackers = tokGain(poster, asPoster) + tokGain(worker, asWorker);
        assertEq(attackers, -2 * int256(uint256(FEE)));
        assertEq(attackers, 2 * tokGain(arbitrator, victim));
    }

    function test_anArbitratorThatRulesIsPaidAndTheAttackCostsMore() public {
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        Wealth memory victim = wealthOf(arbitrator);
        uint256 taskId = disputedCrumb();
        assign(taskId);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 5_000, REASON, REASON_URI);
        assertOutcome(arbitrator, victim, int256(uint256(CRUMB) / 20), 0);
        int256 attackers = tokGain(poster, asPoster) + tokGain(worker, asWorker);
        assertEq(attackers, -2 * int256(uint256(FEE)) - int256(uint256(CRUMB) / 20));
    }

    function test_tenCrumbsMakeOneDisputeNotTen() public {
        uint256 taskId = disputedCrumb();
        assign(taskId);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 10_000, REASON, REASON_URI);
        assertState(taskId, State.RESOLVED);
        assertEq(taskOf(taskId).refunded, 9 * CRUMB);
        expectWrongState(taskId, State.RESOLVED);
        vm.prank(worker);
        registry.submitProof(taskId, 0, PROOF, "");
    }

    function testFuzz_anArbitratorIsNamedOnlyForWhatItAccepts(uint96 minHeld) public {
        vm.prank(arbitrator);
        court.registerArbitrator(0, minHeld);
        uint256 taskId = disputedCrumb();
        bool accepts = minHeld <= CRUMB;
        if (!accepts) vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotEligible.selector, arbitrator));
        vm.prank(poster);
        court.proposeArbitrator(taskId, arbitrator);
        assertEq(court.disputeOf(taskId).posterPick, accepts ? arbitrator : address(0));
    }

    /// @dev The smallest task there is, in ten crumbs, its first one disputed.
    function disputedCrumb() private returns (uint256 taskId) {
        taskId = activeWith(MIN_TOTAL, amountsOf(CRUMB, 10));
        deliver(taskId);
        openDispute(taskId);
    }

    function assign(uint256 taskId) private {
        vm.prank(poster);
        court.proposeArbitrator(taskId, arbitrator);
        vm.prank(worker);
        court.proposeArbitrator(taskId, arbitrator);
    }
}

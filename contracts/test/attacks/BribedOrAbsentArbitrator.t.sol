// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, State} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev A party wants a judge of its own: itself, a second wallet, or an honest name that it bribed or knows to be
/// asleep.
/// Answer: no party may judge, the fallback arbitrator's own tasks included; an arbitrator needs the other party's
/// consent; silence costs it a tenth of its bond and passes the case on; and no ruling reaches beyond the disputed
/// milestone and one bond. A bribed arbitrator that both sides chose stays a risk of that size.
contract BribedOrAbsentArbitratorTest is AttackTest {
    function test_reverts_whenAPartyIsNamedJudge() public {
        vm.prank(poster);
        court.registerArbitrator(MIN_BOND, 0);
        uint256 taskId = disputed();
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.ArbitratorIsParty.selector, poster));
        vm.prank(poster);
        court.proposeArbitrator(taskId, poster);
    }

    function test_reverts_whenTheFallbackJudgesItsOwnTask() public {
        poster = fallbackArbitrator;
        equip(poster);
        expectPartyMayNotRule();
        (poster,) = makeAddrAndKey("poster");
        worker = fallbackArbitrator;
        expectPartyMayNotRule();
    }

    /// @dev A task of the fallback's own is halved by silence, since nobody is left to judge it.
    function test_aTaskOfTheFallbacksOwnEndsBySilence() public {
        poster = fallbackArbitrator;
        equip(poster);
        uint256 taskId = escalated();
        skip(7 days + 1);
        court.resolveTimedOut(taskId);
        assertEq(taskOf(taskId).released, TOTAL / 2);
    }

    function test_aPuppetThatOnlyOneSideNamedNeverRules() public {
        address puppet = rival;
        vm.prank(puppet);
        court.registerArbitrator(MIN_BOND, 0);
        uint256 taskId = disputed();
        Wealth memory attacker = wealthOf(poster);
        vm.prank(poster);
        court.proposeArbitrator(taskId, puppet);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, Phase.PROPOSING));
        vm.prank(puppet);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        skip(3 days + 1);
        court.escalate(taskId);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, puppet));
        vm.prank(puppet);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 10_000, REASON, REASON_URI);
        // The dispute bond went before the books were opened: the poster has lost it, and its collateral.
        assertOutcome(poster, attacker, 0, -int256(uint256(BOND)));
        assertState(taskId, State.RESOLVED);
    }

    function test_anAbsentArbitratorLosesATenthAndThePartiesNothingButTime() public {
        uint256 taskId = assigned();
        Wealth memory absent = wealthOf(arbitrator);
        Wealth memory winner = wealthOf(worker);
        skip(5 days + 1);
        court.escalate(taskId);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotArbitrator.selector, arbitrator));
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 10_000, REASON, REASON_URI);
        assertOutcome(arbitrator, absent, -int256(uint256(MIN_BOND) / 10), 0);
        assertOutcome(worker, winner, int256(uint256(TOTAL)), int256(uint256(BOND)));
        assertEq(tok.balanceOf(treasury), MIN_BOND / 10);
    }

    function test_anArbitratorCannotFleeWithItsBondBeforeItsSilenceIsPunished() public {
        assigned();
        vm.prank(arbitrator);
        court.requestUnbond();
        skip(60 days);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.CasesOpen.selector, 1));
        vm.prank(arbitrator);
        court.withdrawBond();
    }

    /// @dev What a bribe can buy at most: the milestone that is disputed, and the collateral of the side betrayed.
    function testFuzz_noRulingReachesBeyondTheDisputedMilestone(uint16 workerBps, bool byPoster) public {
        workerBps = uint16(bound(workerBps, 0, 10_000));
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        uint256 taskId = deliveredWithMilestones();
        openDispute(taskId);
        vm.prank(poster);
        court.proposeArbitrator(taskId, arbitrator);
        vm.prank(worker);
        court.proposeArbitrator(taskId, arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, workerBps, REASON, REASON_URI);

        int256 milestone = 1_000e18;
        int256 fee = int256(uint256(FEE));
        assertTrue(tokGain(poster, asPoster) >= -milestone - fee - milestone / 20);
        assertTrue(tokGain(worker, asWorker) >= -fee - milestone / 20);
        assertEq(taskOf(taskId).released + taskOf(taskId).fees + taskOf(taskId).refunded, TOTAL);
        assertGe(taskOf(taskId).refunded, 5_000e18, "later milestones return to the poster");
        assertLe(wealthOf(worker).usdc, asWorker.usdc + BOND);
        assertLe(wealthOf(poster).usdc, asPoster.usdc + BOND);
    }

    function expectPartyMayNotRule() private {
        uint256 taskId = escalated();
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.ArbitratorIsParty.selector, fallbackArbitrator));
        vm.prank(fallbackArbitrator);
        court.resolveDispute(taskId, 5_000, REASON, REASON_URI);
        assertState(taskId, State.DISPUTED);
    }
}

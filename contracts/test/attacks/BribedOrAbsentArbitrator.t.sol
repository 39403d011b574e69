// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev A party wants a judge of its own: itself, a second wallet, its sponsor, or an honest name that it bribed or
/// knows to be asleep or leaving.
/// Answer: no party and no sponsor judges; an arbitrator needs the other party's consent; silence costs it a part of
/// its bond and passes the case on; and no ruling reaches beyond the disputed milestone, F and one collateral. A
/// bribed arbitrator that both sides chose stays a risk of that size.
abstract contract BribedOrAbsentArbitrator is CourtAttackTest {
    /// @dev Poster and arbitrator are the same people, and the worker was careless enough to name it, too. This is
    /// the most that a bribed arbitrator takes: D, F and one collateral.
    function test_aBribedArbitratorTakesTheMilestoneFAndOneCollateralAtMost() public atEveryAmount {
        uint96 later = parameters().minTotal;
        uint256 taskId = activeWith(atStake + later, pair(atStake, later));
        deliver(taskId);
        Wealth memory judge = wealthOf(arbitrator);
        remember();
        openDispute(taskId);
        answerWithBond(taskId, worker);
        agree(taskId, arbitrator);
        rule(taskId, 0);
        assertEnd(taskId, int256(uint256(atStake) + later), collateral(), -feeOf(atStake), -collateral());
        assertOutcome(arbitrator, judge, feeOf(atStake), 0);
    }

    /// @dev Both have named it, then it pays the worker's bond to have a side: it is not assigned, and the answer
    /// stands.
    function test_aSponsorIsNeverAssigned() public atEveryAmount {
        registered(sponsor);
        uint256 taskId = disputedWorth(atStake);
        agree(taskId, sponsor);
        answerWithBond(taskId, sponsor);
        assertPhase(taskId, Phase.PROPOSING);
        expectNotEligible(sponsor);
        propose(worker, taskId, sponsor);
        agree(taskId, arbitrator);
        assertPhase(taskId, Phase.ASSIGNED);
    }

    /// @dev The same with an arbitrator that no longer takes cases of this size, or whose bond was taken.
    function test_anAnswerNeverFailsBecauseOfAnArbitrator() public {
        address fickle = registered(rival);
        uint256 taskId = disputedWorth(100_000e18);
        agree(taskId, fickle);
        courtAs(fickle).registerArbitrator(0, 100_000e18 + 1);
        answerWithBond(taskId, worker);
        assertPhase(taskId, Phase.PROPOSING);
        courtAs(fickle).registerArbitrator(0, 100_000e18);
        propose(worker, taskId, fickle);
        assertPhase(taskId, Phase.ASSIGNED);
    }

    /// @dev Once assigned, asking for the bond back neither ends the duty nor frees the bond.
    function test_anArbitratorCannotFleeWithItsBondBeforeItsSilenceIsPunished() public {
        uint256 taskId = assignedWorth(100_000e18);
        courtAs(arbitrator).requestUnbond();
        skip(60 days);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.CasesOpen.selector, 1));
        courtAs(arbitrator).withdrawBond();
        Wealth memory absent = wealthOf(arbitrator);
        court.escalate(taskId);
        assertOutcome(arbitrator, absent, -5_000e18, 0);
    }

    function test_anAbsentArbitratorCostsThePartiesNothingButTime() public atEveryAmount {
        uint256 taskId = assignedWorth(atStake);
        uint64 ends = court.disputeOf(taskId).phaseEnds;
        vm.warp(ends + 1);
        expectTooLate(ends);
        courtAs(arbitrator).resolveDispute(taskId, 0, REASON, REASON_URI);
        court.escalate(taskId);
        rule(taskId, WHOLE);
        assertEnd(taskId, -feeOf(atStake), -collateral(), int256(uint256(atStake)), collateral());
    }

    /// @dev What a bribe can buy at most, whatever the ruling.
    function testFuzz_noRulingReachesBeyondTheDisputedMilestone(uint256 amount, uint16 workerBps) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint96 later = parameters().minTotal;
        uint256 taskId = activeWith(worth + later, pair(worth, later));
        deliver(taskId);
        remember();
        openDispute(taskId);
        answerWithBond(taskId, worker);
        agree(taskId, arbitrator);
        rule(taskId, workerBps);
        assertTrue(tokGain(poster, posterThen) >= int256(uint256(later)) - feeOf(worth));
        assertTrue(tokGain(worker, workerThen) >= -feeOf(worth));
        assertGe(taskOf(taskId).refunded, later, "later milestones return to the poster");
        assertLe(wealthOf(worker).usdc, workerThen.usdc + uint256(collateral()));
        assertLe(wealthOf(poster).usdc, posterThen.usdc + uint256(collateral()));
        assertClosed(taskId);
    }

    function registered(address candidate) private returns (address) {
        courtAs(candidate).registerArbitrator(MIN_BOND, 0);
        return candidate;
    }

    function propose(address party, uint256 taskId, address candidate) private {
        courtAs(party).proposeArbitrator(taskId, candidate);
    }
}

contract BribedOrAbsentArbitratorStandardTest is BribedOrAbsentArbitrator {}

contract BribedOrAbsentArbitratorMicroTest is OnMicro, BribedOrAbsentArbitrator {}

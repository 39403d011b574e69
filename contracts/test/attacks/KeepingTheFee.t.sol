// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";

/// @dev A party sees the ruling coming and gives in, or both settle, just in front of it, so that the judge worked
/// for nothing. Or one uses what the other signed or sent for an earlier, cheaper phase.
/// Answer: as soon as a judge is in office it earns F by a concession and by a settlement as well. A concession names
/// its phase and a settlement signature contains it.
abstract contract KeepingTheFee is CourtAttackTest {
    function test_settlingInFrontOfARulingKeepsNoFee() public atEveryAmount {
        int256 half = feeOf(atStake) / 2;
        for (uint256 way = 0; way < 2; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way == 0 ? assignedWorth(atStake) : escalatedWorth(atStake);
            address judge = court.disputeOf(taskId).judge;
            Wealth memory before = wealthOf(judge);
            settle(taskId, 4_000);
            int256 won = share(int256(uint256(atStake)), 4_000);
            assertEnd(taskId, int256(uint256(atStake)) - won - half, 0, won - half, 0);
            assertOutcome(judge, before, 2 * half, 0);
            vm.revertToState(snapshot);
        }
    }

    /// @dev The worker signed 40 % while both bonds would have come back, and the poster uses it after the
    /// assignment, when the worker would pay half of F.
    function test_aSettlementSignedInOnePhaseIsVoidInEveryOther() public {
        uint256 taskId = disputedWorth(100_000e18);
        bytes memory whileAnswering = sign(taskId);
        answerWithBond(taskId, worker);
        expectVoid(taskId, whileAnswering);
        bytes memory whileProposing = sign(taskId);
        agree(taskId, arbitrator);
        expectVoid(taskId, whileProposing);
        bytes memory whileAssigned = sign(taskId);
        skip(5 days + 1);
        court.escalate(taskId);
        expectVoid(taskId, whileAssigned);
    }

    function sign(uint256 taskId) private view returns (bytes memory) {
        return signWith(workerKey, registry.hashSettlement(taskId, 4_000, START + 300 days));
    }

    function expectVoid(uint256 taskId, bytes memory workerSig) private {
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(taskId, 4_000, START + 300 days, "", workerSig);
    }

    /// @dev Sent while it costs nothing, a concession must not land where it costs half of F or all of it.
    function test_aConcessionNeverLandsInALaterPhase() public {
        uint256 taskId = disputedWorth(100_000e18);
        answerWithBond(taskId, worker);
        expectRefused(taskId, Phase.ANSWERING, Phase.PROPOSING);
        agree(taskId, arbitrator);
        expectRefused(taskId, Phase.PROPOSING, Phase.ASSIGNED);
        skip(5 days + 1);
        court.escalate(taskId);
        expectRefused(taskId, Phase.ASSIGNED, Phase.ESCALATED);
        rule(taskId, 5_000);
        expectRefused(taskId, Phase.ESCALATED, Phase.CLOSED);
        expectRefused(taskId, Phase.CLOSED, Phase.CLOSED);
    }

    function expectRefused(uint256 taskId, Phase meant, Phase current) private {
        for (uint256 index = 0; index < 2; ++index) {
            expectWrongPhase(current);
            courtAs(index == 0 ? poster : worker).concede(taskId, meant);
        }
    }

    /// @dev Rounding at amounts that no percentage divides: nobody gains a wei and none is left behind.
    function testFuzz_everyEndingAddsUpToTheWei(uint256 amount, uint16 workerBps, uint8 way) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        uint256 taskId = way % 2 == 0 ? escalatedWorth(worth) : unbondedWorth(worth);
        uint256 pending = gateway.pendingFees();
        uint256 judged = tok.balanceOf(fallbackArbitrator);
        way = (way / 2) % 5;
        if (way == 0) rule(taskId, workerBps);
        else if (way == 1) settle(taskId, workerBps);
        else if (way == 2) concede(poster, taskId);
        else if (way == 3) concede(worker, taskId);
        else lapse(taskId);
        assertClosed(taskId);
        int256 fees = int256(gateway.pendingFees() - pending + tok.balanceOf(fallbackArbitrator) - judged);
        assertEq(
            tokGain(poster, posterThen) + tokGain(worker, workerThen) + fees,
            int256(uint256(worth)),
            "the sum is D"
        );
    }
}

contract KeepingTheFeeStandardTest is KeepingTheFee {}

contract KeepingTheFeeMicroTest is OnMicro, KeepingTheFee {}

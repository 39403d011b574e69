// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev A party keeps the other's signature under a settlement that fitted then, and uses it when the task stands
/// better for itself.
/// Answer: what is signed names round, milestone, state, time of the last change, the money held and the phase of a
/// dispute, so that any step voids it; and it has its own expiry. KeepingTheFee plays the phases.
contract StaleSettlementSignatureTest is AttackTest {
    uint64 private validUntil;

    function setUp() public override {
        super.setUp();
        validUntil = START + 60 days;
    }

    /// @dev Stuck, the worker offers to leave with a tenth; then it finds the way and delivers everything.
    function test_anOfferMadeInTroubleIsVoidOnceTheWorkIsDelivered() public {
        uint256 taskId = active();
        bytes memory offer = signWith(workerKey, registry.hashSettlement(taskId, 1_000, validUntil));
        Wealth memory attacker = wealthOf(poster);
        Wealth memory victim = wealthOf(worker);
        deliver(taskId);
        expectVoid(poster, worker, taskId, 1_000, "", offer);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        // The old offer would have given the poster nine tenths of the work's price.
        assertOutcome(poster, attacker, 0, 0);
        assertOutcome(worker, victim, int256(uint256(TOTAL)), 0);
    }

    /// @dev The poster agrees to pay all for what little is funded; the worker waits until more is there.
    function test_anAgreementOverLittleMoneyIsVoidOverMore() public {
        uint256 taskId = post(noMilestones(), 100e18);
        claim(taskId, worker);
        bytes memory consent = signWith(posterKey, registry.hashSettlement(taskId, 10_000, validUntil));
        Wealth memory attacker = wealthOf(worker);
        vm.prank(poster);
        registry.fundTask(taskId, TOTAL - 100e18);
        expectVoid(worker, poster, taskId, 10_000, consent, "");
        assertOutcome(worker, attacker, 0, 0);
        assertEq(escrow.held(taskId), TOTAL);
    }

    /// @dev The poster agrees to share the last milestones; the worker has the next one paid and wants both.
    function test_anAgreementOverSeveralMilestonesIsVoidAfterOneIsPaid() public {
        uint256 taskId = deliveredWithMilestones();
        bytes memory consent = signWith(posterKey, registry.hashSettlement(taskId, 9_000, validUntil));
        accept(taskId);
        Wealth memory attacker = wealthOf(worker);
        expectVoid(worker, poster, taskId, 9_000, consent, "");
        deliver(taskId);
        expectVoid(worker, poster, taskId, 9_000, consent, "");
        assertOutcome(worker, attacker, 0, 0);
    }

    /// @dev The same worker takes the same task again, within the same second even.
    function test_anOfferOfAFormerRoundIsVoidInTheNext() public {
        uint256 taskId = claimed();
        bytes memory offer = signWith(workerKey, registry.hashSettlement(taskId, 0, validUntil));
        leaveTask(taskId);
        claim(taskId, worker);
        expectVoid(poster, worker, taskId, 0, "", offer);
        assertState(taskId, State.CLAIMED);
    }

    function test_anOfferEndsAtItsTime() public {
        uint256 taskId = active();
        bytes memory offer = signWith(workerKey, registry.hashSettlement(taskId, 1_000, validUntil));
        vm.warp(validUntil + 1);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.TooLate.selector, validUntil));
        vm.prank(poster);
        court.mutualSettle(taskId, 1_000, validUntil, "", offer);
    }

    function testFuzz_anyNewDeliveryVoidsAnOffer(uint16 workerBps, uint256 wait) public {
        workerBps = uint16(bound(workerBps, 0, 10_000));
        uint256 taskId = delivered();
        bytes memory offer = signWith(workerKey, registry.hashSettlement(taskId, workerBps, validUntil));
        skip(bound(wait, 1, 30 days));
        deliver(taskId);
        expectVoid(poster, worker, taskId, workerBps, "", offer);
    }

    function expectVoid(
        address attacker,
        address signer,
        uint256 taskId,
        uint16 workerBps,
        bytes memory posterSig,
        bytes memory workerSig
    ) private {
        expectBadSignature(signer);
        vm.prank(attacker);
        court.mutualSettle(taskId, workerBps, validUntil, posterSig, workerSig);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./EndingTest.sol";

/// @dev mutualSettle (row 22); SettlementSignatures.t.sol covers which signatures count. Called
///   on no task or an unclaimed one               reverts: there is nobody to agree with
///   on a task that has ended                     reverts, even with fresh signatures
///   with more than 10,000 basis points           reverts
///   by anyone with both signatures, or by a party with the other's
///     in CLAIMED, ACTIVE, DELIVERED              all that is held is split, collateral unlocked, nobody is marked
///     in ANSWERING, PROPOSING                    likewise; the case closes, each bond goes back to its payer
///     in ASSIGNED, ESCALATED                     likewise, but the judge gets half of each dispute bond, or of collateral
///                                                after an answer without a bond; an assigned
///                                                arbitrator is freed of the case
///   with signatures from another phase           reverts
contract MutualSettleTest is EndingTest {
    function test_reverts_whenThereIsNobodyToAgreeWith() public {
        bytes memory nobody = abi.encodeWithSelector(IMarketErrors.BadSignature.selector, address(0));
        settleAs(poster, NO_TASK, 5_000, nobody);
        uint256 taskId = posted();
        settleAs(poster, taskId, 5_000, nobody);
        settleAs(stranger, taskId, 5_000, nobody);
    }

    function testFuzz_reverts_whenTheSplitExceedsTheWhole(uint16 workerBps) public {
        workerBps = uint16(bound(workerBps, WHOLE + 1, type(uint16).max));
        uint256 taskId = active();
        settleAs(stranger, taskId, workerBps, abi.encodeWithSelector(IMarketErrors.BadBps.selector, workerBps));
    }

    function test_anyoneMayBringTheSignaturesThatAreMissing() public {
        assertSettles(active(), stranger, 2_500);
        assertSettles(active(), poster, 2_500);
        assertSettles(active(), worker, 2_500);
        assertSettles(delivered(), stranger, 0);
    }

    function test_aClaimedTaskIsSettledOverWhatIsFundedSoFar() public {
        uint256 taskId = post(noMilestones(), 10e18 + 1);
        claim(taskId, worker);
        assertSettles(taskId, stranger, 5_000);
        assertEq(taskOf(taskId).refunded, 5e18 + 1, "the odd wei goes to the poster");
    }

    function test_aCaseWithoutAJudgeIsSettledAndTheBondsReturn() public {
        assertSettles(disputed(), stranger, 7_000);
        assertSettles(answered(), stranger, 7_000);
    }

    function test_anAssignedCaseIsSettledAndTheArbitratorGetsHalfOfEachBond() public {
        uint256 taskId = disputeIn(Phase.ASSIGNED);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.openCases = 0;
        assertSettles(taskId, stranger, 7_000);
        assertRecord(arbitrator, record);
    }

    function test_anEscalatedCaseIsSettledAndTheFallbackGetsHalfOfEachBond() public {
        assertSettles(escalated(), stranger, 7_000);
        assertEq(tok.balanceOf(fallbackArbitrator), DISPUTE_BOND, "two halves");
        assertSettles(unbonded(), stranger, 7_000);
        assertEq(tok.balanceOf(fallbackArbitrator), DISPUTE_BOND, "in collateral");
        assertEq(depositOf(fallbackArbitrator), BOND, "two halves");
    }

    function test_nobodyIsPaidWhenTheFallbackIsAParty() public {
        replaceFallback(worker);
        uint256 taskId = escalated();
        uint256 posterBefore = tok.balanceOf(poster);
        uint256 workerBefore = tok.balanceOf(worker);
        settleAs(stranger, taskId, 5_000, "");
        assertEq(tok.balanceOf(poster), posterBefore + TOTAL / 2 + DISPUTE_BOND, "poster");
        assertEq(tok.balanceOf(worker), workerBefore + TOTAL / 2 + DISPUTE_BOND, "worker");
    }

    function test_anOddDisputeBondPaysTheJudgeTheWholeOfIt() public {
        uint256 taskId = answeredOver(MIN_TOTAL + 20);
        agree(taskId, arbitrator);
        uint256 before = tok.balanceOf(arbitrator);
        settleAs(stranger, taskId, 5_000, "");
        assertEq(tok.balanceOf(arbitrator) - before, MIN_TOTAL / 20 + 1, "the whole of it");
        assertEq(tok.balanceOf(address(court)), court.totalBonded());
    }

    function testFuzz_everySettlementAddsUp(uint16 workerBps, uint8 stage, uint8 by) public {
        workerBps = uint16(bound(workerBps, 0, WHOLE));
        address[3] memory callers = [stranger, poster, worker];
        stage = uint8(bound(stage, 0, 6));
        uint256 taskId =
            stage < 2 ? taskIn(State(uint8(State.CLAIMED) + stage)) : disputeIn(Phase(uint8(Phase.NONE) + stage - 2));
        assertSettles(taskId, callers[by % 3], workerBps);
    }

    /// @dev The caller needs no signature. An empty `failure` expects none.
    function settleAs(address caller, uint256 taskId, uint16 workerBps, bytes memory failure) private {
        uint64 validUntil = uint64(vm.getBlockTimestamp());
        bytes32 digest = settlementDigest(taskId, workerBps, validUntil);
        bytes memory posterSig = caller == poster ? bytes("") : signWith(posterKey, digest);
        bytes memory workerSig = caller == worker ? bytes("") : signWith(workerKey, digest);
        if (failure.length != 0) vm.expectRevert(failure);
        courtAs(caller).mutualSettle(taskId, workerBps, validUntil, posterSig, workerSig);
    }

    function assertSettles(uint256 taskId, address caller, uint16 workerBps) private {
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        Ending memory made = ending(taskId, SettlementKind.MUTUAL, workerBps);
        if (dispute.judge != address(0) && dispute.isBonded) {
            made.judge = dispute.judge;
            made.toJudge = dispute.bond;
            made.toWorker = dispute.bond / 2;
            made.toPoster = dispute.bond - made.toWorker;
        } else {
            made.collateralTo = dispute.judge;
        }
        vm.expectEmit(address(court));
        emit IDisputeCourt.MutuallySettled(taskId, workerBps);
        expectEnding(taskId, made);
        settleAs(caller, taskId, workerBps, "");
        assertEnded(taskId);
    }
}

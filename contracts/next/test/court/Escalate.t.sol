// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev escalate, called by anyone
///   before the window has passed                   reverts, at its last second too
///   in PROPOSING                                   the fallback gets the case for seven days
///   in ASSIGNED                                    likewise; the silent arbitrator pays the treasury for the miss:
///     a tenth of its bond, at most the dispute bond, at least a tenth of the smallest bond, never more than it has
///   after both sides were heard by the arbitrator  the fallback has to hear both again, or to wait
contract EscalateTest is CourtTest {
    uint96 private constant LEAST = MIN_BOND / 10;

    function test_reverts_untilTheProposalsAreOver() public {
        uint256 taskId = answered();
        passTheLastSecond(taskId);
        escalate(taskId);
        assertPhase(taskId, Phase.ESCALATED);
    }

    function test_reverts_untilTheArbitratorsTimeIsOver() public {
        uint256 taskId = assigned();
        passTheLastSecond(taskId);
        escalate(taskId);
        assertPhase(taskId, Phase.ESCALATED);
    }

    function test_aCaseWithoutAgreementGoesToTheFallback() public {
        uint256 taskId = answered();
        propose(poster, taskId, arbitrator);
        skip(4 days);
        IDisputeCourt.Dispute memory dispute = expectedEscalation(taskId);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        Books memory books = readBooks();

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeEscalated(taskId, stranger, dispute.phaseEnds);
        vm.recordLogs();
        escalate(taskId);
        assertLogCount(1);

        assertDispute(taskId, dispute);
        assertRecord(arbitrator, record);
        assertBooks(books);
        assertState(taskId, State.DISPUTED);
    }

    function test_theFallbackHearsBothSidesAgain() public {
        address[2] memory sides = [poster, worker];
        // Enough for two misses.
        register(arbitrator, MIN_BOND, 0);
        for (uint256 first = 0; first < 2; ++first) {
            uint256 taskId = assigned();
            for (uint256 index = 0; index < 2; ++index) courtAs(sides[index]).submitEvidence(taskId, EVIDENCE, "");
            assertEq(court.disputeOf(taskId).rulingFrom, clock());
            skip(5 days + 1);
            escalate(taskId);
            uint64 escalatedAt = clock();
            assertEq(court.disputeOf(taskId).rulingFrom, escalatedAt + HEARING);
            courtAs(sides[first]).submitEvidence(taskId, EVIDENCE, "");
            assertEq(court.disputeOf(taskId).rulingFrom, escalatedAt + HEARING);
            courtAs(sides[1 - first]).submitEvidence(taskId, EVIDENCE, "");
            assertEq(court.disputeOf(taskId).rulingFrom, escalatedAt);
        }
    }

    function test_aSmallBondPaysATenthOfTheSmallest() public {
        assertSlash(answered(), 0, LEAST);
        assertFalse(court.isEligible(arbitrator), "a bond below the minimum takes no case");
    }

    function test_aLargeBondPaysNoMoreThanTheDisputeBond() public {
        // A tenth of the bond would be 100,000 TOK, over a case of 40,000.
        assertSlash(answeredOver(40_000e18), 990_000e18, 2_000e18);
        assertTrue(court.isEligible(arbitrator));
    }

    function test_aLargeBondPaysATenthOfItWhenTheDisputeBondIsLarger() public {
        assertSlash(answeredOver(400_000e18), 10_000e18, 2_000e18);
    }

    function test_aSmallCaseStillCostsATenthOfTheSmallestBond() public {
        assertSlash(answeredOver(MIN_TOTAL), 990_000e18, LEAST);
    }

    function test_whatIsLeftOfABondBelowTheLeastIsTakenWhole() public {
        uint256 first = assigned();
        // 10,000 TOK and half a penalty.
        register(arbitrator, LEAST / 2, 0);
        uint256[10] memory more;
        for (uint256 index = 0; index < more.length; ++index) more[index] = assigned();
        skip(5 days + 1);
        escalate(first);
        for (uint256 index = 0; index < 9; ++index) escalate(more[index]);
        assertEq(recordOf(arbitrator).bond, LEAST / 2);
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorSlashed(arbitrator, more[9], LEAST / 2, 0);
        escalate(more[9]);
        assertEq(recordOf(arbitrator).bond, 0);
        register(arbitrator, MIN_BOND, 0);
        (, , uint256 total) = court.arbitrators(0, 0);
        assertEq(total, 1, "one that comes back keeps its place in the list");
    }

    function testFuzz_thePenaltyStaysWithinItsBounds(uint96 extra, uint96 total, uint256 wait) public {
        total = uint96(bound(total, MIN_TOTAL, 5_000_000e18));
        extra = uint96(bound(extra, total / 20, WALLET_TOK - MIN_BOND));
        uint256 taskId = answeredOver(total);
        register(arbitrator, extra, 0);
        agree(taskId, arbitrator);
        skip(bound(wait, 5 days + 1, 400 days));
        uint256 bond = uint256(MIN_BOND) + extra;
        uint256 penalty = bond / 10 < total / 20 ? bond / 10 : total / 20;
        if (penalty < LEAST) penalty = LEAST;
        uint256 treasuryBefore = tok.balanceOf(treasury);
        escalate(taskId);
        assertEq(recordOf(arbitrator).bond, bond - penalty);
        assertEq(tok.balanceOf(treasury) - treasuryBefore, penalty);
        assertEq(court.totalBonded(), bond - penalty);
        assertEq(tok.balanceOf(address(court)), court.totalBonded() + 2 * uint256(total / 20));
        assertEq(court.disputeOf(taskId).phaseEnds, vm.getBlockTimestamp() + 7 days);
    }

    function escalate(uint256 taskId) private {
        courtAs(stranger).escalate(taskId);
    }

    function passTheLastSecond(uint256 taskId) private {
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds);
        expectTooEarly(phaseEnds);
        escalate(taskId);
        vm.warp(phaseEnds + 1);
    }

    function expectedEscalation(uint256 taskId) private view returns (IDisputeCourt.Dispute memory dispute) {
        dispute = court.disputeOf(taskId);
        dispute.phase = Phase.ESCALATED;
        dispute.phaseEnds = clock() + 7 days;
        dispute.judge = fallbackArbitrator;
        dispute.rulingFrom = clock() + HEARING;
    }

    /// @dev Assigns an answered case to an arbitrator that adds to its bond first, and lets the five days pass.
    function assertSlash(uint256 taskId, uint96 added, uint96 slash) private {
        register(arbitrator, added, 0);
        agree(taskId, arbitrator);
        skip(5 days + 1);
        IDisputeCourt.Dispute memory dispute = expectedEscalation(taskId);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.bond -= slash;
        record.openCases -= 1;
        record.missed += 1;
        Books memory books = readBooks();
        books.court -= slash;
        books.bonded -= slash;
        books.treasury += slash;

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeEscalated(taskId, stranger, dispute.phaseEnds);
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorSlashed(arbitrator, taskId, slash, record.bond);
        vm.recordLogs();
        escalate(taskId);
        assertLogCount(3);

        assertDispute(taskId, dispute);
        assertRecord(arbitrator, record);
        assertBooks(books);
    }
}

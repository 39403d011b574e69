// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, State} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {CourtTest} from "./CourtTest.sol";

/// @dev escalate, called by anyone
///   in another phase than PROPOSING and ASSIGNED   reverts
///   before the window has passed                   reverts, at its last second too
///   in PROPOSING                                   the fallback gets the case for seven days
///   in ASSIGNED                                    likewise; a tenth of the silent arbitrator's bond goes to
///                                                  the treasury, and the case is counted as missed
contract EscalateTest is CourtTest {
    function test_reverts_inEveryOtherPhase() public {
        Phase[3] memory others = [Phase.NONE, Phase.ESCALATED, Phase.CLOSED];
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = disputeIn(others[index]);
            skip(30 days);
            expectWrongPhase(others[index]);
            escalate(taskId);
        }
    }

    function test_reverts_untilTheProposalsAreOver() public {
        uint256 taskId = disputed();
        passTheLastSecond(taskId);
        escalate(taskId);
        assertEq(uint256(court.disputeOf(taskId).phase), uint256(Phase.ESCALATED));
    }

    function test_reverts_untilTheArbitratorsTimeIsOver() public {
        uint256 taskId = assigned();
        passTheLastSecond(taskId);
        escalate(taskId);
        assertEq(uint256(court.disputeOf(taskId).phase), uint256(Phase.ESCALATED));
    }

    function test_aCaseWithoutAgreementGoesToTheFallback() public {
        uint256 taskId = disputed();
        propose(poster, taskId, arbitrator);
        skip(4 days);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.ESCALATED;
        dispute.phaseEnds = uint64(vm.getBlockTimestamp()) + 7 days;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        Books memory books = readBooks();

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeEscalated(taskId, stranger, dispute.phaseEnds);
        escalate(taskId);

        assertDispute(taskId, dispute);
        assertRecord(arbitrator, record);
        assertBooks(books);
        assertState(taskId, State.DISPUTED);
    }

    function test_aSilentArbitratorLosesATenthOfItsBond() public {
        uint256 taskId = assigned();
        skip(5 days + 1);
        uint96 slash = MIN_BOND / 10;
        IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
        dispute.phase = Phase.ESCALATED;
        dispute.phaseEnds = uint64(vm.getBlockTimestamp()) + 7 days;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.bond -= slash;
        record.openCases = 0;
        record.missed = 1;
        Books memory books = readBooks();
        books.court -= slash;
        books.bonded -= slash;
        books.treasury += slash;

        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeEscalated(taskId, stranger, dispute.phaseEnds);
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorSlashed(arbitrator, taskId, slash, MIN_BOND - slash);
        escalate(taskId);

        assertDispute(taskId, dispute);
        assertRecord(arbitrator, record);
        assertBooks(books);
        assertFalse(court.isEligible(arbitrator), "a bond below the minimum takes no case");
    }

    function test_anArbitratorWithSeveralCasesLosesATenthForEachItMissed() public {
        uint256 first = assigned();
        uint256 second = assigned();
        uint256 third = assigned();
        rule(arbitrator, third, 5_000);
        skip(5 days + 1);
        escalate(first);
        escalate(second);
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        assertEq(record.bond, 8_100e18);
        assertEq(record.missed, 2);
        assertEq(record.resolved, 1);
        assertEq(record.openCases, 0);
        assertEq(tok.balanceOf(treasury), 1_900e18);
    }

    function testFuzz_theSlashIsATenthRoundedDown(uint256 bond, uint256 wait) public {
        bond = bound(bond, 0, WALLET_TOK - MIN_BOND);
        register(arbitrator, uint96(bond), 0);
        bond += MIN_BOND;
        uint256 taskId = assigned();
        skip(bound(wait, 5 days + 1, 400 days));
        escalate(taskId);
        assertEq(recordOf(arbitrator).bond, bond - bond / 10);
        assertEq(tok.balanceOf(treasury), bond / 10);
        assertEq(court.totalBonded(), bond - bond / 10);
        assertEq(tok.balanceOf(address(court)), court.totalBonded() + DISPUTE_BOND);
        assertEq(court.disputeOf(taskId).phaseEnds, vm.getBlockTimestamp() + 7 days);
    }

    function escalate(uint256 taskId) private {
        vm.prank(stranger);
        court.escalate(taskId);
    }

    function passTheLastSecond(uint256 taskId) private {
        uint64 phaseEnds = court.disputeOf(taskId).phaseEnds;
        vm.warp(phaseEnds);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, phaseEnds));
        escalate(taskId);
        vm.warp(phaseEnds + 1);
    }
}

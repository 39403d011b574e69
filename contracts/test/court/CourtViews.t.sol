// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {CourtTest} from "./CourtTest.sol";

/// @dev What the court's views return
///   figures          minimum bond, fallback arbitrator, all bonds without the dispute bonds
///   arbitratorOf     empty for a stranger, else the record and whether it may be named
///   isEligible       bond at the minimum or above, and not unbonding
///   arbitrators      pages in the order of registration, never past the end
///   disputeOf        empty when there was none; parties, payers, amount and bond in every phase; the judge while
///                    there is one
///   phaseOf          the phase alone
contract CourtViewsTest is CourtTest {
    function test_theFiguresAreThoseOfTheDeployment() public view {
        assertEq(court.minBond(), MIN_BOND);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
    }

    function test_totalBondedLeavesDisputeBondsOut() public {
        register(rival, 2 * MIN_BOND, 0);
        disputed();
        answered();
        assertEq(court.totalBonded(), 3 * MIN_BOND);
        assertEq(tok.balanceOf(address(court)), 3 * MIN_BOND + 3 * DISPUTE_BOND);
    }

    function test_aStrangersRecordIsEmpty() public view {
        IDisputeCourt.Arbitrator memory empty;
        (IDisputeCourt.Arbitrator memory record, bool eligible) = court.arbitratorOf(stranger);
        assertEq(abi.encode(record), abi.encode(empty));
        assertFalse(eligible);
        assertFalse(court.isEligible(stranger));
    }

    function test_anArbitratorsRecordCountsItsCases() public {
        rule(arbitrator, assigned(), 5_000);
        uint256 missed = assigned();
        skip(5 days + 1);
        court.escalate(missed);
        register(arbitrator, MIN_BOND, 7e18);
        assigned();
        (IDisputeCourt.Arbitrator memory record, bool eligible) = court.arbitratorOf(arbitrator);
        assertEq(record.bond, MIN_BOND + (MIN_BOND / 10) * 9);
        assertEq(record.minHeld, 7e18);
        assertEq(record.openCases, 1);
        assertEq(record.resolved, 1);
        assertEq(record.missed, 1);
        assertEq(record.unbondAt, 0);
        assertTrue(eligible);
    }

    function test_anUnbondingArbitratorIsNotEligible() public {
        vm.prank(arbitrator);
        court.requestUnbond();
        (, bool eligible) = court.arbitratorOf(arbitrator);
        assertFalse(eligible);
        assertFalse(court.isEligible(arbitrator));
    }

    function test_aPageEndsWithTheList() public {
        register(rival, MIN_BOND, 1);
        (address[] memory accounts, , ) = court.arbitrators(1, 2);
        assertEq(accounts.length, 1);
        assertEq(accounts[0], rival);
    }

    function testFuzz_pagesCoverTheListAndNothingElse(uint256 from, uint256 count) public {
        register(rival, MIN_BOND, 1);
        register(poster, MIN_BOND, 2);
        register(worker, MIN_BOND, 3);
        address[4] memory order = [arbitrator, rival, poster, worker];
        from = bound(from, 0, 6);
        (address[] memory accounts, IDisputeCourt.Arbitrator[] memory records, uint256 total) = court.arbitrators(
            from,
            count
        );
        assertEq(total, 4);
        uint256 rest = from < 4 ? 4 - from : 0;
        uint256 size = count < rest ? count : rest;
        assertEq(accounts.length, size);
        assertEq(records.length, size);
        for (uint256 index = 0; index < size; ++index) {
            assertEq(accounts[index], order[from + index]);
            assertEq(records[index].minHeld, from + index);
            assertEq(records[index].bond, MIN_BOND);
        }
    }

    function test_aTaskWithoutADisputeHasAnEmptyOne() public {
        IDisputeCourt.Dispute memory empty;
        assertDispute(NO_TASK, empty);
        assertDispute(delivered(), empty);
    }

    function test_partiesPayersAmountAndBondAreToldInEveryPhase() public {
        Phase[5] memory phases = [Phase.ANSWERING, Phase.PROPOSING, Phase.ASSIGNED, Phase.ESCALATED, Phase.CLOSED];
        address[5] memory judges = [address(0), address(0), arbitrator, fallbackArbitrator, address(0)];
        for (uint256 index = 0; index < phases.length; ++index) {
            uint256 taskId = disputeIn(phases[index]);
            IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
            assertEq(uint256(dispute.phase), uint256(phases[index]));
            assertPhase(taskId, phases[index]);
            assertEq(dispute.poster, poster);
            assertEq(dispute.worker, worker);
            assertEq(dispute.judge, judges[index]);
            assertEq(dispute.posterPayer, poster);
            assertEq(dispute.workerPayer, phases[index] == Phase.ANSWERING ? address(0) : worker);
            assertEq(dispute.amount, TOTAL);
            assertEq(dispute.bond, DISPUTE_BOND);
        }
        assertPhase(NO_TASK, Phase.NONE);
    }

    function test_thePayerOfTheWorkersBondIsTold() public {
        assertEq(court.disputeOf(sponsored(rival)).workerPayer, rival);
        assertEq(court.disputeOf(unbonded()).workerPayer, address(0));
    }

    /// @dev Its window is over, but it stays the case's judge until somebody escalates.
    function test_aLateArbitratorIsStillTheJudge() public {
        uint256 taskId = assigned();
        skip(30 days);
        assertEq(court.disputeOf(taskId).judge, arbitrator);
        court.escalate(taskId);
        assertEq(court.disputeOf(taskId).judge, fallbackArbitrator);
    }

    function test_nobodyIsTheJudgeOfItsOwnCase() public {
        replaceFallback(poster);
        assertEq(court.disputeOf(escalated()).judge, address(0));
    }
}

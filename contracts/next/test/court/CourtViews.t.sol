// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev What the court's views return
///   figures          minimum bond, fallback arbitrator, all bonds without the dispute bonds
///   arbitratorOf     empty for a stranger, else the record and whether it may be named
///   isEligible       bond at the minimum or above, and not unbonding
///   arbitrators      pages in the order of registration, never past the end
///   disputeOf        empty when there was none; parties, payers, amount and bond in every phase; the judge while
///                    there is one
///   phaseOf          the phase alone
contract CourtViewsTest is CourtTest {
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

    /// @dev Its window is over, but it stays the case's judge until somebody escalates.
    function test_aLateArbitratorIsStillTheJudge() public {
        uint256 taskId = assigned();
        skip(30 days);
        assertEq(court.disputeOf(taskId).judge, arbitrator);
        court.escalate(taskId);
        assertEq(court.disputeOf(taskId).judge, fallbackArbitrator);
    }
}

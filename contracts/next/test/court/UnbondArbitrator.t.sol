// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev requestUnbond, called
///   by one without a bond                  reverts
///   a second time                          reverts
///   by an arbitrator                       it takes no new cases from now on, but keeps those it has
/// withdrawBond, called
///   without a bond or without a request    reverts
///   up to the end of the fourteen days     reverts
///   with a case open                       reverts until the case is ruled, settled or escalated
///   after that                             pays what is left of the bond
contract UnbondArbitratorTest is CourtTest {
    function test_reverts_whenSomeoneWithoutABondUnbonds() public {
        expectNotArbitrator(stranger);
        courtAs(stranger).requestUnbond();
    }

    function test_reverts_whenUnbondingIsUnderWay() public {
        uint64 freeAfter = unbond(arbitrator);
        skip(30 days);
        expectTooEarly(freeAfter);
        courtAs(arbitrator).requestUnbond();
    }

    function test_aRequestEndsEligibilityAndMovesNothing() public {
        Books memory books = readBooks();
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.unbondAt = uint64(vm.getBlockTimestamp()) + 14 days;
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorUnbonding(arbitrator, record.unbondAt);
        courtAs(arbitrator).requestUnbond();
        assertRecord(arbitrator, record);
        assertFalse(court.isEligible(arbitrator));
        assertBooks(books);
    }

    function test_reverts_untilTheFourteenDaysAreOver() public {
        uint64 freeAfter = unbond(arbitrator);
        vm.warp(freeAfter);
        expectTooEarly(freeAfter);
        withdraw();
        vm.warp(freeAfter + 1);
        withdraw();
        assertEq(recordOf(arbitrator).bond, 0);
    }

    function test_theBondComesBackOnce() public {
        unbond(arbitrator);
        skip(14 days + 1);
        Books memory books = readBooks();
        books.arbitrator.tok += MIN_BOND;
        books.court -= MIN_BOND;
        books.bonded -= MIN_BOND;
        IDisputeCourt.Arbitrator memory record = recordOf(arbitrator);
        record.bond = 0;

        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorWithdrawn(arbitrator, MIN_BOND);
        withdraw();

        assertBooks(books);
        assertRecord(arbitrator, record);
        expectNotArbitrator(arbitrator);
        withdraw();
        expectNotArbitrator(arbitrator);
        courtAs(arbitrator).requestUnbond();
    }

    function test_reverts_whileCasesAreOpen() public {
        uint256 first = assigned();
        uint256 second = assigned();
        unbond(arbitrator);
        skip(14 days + 1);
        expectCasesOpen(2);
        court.escalate(first);
        expectCasesOpen(1);
        settleByBoth(second, 5_000);
        withdraw();
        assertEq(tok.balanceOf(address(court)), 2 * DISPUTE_BOND, "the escalated case's bonds alone are left");
    }

    function test_aSlashBeforeLeavingIsTakenFromTheBond() public {
        uint256 taskId = assigned();
        unbond(arbitrator);
        skip(14 days + 1);
        court.escalate(taskId);
        Books memory books = readBooks();
        uint96 left = (MIN_BOND / 10) * 9;
        books.arbitrator.tok += left;
        books.court -= left;
        books.bonded -= left;
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorWithdrawn(arbitrator, left);
        withdraw();
        assertBooks(books);
    }

    function testFuzz_theBondStaysForFourteenDays(uint256 bond, uint256 wait) public {
        bond = bound(bond, 0, WALLET_TOK - MIN_BOND);
        register(arbitrator, uint96(bond), 0);
        uint64 freeAfter = unbond(arbitrator);
        wait = bound(wait, 0, 60 days);
        skip(wait);
        bool free = wait > 14 days;
        if (!free) expectTooEarly(freeAfter);
        withdraw();
        assertEq(tok.balanceOf(arbitrator), free ? WALLET_TOK : WALLET_TOK - MIN_BOND - bond);
        assertEq(court.totalBonded(), free ? 0 : MIN_BOND + bond);
    }

    function withdraw() private {
        courtAs(arbitrator).withdrawBond();
    }

    function expectCasesOpen(uint32 openCases) private {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.CasesOpen.selector, openCases));
        withdraw();
    }
}

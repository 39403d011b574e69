// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtTest.sol";

/// @dev registerArbitrator, called
///   so that the bond stays below the minimum    reverts
///   without TOK for the bond                    reverts
///   so that the bond leaves 96 bits             reverts
///   for the first time                          pulls the bond, joins the end of the list, becomes eligible
///   again with an amount                        adds to the bond, replaces minHeld
///   again with nothing                          only replaces minHeld
///   while unbonding                             takes the request back
///   after withdrawing                           is eligible again, in the place it had in the list
///   after a slash below the minimum             must fill the bond up first
contract RegisterArbitratorTest is CourtTest {
    function test_reverts_whenTheBondStaysBelowTheMinimum() public {
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.BondTooLow.selector, MIN_BOND - 1, MIN_BOND));
        register(rival, MIN_BOND - 1, 0);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.BondTooLow.selector, 0, MIN_BOND));
        register(rival, 0, 0);
    }

    function test_aSecondCallAddsToTheBondAndListsNobodyTwice() public {
        register(rival, MIN_BOND, 0);
        Books memory books = readBooks();
        books.rival.tok -= 7e18;
        books.court += 7e18;
        books.bonded += 7e18;
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorRegistered(rival, 7e18, MIN_BOND + 7e18, 3e18);
        register(rival, 7e18, 3e18);
        assertBooks(books);
        assertEq(recordOf(rival).minHeld, 3e18);
        assertListed(2, 1, rival);
    }

    function test_aCallWithoutAnAmountOnlyChangesWhatIsAccepted() public {
        Books memory books = readBooks();
        vm.expectEmit(address(court));
        emit IDisputeCourt.ArbitratorRegistered(arbitrator, 0, MIN_BOND, 9e18);
        register(arbitrator, 0, 9e18);
        assertBooks(books);
        assertEq(recordOf(arbitrator).minHeld, 9e18);
    }

    function test_registeringTakesARequestToUnbondBack() public {
        courtAs(arbitrator).requestUnbond();
        assertFalse(court.isEligible(arbitrator));
        register(arbitrator, 0, 0);
        assertTrue(court.isEligible(arbitrator));
        assertEq(recordOf(arbitrator).unbondAt, 0);
        skip(15 days);
        expectNotArbitrator(arbitrator);
        courtAs(arbitrator).withdrawBond();
    }

    function test_anArbitratorThatComesBackKeepsItsPlaceAndItsRecord() public {
        rule(arbitrator, assigned(), 5_000);
        register(rival, MIN_BOND, 0);
        courtAs(arbitrator).requestUnbond();
        skip(14 days + 1);
        courtAs(arbitrator).withdrawBond();
        register(arbitrator, MIN_BOND, 0);
        assertListed(2, 0, arbitrator);
        assertListed(2, 1, rival);
        assertEq(recordOf(arbitrator).resolved, 1);
        assertTrue(court.isEligible(arbitrator));
    }

    function test_aSlashedArbitratorMustFillItsBondUp() public {
        uint256 taskId = assigned();
        skip(5 days + 1);
        court.escalate(taskId);
        uint96 left = (MIN_BOND / 10) * 9;
        assertFalse(court.isEligible(arbitrator));
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.BondTooLow.selector, left, MIN_BOND));
        register(arbitrator, 0, 0);
        register(arbitrator, MIN_BOND - left, 0);
        assertTrue(court.isEligible(arbitrator));
        assertListed(1, 0, arbitrator);
    }

    function testFuzz_theCourtHoldsExactlyTheBonds(uint256 first, uint256 second, uint96 minHeld) public {
        first = bound(first, MIN_BOND, WALLET_TOK);
        second = bound(second, 0, WALLET_TOK - first);
        register(rival, uint96(first), 0);
        register(rival, uint96(second), minHeld);
        IDisputeCourt.Arbitrator memory record = recordOf(rival);
        assertEq(record.bond, first + second);
        assertEq(record.minHeld, minHeld);
        assertEq(court.totalBonded(), MIN_BOND + first + second);
        assertEq(tok.balanceOf(address(court)), court.totalBonded());
    }

    function assertListed(uint256 count, uint256 position, address expected) private view {
        (address[] memory accounts, , uint256 total) = court.arbitrators(0, 100);
        assertEq(total, count, "arbitrators in the list");
        assertEq(accounts[position], expected, "place in the list");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PayWith, State} from "../../src/Types.sol";
import {DenyingToken} from "../mocks/DenyingToken.sol";
import {HostileTokenTest} from "./HostileTokenTest.sol";

/// @dev A USDC that denies somebody
///   an agent: it cannot top up or withdraw to itself, but withdraw to another wallet and be rescued by another
///             every way through and out of its tasks stays open, bonds move, and nobody else notices
///   the treasury or the gateway: only plans in USDC stop
///   the deposit vault: deposits stand still, tasks go on, and all is there when the vault is allowed again
contract DenylistedUsdcTest is HostileTokenTest {
    DenyingToken private denying;

    function setUp() public override {
        super.setUp();
        denying = new DenyingToken();
        enterMarketOf(address(tok), address(denying));
    }

    function test_aDeniedAgentCanOnlyWithdrawToAnotherWallet() public {
        uint96 balance = depositOf(worker);
        deny(worker);
        vm.startPrank(worker);
        expectDenied(worker);
        deposits.topUp(1e6);
        expectDenied(worker);
        deposits.withdraw(balance, worker);
        assertEq(depositOf(worker), balance, "deposit");
        deposits.withdraw(balance, stranger);
        assertEq(usdc.balanceOf(stranger), balance, "the other wallet");
        assertSolvent();
    }

    function test_othersWithdrawAndTopUpAsBefore() public {
        deny(worker);
        uint96 balance = depositOf(poster);
        uint256 before = usdc.balanceOf(poster);
        vm.startPrank(poster);
        deposits.topUp(1e6);
        deposits.withdraw(balance + 1e6, poster);
        assertEq(usdc.balanceOf(poster), before + balance, "wallet");
        assertSolvent();
    }

    function test_aDeniedWorkerIsPaidAndFreed() public {
        uint256 taskId = claimed();
        deny(worker);
        start(taskId);
        deliver(taskId);
        uint256 before = tok.balanceOf(worker);
        accept(taskId);
        assertState(taskId, State.COMPLETED);
        assertEq(tok.balanceOf(worker), before + TOTAL, "paid");
        assertEq(lockedOf(worker), 0, "bond");
        assertSolvent();
    }

    function test_aDeniedWorkersBondStillGoesToThePoster() public {
        uint256 taskId = active();
        uint96 before = depositOf(poster);
        deny(worker);
        leaveTask(taskId);
        assertEq(depositOf(poster), before + BOND, "poster's deposit");
        vm.prank(poster);
        deposits.withdraw(BOND, poster);
        assertSolvent();
    }

    function test_aDeniedPosterStillReceivesTheWorkersBond() public {
        uint256 taskId = active();
        uint96 before = depositOf(poster);
        deny(poster);
        skip(11 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(depositOf(poster), before + BOND, "poster's deposit");
        assertSolvent();
    }

    function test_aRulingBetweenTwoDeniedPartiesGoesThrough() public {
        uint256 taskId = assigned();
        uint96 before = depositOf(poster);
        deny(poster);
        deny(worker);
        deny(arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        assertState(taskId, State.RESOLVED);
        assertEq(depositOf(poster), before + BOND, "the loser's bond");
        assertEq(escrow.held(taskId), 0, "held");
        assertSolvent();
    }

    function test_aDeniedPausedAgentIsRescuedByAnother() public {
        address agent = makeAddr("agent");
        engageBelowPause(agent);
        deny(agent);
        assertTrue(deposits.isPaused(agent), "paused");
        vm.prank(poster);
        deposits.emergencyTopUp(agent, 3e6);
        assertFalse(deposits.isPaused(agent), "rescued");
        assertSolvent();
    }

    function test_aDeniedTreasuryStopsOnlyPlansInUsdc() public {
        deny(treasury);
        assertOnlyUsdcPlansStop(treasury);
    }

    function test_aDeniedGatewayStopsOnlyPlansInUsdc() public {
        deny(address(gateway));
        assertOnlyUsdcPlansStop(address(gateway));
    }

    function test_aDeniedVaultHoldsDepositsButNoTask() public {
        deny(address(deposits));
        uint96 balance = depositOf(rival);
        vm.prank(rival);
        expectDenied(address(deposits));
        deposits.withdraw(balance, rival);
        vm.prank(rival);
        expectDenied(address(deposits));
        deposits.topUp(1e6);

        uint256 taskId = delivered();
        accept(taskId);
        assertState(taskId, State.COMPLETED);

        denying.setDenied(address(deposits), false);
        vm.prank(rival);
        deposits.withdraw(balance, rival);
        assertSolvent();
    }

    function assertOnlyUsdcPlansStop(address denied) private {
        vm.startPrank(poster);
        expectDenied(denied);
        gateway.purchasePlan("basic", PayWith.USDC, 20e6, 0, 0);
        gateway.purchasePlan("basic", PayWith.TOK, 3_600e18, 0, 0);
        deposits.topUp(1e6);
        deposits.withdraw(1e6, poster);
        vm.stopPrank();
        uint256 taskId = delivered();
        accept(taskId);
        gateway.flush();
        assertSolvent();
    }

    function deny(address account) private {
        denying.setDenied(account, true);
    }

    function expectDenied(address account) private {
        vm.expectRevert(abi.encodeWithSelector(DenyingToken.Denied.selector, account));
    }
}

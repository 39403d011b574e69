// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DenyingToken} from "../mocks/Tokens.sol";
import "./HostileTokenTest.sol";

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

    function test_aRulingBetweenTwoDeniedPartiesGoesThrough() public {
        uint256 taskId = assigned();
        uint96 before = depositOf(poster);
        deny(poster);
        deny(worker);
        deny(arbitrator);
        courtAs(arbitrator).resolveDispute(taskId, 0, REASON, REASON_URI);
        assertState(taskId, State.RESOLVED);
        assertEq(depositOf(poster), before + BOND, "the loser's bond");
        assertEq(escrow.heldOf(taskId), 0, "held");
        assertSolvent();
    }

    function deny(address account) private {
        denying.setDenied(account, true);
    }

    function expectDenied(address account) private {
        vm.expectRevert(abi.encodeWithSelector(DenyingToken.Denied.selector, account));
    }
}

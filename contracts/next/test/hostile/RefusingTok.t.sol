// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DenyingToken} from "../mocks/Tokens.sol";
import "./HostileTokenTest.sol";

/// @dev TOK cannot refuse a recipient, so payments are pushed. Should a token in its place refuse one:
///   a payment to that recipient is refused whole: the task stays as it is and its money in escrow
///   other tasks, other stakers and other arbitrators are not touched
///   the poster may still end the task in ways that pay nobody who is refused
///   a refused treasury stops the split and, a day later, whatever pays a fee in TOK: the price of pushing
contract RefusingTokTest is HostileTokenTest {
    DenyingToken private refusing;

    function setUp() public override {
        super.setUp();
        refusing = new DenyingToken();
        enterMarketOf(address(refusing), address(usdc));
    }

    function test_aRefusedTreasuryStopsTheSplitAndLaterTheFees() public {
        postedUnfunded();
        refusing.setDenied(treasury, true);
        bytes memory denied = abi.encodeWithSelector(DenyingToken.Denied.selector, treasury);
        vm.expectRevert(denied);
        paymentGateway.flush();
        assertEq(paymentGateway.pendingFees(), FEE, "pending");
        postedUnfunded();

        skip(1 days);
        vm.expectRevert(denied);
        registryAs(poster).postTask(postParams());
    }
}

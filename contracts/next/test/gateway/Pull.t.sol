// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev pull
///   refused when the payer has approved or holds too little
///   moves exactly the amount from the payer to the caller itself, and nothing of what the gateway holds
/// Who may call it is tried in attacks/Powers.t.sol, and with the contracts of another market in attacks/RouterAbuse.t.sol.
/// A token that brings less is tried in hostile/FeeOnTransfer.t.sol.
contract PullTest is MarketTest {
    function test_reverts_whenTheAllowanceIsOneWeiShort() public {
        tokAs(poster).approve(address(paymentGateway), 5e18 - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector,
                address(paymentGateway),
                5e18 - 1,
                5e18
            )
        );
        paymentGatewayAs(address(court)).pull(poster, 5e18);
    }

    function testFuzz_movesExactlyTheAmountToTheCallerItself(uint256 which, uint256 amount) public {
        address caller = [address(escrow), address(court), address(staking)][which % 3];
        uint256 payerBefore = tok.balanceOf(poster);
        uint256 callerBefore = tok.balanceOf(caller);
        amount = bound(amount, 0, payerBefore);
        tok.transfer(address(paymentGateway), 3e18);

        paymentGatewayAs(caller).pull(poster, amount);

        assertEq(tok.balanceOf(poster), payerBefore - amount, "payer");
        assertEq(tok.balanceOf(caller), callerBefore + amount, "caller");
        assertEq(paymentGateway.pendingFees(), 3e18, "gateway");
    }
}

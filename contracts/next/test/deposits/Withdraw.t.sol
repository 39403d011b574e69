// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./DepositTest.sol";

/// @dev withdraw
///   refused: amount 0; more than is free (InsufficientFree with both figures); a recipient USDC refuses
///   not engaged: everything is free, whatever the balance
///   engaged, locked below 25 USD: 25 USD stay
///   engaged, locked above 25 USD: the locked bonds stay
///   engaged, less than that left by slashes: nothing is free
///   the money goes to the named recipient; other accounts are not touched
contract WithdrawTest is DepositTest {
    function test_reverts_whenTheAmountIsZero() public {
        deposit(agent, ENTRY);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ZeroAmount.selector, agent));
        depositsAs(agent).withdraw(0, agent);
    }

    function test_reverts_whenTheRecipientIsTheZeroAddress() public {
        deposit(agent, ENTRY);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        depositsAs(agent).withdraw(ENTRY, address(0));
        assertAccount(agent, ENTRY, 0, 0);
    }

    function test_anUnengagedAgentTakesEverythingAndTellsIt() public {
        deposit(agent, 10e6);
        uint256 heldBefore = deposits.totalHeld();

        vm.startPrank(agent);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Withdrawn(agent, agent, 4e6, 6e6);
        deposits.withdraw(4e6, agent);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Withdrawn(agent, other, 6e6, 0);
        deposits.withdraw(6e6, other);

        assertAccount(agent, 0, 0, 0);
        assertAccount(other, 0, 0, 0);
        assertEq(usdc.balanceOf(agent), 4e6, "own wallet");
        assertEq(usdc.balanceOf(other), 6e6, "named recipient");
        assertEq(deposits.totalHeld(), heldBefore - 10e6, "total held");
        assertSolvent();
    }

    function test_everythingIsFreeAgainAfterTheLastEngagement() public {
        deposit(agent, ENTRY);
        lock(agent, 2);
        unlock(agent);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientFree.selector, 0, 1));
        depositsAs(agent).withdraw(1, agent);
        unlock(agent);
        depositsAs(agent).withdraw(ENTRY, agent);
        assertAccount(agent, 0, 0, 0);
        assertEq(usdc.balanceOf(agent), ENTRY, "wallet");
    }

    function testFuzz_whatStaysIsTheEntryCollateralOrTheLockedBonds(uint96 balance, uint8 bonds, uint96 amount) public {
        balance = uint96(bound(balance, ENTRY, 200e6));
        bonds = uint8(bound(bonds, 0, balance / BOND));
        amount = uint96(bound(amount, 1, 200e6));
        deposit(agent, balance);
        lock(agent, bonds);

        uint96 locked = bonds * BOND;
        uint96 kept =
            bonds == 0
                ? 0
                : locked > ENTRY
                    ? locked
                    : ENTRY;
        uint96 free = balance - kept;
        vm.prank(agent);
        if (amount > free) {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientFree.selector, free, amount));
        }
        deposits.withdraw(amount, agent);

        uint96 taken = amount > free ? 0 : amount;
        assertAccount(agent, balance - taken, locked, bonds);
        assertGe(balance - taken, kept, "what stays");
        assertEq(usdc.balanceOf(agent), taken, "wallet");
        assertSolvent();
    }
}

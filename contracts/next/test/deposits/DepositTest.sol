// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @notice An agent with an exact collateral, and bonds moved in the registry's name.
abstract contract DepositTest is MarketTest {
    uint96 internal constant PAUSE = 8e6;
    uint96 internal constant RECOMMENDED = 45e6;

    address internal agent = makeAddr("agent");
    address internal other = makeAddr("other");

    function giveUsdc(address to, uint96 amount) internal {
        usdc.mint(to, amount);
        usdcAs(to).approve(address(deposits), amount);
    }

    function deposit(address to, uint96 amount) internal {
        giveUsdc(to, amount);
        depositsAs(to).topUp(amount);
    }

    function lock(address engaged, uint256 times) internal {
        for (uint256 count = 0; count < times; ++count) {
            depositsAs(address(registry)).lockBond(engaged);
        }
    }

    function unlock(address engaged) internal {
        depositsAs(address(registry)).unlockBond(engaged);
    }

    function slash(address from, address to) internal {
        depositsAs(address(registry)).slashBond(from, to, BPS);
    }

    /// @dev An engaged agent at any balance. Only slashes lead below a threshold, so five more bonds are lost first.
    function engageWith(address engaged, uint96 balanceLeft, uint256 engagementsLeft) internal {
        deposit(engaged, balanceLeft + 5 * BOND);
        lock(engaged, engagementsLeft + 5);
        for (uint256 count = 0; count < 5; ++count) {
            slash(engaged, stranger);
        }
        assertAccount(engaged, balanceLeft, engagementsLeft * BOND, engagementsLeft);
    }

    function assertAccount(address account, uint256 balance, uint256 locked, uint256 engagements) internal view {
        (IDepositVault.Account memory stored, , , ) = deposits.accountOf(account);
        assertEq(stored.balance, balance, "balance");
        assertEq(stored.locked, locked, "locked");
        assertEq(stored.engagements, engagements, "engagements");
    }

    function assertPaused(address account, bool expected) internal view {
        (, bool paused, , ) = deposits.accountOf(account);
        assertEq(paused, expected, "paused in accountOf");
        assertEq(deposits.isPaused(account), expected, "isPaused");
    }

    function assertSolvent() internal view {
        assertEq(usdc.balanceOf(address(deposits)), deposits.totalHeld(), "USDC held");
    }
}

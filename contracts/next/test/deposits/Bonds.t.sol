// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./DepositTest.sol";

/// @dev lockBond, unlockBond, slashBond
///   lock: refused below 25 USD, or with less than one bond free; allowed at exactly 25 USD and exactly one bond
///   unlock: frees one bond; refused without one; the last engagement of a paused agent ends its pause
///   slash: one bond moves from account to account and no USDC moves at all; refused without a bond
///          the loser is paused below 8 USD, not at 8 USD; the winner is resumed when the bond lifts it to 8 USD
contract BondsTest is DepositTest {
    function test_lock_reverts_oneUnitBelowTheEntryCollateral() public {
        deposit(agent, ENTRY - 1);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.BelowEntry.selector, ENTRY - 1, ENTRY));
        depositsAs(address(registry)).lockBond(agent);
    }

    function test_slash_pausesTheLoserOneUnitBelowTheThreshold() public {
        engageWith(agent, PAUSE + BOND - 1, 2);
        vm.expectEmit(address(deposits));
        emit IDepositVault.AgentPaused(agent, PAUSE - 1);
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondSlashed(agent, other, BOND);
        slash(agent, other);
        assertPaused(agent, true);
    }

    function test_slash_doesNotPauseTheLoserAtTheThreshold() public {
        engageWith(agent, PAUSE + BOND, 2);
        vm.recordLogs();
        slash(agent, other);
        assertEq(countOf(vm.getRecordedLogs(), IDepositVault.AgentPaused.selector), 0, "AgentPaused");
        assertPaused(agent, false);
        assertAccount(agent, PAUSE, BOND, 1);
    }

    function testFuzz_locksUnlocksAndSlashesKeepTheSumAndTheBounds(uint8[24] memory steps) public {
        deposit(agent, 60e6);
        deposit(other, 60e6);
        uint256 heldBefore = deposits.totalHeld();
        for (uint256 index = 0; index < steps.length; ++index) {
            (address mover, address counterpart) = steps[index] % 2 == 0 ? (agent, other) : (other, agent);
            uint256 step = (steps[index] / 2) % 3;
            (IDepositVault.Account memory account, , bool canEngage, ) = deposits.accountOf(mover);
            if (step == 0 && canEngage) lock(mover, 1);
            else if (step == 1 && account.engagements != 0) unlock(mover);
            else if (step == 2 && account.engagements != 0) slash(mover, counterpart);
            assertBounds(agent);
            assertBounds(other);
        }
        assertEq(uint256(depositOf(agent)) + depositOf(other), 120e6, "sum of both");
        assertEq(deposits.totalHeld(), heldBefore, "total held");
        assertSolvent();
    }

    function assertBounds(address account) private view {
        (IDepositVault.Account memory stored, bool paused, , ) = deposits.accountOf(account);
        assertEq(stored.locked, stored.engagements * BOND, "one bond an engagement");
        assertLe(stored.locked, stored.balance, "locked within the balance");
        assertEq(paused, stored.engagements != 0 && stored.balance < PAUSE, "paused");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./DepositTest.sol";

/// @dev topUp
///   refused: amount 0; no allowance; allowance or wallet one unit short; a balance beyond 96 bits
///   adds to the caller's account alone, moves USDC from the caller to the vault, emits all of it
///   a paused agent: still paused one unit below 8 USD, resumed at 8 USD
///   USDC sent to the vault without a call belongs to nobody
contract TopUpTest is DepositTest {
    function test_reverts_whenTheAmountIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ZeroAmount.selector, agent));
        depositsAs(agent).topUp(0);
    }

    function test_movesUsdcIntoTheCallersAccountAndTellsIt() public {
        uint256 heldBefore = deposits.totalHeld();
        giveUsdc(agent, 40e6);

        vm.startPrank(agent);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Deposited(agent, agent, 25e6, 25e6, false);
        deposits.topUp(25e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Deposited(agent, agent, 15e6, 40e6, false);
        deposits.topUp(15e6);

        assertAccount(agent, 40e6, 0, 0);
        assertEq(usdc.balanceOf(agent), 0, "wallet");
        assertEq(deposits.totalHeld(), heldBefore + 40e6, "total held");
        assertSolvent();
    }

    function test_aPausedAgentStaysPausedOneUnitBelowTheThreshold() public {
        engageWith(agent, 5e6, 1);
        giveUsdc(agent, 3e6);
        vm.recordLogs();
        depositsAs(agent).topUp(3e6 - 1);
        assertPaused(agent, true);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(countOf(logs, IDepositVault.AgentResumed.selector), 0, "AgentResumed");
        assertEq(countOf(logs, IDepositVault.AgentPaused.selector), 0, "AgentPaused");
    }

    function test_aPausedAgentIsResumedAtTheThreshold() public {
        engageWith(agent, 5e6, 1);
        giveUsdc(agent, 3e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.AgentResumed(agent, PAUSE);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Deposited(agent, agent, 3e6, PAUSE, false);
        depositsAs(agent).topUp(3e6);
        assertPaused(agent, false);
    }

    function testFuzz_depositsAddUp(uint96[8] memory amounts) public {
        uint256 heldBefore = deposits.totalHeld();
        uint256 sum;
        for (uint256 index = 0; index < amounts.length; ++index) {
            uint96 amount = uint96(bound(amounts[index], 1, type(uint96).max / 8));
            address depositor = index % 2 == 0 ? agent : other;
            uint96 before = depositOf(depositor);
            deposit(depositor, amount);
            assertEq(depositOf(depositor), before + amount, "balance");
            sum += amount;
        }
        assertEq(uint256(depositOf(agent)) + depositOf(other), sum, "accounts");
        assertEq(deposits.totalHeld(), heldBefore + sum, "total held");
        assertSolvent();
    }
}

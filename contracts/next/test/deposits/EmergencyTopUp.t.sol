// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./DepositTest.sol";

/// @dev emergencyTopUp
///   refused: the agent is not engaged, or engaged with 8 USD or more (NotInEmergency)
///            the result stays below 8 USD, an amount of 0 included (StillBelowPause); the payer cannot pay
///   anyone lifts a paused agent to 8 USD or above; the money is the agent's, the payer keeps no claim to it
contract EmergencyTopUpTest is DepositTest {
    address private rescuer = makeAddr("rescuer");

    function setUp() public override {
        super.setUp();
        giveUsdc(rescuer, 100e6);
    }

    function test_reverts_whenTheAgentHasLittleButIsNotEngaged() public {
        deposit(agent, 1e6);
        expectNotInEmergency(agent);
        deposits.emergencyTopUp(agent, 10e6);
    }

    function test_liftsAPausedAgentToTheThresholdAtThePayersCost() public {
        engageWith(agent, 5e6, 1);
        uint256 heldBefore = deposits.totalHeld();

        vm.expectEmit(address(deposits));
        emit IDepositVault.AgentResumed(agent, PAUSE);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Deposited(agent, rescuer, 3e6, PAUSE, true);
        depositsAs(rescuer).emergencyTopUp(agent, 3e6);

        assertPaused(agent, false);
        assertAccount(agent, PAUSE, BOND, 1);
        assertAccount(rescuer, 0, 0, 0);
        assertEq(usdc.balanceOf(rescuer), 97e6, "payer's wallet");
        assertEq(deposits.totalHeld(), heldBefore + 3e6, "total held");
        assertSolvent();
    }

    function test_anAgentMayRescueItself() public {
        engageWith(agent, 5e6, 1);
        giveUsdc(agent, 3e6);
        vm.expectEmit(address(deposits));
        emit IDepositVault.Deposited(agent, agent, 3e6, PAUSE, true);
        depositsAs(agent).emergencyTopUp(agent, 3e6);
        assertEq(usdc.balanceOf(agent), 0, "wallet");
    }

    function test_aRescuedAgentCannotBeRescuedAgain() public {
        engageWith(agent, 5e6, 1);
        depositsAs(rescuer).emergencyTopUp(agent, 3e6);
        expectNotInEmergency(agent);
        deposits.emergencyTopUp(agent, 1);
    }

    function testFuzz_aRescueEitherReachesTheThresholdOrChangesNothing(uint96 left, uint96 amount) public {
        left = uint96(bound(left, BOND, PAUSE - 1));
        amount = uint96(bound(amount, 0, 100e6));
        engageWith(agent, left, 1);
        bool enough = left + amount >= PAUSE;
        if (!enough) {
            vm.expectRevert(abi.encodeWithSelector(IDepositVault.StillBelowPause.selector, left + amount, PAUSE));
        }
        depositsAs(rescuer).emergencyTopUp(agent, amount);
        assertAccount(agent, enough ? left + amount : left, BOND, 1);
        assertPaused(agent, !enough);
        assertEq(usdc.balanceOf(rescuer), enough ? 100e6 - amount : 100e6, "payer's wallet");
        assertSolvent();
    }

    function expectNotInEmergency(address refused) private {
        vm.prank(rescuer);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.NotInEmergency.selector, refused));
    }
}

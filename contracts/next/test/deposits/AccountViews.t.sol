// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./DepositTest.sol";

/// @dev accountOf, accountsOf, isPaused, totalHeld
///   paused: below 8 USD and engaged; never without an engagement
///   canEngage: 25 USD or more and one bond free
///   recommended: 45 USD or more
///   accountsOf answers in the order of the question, unknown and repeated agents included, and an empty one emptily
contract AccountViewsTest is DepositTest {
    function test_pausedOnlyBelowEightUsdAndOnlyWhileEngaged() public {
        engageWith(agent, PAUSE - 1, 1);
        assertFlags(agent, true, false, false);
        assertPaused(agent, true);

        engageWith(other, PAUSE, 1);
        assertFlags(other, false, false, false);
        assertPaused(other, false);

        unlock(agent);
        assertFlags(agent, false, false, false);
        assertPaused(agent, false);
    }

    function test_canEngageFromTwentyFiveUsdOn() public {
        deposit(agent, ENTRY - 1);
        assertFlags(agent, false, false, false);
        deposit(agent, 1);
        assertFlags(agent, false, true, false);
    }

    function test_canEngageOnlyWithAWholeBondFree() public {
        deposit(agent, 6 * BOND - 1);
        lock(agent, 5);
        assertFlags(agent, false, false, false);
        deposit(agent, 1);
        assertFlags(agent, false, true, false);
        lock(agent, 1);
        assertFlags(agent, false, false, false);
    }

    function test_recommendedFromFortyFiveUsdOn() public {
        deposit(agent, RECOMMENDED - 1);
        assertFlags(agent, false, true, false);
        deposit(agent, 1);
        assertFlags(agent, false, true, true);
    }

    function test_accountsAreAnsweredInTheOrderOfTheQuestion() public {
        deposit(agent, 30e6);
        deposit(other, 26e6);
        lock(other, 1);
        address[] memory agents = new address[](4);
        (agents[0], agents[1], agents[2], agents[3]) = (other, stranger, agent, other);

        IDepositVault.Account[] memory accounts = deposits.accountsOf(agents);

        assertEq(accounts.length, 4);
        assertEq(abi.encode(accounts[0]), abi.encode(IDepositVault.Account(26e6, BOND, 1)));
        assertEq(abi.encode(accounts[1]), abi.encode(IDepositVault.Account(0, 0, 0)));
        assertEq(abi.encode(accounts[2]), abi.encode(IDepositVault.Account(30e6, 0, 0)));
        assertEq(abi.encode(accounts[3]), abi.encode(accounts[0]));
        assertEq(deposits.accountsOf(new address[](0)).length, 0);
    }

    function testFuzz_canEngageSaysWhetherALockWouldSucceed(uint96 balance, uint8 bonds) public {
        balance = uint96(bound(balance, ENTRY, 80e6));
        bonds = uint8(bound(bonds, 0, balance / BOND));
        deposit(agent, balance);
        lock(agent, bonds);
        (, , bool canEngage, ) = deposits.accountOf(agent);
        vm.prank(address(registry));
        (bool locked, ) = address(deposits).call(abi.encodeCall(IDepositVault.lockBond, (agent)));
        assertEq(locked, canEngage);
    }

    function assertFlags(address account, bool paused, bool canEngage, bool recommended) private view {
        (, bool isPaused, bool couldEngage, bool isRecommended) = deposits.accountOf(account);
        assertEq(isPaused, paused, "paused");
        assertEq(couldEngage, canEngage, "canEngage");
        assertEq(isRecommended, recommended, "recommended");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./ReentrancyTest.sol";

/// @dev Every operation of a market, tried inside each registry operation that moves a token: with each fee, with the daily
/// split of fees, with funding, with payments to the worker and with refunds. What each pair must lead to stands in
/// ReentrancyTest.sol.
contract ReentrancyInRegistryTest is ReentrancyTest {
    function test_duringEveryOperationOfTheRegistry() public {
        assertEq(tryAllDuring(true), 13, "operations that move a token");
    }

    function test_duringAClaimThatSplitsTheFees() public {
        assertSafeDuringTheSplitOf("claimTask");
    }
}

/// @dev The same inside each operation of gateway, staking, deposits and court that moves TOK or USDC.
contract ReentrancyInMoneyTest is ReentrancyTest {
    function test_duringEveryOtherOperation() public {
        assertEq(tryAllDuring(false), 18, "operations that move a token");
    }
}

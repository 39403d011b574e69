// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @notice The fixture's market and people once more, with other tokens.
abstract contract HostileTokenTest is MarketTest {
    function enterMarketOf(address tokAddress, address usdcAddress) internal {
        tok = ITestToken(tokAddress);
        usdc = ITestToken(usdcAddress);
        deployMarket(tokAddress, usdcAddress);
        equipPeople();
        openStaking();
    }

    /// @dev As slashes leave an agent: engaged once, with 5 USD.
    function engageBelowPause(address agent) internal {
        usdc.mint(agent, ENTRY);
        vm.startPrank(agent);
        usdc.approve(address(deposits), ENTRY);
        deposits.topUp(ENTRY);
        vm.stopPrank();
        vm.startPrank(address(registry));
        for (uint256 count = 0; count < 5; ++count) {
            deposits.lockBond(agent);
        }
        for (uint256 count = 0; count < 4; ++count) {
            deposits.slashBond(agent, stranger, BPS);
        }
        vm.stopPrank();
    }

    /// @dev Every pot holds what its books say.
    function assertSolvent() internal view {
        assertEq(tok.balanceOf(address(escrow)), heldInAll(), "escrow");
        assertEq(usdc.balanceOf(address(deposits)), deposits.totalHeld(), "deposits");
        assertEq(
            tok.balanceOf(address(staking)),
            uint256(staking.totalStaked()) + staking.rewardReserve() + staking.rewardsAllocated(),
            "staking"
        );
    }
}

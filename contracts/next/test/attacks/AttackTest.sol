// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../registry/OperationTest.sol";

/// @notice What an account owns on the market, so that a test can compute what an attack gained.
abstract contract AttackTest is OperationTest {
    /// @dev TOK in the wallet, staked, earned and bonded as an arbitrator; USDC in the wallet and as deposit. Money
    /// in escrow counts for nobody until it is paid out.
    struct Wealth {
        uint256 tok;
        uint256 usdc;
    }

    function wealthOf(address agent) internal view returns (Wealth memory wealth) {
        IStakingVault.Staker memory staker = staking.stakerOf(agent);
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(agent);
        wealth.tok = tok.balanceOf(agent) + staker.staked + staker.rewards + record.bond;
        wealth.usdc = usdc.balanceOf(agent) + depositOf(agent);
    }

    /// @dev What the agent won or lost since `before`, in wei of TOK and units of USDC.
    function assertOutcome(address agent, Wealth memory before, int256 tokWon, int256 usdcWon) internal view {
        Wealth memory current = wealthOf(agent);
        assertEq(int256(current.tok) - int256(before.tok), tokWon, "TOK won or lost");
        assertEq(int256(current.usdc) - int256(before.usdc), usdcWon, "USDC won or lost");
    }

    function tokGain(address agent, Wealth memory before) internal view returns (int256) {
        return int256(wealthOf(agent).tok) - int256(before.tok);
    }
}

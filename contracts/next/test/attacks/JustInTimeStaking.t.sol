// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Somebody with nine times the stake of all others stakes just before fees are split, takes nine tenths of them
/// and is gone.
/// Answer: a split only fills a reserve that drips over seven days, stake is locked for one, and fees are split
/// every day, so that there is no hoard to wait for. A day's stake earns a day's part, the same as everyone's.
contract JustInTimeStakingTest is AttackTest {
    uint256 private constant RESERVE = 4_000e18;
    uint128 private constant HONEST = 100_000e18;
    address private whale;

    function setUp() public override {
        super.setUp();
        openStaking();
        whale = stranger;
        equip(whale);
        stakingAs(rival).stake(HONEST);
        for (uint256 index = 0; index < 10; ++index) {
            postedUnfunded();
        }
    }

    /// @dev Whatever share and however long, nobody gets more than its part of what dripped while it was there.
    function testFuzz_nobodyEarnsMoreThanItsShareOfTheTime(uint256 amount, uint256 stay) public {
        amount = bound(amount, 10_000e18, 9_000_000e18);
        stay = bound(stay, 1 days, 7 days);
        Wealth memory attacker = wealthOf(whale);
        stakingAs(whale).stake(uint128(amount));
        paymentGateway.flush();
        skip(stay);
        stakingAs(whale).unstake(uint128(amount));
        uint256 dripped = (RESERVE * stay) / 7 days;
        assertLe(uint256(tokGain(whale, attacker)), (dripped * amount) / (amount + HONEST));
    }
}

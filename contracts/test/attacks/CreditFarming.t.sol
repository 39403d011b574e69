// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Somebody wants Action Credits for next to nothing, to post and claim for free or to trade with itself for
/// reputation: the smallest stake while nobody else stakes, many wallets, or one stake that wanders between them.
/// Answer: a stake earns by its size and time, 10,000 TOK one action in thirty days, however few others stake;
/// credits belong to the wallet that earned them and pay nothing but its own access fees.
contract CreditFarmingTest is AttackTest {
    uint128 private constant MIN_STAKE = 10_000e18;
    uint256 private constant STREAM = 0.01e18;

    function setUp() public override {
        super.setUp();
        openStaking();
    }

    function test_tenWalletsEarnNoMoreThanOne() public {
        uint256 snapshot = vm.snapshotState();
        stake(rival, 10 * MIN_STAKE);
        skip(30 days);
        uint256 ofOne = staking.stakerOf(rival).credits;

        vm.revertToState(snapshot);
        uint256 ofTen = 0;
        address[10] memory wallets;
        for (uint256 index = 0; index < 10; ++index) {
            wallets[index] = newWallet(index);
            stake(wallets[index], MIN_STAKE);
        }
        skip(30 days);
        for (uint256 index = 0; index < 10; ++index) {
            ofTen += staking.stakerOf(wallets[index]).credits;
        }
        assertLe(ofTen, ofOne);
    }

    function testFuzz_creditsNeverExceedTheRateOrTheStream(uint256 amount, uint256 wait) public {
        amount = bound(amount, MIN_STAKE, WALLET_TOK);
        wait = bound(wait, 0, 1_000 days);
        stake(rival, uint128(amount));
        skip(wait);
        uint256 byStake = ((amount * 38_580_246_914) / 1e18) * wait;
        uint256 byStream = STREAM * wait;
        assertLe(staking.stakerOf(rival).credits, byStake < byStream ? byStake : byStream);
    }

    function stake(address account, uint128 amount) private {
        stakingAs(account).stake(amount);
    }

    function newWallet(uint256 index) private returns (address wallet) {
        wallet = makeAddr(string.concat("wallet ", vm.toString(index)));
        equip(wallet);
    }
}

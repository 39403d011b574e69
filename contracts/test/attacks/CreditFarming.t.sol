// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {IStakingVault} from "../../src/interfaces/IStakingVault.sol";
import {AttackTest} from "./AttackTest.sol";

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

    function test_theSmallestStakeAloneEarnsOneActionAMonthNotTheWholeStream() public {
        stake(rival, MIN_STAKE);
        skip(30 days);
        uint96 credits = staking.stakerOf(rival).credits;
        assertApproxEqAbs(credits, FEE, 1e15);
        assertGt(STREAM * 30 days, 25 * uint256(credits), "the stream would have been twenty-five actions");
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

    function test_aStakeThatWandersEarnsNoMoreThanOneThatStays() public {
        stake(rival, MIN_STAKE);
        uint256 total = 0;
        address holder = rival;
        for (uint256 index = 0; index < 5; ++index) {
            skip(1 days);
            vm.prank(holder);
            staking.unstake(MIN_STAKE);
            total += staking.stakerOf(holder).credits;
            address next = newWallet(index);
            vm.prank(holder);
            tok.transfer(next, MIN_STAKE);
            stake(next, MIN_STAKE);
            holder = next;
        }
        assertLe(total, uint256(FEE) / 6 + 1e15, "five of thirty days");
    }

    function test_reverts_whenTheStakeShallWanderWithinADay() public {
        stake(rival, MIN_STAKE);
        uint64 until = uint64(vm.getBlockTimestamp()) + 1 days;
        vm.warp(until - 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.StakeLocked.selector, until));
        vm.prank(rival);
        staking.unstake(MIN_STAKE);
    }

    function test_creditsPayNobodyElsesFee() public {
        stake(rival, 100 * MIN_STAKE);
        skip(10 days);
        uint96 credits = staking.stakerOf(rival).credits;
        Wealth memory before = wealthOf(poster);
        postedUnfunded();
        assertOutcome(poster, before, -int256(uint256(FEE)), 0);
        assertEq(staking.stakerOf(rival).credits, credits);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, rival));
        vm.prank(rival);
        staking.consumeCredits(rival, FEE);
    }

    /// @dev Two wallets of one owner trade with each other; the owner even has all stake and gets its part back.
    function test_aFakeCompletionCostsTwelveHundredTokAtTheVeryLeast() public {
        stake(rival, 100 * MIN_STAKE);
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        Wealth memory asStaker = wealthOf(rival);
        completed();
        gateway.flush();
        skip(8 days);
        int256 gain = tokGain(poster, asPoster) + tokGain(worker, asWorker) + tokGain(rival, asStaker);
        assertLe(uint256(-gain - 1_200e18), 1e6, "two fees, of which stakers get 40 %");
        (, int256 score) = reputation.reputationOf(worker);
        assertEq(score, 10);
    }

    function test_aFakeCompletionWithCreditsTakesTwoActions() public {
        stake(poster, MIN_STAKE);
        stake(worker, MIN_STAKE);
        skip(30 days);
        Wealth memory asPoster = wealthOf(poster);
        Wealth memory asWorker = wealthOf(worker);
        completed();
        assertEq(tokGain(poster, asPoster) + tokGain(worker, asWorker), 0, "credits paid both fees");
        skip(29 days);
        assertLt(staking.stakerOf(poster).credits, FEE, "and are gone for another month");
        assertLt(staking.stakerOf(worker).credits, FEE);
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
        vm.prank(account);
        staking.stake(amount);
    }

    function newWallet(uint256 index) private returns (address wallet) {
        wallet = makeAddr(string.concat("wallet ", vm.toString(index)));
        equip(wallet);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev A poster that owns the whole stake posts tasks it never means to pay, so that workers pay claim fees of
/// which stakers get a part.
/// Answer: a claim that is not funded within a day ends the task for good, so each bait costs its own post fee,
/// and stakers get 40 % of both fees: less than the fee the attacker paid. A bait that is funded is started by the
/// worker, and sending the worker away costs another fee.
contract BaitPostsTest is AttackTest {
    int256 private constant COST = int256(uint256(FEE));

    function setUp() public override {
        super.setUp();
        openStaking();
    }

    function test_anUnfundedBaitLosesEvenWhenTheAttackerOwnsAllStake() public {
        stakeAll();
        Wealth memory attacker = wealthOf(poster);
        Wealth memory victim = wealthOf(worker);
        uint256 taskId = claimed();
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        harvest();
        assertState(taskId, State.CANCELLED);
        assertOutcome(worker, victim, -COST, 0);
        assertLost(attacker, COST / 5);
    }

    function test_baitingManyWorkersWithOneFundedPostLosesAFifthOfAFeeEachTime() public {
        stakeAll();
        Wealth memory attacker = wealthOf(poster);
        uint256 taskId = posted();
        for (uint256 turn = 0; turn < 4; ++turn) {
            claim(taskId, turn % 2 == 0 ? worker : rival);
            dismiss(taskId);
        }
        registryAs(poster).cancelTask(taskId);
        harvest();
        // Five fees were paid by the attacker and four by workers: 5 - 0.4 * 9.
        assertLost(attacker, (COST * 14) / 10);
    }

    function stakeAll() private {
        stakingAs(poster).stake(1_000_000e18);
    }

    /// @dev Everything collected is split and drips to the stakers.
    function harvest() private {
        paymentGateway.flush();
        skip(8 days);
    }

    /// @dev The attacker lost `loss`, and no more than what rounding leaves in the reserve on top.
    function assertLost(Wealth memory before, int256 loss) private view {
        int256 gain = tokGain(poster, before);
        assertTrue(gain <= -loss, "the loss that was computed");
        assertLt(uint256(-gain - loss), 1e6, "and not more");
    }
}

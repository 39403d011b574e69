// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./ReentrancyTest.sol";

/// @dev Every operation of a market, tried inside each operation of gateway, staking, deposits and court that moves
/// TOK or USDC. What each pair must lead to stands in ReentrancyTest.sol.
contract ReentrancyInMoneyTest is ReentrancyTest {
    function test_duringFlush() public {
        assertSafeDuring("flush");
    }

    function test_duringPurchasePlanInTok() public {
        assertSafeDuring("purchasePlan in TOK");
    }

    function test_duringPurchasePlanInUsdc() public {
        assertSafeDuring("purchasePlan in USDC");
    }

    function test_duringStake() public {
        assertSafeDuring("stake");
    }

    function test_duringUnstake() public {
        assertSafeDuring("unstake");
    }

    function test_duringClaimReward() public {
        assertSafeDuring("claimReward");
    }

    function test_duringTopUp() public {
        assertSafeDuring("topUp");
    }

    function test_duringEmergencyTopUp() public {
        assertSafeDuring("emergencyTopUp");
    }

    function test_duringWithdraw() public {
        assertSafeDuring("withdraw");
    }

    function test_duringRegisterArbitrator() public {
        assertSafeDuring("registerArbitrator");
    }

    function test_duringWithdrawBond() public {
        assertSafeDuring("withdrawBond");
    }

    function test_duringEscalate() public {
        assertSafeDuring("escalate");
    }

    function test_duringResolveDispute() public {
        assertSafeDuring("resolveDispute");
    }

    function test_duringTheCourtsResolveTimedOut() public {
        assertSafeDuring("court.resolveTimedOut");
    }

    function test_duringTheDefaultOfAnUnansweredDispute() public {
        assertSafeDuring("court.resolveTimedOut of an unanswered");
    }

    function test_duringAnswerDispute() public {
        assertSafeDuring("answerDispute");
    }

    function test_duringConcede() public {
        assertSafeDuring("concede");
    }

    function test_duringMutualSettle() public {
        assertSafeDuring("mutualSettle");
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev The owner's key is stolen, or its holder turns bad.
/// Answer: it can stop new posts and claims, set the terms of posting plans (which a buyer bounds), open staking, end
/// the issue of credits, name price publishers and, with 30 days' warning, the fallback arbitrator of later claims;
/// each of these alone, and none of them touches money that is in the market. Escrow, deposits, gateway and token
/// have no owner at all, and those of court and staking vault cannot reach what lies there. FallbackRotation plays
/// the court's owner.
contract AdminKeyTest is AttackTest {
    function test_escrowDepositsGatewayTokenAndRecordsHaveNoOwner() public view {
        address[5] memory ownerless = [
            address(gateway),
            address(deposits),
            address(escrow),
            address(tok),
            address(reputation)
        ];
        for (uint256 index = 0; index < ownerless.length; ++index) {
            assertFalse(answers(ownerless[index], abi.encodeCall(Ownable.owner, ())), "no owner");
        }
        assertTrue(answers(address(registry), abi.encodeCall(Ownable.owner, ())), "the question is a good one");
    }

    /// @dev registry/SetEntriesPaused covers pausing alone. Here every power is used at once, and still each task
    /// ends and everybody takes its own money out.
    function test_withEveryPowerUsedAllTasksEndAndAllMoneyComesOut() public {
        openStaking();
        stakingAs(rival).stake(10_000e18);
        uint256[4] memory taskIds = [posted(), active(), delivered(), assigned()];
        useEveryPower();

        registryAs(poster).cancelTask(taskIds[0]);
        courtAs(arbitrator).resolveDispute(taskIds[3], 5_000, REASON, REASON_URI);
        courtAs(arbitrator).requestUnbond();
        skip(14 days + 1);
        registry.resolveTimedOut(taskIds[1]);
        registry.resolveTimedOut(taskIds[2]);
        courtAs(arbitrator).withdrawBond();
        vm.startPrank(rival);
        staking.unstake(10_000e18);
        staking.claimReward();
        vm.stopPrank();
        leaveDeposit(poster, 0);
        leaveDeposit(worker, 0);
        assertEq(heldInAll(), 0);
        assertEq(tok.balanceOf(address(court)), 0);
    }

    function test_everyPowerAtOnceMovesNoMoney() public {
        openStaking();
        delivered();
        assigned();
        address[4] memory people = [poster, worker, rival, arbitrator];
        Wealth[4] memory before;
        for (uint256 index = 0; index < 4; ++index) {
            before[index] = wealthOf(people[index]);
        }
        uint256 held = heldInAll();
        useEveryPower();
        for (uint256 index = 0; index < 4; ++index) {
            assertOutcome(people[index], before[index], 0, 0);
        }
        assertEq(heldInAll(), held);
        assertEq(wealthOf(owner).tok + wealthOf(owner).usdc, 0);
    }

    /// @dev Staking is open already, which cannot be taken back. This contract owns the feed.
    function useEveryPower() private {
        vm.startPrank(owner);
        registry.setEntriesPaused(true);
        policy.setPlan("basic", 1, 1_000_000e6, 0, false);
        staking.closeCreditIssuance();
        court.scheduleFallback(owner);
        court.acceptFallback();
        vm.stopPrank();
        feed.setPublisher(owner, true);
    }

    function answers(address target, bytes memory question) private view returns (bool answered) {
        (answered, ) = target.staticcall(question);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Somebody claims every task it sees, in front of honest workers, and does nothing with them.
/// Answer: each claim costs an access fee and locks a bond, so a deposit of 25 USDC blocks five tasks at most; a
/// poster that does not start gets its task back after two days without paying, with its deadline moved and a mark on
/// the squatter, or at once for a fee; one that has started gets the squatter's bond; and a poster that wants one certain worker names it in a signed task.
contract SquattingClaimsTest is AttackTest {
    uint256 private constant TASKS = 5;
    address private squatter;

    function setUp() public override {
        super.setUp();
        squatter = rival;
        depositsAs(squatter).withdraw(1_000e6 - ENTRY, squatter);
    }

    function test_aDepositBlocksNoMoreTasksThanItHasBonds() public {
        squat();
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, squatter);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientFree.selector, 0, BOND));
        registryAs(squatter).claimTask(taskId, digest);
    }

    function test_squattingCostsAFeeATaskAndIsOverInTwoDays() public {
        Wealth memory attacker = wealthOf(squatter);
        uint256[TASKS] memory taskIds = squat();
        Wealth memory victim = wealthOf(poster);
        skip(2 days + 1);
        for (uint256 index = 0; index < TASKS; ++index) {
            registry.resolveTimedOut(taskIds[index]);
            assertState(taskIds[index], State.POSTED);
            claim(taskIds[index], worker);
        }
        assertOutcome(squatter, attacker, -int256(TASKS * FEE), 0);
        assertOutcome(poster, victim, 0, 0);
    }

    function testFuzz_noSquatOfAFundedTaskLastsLongerThanTwoDays(uint256 wait) public {
        uint256 taskId = posted();
        claim(taskId, squatter);
        uint64 end = taskOf(taskId).updatedAt + 2 days;
        skip(bound(wait, 0, 9 days));
        bool over = vm.getBlockTimestamp() > end;
        if (!over) expectTooEarly(end);
        registry.resolveTimedOut(taskId);
        assertState(taskId, over ? State.POSTED : State.CLAIMED);
    }

    function squat() private returns (uint256[TASKS] memory taskIds) {
        for (uint256 index = 0; index < TASKS; ++index) {
            taskIds[index] = posted();
            claim(taskIds[index], squatter);
        }
    }
}

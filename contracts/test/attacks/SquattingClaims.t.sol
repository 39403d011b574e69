// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Scope, State} from "../../src/Types.sol";
import {IDepositVault} from "../../src/interfaces/IDepositVault.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev Somebody claims every task it sees, in front of honest workers, and does nothing with them.
/// Answer: each claim costs an access fee and locks a bond, so a deposit of 25 USDC blocks five tasks at most; a
/// poster that does not start gets its task back after two days without paying, or at once for a fee; one that has
/// started gets the squatter's bond; and a poster that wants one certain worker names it in a signed task.
contract SquattingClaimsTest is AttackTest {
    uint256 private constant TASKS = 5;
    address private squatter;

    function setUp() public override {
        super.setUp();
        squatter = rival;
        vm.prank(squatter);
        deposits.withdraw(1_000e6 - ENTRY, squatter);
    }

    function test_aDepositBlocksNoMoreTasksThanItHasBonds() public {
        squat();
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, squatter);
        vm.expectRevert(abi.encodeWithSelector(IDepositVault.InsufficientFree.selector, 0, BOND));
        vm.prank(squatter);
        registry.claimTask(taskId, digest);
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

    function test_anImpatientPosterSendsTheSquatterAwayAtOnceForAFee() public {
        uint256 taskId = posted();
        claim(taskId, squatter);
        Wealth memory victim = wealthOf(poster);
        dismiss(taskId);
        claim(taskId, worker);
        assertOutcome(poster, victim, -int256(uint256(FEE)), 0);
    }

    function test_aSquatterThatWasStartedLosesItsBondToThePoster() public {
        Wealth memory attacker = wealthOf(squatter);
        uint256 taskId = posted();
        claim(taskId, squatter);
        start(taskId);
        Wealth memory victim = wealthOf(poster);
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(squatter, attacker, -int256(uint256(FEE)), -int256(uint256(BOND)));
        assertOutcome(poster, victim, int256(uint256(TOTAL)), int256(uint256(BOND)));
    }

    /// @dev A worker who starts the work makes the squat longer and more expensive: it then ends by a day's notice or
    /// with the bond.
    function test_aSquatterThatStartsItselfIsDismissedByNotice() public {
        uint256 taskId = posted();
        claim(taskId, squatter);
        skip(1 days + 1);
        bytes32 digest = digestOf(taskId);
        vm.prank(squatter);
        registry.startWork(taskId, digest);
        giveNotice(taskId);
        skip(1 days + 1);
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        (, int256 score) = reputation.reputationOf(squatter);
        assertEq(score, -5);
    }

    function test_reverts_whenASignedTaskIsClaimedByAnother() public {
        uint256 taskId = created(Scope.PRIVATE);
        bytes32 digest = registry.openDigest(taskId, squatter);
        expectWrongState(taskId, State.CLAIMED);
        vm.prank(squatter);
        registry.claimTask(taskId, digest);
        assertEq(taskOf(taskId).worker, worker);
    }

    function testFuzz_noSquatOfAFundedTaskLastsLongerThanTwoDays(uint256 wait) public {
        uint256 taskId = posted();
        claim(taskId, squatter);
        uint64 end = taskOf(taskId).updatedAt + 2 days;
        skip(bound(wait, 0, 9 days));
        bool over = vm.getBlockTimestamp() > end;
        if (!over) vm.expectRevert(abi.encodeWithSelector(IMarketErrors.TooEarly.selector, end));
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

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {AttackTest} from "./AttackTest.sol";

/// @dev A party disputes whatever it likes, to delay payment or to press the other into a discount.
/// Answer: opening takes a bond of 5 % of the milestone. Who opens and gets less than half pays the arbitrator with
/// it, so the other side gets its part undiminished; who gets nothing loses its collateral to the other on top.
contract FreeDisputesTest is AttackTest {
    int256 private constant BOND_LOST = int256(uint256(TOTAL) / 20);
    int256 private constant COLLATERAL = int256(uint256(BOND));

    function test_aPosterThatDisputesGoodWorkPaysFivePercentMoreAndItsCollateral() public {
        uint256 taskId = delivered();
        Wealth memory attacker = wealthOf(poster);
        Wealth memory victim = wealthOf(worker);
        Wealth memory judge = wealthOf(arbitrator);
        ruleOn(taskId, poster, 10_000);
        assertOutcome(poster, attacker, -BOND_LOST, -COLLATERAL);
        assertOutcome(worker, victim, int256(uint256(TOTAL)), COLLATERAL);
        assertOutcome(arbitrator, judge, BOND_LOST, 0);
    }

    function test_aWorkerThatDisputesARefusalOfJunkPaysFivePercentAndItsCollateral() public {
        uint256 taskId = delivered();
        Wealth memory attacker = wealthOf(worker);
        Wealth memory victim = wealthOf(poster);
        Wealth memory judge = wealthOf(arbitrator);
        ruleOn(taskId, worker, 0);
        assertOutcome(worker, attacker, -BOND_LOST, -COLLATERAL);
        assertOutcome(poster, victim, int256(uint256(TOTAL)), COLLATERAL);
        assertOutcome(arbitrator, judge, BOND_LOST, 0);
    }

    function test_reverts_whenTheOpenerHasNothingToStake() public {
        uint256 taskId = delivered();
        uint256 balance = tok.balanceOf(poster);
        vm.prank(poster);
        tok.transfer(stranger, balance);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, poster, 0, TOTAL / 20)
        );
        openDispute(taskId);
    }

    function test_reverts_whenAnEndedDisputeIsOpenedAgain() public {
        uint256 taskId = delivered();
        ruleOn(taskId, poster, 10_000);
        expectWrongState(taskId, State.RESOLVED);
        vm.prank(poster);
        registry.openDispute(taskId, 0, EVIDENCE, EVIDENCE_URI);
    }

    /// @dev Whatever the ruling, an opener that gets less than half has paid the fee alone.
    function testFuzz_aLosingOpenerPaysTheFeeAlone(uint16 workerBps, bool byPoster) public {
        workerBps = uint16(byPoster ? bound(workerBps, 5_001, 10_000) : bound(workerBps, 0, 4_999));
        uint256 taskId = delivered();
        (address opener, address other) = byPoster ? (poster, worker) : (worker, poster);
        Wealth memory attacker = wealthOf(opener);
        Wealth memory victim = wealthOf(other);
        ruleOn(taskId, opener, workerBps);
        int256 workersPart = int256((uint256(TOTAL) * workerBps) / 10_000);
        int256 postersPart = int256(uint256(TOTAL)) - workersPart;
        assertEq(tokGain(opener, attacker), (byPoster ? postersPart : workersPart) - BOND_LOST);
        assertEq(tokGain(other, victim), byPoster ? workersPart : postersPart);
    }

    function ruleOn(uint256 taskId, address opener, uint16 workerBps) private {
        openDispute(taskId);
        vm.prank(poster);
        court.proposeArbitrator(taskId, arbitrator);
        vm.prank(worker);
        court.proposeArbitrator(taskId, arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, workerBps, REASON, REASON_URI);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeAction, PayWith, Phase, RepKind, SettlementKind} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {IPaymentGateway} from "../../src/interfaces/IPaymentGateway.sol";
import {IPricingPolicy} from "../../src/interfaces/IPricingPolicy.sol";
import {IStakingVault} from "../../src/interfaces/IStakingVault.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {AttackTest} from "./AttackTest.sol";

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

    function test_reverts_whenTheOwnerMovesMoneyOrRecords() public {
        uint256 taskId = disputed();
        vm.startPrank(owner);
        expectNotAuthorized();
        escrow.fund(taskId, poster, 1);
        expectNotAuthorized();
        escrow.release(taskId, owner, 1);
        expectNotAuthorized();
        escrow.payFee(taskId, owner, 1);
        expectNotAuthorized();
        escrow.refundAll(taskId, owner);
        expectNotAuthorized();
        deposits.lockBond(poster);
        expectNotAuthorized();
        deposits.unlockBond(poster);
        expectNotAuthorized();
        deposits.slashBond(poster, owner);
        expectNotAuthorized();
        gateway.pull(poster, 1);
        expectNotAuthorized();
        gateway.collectAccessFee(poster, FeeAction.POST, taskId);
        expectNotAuthorized();
        staking.addReward(1);
        expectNotAuthorized();
        staking.consumeCredits(poster, 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, 0, 1));
        staking.unstake(1);
        expectNotAuthorized();
        reputation.bump(owner, RepKind.COMPLETED);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotRegistry.selector, owner));
        court.open(taskId, poster, worker, 1, REVIEW, 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCourt.selector, owner));
        registry.settleDispute(taskId, SettlementKind.MUTUAL, 0, 0);
        expectNotAuthorized();
        escrow.refundBeyond(taskId, owner, 0);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, Phase.ANSWERING));
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        expectNotParty();
        court.concede(taskId, Phase.ANSWERING);
        expectNotParty();
        court.answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
        expectNotAuthorized();
        court.acceptFallback();
        vm.stopPrank();
    }

    /// @dev registry/SetEntriesPaused covers pausing alone. Here every power is used at once, and still each task
    /// ends and everybody takes its own money out.
    function test_withEveryPowerUsedAllTasksEndAndAllMoneyComesOut() public {
        openStaking();
        vm.prank(rival);
        staking.stake(10_000e18);
        uint256[4] memory taskIds = [posted(), active(), delivered(), assigned()];
        useEveryPower();

        vm.prank(poster);
        registry.cancelTask(taskIds[0]);
        vm.prank(arbitrator);
        court.resolveDispute(taskIds[3], 5_000, REASON, REASON_URI);
        vm.prank(arbitrator);
        court.requestUnbond();
        skip(14 days + 1);
        registry.resolveTimedOut(taskIds[1]);
        registry.resolveTimedOut(taskIds[2]);
        vm.prank(arbitrator);
        court.withdrawBond();
        vm.startPrank(rival);
        staking.unstake(10_000e18);
        staking.claimReward();
        vm.stopPrank();
        leaveDeposit(poster, 0);
        leaveDeposit(worker, 0);
        assertEq(heldInAll(), 0);
        assertEq(tok.balanceOf(address(court)), 0);
    }

    function test_planPricesAreBoundedByTheBuyersMaximum() public {
        vm.prank(owner);
        policy.setPlan("basic", 25, 1_000_000e6, 0, true);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.PriceAboveMax.selector, 1_000_000e6, 20e6));
        vm.prank(poster);
        gateway.purchasePlan("basic", PayWith.USDC, 20e6, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IPricingPolicy.BadPlan.selector, bytes32("basic")));
        vm.prank(owner);
        policy.setPlan("basic", 25, 20e6, 5_001, true);
    }

    function test_stakingIsOpenedOnceAndNeverClosed() public {
        openStaking();
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.AlreadyActive.selector, address(staking)));
        openStaking();
    }

    function test_endingTheIssueOfCreditsLeavesThoseEarnedGood() public {
        openStaking();
        vm.prank(poster);
        staking.stake(1_000_000e18);
        skip(3 days);
        uint96 earned = staking.stakerOf(poster).credits;
        vm.expectEmit(address(staking));
        emit IStakingVault.CreditIssuanceClosed(earned);
        vm.prank(owner);
        staking.closeCreditIssuance();
        skip(30 days);
        assertEq(staking.stakerOf(poster).credits, earned, "no more are issued");
        Wealth memory before = wealthOf(poster);
        postedUnfunded();
        assertOutcome(poster, before, 0, 0);
        assertEq(staking.stakerOf(poster).credits, earned - FEE);
    }

    function test_aPublisherPricesPlansAndNothingElse() public {
        feed.setPublisher(stranger, true);
        skip(60);
        vm.prank(stranger);
        feed.publish(600_000);
        Wealth memory before = wealthOf(poster);
        uint256 taskId = posted();
        claim(taskId, worker);
        assertOutcome(poster, before, -int256(uint256(FEE + TOTAL)), 0);
        assertEq(lockedOf(worker), BOND);
    }

    function testFuzz_reverts_whenAnyoneElseUsesAnOwnersPower(address caller) public {
        vm.assume(caller != owner && caller != address(this));
        bytes memory refused = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller);
        vm.startPrank(caller);
        vm.expectRevert(refused);
        registry.setEntriesPaused(true);
        vm.expectRevert(refused);
        policy.setPlan("basic", 1, 1, 0, true);
        vm.expectRevert(refused);
        staking.activate();
        vm.expectRevert(refused);
        staking.closeCreditIssuance();
        vm.expectRevert(refused);
        court.scheduleFallback(caller);
        vm.expectRevert(refused);
        feed.setPublisher(caller, true);
        vm.stopPrank();
    }

    function test_ownershipPassesInTwoSteps() public {
        address[4] memory owned = [address(registry), address(policy), address(staking), address(court)];
        for (uint256 index = 0; index < owned.length; ++index) {
            Ownable2Step target = Ownable2Step(owned[index]);
            assertEq(target.owner(), owner);
            vm.prank(owner);
            target.transferOwnership(stranger);
            assertEq(target.owner(), owner, "not before it is taken");
            vm.prank(stranger);
            target.acceptOwnership();
            assertEq(target.owner(), stranger);
        }
    }

    function test_aRenouncedKeyOpensAndClosesNothingAnyMore() public {
        vm.startPrank(owner);
        Ownable2Step(address(registry)).renounceOwnership();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner));
        registry.setEntriesPaused(true);
        vm.stopPrank();
        assertEq(Ownable2Step(address(registry)).owner(), address(0));
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

    function expectNotParty() private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, owner));
    }

    function expectNotAuthorized() private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, owner));
    }
}
